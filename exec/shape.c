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
