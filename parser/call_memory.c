/* parser/call_memory.c: load, store, atomics. */
#include "parser/calls.h"

#include <string.h>

/* An access whose pointer or shapes are not understood. Its notice is that of
 * whatever made the pointer, unless that is no opaque value at all. */
static thing opaque_access(lower *l, const call *c, bool result) {
  value_vec values = {0};
  bool told = c->given[0] && thing_is_shapeless(l, &c->slot[0]) &&
              thing_has_pointer(l, &c->slot[0]);
  for (uint32_t i = 0; i < c->count; i++)
    flatten(l, &c->all[i], &values);
  if (c->given[0] && thing_is(&c->slot[0], STATIC_NONE))
    mark_impossible(l);
  if (!told)
    refuse(l, c->at, UNSUPPORTED_ACCESS, c->name, true);
  value_id v = emit_opaque(l, c->at, c->name, values.at, (uint32_t)values.count,
                           true, type_scalar(SC_ANY), MARK_SHAPELESS);
  return result ? thing_value(v) : thing_none();
}

static bool plain_pointer(const lower *l, const call *c) {
  const thing *t = &c->slot[0];
  return c->given[0] && t->kind == THING_VALUE && !is_shapeless(l, t->id) &&
         value_type(l, t->id)->pointer;
}

/* The element type of what a pointer points to, as a scalar. */
static type element(const type *pointer) {
  return type_scalar(pointer->elem);
}

/* An operand as an element of the pointer's type; where its shape is not
 * known, an opaque one of the pointer's shape. VALUE_NONE: refused. */
static value_id as_element(lower *l, node at, const thing *t,
                           const type *pointer) {
  type elem = element(pointer);
  if (t->kind == THING_FIXED)
    return number_as(l, at, t, elem);
  if (t->kind != THING_VALUE || value_type(l, t->id)->pointer)
    return VALUE_NONE;
  if (is_shapeless(l, t->id))
    return emit_opaque(l, at, "a value of unknown shape", &t->id, 1, false,
                       type_with_shape(elem, pointer), 0);
  return emit_cast(l, at, t->id, elem);
}

/* The mask: VALUE_NONE and true for none; false: refused. */
static bool read_mask(lower *l, const call *c, int slot, const type *pointer,
                      value_id *out) {
  *out = VALUE_NONE;
  if (!call_has(c, slot))
    return true;
  const thing *t = &c->slot[slot];
  int64_t constant;
  if (t->kind == THING_FIXED) {
    expr e = fixed_truth(l, t);
    if (e && expr_is_int(l->p->exprs, e, &constant) && constant)
      return true;
    thing condition = e ? thing_bool(e) : *t;
    *out = number_as(l, c->at, &condition, type_scalar(SC_BOOL));
    return *out != VALUE_NONE;
  }
  if (t->kind != THING_VALUE || value_type(l, t->id)->pointer)
    return false;
  if (is_shapeless(l, t->id))
    *out = emit_opaque(l, c->at, "a mask of unknown shape", &t->id, 1, false,
                       type_with_shape(type_scalar(SC_BOOL), pointer), 0);
  else
    *out = to_bool(l, c->at, t->id);
  return true;
}

/* Pointer and operand to one shape; a scalar pointer takes scalars only. */
static bool meet(lower *l, node at, value_id *pointer, value_id *v) {
  if (!*v)
    return true;
  if (value_type(l, *pointer)->rank == 0 && value_type(l, *v)->rank)
    return false;
  return emit_same_shape(l, at, pointer, v);
}

thing call_load(lower *l, const call *c) {
  if (c->given[0] && call_is_block(&c->slot[0]))
    return call_block_load(l, c);
  if (!plain_pointer(l, c))
    return opaque_access(l, c, true);
  value_id pointer = c->slot[0].id, mask, other = VALUE_NONE;
  if (!read_mask(l, c, 1, value_type(l, pointer), &mask) ||
      !meet(l, c->at, &pointer, &mask))
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  if (call_has(c, 2)) {
    other = as_element(l, c->at, &c->slot[2], value_type(l, pointer));
    if (!other || !meet(l, c->at, &pointer, &other))
      return call_refused(l, c, UNSUPPORTED_SHAPES);
  }
  const type *t = value_type(l, pointer);
  if (mask)
    mask = emit_shape(l, c->at, mask, t);
  value_id operands[3] = {pointer, mask, other};
  type result = type_with_shape(element(t), t);
  return thing_value(
      emit(l, c->at, OP_LOAD, operands, 3, NULL, 0, &result, NULL));
}

/* Value and mask of a store or atomic in the pointer's shape. */
static bool read_written(lower *l, const call *c, value_id out[3]) {
  value_id pointer = c->slot[0].id;
  const type *t = value_type(l, pointer);
  if (!c->given[1] || !read_mask(l, c, 2, t, &out[2]))
    return false;
  out[0] = pointer;
  out[1] = as_element(l, c->at, &c->slot[1], t);
  if (out[1])
    out[1] = emit_shape(l, c->at, out[1], t);
  bool masked = out[2] != VALUE_NONE;
  if (masked)
    out[2] = emit_shape(l, c->at, out[2], t);
  return out[1] && (!masked || out[2]);
}

thing call_store(lower *l, const call *c) {
  value_id operands[3];
  if (c->given[0] && call_is_block(&c->slot[0]))
    return call_block_store(l, c);
  if (!plain_pointer(l, c))
    return opaque_access(l, c, false);
  if (!read_written(l, c, operands))
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  emit(l, c->at, OP_STORE, operands, 3, NULL, 0, NULL, NULL);
  return thing_none();
}

/* Atomic among all programs. (With scope "cta" it is so among the lanes of one
 * program only.) */
static bool is_wide(const call *c) {
  enum { SCOPE = 4 };
  const thing *t = &c->slot[SCOPE];
  return !c->given[SCOPE] || thing_is(t, STATIC_NONE) ||
         (thing_is(t, STATIC_STRING) && (strcmp(t->fixed.text, "gpu") == 0 ||
                                         strcmp(t->fixed.text, "sys") == 0));
}

thing call_atomic(lower *l, const call *c) {
  value_id operands[3];
  if (!plain_pointer(l, c) || !is_wide(c))
    return opaque_access(l, c, true);
  if (!read_written(l, c, operands))
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  const type *t = value_type(l, operands[0]);
  type result = type_with_shape(element(t), t);
  return thing_value(
      emit(l, c->at, c->op, operands, 3, NULL, 0, &result, NULL));
}

/* compare-and-swap has no mask. */
thing call_atomic_cas(lower *l, const call *c) {
  if (!plain_pointer(l, c) || !is_wide(c))
    return opaque_access(l, c, true);
  value_id pointer = c->slot[0].id;
  const type *t = value_type(l, pointer);
  value_id expected = c->given[1] ? as_element(l, c->at, &c->slot[1], t) : 0;
  value_id v = c->given[2] ? as_element(l, c->at, &c->slot[2], t) : 0;
  if (expected)
    expected = emit_shape(l, c->at, expected, t);
  if (v)
    v = emit_shape(l, c->at, v, t);
  if (!expected || !v)
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  value_id operands[4] = {pointer, v, VALUE_NONE, expected};
  type result = type_with_shape(element(t), t);
  return thing_value(
      emit(l, c->at, c->op, operands, 4, NULL, 0, &result, NULL));
}
