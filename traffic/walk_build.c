/* traffic/walk_build.c: from the tile program to the tree that a walk runs. */
#include "traffic/walk_state.h"

#include <assert.h>

typedef struct builder {
  walk *walk;
  judge *judge;
  trouble why;
  bool failed;
} builder;

static symtab *syms(const builder *b) {
  return b->walk->scope->t;
}

static bool refuse(builder *b, const inst *i, const char *message) {
  b->failed = true;
  b->why = (trouble){message, i->at};
  return false;
}

/* What an expression has in it that no number replaces, in words. */
static const char *explain(const builder *b, const char *what, sym missing) {
  const walk *w = b->walk;
  const char *names = sizes_missing(w->sizes, missing);
  if (names)
    return arena_printf(w->arena, "%s depends on %s: give --set %s=...", what,
                        names, names);
  if (judge_depends_on_content(b->judge, missing))
    return arena_printf(w->arena, "%s depends on what a load finds in memory",
                        what);
  return arena_printf(w->arena, "%s is not followed", what);
}

/* ------------------------------------------------------------- accesses */

static const type *tile_type(const builder *b, const inst *i) {
  const tile_program *p = b->walk->sizes->launch->program;
  return &p->values.at[i->operands[0]].type;
}

static bool find_axes(builder *b, const inst *i, lane_axis *axes, size_t *count,
                      sym *missing) {
  const launch *l = b->walk->sizes->launch;
  const type *t = tile_type(b, i);
  *count = 0;
  for (unsigned d = 0; d < t->rank; d++) {
    int64_t extent;
    sym dim = launch_sym(l, t->dim[d]);
    if (!sizes_number(b->walk->sizes, dim, &extent)) {
      *missing = dim;
      return false;
    }
    if (extent > 1)
      axes[(*count)++] = (lane_axis){launch_lane(l, t->rank - 1 - d), extent};
  }
  return true;
}

/* Bit i for each axis that e mentions. */
static unsigned axes_of(const builder *b, sym e, const lane_axis *axes,
                        size_t count) {
  unsigned bits = 0;
  for (size_t i = 0; i < count; i++)
    if (sym_mentions(syms(b), e, axes[i].lane))
      bits |= 1u << i;
  return bits;
}

typedef struct part {
  sym of;
  unsigned axes;
} part;
typedef VEC(part) part_vec;

/* One address or mask, taken apart. */
static part_vec terms_of(builder *b, sym e, const lane_axis *axes,
                         size_t count) {
  symtab *t = syms(b);
  const sym_term *terms;
  part_vec out = {0};
  size_t n = sym_terms(t, e, &terms);
  terms = arena_copy(b->walk->arena, terms, n * sizeof *terms);
  for (size_t i = 0; i < n; i++) {
    sym of = sym_int(t, terms[i].coef);
    for (uint32_t k = 0; k < terms[i].atom_count; k++)
      of = sym_mul(t, of, terms[i].atoms[k]);
    part p = {of, axes_of(b, of, axes, count)};
    VEC_PUSH(b->walk->arena, &out, p);
  }
  return out;
}

static part_vec conditions_of(builder *b, sym mask, const lane_axis *axes,
                              size_t count) {
  part_vec out = {0};
  const sym *operands = &mask;
  size_t n = 1;
  if (sym_kind_of(syms(b), mask) == SYM_AND)
    n = sym_operands(syms(b), mask, &operands);
  for (size_t i = 0; i < n; i++) {
    part p = {operands[i], axes_of(b, operands[i], axes, count)};
    VEC_PUSH(b->walk->arena, &out, p);
  }
  return out;
}

/* groups[i]: the axes that hang together with axis i. */
static void join(unsigned *groups, size_t count, const part_vec *parts) {
  for (size_t k = 0; k < parts->count; k++) {
    unsigned all = parts->at[k].axes;
    for (size_t i = 0; i < count; i++)
      if (parts->at[k].axes >> i & 1)
        all |= groups[i];
    for (size_t i = 0; i < count; i++)
      if (all >> i & 1)
        groups[i] |= all;
  }
}

static void connect(unsigned *groups, size_t count, const part_vec *terms,
                    const part_vec *conditions) {
  for (size_t i = 0; i < count; i++)
    groups[i] = 1u << i;
  /* Each round joins at least one more axis, or nothing changes any more. */
  for (size_t round = 0; round < count; round++) {
    join(groups, count, terms);
    join(groups, count, conditions);
  }
}

