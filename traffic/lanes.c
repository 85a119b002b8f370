/* traffic/lanes.c: lane groups.
 *
 * The parts of a group's expressions that have no lane in them are parameters:
 * two moments with equal parameters have the same lane set, which is then
 * found in a table. */
#include "traffic/lanes.h"
#include "base/map.h"

#include <assert.h>

typedef struct parameter {
  sym of;
  hoisted value;
} parameter;

struct lane_group {
  scope *scope;
  lane_axis axes[TYPE_MAX_RANK];
  size_t count;
  const formula *offset;
  VEC(const formula *) masks;
  VEC(parameter) parameters;
  sym missing;        /* a parameter that cannot be evaluated */
  int64_t *slots;     /* lanes, then parameters */
  intern *seen;       /* values of the parameters */
  VEC(lane_set) sets; /* by what was seen, number 1 at 0 */
  uint64_t stamp;     /* of the newest parameter, when `now` was found */
  size_t now;
};

static bool is_lane(const lane_group *g, sym e, uint32_t *slot) {
  for (uint32_t i = 0; i < g->count; i++)
    if (g->axes[i].lane == e) {
      *slot = i;
      return true;
    }
  return false;
}

static bool is_lane_free(void *context, sym e) {
  lane_group *g = context;
  return !sym_mentions_role(g->scope->t, e, ROLE_LANE);
}

static bool is_outer(void *context, sym e) {
  uint32_t slot;
  return is_lane_free(context, e) || is_lane(context, e, &slot);
}

static uint32_t slot_of(void *context, sym e) {
  lane_group *g = context;
  uint32_t slot;
  if (is_lane(g, e, &slot))
    return slot;
  for (slot = 0; slot < g->parameters.count; slot++)
    if (g->parameters.at[slot].of == e)
      return TYPE_MAX_RANK + slot;
  parameter fresh = {.of = e};
  if (!scope_hoist(g->scope, e, &fresh.value, &g->missing))
    fresh.value.formula = NULL;
  VEC_PUSH(g->scope->arena, &g->parameters, fresh);
  return TYPE_MAX_RANK + slot;
}

static const formula *compile(lane_group *g, sym e, sym *missing) {
  formula_slots slots = {is_outer, is_lane_free, slot_of, g};
  const formula *made =
      formula_compile(g->scope->arena, g->scope->t, e, slots, missing);
  if (made && g->missing != SYM_NONE) {
    *missing = g->missing;
    return NULL;
  }
  return made;
}

lane_group *lane_group_create(scope *scope, const lane_axis *axes, size_t count,
                              sym offset, const sym_vec *masks, sym *missing) {
  lane_group *g = ARENA_NEW(scope->arena, lane_group);
  g->scope = scope;
  g->count = count;
  assert(count <= TYPE_MAX_RANK);
  for (size_t i = 0; i < count; i++)
    g->axes[i] = axes[i];
  g->offset = compile(g, offset, missing);
  if (!g->offset)
    return NULL;
  for (size_t i = 0; i < masks->count; i++) {
    const formula *mask = compile(g, masks->at[i], missing);
    if (!mask)
      return NULL;
    VEC_PUSH(scope->arena, &g->masks, mask);
  }
  g->slots =
      ARENA_ARRAY(scope->arena, int64_t, TYPE_MAX_RANK + g->parameters.count);
  g->seen = intern_create(scope->arena);
  return g;
}

/* Whether the lanes in the slots are live; false in *valid when that has no
 * value. */
static bool is_live(const lane_group *g, bool *valid) {
  for (size_t i = 0; i < g->masks.count; i++) {
    int64_t live;
    if (!formula_eval(g->masks.at[i], g->slots, &live)) {
      *valid = false;
      return false;
    }
    if (!live)
      return false;
  }
  return true;
}

/* The next lane of each axis, the last axis fastest; false after the last. */
static bool next_lane(const lane_group *g) {
  for (size_t i = g->count; i-- > 0;) {
    if (++g->slots[i] < g->axes[i].extent)
      return true;
    g->slots[i] = 0;
  }
  return false;
}

static size_t lane_count(const lane_group *g) {
  size_t n = 1;
  for (size_t i = 0; i < g->count; i++)
    n *= (size_t)g->axes[i].extent;
  return n;
}

/* The same as lane_group_each, with the parameters in their slots. */
static bool each_lane(const lane_group *g, lane_visit visit, void *context) {
  bool valid = true;
  size_t lane = 0;
  for (size_t i = 0; i < g->count; i++)
    g->slots[i] = 0;
  do {
    int64_t address = 0;
    bool live = is_live(g, &valid);
    if (live && !formula_eval(g->offset, g->slots, &address))
      valid = false;
    visit(context, lane++, live, address);
  } while (valid && next_lane(g));
  return valid;
}

typedef struct found_lanes {
  int64_t *at;
  int64_t count;
} found_lanes;

static void take_lane(void *context, size_t lane, bool live, int64_t address) {
  found_lanes *found = context;
  (void)lane;
  if (live)
    found->at[found->count++] = address;
}

static lane_set find_lanes(const lane_group *g, offsets *table) {
  arena *scratch = arena_create();
  found_lanes found = {.at = ARENA_ARRAY(scratch, int64_t, lane_count(g))};
  lane_set out = {.valid = each_lane(g, take_lane, &found)};
  out.lanes = found.count;
  if (out.valid && found.count > 0)
    out.set = offsets_of(table, found.at, (size_t)found.count, &out.least);
  arena_destroy(scratch);
  return out;
}

/* Evaluates the parameters into their slots; the newest of their stamps. */
static uint64_t load_parameters(lane_group *g, bool *valid) {
  uint64_t newest = 1;
  for (size_t i = 0; i < g->parameters.count; i++) {
    hoisted *h = &g->parameters.at[i].value;
    scope_evaluate(g->scope, h);
    g->slots[TYPE_MAX_RANK + i] = h->value;
    *valid = *valid && h->ok;
    newest = h->stamp > newest ? h->stamp : newest;
  }
  return newest;
}

const lane_set *lane_group_now(lane_group *g, offsets *table) {
  static const lane_set invalid = {.valid = false};
  bool valid = true;
  uint64_t stamp = load_parameters(g, &valid);
  if (!valid)
    return &invalid;
  if (g->stamp == stamp)
    return &g->sets.at[g->now];
  const int64_t *key = g->slots + TYPE_MAX_RANK;
  uint32_t id = intern_id_n(g->seen, (const char *)key,
                            g->parameters.count * sizeof *key);
  if (id > g->sets.count) {
    lane_set fresh = find_lanes(g, table);
    VEC_PUSH(g->scope->arena, &g->sets, fresh);
  }
  g->stamp = stamp;
  g->now = id - 1;
  return &g->sets.at[g->now];
}

bool lane_group_each(lane_group *g, lane_visit visit, void *context) {
  bool valid = true;
  load_parameters(g, &valid);
  return valid && each_lane(g, visit, context);
}
