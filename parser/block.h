/* parser/block.h: what block pointers and tensor descriptors share
 * (call_block.c, call_descriptor.c). */
#ifndef PARSER_BLOCK_H
#define PARSER_BLOCK_H

#include "parser/calls.h"

value_id block_base(const thing *t);
value_id block_extent(const thing *t, unsigned axis);
value_id block_stride(const thing *t, unsigned axis);

/* The first slot is a scalar pointer. */
bool block_plain_base(const lower *l, const call *c);
/* One int64 for each axis, from a tuple or a single number; false if there are
 * others. `narrow`: Triton compiles none that is wider than an int32. */
bool block_read_axes(lower *l, node at, const thing *t, unsigned rank,
                     bool narrow, thing *out);
/* A new block whose items are to be filled in. */
thing block_start(lower *l, const block *b, uint32_t count);
/* What a block's base or shape makes unusable: told where it was made. */
thing block_unusable(lower *l, const call *c, unsupported why);

/* The lanes of an access. */
typedef struct block_lanes {
  value_id pointer, mask; /* mask: VALUE_NONE without one */
} block_lanes;
/* The pointers of a block at the offsets given; `tested`: a set of axes. */
block_lanes block_addresses(lower *l, node at, const thing *t,
                            const value_id *offset, unsigned tested);
thing block_load_at(lower *l, node at, const type *shape, block_lanes a,
                    value_id other);
/* What a slot holds, in the block's shape and element type; VALUE_NONE:
 * refused. */
value_id block_stored_value(lower *l, const call *c, int slot,
                            const type *shape);
/* Stores what a slot holds. */
thing block_store_at(lower *l, const call *c, int slot, const type *shape,
                     block_lanes a);

/* An attribute; false if there is none such. */
bool block_attribute(lower *l, const thing *t, const char *name, thing *out);

#endif