static bool add_group(builder *b, walk_access_state *a, unsigned group,
                      const lane_axis *axes, size_t count,
                      const part_vec *terms, const part_vec *conditions,
                      sym *missing) {
  lane_axis own[TYPE_MAX_RANK];
  size_t own_count = 0;
  sym offset = sym_int(syms(b), 0);
  sym_vec masks = {0};
  for (size_t i = 0; i < count; i++)
    if (group >> i & 1)
      own[own_count++] = axes[i];
  for (size_t k = 0; k < terms->count; k++)
    if (terms->at[k].axes & group)
      offset = sym_add(syms(b), offset, terms->at[k].of);
  for (size_t k = 0; k < conditions->count; k++)
    if (conditions->at[k].axes & group)
      VEC_PUSH(b->walk->arena, &masks, conditions->at[k].of);
  lane_group *made = lane_group_create(b->walk->scope, own, own_count, offset,
                                       &masks, missing);
  if (!made)
    return false;
  a->groups[a->group_count++] = made;
  return true;
}

/* The part of the address without lanes, one sum for each level. */
static bool add_base(builder *b, walk_access_state *a, const part_vec *terms,
                     sym *missing) {
  scope *s = b->walk->scope;
  for (unsigned level = 0; level <= s->depth; level++) {
    sym sum = sym_int(syms(b), 0);
    for (size_t k = 0; k < terms->count; k++)
      if (!terms->at[k].axes && scope_level(s, terms->at[k].of) == level)
        sum = sym_add(syms(b), sum, terms->at[k].of);
    if (!scope_hoist(s, sum, &a->base[a->base_count++], missing))
      return false;
  }
  return true;
}

static bool add_conditions(builder *b, walk_access_state *a,
                           const part_vec *conditions, sym *missing) {
  for (size_t k = 0; k < conditions->count; k++) {
    hoisted h;
    if (conditions->at[k].axes)
      continue;
    if (!scope_hoist(b->walk->scope, conditions->at[k].of, &h, missing))
      return false;
    VEC_PUSH(b->walk->arena, &a->conditions, h);
  }
  return true;
}

static bool model_access(builder *b, walk_access_state *a, sym *missing) {
  const sizes *s = b->walk->sizes;
  lane_axis axes[TYPE_MAX_RANK];
  unsigned groups[TYPE_MAX_RANK], done = 0;
  size_t count;
  if (!find_axes(b, a->access->inst, axes, &count, missing))
    return false;
  part_vec terms =
      terms_of(b, sizes_apply(s, a->access->pointer.of), axes, count);
  part_vec conditions =
      conditions_of(b, sizes_apply(s, a->access->mask), axes, count);
  connect(groups, count, &terms, &conditions);
  for (size_t i = 0; i < count; i++) {
    if (!(done & groups[i]) &&
        !add_group(b, a, groups[i], axes, count, &terms, &conditions, missing))
      return false;
    done |= groups[i];
  }
  return add_base(b, a, &terms, missing) &&
         add_conditions(b, a, &conditions, missing);
}

static const access *access_at(const builder *b, const inst *i) {
  const interp_result *r = judge_result(b->judge);
  for (size_t k = 0; k < r->accesses.count; k++)
    if (r->accesses.at[k].inst == i)
      return &r->accesses.at[k];
  return NULL;
}

static void refuse_access(builder *b, const access *a, const char *message) {
  walk_refusal r = {a, {message, a->inst->at}};
  VEC_PUSH(b->walk->arena, &b->walk->refused, r);
}

static bool is_lost(const access *a) {
  return a->pointer.form != VALUE_POINTER || a->pointer.of == SYM_NONE ||
         a->pointer.tensor == TENSOR_LOST || a->any_mask;
}

static bool add_access(builder *b, const access *a, walk_node_vec *out) {
  sym missing = SYM_NONE;
  walk_access_state state = {.access = a};
  if (a->opaque)
    return refuse(b, a->inst, "this may access any memory");
  if (is_lost(a)) {
    refuse_access(b, a, "its address is not followed");
    return true;
  }
  if (!model_access(b, &state, &missing)) {
    if (sizes_missing(b->walk->sizes, missing))
      return refuse(b, a->inst, explain(b, "an address here", missing));
    refuse_access(b, a, explain(b, "its address or mask", missing));
    return true;
  }
  walk_node node = {.kind = WALK_ACCESS,
                    .inst = a->inst,
                    .access = (uint32_t)b->walk->accesses.count};
  VEC_PUSH(b->walk->arena, &b->walk->accesses, state);
  VEC_PUSH(b->walk->arena, out, node);
  return true;
}

/* ------------------------------------------------------------------ dots */

static bool dot_number(builder *b, value_id v, unsigned from_right,
                       int64_t *out) {
  const launch *l = b->walk->sizes->launch;
  const type *t = &l->program->values.at[v].type;
  sym dim = launch_sym(l, t->dim[t->rank - 1 - from_right]);
  return sizes_number(b->walk->sizes, dim, out);
}

/* Elements of a tile. Extents are at most 2^20 in all, so the product fits. */
static bool tile_elements(builder *b, value_id v, int64_t *out) {
  const launch *l = b->walk->sizes->launch;
  const type *t = &l->program->values.at[v].type;
  *out = 1;
  for (unsigned d = 0; d < t->rank; d++) {
    int64_t extent;
    if (!dot_number(b, v, d, &extent) || !mul_ok(*out, extent, out))
      return false;
  }
  return true;
}

