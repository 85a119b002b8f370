/* parser/call_block.c: block pointers and tensor descriptors.
 *
 * Both are lowered to what Triton makes of them: for each axis a row of
 * indices in 64 bits, the pointers base + sum index*stride, and a mask of the
 * axes that are tested. An axis of a block pointer that boundary_check leaves
 * out is not tested; a block_axis instruction says that it must not leave the
 * block pointer's own shape. Descriptors test every axis. */
#include "parser/block.h"

#include <math.h>

/* ------------------------------------------------------------ the items */

value_id block_base(const thing *t) {
  return t->items[0].id;
}

value_id block_extent(const thing *t, unsigned axis) {
  return t->items[1 + axis].id;
}

value_id block_stride(const thing *t, unsigned axis) {
  return t->items[1 + t->block->shape.rank + axis].id;
}

static value_id offset_of(const thing *t, unsigned axis) {
  return t->items[1 + 2 * t->block->shape.rank + axis].id;
}

/* A scalar integer as an int64; `narrow`: Triton compiles none that is wider
 * than an int32. VALUE_NONE if it is none. */
static value_id block_number(lower *l, node at, const thing *t, bool narrow) {
  type wide = type_scalar(SC_I64);
  if (t->kind == THING_FIXED && !thing_is(t, STATIC_UNKNOWN))
    return number_as(l, at, t, wide);
  value_id v = to_value(l, at, t);
  if (!v || is_shapeless(l, v) || value_type(l, v)->pointer ||
      value_type(l, v)->rank || scalar_is_float(value_type(l, v)->elem))
    return VALUE_NONE;
  if (narrow && value_type(l, v)->elem == SC_I64)
    mark_impossible(l);
  return emit_cast(l, at, v, wide);
}

bool block_read_axes(lower *l, node at, const thing *t, unsigned rank,
                     bool narrow, thing *out) {
  const thing *items = t->kind == THING_TUPLE ? t->items : t;
  uint32_t count = t->kind == THING_TUPLE ? t->count : 1;
  if (count != rank)
    return false;
  for (unsigned d = 0; d < rank; d++) {
    value_id v = block_number(l, at, &items[d], narrow);
    if (!v)
      return false;
    out[d] = thing_value(v);
  }
  return true;
}

bool block_plain_base(const lower *l, const call *c) {
  const thing *t = &c->slot[0];
  return c->given[0] && t->kind == THING_VALUE && !is_shapeless(l, t->id) &&
         value_type(l, t->id)->pointer && value_type(l, t->id)->rank == 0;
}

thing block_start(lower *l, const block *b, uint32_t count) {
  thing *items = ARENA_ARRAY(l->arena, thing, count);
  thing out = thing_tuple(items, count);
  out.block = arena_copy(l->arena, b, sizeof *b);
  return out;
}

/* What a block's base or shape makes block_unusable: told where it was made. */
thing block_unusable(lower *l, const call *c, unsupported why) {
  bool told = c->given[0] && thing_is_shapeless(l, &c->slot[0]);
  if (!told)
    refuse(l, c->at, why, c->name, true);
  return shapeless(l, c->at, c->name, c->all, c->count);
}

/* -------------------------------------------------------------- accesses */

/* Axis d of a block as a row of indices. */
static value_id row_of(lower *l, node at, const block *b, unsigned d,
                       value_id offset) {
  exprs *e = l->p->exprs;
  type row = type_scalar(SC_I32), wide = type_scalar(SC_I64);
  row.rank = 1;
  row.dim[0] = b->shape.dim[d];
  expr ends[2] = {expr_int(e, 0), b->shape.dim[d]};
  value_id lanes = emit(l, at, OP_ARANGE, NULL, 0, ends, 2, &row, NULL);
  lanes = emit_cast(l, at, lanes, wide);
  type result = *value_type(l, lanes);
  offset = emit_shape(l, at, offset, &result);
  return emit_binary(l, at, OP_ADD, offset, lanes, result);
}

static value_id with_row(lower *l, node at, op_id op, value_id row,
                         value_id scalar_value, scalar elem) {
  type result = *value_type(l, row);
  value_id other = emit_shape(l, at, scalar_value, &result);
  result.elem = elem;
  return emit_binary(l, at, op, row, other, result);
}

/* A row along axis d in the shape of the block. */
static value_id along(lower *l, node at, value_id row, unsigned d,
                      const type *shape) {
  for (unsigned k = 0; k < d; k++)
    row = emit_expand(l, at, row, 0);
  for (unsigned k = d + 1; k < shape->rank; k++)
    row = emit_expand(l, at, row, k);
  return emit_shape(l, at, row, shape);
}

