/* parser/call_descriptor.c: tensor descriptors, loads and stores through them,
 * and the attributes of blocks.
 *
 * The hardware tests every axis: lanes outside load as 0 (or nan) and are not
 * stored. What it wants of the base and the strides is claimed where the
 * descriptor is made. */
#include "parser/block.h"

enum { DESCRIPTOR_BYTES = 16 };

static value_id claim_aligned(lower *l, node at, value_id v, scalar elem,
                              const char *text) {
  expr attrs[2] = {expr_int(l->p->exprs, DESCRIPTOR_BYTES),
                   expr_int(l->p->exprs, scalar_bytes(elem))};
  type same = *value_type(l, v);
  return emit(l, at, OP_ALIGNED, &v, 1, attrs, 2, &same, text);
}

/* Triton compiles no descriptor whose last stride is a known number but 1, nor
 * one whose rows are shorter than 16 bytes. */
static bool compiles(lower *l, const call *c, const type *shape) {
  int64_t last, length;
  const thing *strides = &c->slot[2];
  unsigned bytes = scalar_bytes(shape->elem), rank = shape->rank;
  bool listed = strides->kind == THING_TUPLE && strides->count == rank;
  if (listed && fixed_int(l, &strides->items[rank - 1], &last) && last != 1)
    return false;
  return !bytes || !expr_is_int(l->p->exprs, shape->dim[rank - 1], &length) ||
         length * bytes >= DESCRIPTOR_BYTES;
}

thing call_make_descriptor(lower *l, const call *c) {
  type shape;
  if (!block_plain_base(l, c) || !call_shape(l, &c->slot[3], &shape) ||
      shape.rank == 0)
    return block_unusable(l, c, UNSUPPORTED_DESCRIPTOR);
  unsigned rank = shape.rank;
  shape.elem = value_type(l, c->slot[0].id)->elem;
  block b = {.shape = shape, .descriptor = true};
  b.nan = thing_is(&c->slot[4], STATIC_STRING) &&
          strcmp(c->slot[4].fixed.text, "nan") == 0;
  thing out = block_start(l, &b, 1 + 2 * rank);
  thing *items = (thing *)out.items;
  if (!block_read_axes(l, c->at, &c->slot[1], rank, false, items + 1) ||
      !block_read_axes(l, c->at, &c->slot[2], rank, false, items + 1 + rank))
    return block_unusable(l, c, UNSUPPORTED_DESCRIPTOR);
  if (!compiles(l, c, &shape))
    mark_impossible(l);
  items[0] = thing_value(
      claim_aligned(l, c->at, c->slot[0].id, shape.elem,
                    "the base of the descriptor may be no multiple of 16 "
                    "bytes"));
  for (unsigned d = 0; d + 1 < rank; d++)
    items[1 + rank + d] = thing_value(claim_aligned(
        l, c->at, items[1 + rank + d].id, shape.elem,
        arena_printf(l->arena,
                     "stride %u of the descriptor may be no multiple of 16 "
                     "bytes",
                     d)));
  return out;
}

/* ------------------------------------------------------ loads and stores */

/* The lanes of a descriptor at the offsets of a slot. */
static bool lanes_at(lower *l, const call *c, int slot, block_lanes *out) {
  const thing *t = &c->slot[0];
  thing at[TYPE_MAX_RANK];
  value_id offset[TYPE_MAX_RANK];
  if (!c->given[0] || !call_is_block(t) || !t->block->descriptor ||
      !c->given[slot])
    return false;
  unsigned rank = t->block->shape.rank;
  if (!block_read_axes(l, c->at, &c->slot[slot], rank, false, at))
    return false;
  for (unsigned d = 0; d < rank; d++)
    offset[d] = at[d].id;
  *out = block_addresses(l, c->at, t, offset, (1u << rank) - 1);
  return true;
}

thing call_descriptor_load(lower *l, const call *c) {
  block_lanes a;
  if (!lanes_at(l, c, 1, &a))
    return block_unusable(l, c, UNSUPPORTED_DESCRIPTOR);
  const block *b = c->slot[0].block;
  return block_load_at(l, c->at, &b->shape, a,
                       call_filler(l, c->at, &b->shape, b->nan));
}

thing call_descriptor_store(lower *l, const call *c) {
  block_lanes a;
  if (!lanes_at(l, c, 1, &a))
    return block_unusable(l, c, UNSUPPORTED_DESCRIPTOR);
  return block_store_at(l, c, 2, &c->slot[0].block->shape, a);
}

/* desc.atomic_add(offsets, value) and its like. */
thing call_descriptor_atomic(lower *l, const call *c) {
  block_lanes a;
  if (!lanes_at(l, c, 1, &a))
    return block_unusable(l, c, UNSUPPORTED_DESCRIPTOR);
  const type *shape = &c->slot[0].block->shape;
  value_id v = block_stored_value(l, c, 2, shape);
  if (!v)
    return call_refused(l, c, UNSUPPORTED_SHAPES);
  value_id operands[3] = {a.pointer, v, a.mask};
  type result = type_with_shape(type_scalar(shape->elem), shape);
  emit(l, c->at, c->op, operands, 3, NULL, 0, &result, NULL);
  return thing_none();
}

thing call_descriptor_unknown(lower *l, const call *c) {
  return block_unusable(l, c, UNSUPPORTED_DESCRIPTOR);
}

/* ------------------------------------------------------------- attributes */

static thing items_of(lower *l, const thing *t, unsigned from) {
  unsigned rank = t->block->shape.rank;
  thing *items = ARENA_ARRAY(l->arena, thing, rank);
  memcpy(items, t->items + from, rank * sizeof *items);
  return thing_tuple(items, rank);
}

bool block_attribute(lower *l, const thing *t, const char *name, thing *out) {
  const block *b = t->block;
  unsigned rank = b->shape.rank;
  bool type_of = strcmp(name, "dtype") == 0 || strcmp(name, "type") == 0;
  if (type_of) {
    *out = thing_dtype(b->shape.elem);
    out->pointer_type = !b->descriptor;
  } else if (b->descriptor && strcmp(name, "shape") == 0) {
    *out = items_of(l, t, 1);
  } else if (b->descriptor && strcmp(name, "strides") == 0) {
    *out = items_of(l, t, 1 + rank);
  } else if (b->descriptor && strcmp(name, "block_shape") == 0) {
    thing *dims = ARENA_ARRAY(l->arena, thing, rank);
    for (unsigned d = 0; d < rank; d++)
      dims[d] = thing_int(b->shape.dim[d]);
    *out = thing_tuple(dims, rank);
  } else {
    return false;
  }
  return true;
}
