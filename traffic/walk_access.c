/* traffic/walk_access.c: from one access to what a walk evaluates: a base, by
 * loop level, conditions without lanes, and lane groups. */
#include "traffic/walk_build.h"

static symtab *syms(const builder *b) {
  return b->walk->scope->t;
}

static const type *tile_type(const builder *b, const inst *i) {
  const tile_program *p = b->walk->sizes->launch->program;
  return &p->values.at[i->operands[0]].type;
}

/* The axes with lanes, and the shape of the tile. */
static bool find_axes(builder *b, const inst *i, lane_axis *axes, size_t *count,
                      tile_shape *shape, sym *missing) {
  const launch *l = b->walk->sizes->launch;
  const type *t = tile_type(b, i);
  *count = 0;
  *shape = (tile_shape){.rank = t->rank ? t->rank : 1, .extent = {1}};
  for (unsigned d = 0; d < t->rank; d++) {
    int64_t extent;
    sym dim = launch_sym(l, t->dim[d]);
    if (!sizes_number(b->walk->sizes, dim, &extent)) {
      *missing = dim;
      return false;
    }
    shape->extent[d] = extent;
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
  if (!find_axes(b, a->access->inst, axes, &count, &a->shape, missing))
    return false;
  sym address = sizes_apply(s, a->access->pointer.of);
  sym mask = sizes_apply(s, a->access->mask);
  sym_vec masks = {.at = &mask, .count = 1};
  part_vec terms = terms_of(b, address, axes, count);
  part_vec conditions = conditions_of(b, mask, axes, count);
  a->whole =
      lane_group_create(b->walk->scope, axes, count, address, &masks, missing);
  if (!a->whole)
    return false;
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

static void refuse_access(builder *b, const access *a, const char *message) {
  walk_refusal r = {a, {message, a->inst->at}};
  VEC_PUSH(b->walk->arena, &b->walk->refused, r);
}

static bool is_lost(const access *a) {
  return a->pointer.form != VALUE_POINTER || a->pointer.of == SYM_NONE ||
         a->pointer.tensor == TENSOR_LOST || a->any_mask;
}

bool walk_add_access(builder *b, const access *a, walk_node_vec *out) {
  sym missing = SYM_NONE;
  walk_access_state state = {.access = a};
  if (a->opaque)
    return walk_refuse(b, a->inst, "this may access any memory");
  if (is_lost(a)) {
    refuse_access(b, a, "its address is not followed");
    return true;
  }
  if (!model_access(b, &state, &missing)) {
    if (sizes_missing(b->walk->sizes, missing))
      return walk_refuse(b, a->inst,
                         walk_explain(b, "an address here", missing));
    refuse_access(b, a, walk_explain(b, "its address or mask", missing));
    return true;
  }
  walk_node node = {.kind = WALK_ACCESS,
                    .inst = a->inst,
                    .access = (uint32_t)b->walk->accesses.count};
  VEC_PUSH(b->walk->arena, &b->walk->accesses, state);
  VEC_PUSH(b->walk->arena, out, node);
  return true;
}