/* `0 <= index < extent`. */
static value_id inside(lower *l, node at, value_id row, value_id extent) {
  value_id zero =
      emit_int(l, at, expr_int(l->p->exprs, 0), type_scalar(SC_I64));
  value_id low = with_row(l, at, OP_GE, row, zero, SC_BOOL);
  value_id high = with_row(l, at, OP_LT, row, extent, SC_BOOL);
  return emit_binary(l, at, OP_AND, low, high, *value_type(l, low));
}

value_id call_filler(lower *l, node at, const type *shape, bool nan) {
  type elem = type_scalar(shape->elem);
  thing zero = thing_int(expr_int(l->p->exprs, 0));
  bool real = scalar_is_float(elem.elem);
  value_id v = nan && real ? emit_float(l, at, NAN, elem.elem)
                           : number_as(l, at, &zero, elem);
  return emit_shape(l, at, v, shape);
}

block_lanes block_addresses(lower *l, node at, const thing *t,
                            const value_id *offset, unsigned tested) {
  const block *b = t->block;
  type shape = b->shape;
  block_lanes out = {emit_shape(l, at, block_base(t), &shape), VALUE_NONE};
  type bools = type_with_shape(type_scalar(SC_BOOL), &shape);
  type pointers = *value_type(l, out.pointer);
  for (unsigned d = 0; d < shape.rank; d++) {
    value_id from = offset[d];
    if (!(tested >> d & 1)) {
      value_id pair[2] = {from, block_extent(t, d)};
      type wide = type_scalar(SC_I64);
      from = emit(l, at, OP_BLOCK_AXIS, pair, 2, &shape.dim[d], 1, &wide,
                  arena_printf(l->arena,
                               "axis %u of the block may leave its shape, and "
                               "boundary_check does not name it",
                               d));
    }
    value_id row = row_of(l, at, b, d, from);
    value_id step = with_row(l, at, OP_MUL, row, block_stride(t, d), SC_I64);
    step = along(l, at, step, d, &shape);
    out.pointer = emit_binary(l, at, OP_PTR_ADD, out.pointer, step, pointers);
    if (!(tested >> d & 1))
      continue;
    value_id one = inside(l, at, row, block_extent(t, d));
    one = along(l, at, one, d, &shape);
    out.mask =
        out.mask ? emit_binary(l, at, OP_AND, out.mask, one, bools) : one;
  }
  return out;
}

thing block_load_at(lower *l, node at, const type *shape, block_lanes a,
                    value_id other) {
  value_id operands[3] = {a.pointer, a.mask, a.mask ? other : VALUE_NONE};
  type result = type_with_shape(type_scalar(shape->elem), shape);
  return thing_value(emit(l, at, OP_LOAD, operands, 3, NULL, 0, &result, NULL));
}

value_id block_stored_value(lower *l, const call *c, int slot,
                            const type *shape) {
  type elem = type_scalar(shape->elem);
  const thing *t = &c->slot[slot];
  if (!c->given[slot])
    return VALUE_NONE;
  if (t->kind == THING_VALUE && is_shapeless(l, t->id))
    return emit_opaque(l, c->at, "a value of unknown shape", &t->id, 1, false,
                       type_with_shape(elem, shape), 0);
  value_id v = t->kind == THING_FIXED ? number_as(l, c->at, t, elem)
                                      : to_value(l, c->at, t);
  if (!v || value_type(l, v)->pointer)
    return VALUE_NONE;
  v = emit_cast(l, c->at, v, elem);
  return emit_shape(l, c->at, v, shape);
}

thing block_store_at(lower *l, const call *c, int slot, const type *shape,
                     block_lanes a) {
  value_id v = block_stored_value(l, c, slot, shape);
  if (!v)
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  value_id operands[3] = {a.pointer, v, a.mask};
  emit(l, c->at, OP_STORE, operands, 3, NULL, 0, NULL, NULL);
  return thing_none();
}

/* ---------------------------------------------------------- block pointers */

/* A permutation of the axes, or nothing is known of it: true. */
static bool order_fits(lower *l, const call *c, unsigned rank) {
  const thing *t = &c->slot[5];
  unsigned seen = 0;
  if (!c->given[5] || t->kind != THING_TUPLE)
    return true;
  for (uint32_t i = 0; i < t->count; i++) {
    int64_t axis;
    if (!fixed_int(l, &t->items[i], &axis))
      return true;
    if (axis < 0 || axis >= (int64_t)rank)
      return false;
    seen |= 1u << axis;
  }
  return t->count == rank && seen == (1u << rank) - 1;
}

