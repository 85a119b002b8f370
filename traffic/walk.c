/* traffic/walk.c: runs the tree of a walk. */
#include "analysis/on_chip.h"
#include "traffic/walk_state.h"

#include <assert.h>
#include <inttypes.h>

typedef struct runner {
  walk *walk;
  const walk_visitor *visitor;
  trouble *why;
} runner;

static bool fail(runner *r, const inst *at, const char *message) {
  *r->why = (trouble){message, at->at};
  return false;
}

static bool spend(runner *r, const inst *at) {
  if (walk_tile_count(r->walk) > WALK_MOST_TILES)
    return fail(r, at,
                "the launch has more than 2**22 different tiles: too many to "
                "look at, give smaller sizes");
  return ++r->walk->spent <= WALK_MOST ||
         fail(r, at,
              "the launch makes more than 2**28 accesses and loop turns: too "
              "many to look at, give smaller sizes");
}

static bool base_of(const walk *w, walk_access_state *a, int64_t *out) {
  *out = 0;
  for (size_t i = 0; i < a->base_count; i++) {
    scope_evaluate(w->scope, &a->base[i]);
    if (!a->base[i].ok || !add_ok(*out, a->base[i].value, out))
      return false;
  }
  return true;
}

/* Whether the mask's conditions without lanes hold; false in *valid when one
 * has no value. */
static bool is_live(const walk *w, walk_access_state *a, bool *valid) {
  for (size_t i = 0; i < a->conditions.count; i++) {
    hoisted *h = &a->conditions.at[i];
    scope_evaluate(w->scope, h);
    *valid = *valid && h->ok;
    if (!h->ok || !h->value)
      return false;
  }
  return true;
}

/* Adds what the groups address; false when something has no value. */
static bool gather_groups(walk *w, walk_access_state *a, tile *t,
                          int64_t *lanes) {
  for (size_t i = 0; i<a->group_count && * lanes> 0; i++) {
    const lane_set *s = lane_group_now(a->groups[i], w->offsets);
    if (!s->valid)
      return false;
    *lanes *= s->lanes;
    if (s->lanes == 0)
      return true;
    if (!add_ok(t->first, s->least, &t->first))
      return false;
    t->set = offsets_sum(w->offsets, t->set, s->set);
  }
  return true;
}

static bool run_access(runner *r, const walk_node *node) {
  const char *const none = "an address here has no value at these sizes (a "
                           "division by 0, or more than 64 bits)";
  walk *w = r->walk;
  walk_access_state *a = &w->accesses.at[node->access];
  tile t = {.tensor = a->access->pointer.tensor, .set = OFFSETS_ONE};
  int64_t lanes = 1;
  bool valid = true;
  if (!spend(r, node->inst))
    return false;
  if (!is_live(w, a, &valid))
    return valid || fail(r, node->inst, none);
  if (!gather_groups(w, a, &t, &lanes))
    return fail(r, node->inst, none);
  int64_t base;
  if (lanes == 0)
    return true;
  if (!base_of(w, a, &base) || !add_ok(t.first, base, &t.first))
    return fail(r, node->inst, none);
  touch now = {node->access, tiles_number(&w->tiles, t), lanes};
  r->visitor->touched(r->visitor->context, now);
  return true;
}

static void step(runner *r) {
  if (r->visitor->stepped)
    r->visitor->stepped(r->visitor->context);
}

static bool run_body(runner *r, const walk_node_vec *body);

static bool control_now(runner *r, walk_node *node) {
  scope_evaluate(r->walk->scope, &node->control);
  return node->control.ok ||
         fail(r, node->inst,
              "what runs here has no value at these sizes (a division by 0, "
              "or more than 64 bits)");
}

static bool run_for(runner *r, walk_node *node) {
  if (!control_now(r, node))
    return false;
  int64_t turns = node->control.value;
  for (int64_t turn = 0; turn < turns; turn++) {
    scope_move(r->walk->scope, node->level, turn);
    step(r);
    if (!spend(r, node->inst) || !run_body(r, &node->bodies[0]))
      return false;
  }
  step(r);
  return true;
}

static bool run_while(runner *r, walk_node *node) {
  for (int64_t turn = 0; spend(r, node->inst); turn++) {
    scope_move(r->walk->scope, node->level, turn);
    step(r);
    if (!control_now(r, node))
      return false;
    if (!node->control.value)
      return true;
    if (!run_body(r, &node->bodies[0]))
      return false;
  }
  return false;
}

static bool run_if(runner *r, walk_node *node) {
  return control_now(r, node) &&
         run_body(r, &node->bodies[node->control.value ? 0 : 1]);
}

static bool run_node(runner *r, walk_node *node) {
  switch (node->kind) {
  case WALK_ACCESS:
    return !r->visitor->touched || run_access(r, node);
  case WALK_DOT:
    if (r->visitor->multiplied)
      r->visitor->multiplied(r->visitor->context, node->flops);
    return true;
  case WALK_FOR:
    return run_for(r, node);
  case WALK_WHILE:
    return run_while(r, node);
  case WALK_IF:
    return run_if(r, node);
  }
  return false;
}

static bool run_body(runner *r, const walk_node_vec *body) {
  for (size_t i = 0; i < body->count; i++)
    if (!run_node(r, &body->at[i]))
      return false;
  return true;
}

bool walk_program(walk *self, int64_t program, const walk_visitor *visitor,
                  trouble *why) {
  runner r = {self, visitor, why};
  scope_program(self->scope, program);
  self->spent++;
  bool done = run_body(&r, &self->body);
  step(&r);
  return done;
}

/* ---------------------------------------------------------------- reading */

bool walk_lanes(walk *self, size_t number, lane_visit visit, void *context) {
  return lane_group_each(self->accesses.at[number].whole, visit, context);
}

const tile_shape *walk_shape(const walk *self, size_t number) {
  return &self->accesses.at[number].shape;
}

const sizes *walk_sizes(const walk *self) {
  return self->sizes;
}

size_t walk_access_count(const walk *self) {
  return self->accesses.count;
}

const access *walk_access(const walk *self, size_t number) {
  return self->accesses.at[number].access;
}

size_t walk_refused_count(const walk *self) {
  return self->refused.count;
}

const access *walk_refused(const walk *self, size_t number, trouble *why) {
  *why = self->refused.at[number].why;
  return self->refused.at[number].access;
}

size_t walk_tile_count(const walk *self) {
  return self->tiles.all.count;
}

const tile *walk_tile(const walk *self, size_t number) {
  return &self->tiles.all.at[number];
}

const offset_set *walk_tile_offsets(const walk *self, size_t number) {
  return offsets_at(self->offsets, self->tiles.all.at[number].set);
}

bool walk_on_chip_bytes(const walk *self, int64_t *out) {
  const launch *l = self->sizes->launch;
  return sizes_number(self->sizes, on_chip_bytes(l), out) && *out > 0;
}
