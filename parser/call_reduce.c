/* parser/call_reduce.c: reductions, scans and dot. */
#include "parser/calls.h"

#include <assert.h>

/* The tile to reduce; VALUE_NONE after *out holds the result. */
static value_id reduced_tile(lower *l, const call *c, thing *out) {
  value_id v = call_value(l, c, 0);
  if (v && is_shapeless(l, v)) {
    *out = shapeless(l, c->at, c->name, c->all, c->count);
    return VALUE_NONE;
  }
  if (!v || value_type(l, v)->pointer) {
    *out = call_refused(l, c, UNSUPPORTED_TYPES);
    return VALUE_NONE;
  }
  return v;
}

static type without_axis(type t, unsigned axis) {
  assert(axis < t.rank);
  for (unsigned d = axis; d + 1 < t.rank; d++)
    t.dim[d] = t.dim[d + 1];
  t.dim[--t.rank] = EXPR_NONE;
  return t;
}

static value_id reduce_axis(lower *l, node at, op_id op, value_id v,
                            unsigned axis, scalar elem) {
  type result = without_axis(*value_type(l, v), axis);
  if (result.elem != elem) {
    result.elem = elem;
    result.wide = 0;
  }
  expr attr = expr_int(l->p->exprs, axis);
  return emit(l, at, op, &v, 1, &attr, 1, &result, NULL);
}

/* Along the axis that a slot names, or along all of them in turn. False if
 * the axis is not known. */
static bool reduce_slots(lower *l, const call *c, op_id op, value_id *v,
                         int axis_slot, int keep_slot) {
  unsigned rank = value_type(l, *v)->rank, axis;
  bool keep = keep_slot >= 0 && call_flag(l, c, keep_slot);
  scalar elem = value_type(l, *v)->elem;
  if (call_has(c, axis_slot)) {
    if (!call_axis(l, c, axis_slot, rank, &axis))
      return false;
    *v = reduce_axis(l, c->at, op, *v, axis, elem);
    if (keep)
      *v = emit_expand(l, c->at, *v, axis);
    return true;
  }
  for (unsigned d = rank; d > 0; d--)
    *v = reduce_axis(l, c->at, op, *v, d - 1, elem);
  for (unsigned d = 0; keep && d < rank; d++)
    *v = emit_expand(l, c->at, *v, 0);
  return true;
}

static thing reduced(lower *l, const call *c, value_id v, int axis_slot,
                     int keep_slot) {
  if (!reduce_slots(l, c, c->op, &v, axis_slot, keep_slot))
    return call_refused(l, c, UNSUPPORTED_AXIS);
  return thing_value(v);
}

/* A sum of integers below 32 bits is one of 32 bits. */
thing call_sum(lower *l, const call *c) {
  thing out;
  value_id v = reduced_tile(l, c, &out);
  if (!v)
    return out;
  scalar s = value_type(l, v)->elem;
  if (call_has(c, 3)) {
    scalar dtype = dtype_of(&c->slot[3]);
    if (dtype == SC_NONE)
      return call_refused(l, c, UNSUPPORTED_DTYPE);
    v = emit_cast(l, c->at, v, type_scalar(dtype));
  } else if (scalar_is_int(s) && scalar_bits(s) < 32) {
    v = emit_cast(l, c->at, v,
                  type_scalar(scalar_is_signed(s) ? SC_I32 : SC_U32));
  }
  return reduced(l, c, v, 1, 2);
}

/* Operands of max and min: bfloat16, and anything below 32 bits, widened. */
static value_id widened(lower *l, const call *c, value_id v) {
  scalar s = value_type(l, v)->elem;
  if (scalar_is_float(s) && scalar_bits(s) < 32)
    return emit_cast(l, c->at, v, type_scalar(SC_F32));
  if (scalar_is_int(s) && scalar_bits(s) < 32)
    return emit_cast(l, c->at, v, type_scalar(SC_I32));
  return v;
}

/* The index that goes with a maximum or minimum. */
static bool arg_of(lower *l, const call *c, op_id op, value_id v, int axis_slot,
                   int keep_slot, value_id *out) {
  unsigned rank = value_type(l, v)->rank, axis = 0;
  bool named = call_has(c, axis_slot);
  if (rank == 0 || (named && !call_axis(l, c, axis_slot, rank, &axis)) ||
      (!named && rank != 1))
    return false;
  *out = reduce_axis(l, c->at, op, v, axis, SC_I32);
  if (call_flag(l, c, keep_slot))
    *out = emit_expand(l, c->at, *out, axis);
  return true;
}

thing call_extreme(lower *l, const call *c) {
  thing out;
  value_id v = reduced_tile(l, c, &out), index;
  if (!v)
    return out;
  if (!call_flag(l, c, 2))
    return reduced(l, c, widened(l, c, v), 1, 4);
  if (value_type(l, v)->elem == SC_BF16)
    v = widened(l, c, v);
  thing *both = ARENA_ARRAY(l->arena, thing, 2);
  both[0] = reduced(l, c, v, 1, 4);
  if (!arg_of(l, c, c->op == OP_REDUCE_MAX ? OP_ARGMAX : OP_ARGMIN, v, 1, 4,
              &index))
    return call_refused(l, c, UNSUPPORTED_AXIS);
  both[1] = thing_value(index);
  return thing_tuple(both, 2);
}

thing call_arg_extreme(lower *l, const call *c) {
  thing out;
  value_id v = reduced_tile(l, c, &out), index;
  if (!v)
    return out;
  if (!arg_of(l, c, c->op, v, 1, 3, &index))
    return call_refused(l, c, UNSUPPORTED_AXIS);
  return thing_value(index);
}

