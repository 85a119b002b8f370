/* parser/call_make.c: what makes tiles and converts them; what calls share. */
#include "parser/calls.h"

#include <assert.h>

/* -------------------------------------------------------------- sharing */

bool call_has(const call *c, int slot) {
  return c->given[slot] && !thing_is(&c->slot[slot], STATIC_NONE);
}

bool call_flag(lower *l, const call *c, int slot) {
  return call_has(c, slot) && decide(l, fixed_truth(l, &c->slot[slot])) == YES;
}

thing call_refused(lower *l, const call *c, unsupported why) {
  return refused(l, c->at, why, c->name, c->all, c->count);
}

bool call_shapeless(const lower *l, const call *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (thing_is_shapeless(l, &c->all[i]))
      return true;
  return false;
}

value_id call_value(lower *l, const call *c, int slot) {
  return c->given[slot] ? to_value(l, c->at, &c->slot[slot]) : VALUE_NONE;
}

thing call_opaque(lower *l, const call *c, type result) {
  value_vec values = {0};
  for (uint32_t i = 0; i < c->count; i++)
    flatten(l, &c->all[i], &values);
  return thing_value(emit_opaque(l, c->at, c->name, values.at,
                                 (uint32_t)values.count, false, result, 0));
}

bool call_axis(lower *l, const call *c, int slot, unsigned rank,
               unsigned *out) {
  int64_t axis;
  if (!call_has(c, slot) || !fixed_int(l, &c->slot[slot], &axis))
    return false;
  if (axis < 0)
    axis += rank;
  *out = (unsigned)axis;
  return axis >= 0 && axis < (int64_t)rank;
}

bool call_shape(lower *l, const thing *t, type *out) {
  *out = type_scalar(SC_NONE);
  thing one = *t;
  uint32_t count = t->kind == THING_TUPLE ? t->count : 1;
  const thing *items = t->kind == THING_TUPLE ? t->items : &one;
  if (count > TYPE_MAX_RANK)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    int64_t n;
    out->dim[i] = fixed_number(l, &items[i]);
    if (!out->dim[i] || (expr_is_int(l->p->exprs, out->dim[i], &n) && n <= 0))
      return false;
  }
  out->rank = (uint8_t)count;
  return true;
}

/* ---------------------------------------------------------- index space */

thing call_program_id(lower *l, const call *c) {
  int64_t axis = 0;
  if (!c->given[0] || !fixed_int(l, &c->slot[0], &axis) || axis < 0 || axis > 2)
    return call_refused(l, c, UNSUPPORTED_AXIS);
  expr attr = expr_int(l->p->exprs, axis);
  type i32 = type_scalar(SC_I32);
  return thing_value(emit(l, c->at, c->op, NULL, 0, &attr, 1, &i32, NULL));
}

thing call_program_id64(lower *l, const call *c) {
  thing id = call_program_id(l, c);
  return thing_value(emit_cast(l, c->at, id.id, type_scalar(SC_I64)));
}

thing call_arange(lower *l, const call *c) {
  exprs *e = l->p->exprs;
  expr ends[2] = {c->given[0] ? fixed_number(l, &c->slot[0]) : EXPR_NONE,
                  c->given[1] ? fixed_number(l, &c->slot[1]) : EXPR_NONE};
  int64_t n;
  type t = type_scalar(SC_I32);
  t.rank = 1;
  t.dim[0] = expr_sub(e, ends[1], ends[0]);
  if (!t.dim[0] || (expr_is_int(e, t.dim[0], &n) && n <= 0))
    return call_refused(l, c, UNSUPPORTED_SHAPE_UNKNOWN);
  return thing_value(emit(l, c->at, OP_ARANGE, NULL, 0, ends, 2, &t, NULL));
}

/* ---------------------------------------------------------- new tiles */

/* A scalar value spread over a shape. */
static thing filled(lower *l, const call *c, value_id scalar_value,
                    const type *shape) {
  return thing_value(emit_shape(l, c->at, scalar_value, shape));
}

/* The element type in a slot; SC_ANY for one that is not known, SC_NONE for
 * what is no element type. */
static scalar slot_dtype(lower *l, const call *c, int slot) {
  const thing *t = &c->slot[slot];
  int64_t n;
  /* A number that nobody fixes is no number where a type must stand. */
  bool open = thing_is(t, STATIC_UNKNOWN) || thing_is_shapeless(l, t) ||
              (thing_is(t, STATIC_INT) && !fixed_int(l, t, &n));
  return open ? SC_ANY : dtype_of(t);
}

thing call_zeros(lower *l, const call *c) {
  type shape;
  if (!c->given[0] || !call_shape(l, &c->slot[0], &shape))
    return call_refused(l, c, UNSUPPORTED_SHAPE_UNKNOWN);
  scalar dtype = call_has(c, 1) ? slot_dtype(l, c, 1) : SC_F32;
  if (dtype == SC_NONE)
    return call_refused(l, c, UNSUPPORTED_DTYPE);
  thing zero = thing_int(expr_int(l->p->exprs, 0));
  return filled(l, c, number_as(l, c->at, &zero, type_scalar(dtype)), &shape);
}

