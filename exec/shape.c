/* exec/shape.c: the same lanes in another order or shape. */
#include "exec/rules.h"

void exec_splat(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  assert(a->type.lanes == 1);
  tile_pick(m, tile_result(m, in, 0), a, NULL);
}

void exec_expand_dims(exec_machine *m, const inst *in) {
  tile_result_sharing(m, in, tile_operand(m, in, 0));
}

void exec_reshape(exec_machine *m, const inst *in) {
  tile_result_sharing(m, in, tile_operand(m, in, 0));
}

void exec_same(exec_machine *m, const inst *in) {
  tile_result_sharing(m, in, tile_operand(m, in, 0));
}

/* For each lane of the result the operand's lane, when a step along axis d of
 * the result moves by step[d] operand lanes. Kept for the next time. */
static const uint32_t *strided_picks(exec_machine *m, const inst *in,
                                     const tile_type *to, const size_t *step) {
  uint32_t *picks = m->picks[in->index];
  if (picks)
    return picks;
  picks = ARENA_ARRAY(m->arena, uint32_t, to->lanes);
  int64_t at[TYPE_MAX_RANK] = {0};
  size_t from = 0;
  for (size_t i = 0; i < to->lanes; i++) {
    picks[i] = (uint32_t)from;
    for (uint32_t d = to->rank; d-- > 0;) {
      from += step[d];
      if (++at[d] < to->dim[d])
        break;
      from -= step[d] * (size_t)to->dim[d];
      at[d] = 0;
    }
  }
  return m->picks[in->index] = picks;
}

static void row_major(const tile_type *t, size_t *stride) {
  size_t next = 1;
  for (uint32_t d = t->rank; d-- > 0;) {
    stride[d] = next;
    next *= (size_t)t->dim[d];
  }
}

void exec_broadcast(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  size_t stride[TYPE_MAX_RANK], step[TYPE_MAX_RANK];
  assert(a->type.rank == out->type.rank);
  row_major(&a->type, stride);
  for (uint32_t d = 0; d < out->type.rank; d++) {
    assert(a->type.dim[d] == out->type.dim[d] || a->type.dim[d] == 1);
    step[d] = a->type.dim[d] == 1 ? 0 : stride[d];
  }
  tile_pick(m, out, a, strided_picks(m, in, &out->type, step));
}

void exec_trans(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  size_t stride[TYPE_MAX_RANK], step[TYPE_MAX_RANK];
  row_major(&a->type, stride);
  for (uint32_t d = 0; d < out->type.rank; d++) {
    int64_t axis = m->attrs[in->index][d];
    assert(axis >= 0 && axis < a->type.rank &&
           a->type.dim[axis] == out->type.dim[d]);
    step[d] = stride[axis];
  }
  tile_pick(m, out, a, strided_picks(m, in, &out->type, step));
}

void exec_flip(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  uint32_t *picks = m->picks[in->index];
  size_t axis = (size_t)m->attrs[in->index][0], step[TYPE_MAX_RANK];
  size_t n = (size_t)a->type.dim[axis];
  row_major(&a->type, step);
  if (!picks)
    picks = m->picks[in->index] =
        ARENA_ARRAY(m->arena, uint32_t, a->type.lanes);
  for (size_t i = 0; i < a->type.lanes; i++) {
    size_t at = i / step[axis] % n;
    picks[i] = (uint32_t)(i + (n - 1 - 2 * at) * step[axis]);
  }
  tile_pick(m, out, a, picks);
}

void exec_split(exec_machine *m, const inst *in) {
  tile *out = tile_result(m, in, 0);
  uint32_t *picks = m->picks[in->index];
  uint32_t half = (uint32_t)m->attrs[in->index][0];
  if (!picks)
    picks = m->picks[in->index] =
        ARENA_ARRAY(m->arena, uint32_t, out->type.lanes);
  for (size_t i = 0; i < out->type.lanes; i++)
    picks[i] = (uint32_t)(2 * i) + half;
  tile_pick(m, out, tile_operand(m, in, 0), picks);
}

void exec_join(exec_machine *m, const inst *in) {
  const tile *half[2] = {tile_operand(m, in, 0), tile_operand(m, in, 1)};
  tile *out = tile_result(m, in, 0);
  bool exact = half[0]->exact || half[1]->exact;
  for (size_t i = 0; i < out->type.lanes; i++) {
    const tile *from = half[i & 1];
    out->bits[i] = from->bits[i / 2];
    if (lane_trouble(from, i / 2))
      tile_blame(m, out, i, lane_trouble(from, i / 2));
  }
  if (!exact)
    return;
  int128 *to = tile_exact(m, out);
  for (size_t i = 0; i < out->type.lanes; i++)
    to[i] = lane_exact(half[i & 1], i / 2);
  out->wrap_inst = half[0]->exact ? half[0]->wrap_inst : half[1]->wrap_inst;
}

/* An index outside the axis is undefined behaviour: the lane has no value. */
void exec_gather(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0), *index = tile_operand(m, in, 1);
  tile *out = tile_result(m, in, 0);
  size_t axis = (size_t)m->attrs[in->index][0];
  size_t from_step[TYPE_MAX_RANK], to_step[TYPE_MAX_RANK];
  row_major(&a->type, from_step);
  row_major(&index->type, to_step);
  wrap_use(m, in, index, "the gather");
  for (size_t i = 0; i < out->type.lanes; i++) {
    size_t from = 0;
    int128 at = lane_value(index, i);
    bool outside = at < 0 || at >= a->type.dim[axis];
    for (uint32_t d = 0; d < a->type.rank; d++) {
      size_t lane = i / to_step[d] % (size_t)index->type.dim[d];
      outside = outside || (d != axis && lane >= (size_t)a->type.dim[d]);
      from += (d == axis ? (size_t)at : lane) * from_step[d];
    }
    uint8_t trouble = lane_trouble(index, i);
    if (outside && !trouble)
      trouble = LANE_UNDEFINED;
    out->bits[i] = trouble ? 0 : a->bits[from];
    tile_blame(m, out, i, trouble ? trouble : lane_trouble(a, from));
  }
}
