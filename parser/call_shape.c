/* parser/call_shape.c: what changes the shape of a tile. */
#include "parser/calls.h"

#include <assert.h>

/* The tile or scalar in slot 0; VALUE_NONE after *out holds the result for
 * what is none. Pointers count as tiles. */
static value_id tile(lower *l, const call *c, thing *out) {
  value_id v = call_value(l, c, 0);
  if (!v) {
    *out = call_refused(l, c, UNSUPPORTED_TYPES);
    return VALUE_NONE;
  }
  if (!is_shapeless(l, v))
    return v;
  *out = shapeless(l, c->at, c->name, c->all, c->count);
  return VALUE_NONE;
}

/* `f(x, (a, b))` and `f(x, a, b)` mean the same. */
static thing rest_of(const call *c, int slot) {
  thing t = c->slot[slot];
  if (t.kind == THING_TUPLE && t.count == 1 && t.items[0].kind == THING_TUPLE)
    return t.items[0];
  return t;
}

/* Sorted axes of a result of `rank`, from one number or a tuple. */
static bool axes_of(lower *l, const thing *t, int64_t rank, int64_t *out) {
  uint32_t count = t->kind == THING_TUPLE ? t->count : 1;
  for (uint32_t i = 0; i < count; i++) {
    const thing *one = t->kind == THING_TUPLE ? &t->items[i] : t;
    int64_t axis;
    if (!fixed_int(l, one, &axis))
      return false;
    if (axis < 0)
      axis += rank;
    if (axis < 0 || axis >= rank)
      return false;
    uint32_t at = i;
    for (; at > 0 && out[at - 1] > axis; at--)
      out[at] = out[at - 1];
    if (at > 0 && out[at - 1] == axis)
      return false;
    out[at] = axis;
  }
  return true;
}

thing call_expand_dims(lower *l, const call *c) {
  thing out;
  value_id v = tile(l, c, &out);
  if (!v)
    return out;
  int64_t axes[TYPE_MAX_RANK];
  const thing *t = &c->slot[1];
  uint32_t count = t->kind == THING_TUPLE ? t->count : 1;
  int64_t rank = (int64_t)value_type(l, v)->rank + count;
  if (rank > TYPE_MAX_RANK)
    return call_refused(l, c, UNSUPPORTED_RANK);
  if (!c->given[1] || !axes_of(l, t, rank, axes))
    return call_refused(l, c, UNSUPPORTED_AXIS);
  for (uint32_t i = 0; i < count; i++)
    v = emit_expand(l, c->at, v, (uint32_t)axes[i]);
  return thing_value(v);
}

thing call_broadcast_to(lower *l, const call *c) {
  thing out;
  type shape;
  value_id v = tile(l, c, &out);
  if (!v)
    return out;
  thing extents = c->given[1] ? rest_of(c, 1) : thing_unknown();
  if (!call_shape(l, &extents, &shape))
    return call_refused(l, c, UNSUPPORTED_SHAPE_UNKNOWN);
  v = emit_shape(l, c->at, v, &shape);
  return v ? thing_value(v) : call_refused(l, c, UNSUPPORTED_SHAPES);
}

thing call_broadcast(lower *l, const call *c) {
  value_id a = call_value(l, c, 0), b = call_value(l, c, 1);
  if (call_shapeless(l, c))
    return shapeless(l, c->at, c->name, c->all, c->count);
  if (!a || !b || !emit_same_shape(l, c->at, &a, &b))
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  thing *both = ARENA_ARRAY(l->arena, thing, 2);
  both[0] = thing_value(a);
  both[1] = thing_value(b);
  return thing_tuple(both, 2);
}

/* The permutation that a tuple names; false if it is none. */
static bool permutation(lower *l, const thing *t, unsigned rank,
                        unsigned *out) {
  unsigned seen = 0;
  if (t->kind != THING_TUPLE || t->count != rank)
    return false;
  for (unsigned d = 0; d < rank; d++) {
    int64_t axis;
    if (!fixed_int(l, &t->items[d], &axis))
      return false;
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= (int64_t)rank || (seen & (1u << axis)))
      return false;
    seen |= 1u << axis;
    out[d] = (unsigned)axis;
  }
  return true;
}