thing call_full(lower *l, const call *c) {
  type shape;
  if (!c->given[0] || !call_shape(l, &c->slot[0], &shape))
    return call_refused(l, c, UNSUPPORTED_SHAPE_UNKNOWN);
  value_id v = VALUE_NONE;
  scalar dtype = call_has(c, 2) ? slot_dtype(l, c, 2) : SC_NONE;
  if (call_has(c, 2) && dtype == SC_NONE)
    return call_refused(l, c, UNSUPPORTED_DTYPE);
  if (c->given[1] && c->slot[1].kind == THING_FIXED && dtype != SC_NONE)
    v = number_as(l, c->at, &c->slot[1], type_scalar(dtype));
  else if (c->given[1])
    v = call_value(l, c, 1);
  if (!v)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  if (is_shapeless(l, v)) /* a scalar, since a tile cannot fill one */
    v = emit_opaque(l, c->at, c->name, &v, 1, false, type_scalar(SC_ANY), 0);
  if (value_type(l, v)->rank || (value_type(l, v)->pointer && dtype))
    return call_refused(l, c, UNSUPPORTED_TYPES);
  if (dtype != SC_NONE)
    v = emit_cast(l, c->at, v, type_scalar(dtype));
  return filled(l, c, v, &shape);
}

thing call_zeros_like(lower *l, const call *c) {
  value_id v = call_value(l, c, 0);
  if (!v || value_type(l, v)->pointer)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  if (is_shapeless(l, v))
    return shapeless(l, c->at, c->name, c->all, c->count);
  type t = *value_type(l, v), elem = type_scalar(t.elem);
  elem.wide = t.wide;
  thing zero = thing_int(expr_int(l->p->exprs, 0));
  return filled(l, c, number_as(l, c->at, &zero, elem), &t);
}

/* ---------------------------------------------------------------- casts */

static thing pointer_cast(lower *l, const call *c) {
  value_vec values = {0};
  flatten(l, &c->slot[0], &values);
  refuse(l, c->at, UNSUPPORTED_POINTER_CAST, NULL, true);
  return thing_value(emit_opaque(l, c->at, "a cast to or from a pointer",
                                 values.at, (uint32_t)values.count, false,
                                 type_scalar(SC_ANY),
                                 MARK_SHAPELESS | MARK_POINTER));
}

thing call_to(lower *l, const call *c) {
  if (!c->given[0] || !c->given[1])
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  const thing *input = &c->slot[0], *target = &c->slot[1];
  bool from_pointer =
      input->kind == THING_VALUE && value_type(l, input->id)->pointer;
  if (from_pointer || target->pointer_type)
    return pointer_cast(l, c);
  scalar dtype = slot_dtype(l, c, 1);
  if (dtype == SC_NONE)
    return call_refused(l, c, UNSUPPORTED_DTYPE);
  if (input->kind == THING_FIXED) {
    value_id v = number_as(l, c->at, input, type_scalar(dtype));
    return v ? thing_value(v) : call_refused(l, c, UNSUPPORTED_TYPES);
  }
  value_id v = call_value(l, c, 0);
  if (!v)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  const type *t = value_type(l, v);
  if (call_flag(l, c, 3) && !is_shapeless(l, v) && t->elem != dtype)
    return thing_value(emit_unary(l, c->at, OP_BITCAST, v,
                                  type_with_shape(type_scalar(dtype), t)));
  return thing_value(emit_cast(l, c->at, v, type_scalar(dtype)));
}

thing call_dtype(lower *l, const call *c) {
  scalar s = c->given[0] ? dtype_of(&c->slot[0]) : SC_NONE;
  return s != SC_NONE ? thing_dtype(s) : call_refused(l, c, UNSUPPORTED_DTYPE);
}

/* The integer type of that many bits. */
thing call_get_int_dtype(lower *l, const call *c) {
  static const scalar types[2][4] = {{SC_U8, SC_U16, SC_U32, SC_U64},
                                     {SC_I8, SC_I16, SC_I32, SC_I64}};
  int64_t bits;
  if (!c->given[0] || !c->given[1] || !fixed_int(l, &c->slot[0], &bits))
    return thing_dtype(SC_ANY);
  truth is_signed = decide(l, fixed_truth(l, &c->slot[1]));
  for (int i = 0; i < 4 && is_signed != UNSURE; i++)
    if (bits == 8 << i)
      return thing_dtype(types[is_signed == YES][i]);
  return thing_dtype(SC_ANY);
}

thing call_pointer_type(lower *l, const call *c) {
  (void)l;
  thing t = thing_dtype(c->given[0] ? dtype_of(&c->slot[0]) : SC_ANY);
  if (t.fixed.dtype == SC_NONE)
    t.fixed.dtype = SC_ANY;
  t.pointer_type = true;
  return t;
}

thing call_to_tensor(lower *l, const call *c) {
  value_id v = call_value(l, c, 0);
  return v ? thing_value(v) : call_refused(l, c, UNSUPPORTED_TYPES);
}
