/* traffic/walk_build.c: from the tile program to the tree that a walk runs. */
#include "traffic/walk_build.h"

#include <assert.h>

bool walk_refuse(builder *b, const inst *i, const char *message) {
  b->failed = true;
  b->why = (trouble){message, i->at};
  return false;
}

const char *walk_explain(const builder *b, const char *what, sym missing) {
  const walk *w = b->walk;
  const char *names = sizes_missing(w->sizes, missing);
  if (names)
    return arena_printf(w->arena, "%s depends on a size: give --set %s", what,
                        names);
  if (judge_depends_on_content(b->judge, missing))
    return arena_printf(w->arena, "%s depends on what a load finds in memory",
                        what);
  return arena_printf(w->arena, "%s is not followed", what);
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

static void add_dot(builder *b, const inst *i, walk_node_vec *out) {
  int64_t k, elements;
  value_id result = i->results[0];
  if (!tile_elements(b, result, &elements) ||
      !dot_number(b, i->operands[0], 0, &k))
    return;
  walk_node node = {.kind = WALK_DOT, .inst = i, .flops = 2 * k * elements};
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
    return walk_refuse(
        b, i, arena_printf(b->walk->arena, "%s is not followed", what));
  if (scope_hoist(b->walk->scope, of, out, &missing))
    return true;
  return walk_refuse(b, i, walk_explain(b, what, missing));
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
    return walk_refuse(b, i, "this loop is not followed");
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

static const access *access_at(const builder *b, const inst *i) {
  const interp_result *r = judge_result(b->judge);
  for (size_t k = 0; k < r->accesses.count; k++)
    if (r->accesses.at[k].inst == i)
      return &r->accesses.at[k];
  return NULL;
}

static bool build_op(builder *b, const inst *i, walk_node_vec *out) {
  const access *a = access_at(b, i);
  if (a)
    return walk_add_access(b, a, out);
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