thing call_make_block_ptr(lower *l, const call *c) {
  type shape;
  if (!block_plain_base(l, c) || !call_shape(l, &c->slot[4], &shape) ||
      shape.rank == 0)
    return block_unusable(l, c, UNSUPPORTED_BLOCK_POINTER);
  unsigned rank = shape.rank;
  shape.elem = value_type(l, c->slot[0].id)->elem;
  thing out = block_start(l, &(block){.shape = shape}, 1 + 3 * rank);
  thing *items = (thing *)out.items;
  items[0] = c->slot[0];
  if (!order_fits(l, c, rank))
    mark_impossible(l);
  for (int part = 0; part < 3; part++)
    if (!block_read_axes(l, c->at, &c->slot[1 + part], rank, part == 2,
                         items + 1 + (unsigned)part * rank))
      return block_unusable(l, c, UNSUPPORTED_BLOCK_POINTER);
  return out;
}

thing call_advance(lower *l, const call *c) {
  const thing *t = &c->slot[0];
  thing by[TYPE_MAX_RANK];
  if (!c->given[0] || !call_is_block(t) || t->block->descriptor ||
      !block_read_axes(l, c->at, &c->slot[1], t->block->shape.rank, true, by))
    return block_unusable(l, c, UNSUPPORTED_BLOCK_POINTER);
  unsigned rank = t->block->shape.rank;
  thing out = block_start(l, t->block, t->count);
  thing *items = (thing *)out.items;
  memcpy(items, t->items, t->count * sizeof *items);
  for (unsigned d = 0; d < rank; d++)
    items[1 + 2 * rank + d] = thing_value(emit_binary(
        l, c->at, OP_ADD, offset_of(t, d), by[d].id, type_scalar(SC_I64)));
  return out;
}

/* The set of axes that boundary_check names; false if it is not known. */
static bool tested_axes(lower *l, const call *c, int slot, unsigned rank,
                        unsigned *out) {
  *out = 0;
  if (!call_has(c, slot))
    return true;
  const thing *t = &c->slot[slot];
  const thing *items = t->kind == THING_TUPLE ? t->items : t;
  uint32_t count = t->kind == THING_TUPLE ? t->count : 1;
  for (uint32_t i = 0; i < count; i++) {
    int64_t axis;
    if (!fixed_int(l, &items[i], &axis) || axis < 0 || axis >= (int64_t)rank)
      return false;
    *out |= 1u << axis;
  }
  return true;
}

static block_lanes at_own_offsets(lower *l, node at, const thing *t,
                                  unsigned tested) {
  value_id offset[TYPE_MAX_RANK];
  for (unsigned d = 0; d < t->block->shape.rank; d++)
    offset[d] = offset_of(t, d);
  return block_addresses(l, at, t, offset, tested);
}

/* What lanes outside hold: VALUE_NONE when nobody says. */
static value_id padding_of(lower *l, const call *c, int slot,
                           const type *shape) {
  const thing *t = &c->slot[slot];
  bool nan = thing_is(t, STATIC_STRING) && strcmp(t->fixed.text, "nan") == 0;
  bool zero = thing_is(t, STATIC_STRING) && strcmp(t->fixed.text, "zero") == 0;
  if (!call_has(c, slot) || (!nan && !zero))
    return VALUE_NONE;
  return call_filler(l, c->at, shape, nan);
}

thing call_block_load(lower *l, const call *c) {
  const thing *t = &c->slot[0];
  const type *shape = &t->block->shape;
  unsigned tested;
  if (t->block->descriptor || call_has(c, 1) || call_has(c, 2) ||
      !tested_axes(l, c, 3, shape->rank, &tested))
    return call_refused(l, c, UNSUPPORTED_BLOCK_POINTER);
  block_lanes a = at_own_offsets(l, c->at, t, tested);
  return block_load_at(l, c->at, shape, a, padding_of(l, c, 4, shape));
}

thing call_block_store(lower *l, const call *c) {
  const thing *t = &c->slot[0];
  const type *shape = &t->block->shape;
  unsigned tested;
  if (t->block->descriptor || call_has(c, 2) ||
      !tested_axes(l, c, 3, shape->rank, &tested))
    return call_refused(l, c, UNSUPPORTED_BLOCK_POINTER);
  return block_store_at(l, c, 1, shape, at_own_offsets(l, c->at, t, tested));
}
