/* parser/merge.c: bringing the values of several paths together. */
#include "parser/lowering.h"

#include <assert.h>

void flatten(lower *l, const thing *t, value_vec *out) {
  if (t->kind == THING_VALUE)
    VEC_PUSH(l->arena, out, t->id);
  for (uint32_t i = 0; t->kind == THING_TUPLE && i < t->count; i++)
    flatten(l, &t->items[i], out);
}

thing rebuild(lower *l, const thing *like, const value_id *values,
              uint32_t *next) {
  if (like->kind == THING_VALUE)
    return thing_value(values[(*next)++]);
  if (like->kind != THING_TUPLE)
    return *like;
  thing *items = ARENA_ARRAY(l->arena, thing, like->count + 1);
  for (uint32_t i = 0; i < like->count; i++)
    items[i] = rebuild(l, &like->items[i], values, next);
  thing out = thing_tuple(items, like->count);
  out.block = like->block;
  return out;
}

bool same_make(const thing *a, const thing *b) {
  if (a->kind != b->kind || a->kind == THING_GONE)
    return false;
  if (a->kind == THING_VALUE)
    return true;
  if (a->kind == THING_FIXED)
    return thing_same(a, b);
  if (a->count != b->count || !block_same(a, b))
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (!same_make(&a->items[i], &b->items[i]))
      return false;
  return true;
}

thing all_values(lower *l, node at, const thing *t) {
  if (t->kind == THING_TUPLE) {
    thing *items = ARENA_ARRAY(l->arena, thing, t->count + 1);
    for (uint32_t i = 0; i < t->count; i++)
      items[i] = all_values(l, at, &t->items[i]);
    thing out = thing_tuple(items, t->count);
    out.block = t->block;
    return out;
  }
  value_id v = to_value(l, at, t);
  return v ? thing_value(v) : *t;
}

/* ---------------------------------------------------------------- types */

type common_type(const lower *l, const type *a, const type *b) {
  type out = *a;
  if (a->pointer != b->pointer || a->rank != b->rank)
    return type_scalar(SC_NONE);
  for (unsigned d = 0; d < a->rank; d++)
    if (!extent_same(l, a->dim[d], b->dim[d]))
      return type_scalar(SC_NONE);
  if (a->elem == b->elem) {
    out.wide = a->wide | b->wide;
    return out;
  }
  if (a->pointer || (a->elem != SC_ANY && b->elem != SC_ANY))
    return type_scalar(SC_NONE);
  if (a->elem == SC_ANY) {
    out.elem = b->elem;
    out.wide = b->wide;
  }
  return out;
}

value_id reconcile(lower *l, node at, value_id v, const type *t) {
  const type *from = value_type(l, v);
  type common = common_type(l, from, t);
  if (common.elem == SC_NONE || is_shapeless(l, v))
    return type_equal(from, t) ? v : VALUE_NONE;
  if (!from->pointer) {
    type elem = type_scalar(t->elem);
    elem.wide = t->wide;
    v = emit_cast(l, at, v, elem);
  }
  return emit_reshape(l, at, v, t);
}

/* ---------------------------------------------------------------- names */

typedef struct name_set {
  const lower *lower;
  intern *seen;
  text_vec *names;
} name_set;

static void add_name(name_set *set, node n) {
  const char *name = lower_text(set->lower, n);
  if (intern_id(set->seen, name) > set->names->count)
    VEC_PUSH(set->lower->arena, set->names, name);
}

/* The plain names of an assignment's target. */
static void target_names(name_set *set, node target) {
  bool down = true;
  for (node n = target; node_is(n); n = node_walk(target, n, down)) {
    syn kind = lower_kind(set->lower, n);
    down = kind != SYN_attribute && kind != SYN_subscript;
    if (kind == SYN_identifier)
      add_name(set, n);
  }
}

void assigned_names(const lower *l, node root, text_vec *out) {
  assert(out->count == 0);
  name_set set = {.lower = l, .seen = intern_create(l->arena), .names = out};
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    syn kind = lower_kind(l, n);
    if (kind == SYN_assignment || kind == SYN_augmented_assignment ||
        kind == SYN_for_statement)
      target_names(&set, node_field(n, "left"));
    else if (kind == SYN_named_expression || kind == SYN_function_definition)
      add_name(&set, node_field(n, "name"));
    else if (strcmp(syntax_kind_text(n), "as_pattern_target") == 0)
      target_names(&set, n);
  }
}

bool mentions(const lower *l, node root, const char *name) {
  for (node n = root; node_is(n); n = node_walk(root, n, true))
    if (lower_kind(l, n) == SYN_identifier && node_text_is(l->syntax, n, name))
      return true;
  return false;
}
