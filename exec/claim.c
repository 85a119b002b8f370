/* exec/claim.c: what block pointers and descriptors claim of their numbers. */
#include "exec/rules.h"

void exec_block_axis(exec_machine *m, const inst *in) {
  const tile *offset = tile_operand(m, in, 0), *extent = tile_operand(m, in, 1);
  int64_t length = m->attrs[in->index][0];
  tile_result_sharing(m, in, offset);
  if (lane_trouble(offset, 0) || lane_trouble(extent, 0))
    return;
  wrap_use(m, in, offset, "the block pointer");
  wrap_use(m, in, extent, "the block pointer");
  int128 first = lane_value(offset, 0), end = first + length;
  if (first < 0 || end > lane_value(extent, 0))
    event_report(m, EVENT_CLAIM, in, &offset->type, 0,
                 (exec_event){.detail = arena_printf(
                                  m->arena, "indices %lld to %lld of %lld",
                                  (long long)first, (long long)(end - 1),
                                  (long long)lane_value(extent, 0))});
}

/* Where an element's size or the tensor's alignment is not known, nothing can
 * be shown. */
void exec_aligned(exec_machine *m, const inst *in) {
  const tile *x = tile_operand(m, in, 0);
  int64_t bytes = m->attrs[in->index][0], size = m->attrs[in->index][1];
  tile_result_sharing(m, in, x);
  if (lane_trouble(x, 0) || size == 0)
    return;
  if (x->type.pointer) {
    uint32_t tensor = lane_tensor(x, 0);
    int64_t align =
        tensor < m->tensor_count ? m->program->tensors.at[tensor].align : 0;
    if (align == 0 || align % bytes)
      return;
  }
  wrap_use(m, in, x, "the descriptor");
  int128 at = lane_value(x, 0) * size;
  if (at % bytes)
    event_report(m, EVENT_CLAIM, in, &x->type, 0,
                 (exec_event){.detail = arena_printf(m->arena, "%lld bytes",
                                                     (long long)at)});
}