/* A dot of tiles whose element type nobody states accumulates in f32. */
static int64_t accumulator_bytes(const builder *b, value_id v) {
  const tile_program *p = b->walk->sizes->launch->program;
  unsigned bytes = scalar_bytes(p->values.at[v].type.elem);
  return bytes ? bytes : scalar_bytes(SC_F32);
}

static void add_dot(builder *b, const inst *i, walk_node_vec *out) {
  int64_t k, elements;
  value_id result = i->results[0];
  if (!tile_elements(b, result, &elements) ||
      !dot_number(b, i->operands[0], 0, &k))
    return;
  walk_node node = {.kind = WALK_DOT,
                    .inst = i,
                    .flops = 2 * k * elements,
                    .bytes = elements * accumulator_bytes(b, result)};
  VEC_PUSH(b->walk->arena, out, node);
}

/* --------------------------------------------------------------- control */

static bool build_region(builder *b, const region *r, walk_node_vec *out);

static const control *control_of(const builder *b, const inst *i) {
  const interp_result *r = judge_result(b->judge);
  for (size_t k = 0; k < r->controls.count; k++)
    if (r->controls.at[k].inst == i)
      return &r->controls.at[k];
  return NULL;
}

static bool hoist_control(builder *b, const inst *i, sym of, const char *what,
                          hoisted *out) {
  sym missing = SYM_NONE;
  if (of == SYM_NONE)
    return refuse(b, i,
                  arena_printf(b->walk->arena, "%s is not followed", what));
  if (scope_hoist(b->walk->scope, of, out, &missing))
    return true;
  return refuse(b, i, explain(b, what, missing));
}

static bool keep(builder *b, const walk_node *node, walk_node_vec *out) {
  if (node->bodies[0].count || node->bodies[1].count)
    VEC_PUSH(b->walk->arena, out, *node);
  return true;
}

static bool build_if(builder *b, const inst *i, walk_node_vec *out) {
  walk_node node = {.kind = WALK_IF, .inst = i};
  const control *c = control_of(b, i);
  for (int arm = 0; arm < 2; arm++)
    if (i->regions[arm] && !build_region(b, i->regions[arm], &node.bodies[arm]))
      return false;
  if (!node.bodies[0].count && !node.bodies[1].count)
    return true;
  if (!hoist_control(b, i, c ? c->value : SYM_NONE, "the branch taken here",
                     &node.control))
    return false;
  return keep(b, &node, out);
}

/* The turns of a for loop are counted outside it; whether a while loop goes on
 * is a question about its own turn. */
static bool build_loop(builder *b, const inst *i, walk_node_vec *out) {
  scope *s = b->walk->scope;
  bool counted = i->kind == NODE_FOR;
  walk_node node = {.kind = counted ? WALK_FOR : WALK_WHILE, .inst = i};
  const control *c = control_of(b, i);
  if (!c || s->depth == SCOPE_LOOPS)
    return refuse(b, i, "this loop is not followed");
  s->turns[s->depth++] = c->turn;
  node.level = s->depth;
  bool built = build_region(b, i->regions[counted ? 0 : 1], &node.bodies[0]);
  if (counted)
    s->depth--;
  if (built && node.bodies[0].count)
    built = hoist_control(b, i, c->value, "the number of turns of this loop",
                          &node.control);
  if (!counted)
    s->depth--;
  return built && keep(b, &node, out);
}

static bool build_op(builder *b, const inst *i, walk_node_vec *out) {
  const access *a = access_at(b, i);
  if (a)
    return add_access(b, a, out);
  if (i->op == OP_DOT)
    add_dot(b, i, out);
  return true;
}

static bool build_inst(builder *b, const inst *i, walk_node_vec *out) {
  switch (i->kind) {
  case NODE_OP:
    return build_op(b, i, out);
  case NODE_IF:
    return build_if(b, i, out);
  case NODE_FOR:
  case NODE_WHILE:
    return build_loop(b, i, out);
  }
  return false;
}

static bool build_region(builder *b, const region *r, walk_node_vec *out) {
  for (size_t k = 0; k < r->insts.count; k++)
    if (!build_inst(b, r->insts.at[k], out))
      return false;
  return true;
}

walk *walk_create(judge *j, const sizes *sizes, trouble *why) {
  arena *a = judge_arena(j);
  walk *self = ARENA_NEW(a, walk);
  builder b = {.walk = self, .judge = j};
  self->arena = a;
  self->sizes = sizes;
  self->scope = scope_create(a, sizes);
  self->offsets = offsets_create(a);
  self->tiles = tiles_make(a);
  if (build_region(&b, sizes->launch->program->body, &self->body))
    return self;
  assert(b.failed);
  *why = b.why;
  return NULL;
}