thing call_trans(lower *l, const call *c) {
  thing out;
  value_id v = tile(l, c, &out);
  if (!v)
    return out;
  type t = *value_type(l, v), result = t;
  unsigned axes[TYPE_MAX_RANK];
  for (unsigned d = 0; d < t.rank; d++)
    axes[d] = d;
  if (call_has(c, 1)) {
    thing order = rest_of(c, 1);
    if (!permutation(l, &order, t.rank, axes))
      return call_refused(l, c, UNSUPPORTED_AXIS);
  } else if (t.rank < 2) {
    return call_refused(l, c, UNSUPPORTED_AXIS);
  } else {
    axes[t.rank - 1] = t.rank - 2u;
    axes[t.rank - 2] = t.rank - 1u;
  }
  expr attrs[TYPE_MAX_RANK];
  for (unsigned d = 0; d < t.rank; d++) {
    attrs[d] = expr_int(l->p->exprs, axes[d]);
    result.dim[d] = t.dim[axes[d]];
  }
  return thing_value(
      emit(l, c->at, OP_TRANS, &v, 1, attrs, t.rank, &result, NULL));
}

/* ------------------------------------ opaque results of a known shape */

/* An opaque tile of that type in place of one that is not modelled. */
static thing not_modelled(lower *l, const call *c, type result) {
  refuse(l, c->at, UNSUPPORTED_OPERATION, c->name, false);
  return call_opaque(l, c, result);
}

/* The elements of a tile in another shape and in an order that the compiler
 * chooses: any values of the type. A tile of one axis keeps its order only
 * when its shape stays. */
static thing reordered(lower *l, const call *c, value_id v, type shape) {
  type t = type_with_shape(*value_type(l, v), &shape);
  if (value_type(l, v)->pointer)
    return call_refused(l, c, UNSUPPORTED_OPERATION);
  if (type_same_shape(value_type(l, v), &shape))
    return thing_value(v);
  return not_modelled(l, c, t);
}

thing call_reshape(lower *l, const call *c) {
  thing out;
  type shape;
  value_id v = tile(l, c, &out);
  if (!v)
    return out;
  thing extents = c->given[1] ? rest_of(c, 1) : thing_unknown();
  if (!call_shape(l, &extents, &shape))
    return call_refused(l, c, UNSUPPORTED_SHAPE_UNKNOWN);
  if (value_type(l, v)->rank == 0) {
    v = emit_shape(l, c->at, v, &shape);
    return thing_value(v);
  }
  if (shape.rank == 0)
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  if (call_flag(l, c, 2) || call_flag(l, c, 3))
    return reordered(l, c, v, shape);
  return thing_value(emit_reshape(l, c->at, v, &shape));
}

/* tl.view is a reshape that may reorder. */
thing call_view(lower *l, const call *c) {
  thing out;
  type shape;
  value_id v = tile(l, c, &out);
  if (!v)
    return out;
  thing extents = c->given[1] ? rest_of(c, 1) : thing_unknown();
  if (!call_shape(l, &extents, &shape))
    return call_refused(l, c, UNSUPPORTED_SHAPE_UNKNOWN);
  return reordered(l, c, v, shape);
}

thing call_ravel(lower *l, const call *c) {
  thing out;
  value_id v = tile(l, c, &out);
  if (!v)
    return out;
  type t = *value_type(l, v), flat = type_scalar(t.elem);
  flat.rank = 1;
  flat.dim[0] = expr_int(l->p->exprs, 1);
  for (unsigned d = 0; d < t.rank; d++)
    flat.dim[0] = expr_mul(l->p->exprs, flat.dim[0], t.dim[d]);
  if (t.rank == 0)
    return thing_value(emit_shape(l, c->at, v, &flat));
  return reordered(l, c, v, flat);
}

/* The axis of flip and sort: the last one unless another is named. */
static bool last_axis(lower *l, const call *c, unsigned rank, unsigned *axis) {
  *axis = rank - 1;
  return rank > 0 && (!call_has(c, 1) || call_axis(l, c, 1, rank, axis));
}