thing call_reduce(lower *l, const call *c) {
  thing out;
  value_id v = reduced_tile(l, c, &out);
  return v ? reduced(l, c, v, 1, 2) : out;
}

thing call_scan(lower *l, const call *c) {
  thing out;
  value_id v = reduced_tile(l, c, &out);
  if (!v)
    return out;
  exprs *e = l->p->exprs;
  unsigned axis = 0, rank = value_type(l, v)->rank;
  if (rank == 0 || (call_has(c, 1) && !call_axis(l, c, 1, rank, &axis)))
    return call_refused(l, c, UNSUPPORTED_AXIS);
  scalar s = value_type(l, v)->elem;
  if (c->op == OP_CUMSUM && call_has(c, 3) && dtype_of(&c->slot[3]) != SC_NONE)
    v = emit_cast(l, c->at, v, type_scalar(dtype_of(&c->slot[3])));
  else if (c->op == OP_CUMSUM && scalar_is_int(s) && scalar_bits(s) < 32)
    v = emit_cast(l, c->at, v,
                  type_scalar(scalar_is_signed(s) ? SC_I32 : SC_U32));
  if (value_type(l, v)->elem == SC_BF16)
    v = emit_cast(l, c->at, v, type_scalar(SC_F32));
  expr attrs[2] = {expr_int(e, axis), expr_int(e, call_flag(l, c, 2))};
  type result = *value_type(l, v);
  return thing_value(emit(l, c->at, c->op, &v, 1, attrs, 2, &result, NULL));
}

/* ------------------------------------- combine functions of one's own */

/* Opaque results, one for each tile given, of the type that `keep` says. */
static thing custom(lower *l, const call *c, bool reduces) {
  thing single = c->slot[0];
  bool tuple = single.kind == THING_TUPLE;
  uint32_t count = tuple ? single.count : 1;
  thing *results = ARENA_ARRAY(l->arena, thing, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    thing t = tuple ? single.items[i] : single;
    value_id v = to_value(l, c->at, &t);
    unsigned axis = 0;
    if (!v || is_shapeless(l, v) || value_type(l, v)->pointer)
      return call_refused(l, c, UNSUPPORTED_COMBINE);
    type result = *value_type(l, v);
    bool all = reduces && !call_has(c, 1);
    if (!all && !call_axis(l, c, 1, result.rank, &axis))
      return call_refused(l, c, UNSUPPORTED_AXIS);
    if (all)
      result = type_scalar(result.elem);
    else if (reduces)
      result = without_axis(result, axis);
    results[i] = call_opaque(l, c, result);
    if (reduces && call_flag(l, c, 3))
      results[i] = thing_value(emit_expand(l, c->at, results[i].id, axis));
  }
  refuse(l, c->at, UNSUPPORTED_COMBINE, c->name, false);
  return tuple ? thing_tuple(results, count) : results[0];
}

thing call_custom_reduce(lower *l, const call *c) {
  return custom(l, c, true);
}

thing call_custom_scan(lower *l, const call *c) {
  return custom(l, c, false);
}

/* ------------------------------------------------------------------ dot */

static scalar dot_element(lower *l, const call *c, scalar a) {
  scalar wanted = call_has(c, 6) ? dtype_of(&c->slot[6]) : SC_F32;
  (void)l;
  if (a == SC_I8 || a == SC_U8)
    return SC_I32;
  if (a == SC_F64)
    return SC_F64;
  if (a == SC_F32 || a == SC_BF16)
    return SC_F32;
  if (a == SC_ANY)
    return SC_ANY;
  return wanted == SC_F16 ? SC_F16 : SC_F32;
}

/* The type of a @ b; false if the shapes do not go together. */
static bool dot_shape(const lower *l, const type *a, const type *b, type *out) {
  unsigned r = a->rank;
  if (r != b->rank || r < 2 || r > 3)
    return false;
  if (!extent_same(l, a->dim[r - 1], b->dim[r - 2]) ||
      (r == 3 && !extent_same(l, a->dim[0], b->dim[0])))
    return false;
  *out = *a;
  out->wide = 0;
  out->dim[r - 1] = b->dim[r - 1];
  return true;
}

/* The rows of b named as the columns of a, where they are only pinned equal. */
static value_id aligned(lower *l, const call *c, value_id a, value_id b) {
  const type *x = value_type(l, a);
  type t = *value_type(l, b);
  t.dim[t.rank - 2] = x->dim[x->rank - 1];
  if (t.rank == 3)
    t.dim[0] = x->dim[0];
  return emit_reshape(l, c->at, b, &t);
}

thing call_dot(lower *l, const call *c) {
  value_id operands[3] = {call_value(l, c, 0), call_value(l, c, 1), VALUE_NONE};
  if (call_shapeless(l, c))
    return shapeless(l, c->at, c->name, c->all, c->count);
  type result;
  if (!operands[0] || !operands[1] || value_type(l, operands[0])->pointer ||
      value_type(l, operands[1])->pointer ||
      !dot_shape(l, value_type(l, operands[0]), value_type(l, operands[1]),
                 &result))
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  operands[1] = aligned(l, c, operands[0], operands[1]);
  result.elem = dot_element(l, c, result.elem);
  if (call_has(c, 2) && c->slot[2].kind == THING_VALUE) {
    result.elem = value_type(l, c->slot[2].id)->elem;
    operands[2] = value_type(l, c->slot[2].id)->pointer
                      ? VALUE_NONE
                      : emit_shape(l, c->at, c->slot[2].id, &result);
    if (!operands[2])
      return call_refused(l, c, UNSUPPORTED_SHAPES);
  }
  return thing_value(
      emit(l, c->at, OP_DOT, operands, 3, NULL, 0, &result, NULL));
}