thing call_flip(lower *l, const call *c) {
  thing out;
  unsigned axis;
  value_id v = tile(l, c, &out);
  if (!v)
    return out;
  type t = *value_type(l, v);
  if (t.pointer || !last_axis(l, c, t.rank, &axis))
    return call_refused(l, c, UNSUPPORTED_AXIS);
  expr attr = expr_int(l->p->exprs, (int64_t)axis);
  return thing_value(emit(l, c->at, OP_FLIP, &v, 1, &attr, 1, &t, NULL));
}

thing call_sort(lower *l, const call *c) {
  thing out;
  unsigned axis;
  value_id v = tile(l, c, &out);
  if (!v)
    return out;
  type t = *value_type(l, v);
  if (t.pointer || !last_axis(l, c, t.rank, &axis))
    return call_refused(l, c, UNSUPPORTED_AXIS);
  truth down = call_has(c, 2) ? decide(l, fixed_truth(l, &c->slot[2])) : NO;
  if (down == UNSURE)
    return not_modelled(l, c, t);
  expr attrs[2] = {expr_int(l->p->exprs, (int64_t)axis),
                   expr_int(l->p->exprs, down == YES)};
  return thing_value(emit(l, c->at, OP_SORT, &v, 1, attrs, 2, &t, NULL));
}

/* The k greatest of each line: any values of the type. */
thing call_topk(lower *l, const call *c) {
  thing out;
  value_id v = tile(l, c, &out);
  expr k = c->given[1] ? fixed_number(l, &c->slot[1]) : EXPR_NONE;
  if (!v)
    return out;
  type t = *value_type(l, v);
  if (t.pointer || t.rank == 0 || !k)
    return call_refused(l, c, UNSUPPORTED_OPERATION);
  t.dim[t.rank - 1] = k;
  return not_modelled(l, c, t);
}

/* The first two slots as tiles of one type; false after *out holds the result.
 */
static bool two_tiles(lower *l, const call *c, value_id pair[2], thing *out) {
  if (call_shapeless(l, c)) {
    *out = shapeless(l, c->at, c->name, c->all, c->count);
    return false;
  }
  for (int k = 0; k < 2; k++) {
    pair[k] = call_value(l, c, k);
    if (!pair[k] || value_type(l, pair[k])->pointer) {
      *out = call_refused(l, c, UNSUPPORTED_SHAPES);
      return false;
    }
  }
  type elem = type_scalar(value_type(l, pair[0])->elem);
  bool one_type = elem.elem == value_type(l, pair[1])->elem;
  elem.wide = value_type(l, pair[0])->wide | value_type(l, pair[1])->wide;
  for (int k = 0; k < 2 && one_type; k++)
    pair[k] = emit_cast(l, c->at, pair[k], elem);
  if (!one_type || !emit_same_shape(l, c->at, &pair[0], &pair[1]) ||
      value_type(l, pair[0])->rank >= TYPE_MAX_RANK) {
    *out = call_refused(l, c, UNSUPPORTED_SHAPES);
    return false;
  }
  return true;
}

static value_id join(lower *l, const call *c, const value_id pair[2]) {
  type t = *value_type(l, pair[0]);
  t.dim[t.rank++] = expr_int(l->p->exprs, 2);
  return emit_binary(l, c->at, OP_JOIN, pair[0], pair[1], t);
}

thing call_join(lower *l, const call *c) {
  value_id pair[2];
  thing out;
  return two_tiles(l, c, pair, &out) ? thing_value(join(l, c, pair)) : out;
}

thing call_interleave(lower *l, const call *c) {
  value_id pair[2];
  thing out;
  if (!two_tiles(l, c, pair, &out))
    return out;
  type t = *value_type(l, pair[0]);
  if (t.rank == 0)
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  t.dim[t.rank - 1] =
      expr_mul(l->p->exprs, t.dim[t.rank - 1], expr_int(l->p->exprs, 2));
  return thing_value(emit_reshape(l, c->at, join(l, c, pair), &t));
}

/* Both tiles behind each other, in an order that the compiler chooses. */
thing call_cat(lower *l, const call *c) {
  value_id pair[2];
  thing out;
  if (!two_tiles(l, c, pair, &out))
    return out;
  type t = *value_type(l, pair[0]);
  if (t.rank != 1)
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  t.dim[0] = expr_mul(l->p->exprs, t.dim[0], expr_int(l->p->exprs, 2));
  return not_modelled(l, c, t);
}

thing call_split(lower *l, const call *c) {
  thing out;
  int64_t two;
  value_id v = tile(l, c, &out);
  if (!v)
    return out;
  type t = *value_type(l, v);
  if (t.rank == 0 || t.pointer ||
      !expr_is_int(l->p->exprs, t.dim[t.rank - 1], &two) || two != 2)
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  t.rank--;
  t.dim[t.rank] = EXPR_NONE;
  thing *both = ARENA_ARRAY(l->arena, thing, 2);
  for (int k = 0; k < 2; k++) {
    expr half = expr_int(l->p->exprs, k);
    both[k] = thing_value(emit(l, c->at, OP_SPLIT, &v, 1, &half, 1, &t, NULL));
  }
  return thing_tuple(both, 2);
}

thing call_gather(lower *l, const call *c) {
  thing out;
  unsigned axis;
  value_id v = tile(l, c, &out), index = call_value(l, c, 1);
  if (!v)
    return out;
  type t = *value_type(l, v);
  if (!index || is_shapeless(l, index) || t.pointer)
    return call_refused(l, c, UNSUPPORTED_OPERATION);
  type shape = *value_type(l, index), result = type_with_shape(t, &shape);
  if (!scalar_is_int(shape.elem) || shape.pointer || shape.rank != t.rank ||
      !call_axis(l, c, 2, t.rank, &axis))
    return not_modelled(l, c, result);
  expr attr = expr_int(l->p->exprs, (int64_t)axis);
  value_id pair[2] = {v, index};
  return thing_value(
      emit(l, c->at, OP_GATHER, pair, 2, &attr, 1, &result, NULL));
}

/* Counts of a 1-D tile of integers, of the lanes that a mask leaves. */
static bool histogram_operands(lower *l, const call *c, value_id out[2]) {
  out[0] = call_value(l, c, 0);
  out[1] = call_has(c, 2) ? call_value(l, c, 2) : VALUE_NONE;
  const type *t = out[0] ? value_type(l, out[0]) : NULL;
  if (!t || is_shapeless(l, out[0]) || t->rank != 1 || t->pointer ||
      !scalar_is_int(t->elem))
    return false;
  if (!call_has(c, 2))
    return true;
  if (!out[1] || is_shapeless(l, out[1]) || value_type(l, out[1])->pointer)
    return false;
  out[1] = emit_shape(l, c->at, to_bool(l, c->at, out[1]), t);
  return out[1] != VALUE_NONE;
}

thing call_histogram(lower *l, const call *c) {
  type shape;
  value_id operands[2];
  if (!c->given[1] || !call_shape(l, &c->slot[1], &shape) || shape.rank != 1)
    return call_refused(l, c, UNSUPPORTED_SHAPE_UNKNOWN);
  type t = type_with_shape(type_scalar(SC_I32), &shape);
  if (!histogram_operands(l, c, operands))
    return not_modelled(l, c, t);
  return thing_value(
      emit(l, c->at, OP_HISTOGRAM, operands, 2, NULL, 0, &t, NULL));
}

/* A product of scaled blocks: the result's shape is known, its values are
 * not. */
thing call_dot_scaled(lower *l, const call *c) {
  value_id a = call_value(l, c, 0), b = call_value(l, c, 3);
  if (call_shapeless(l, c))
    return shapeless(l, c->at, c->name, c->all, c->count);
  if (!a || !b || value_type(l, a)->rank != value_type(l, b)->rank ||
      value_type(l, a)->rank < 2)
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  type t = *value_type(l, a);
  t.elem = SC_F32;
  t.wide = 0;
  t.dim[t.rank - 1] = value_type(l, b)->dim[t.rank - 1];
  return not_modelled(l, c, t);
}
