/* exec/index.c: where values come from: program ids, ranges, constants, and
 * what is not understood. */
#include "exec/rules.h"

static int64_t attr(const exec_machine *m, const inst *in, uint32_t i) {
  assert(i < in->attr_count);
  return m->attrs[in->index][i];
}

static void index_scalar(exec_machine *m, const inst *in, int64_t value) {
  tile *out = tile_result(m, in, 0);
  int_form form = int_form_of(out->type.elem);
  for (size_t i = 0; i < out->type.lanes; i++)
    out->bits[i] = int_fit(form, (uint64_t)value);
}

void exec_program_id(exec_machine *m, const inst *in) {
  int64_t axis = attr(m, in, 0);
  index_scalar(m, in, axis >= 0 && axis < 3 ? m->pid[axis] : 0);
}

void exec_num_programs(exec_machine *m, const inst *in) {
  int64_t axis = attr(m, in, 0);
  index_scalar(m, in, axis >= 0 && axis < 3 ? m->grid[axis] : 1);
}

void exec_arange(exec_machine *m, const inst *in) {
  uint64_t low = (uint64_t)attr(m, in, 0);
  tile *out = tile_result(m, in, 0);
  int_form form = int_form_of(out->type.elem);
  for (size_t i = 0; i < out->type.lanes; i++)
    out->bits[i] = int_fit(form, low + i);
}

void exec_const(exec_machine *m, const inst *in) {
  tile *out = tile_result(m, in, 0);
  scalar s = out->type.elem;
  uint64_t bits;
  if (out->type.pointer) {
    tile_blame_all(m, out, LANE_UNDEFINED);
    bits = 0;
  } else if (number_is_float(s)) {
    bits = number_encode(s, in->attr_count > 0 ? (double)attr(m, in, 0)
                                               : in->number);
  } else {
    bits = int_fit(int_form_of(s), (uint64_t)attr(m, in, 0));
  }
  for (size_t i = 0; i < out->type.lanes; i++)
    out->bits[i] = bits;
}

void exec_nothing(exec_machine *m, const inst *in) {
  event_charge(m, in, 1);
}

void exec_opaque(exec_machine *m, const inst *in) {
  for (uint32_t i = 0; i < in->result_count; i++) {
    tile *out = tile_result(m, in, i);
    memset(out->bits, 0, sizeof *out->bits * out->type.lanes);
    tile_blame_all(m, out, LANE_UNKNOWN);
  }
  if (in->attr_count > 0 && attr(m, in, 0) != 0 && !m->muted)
    event_give_up(m, EVENT_OPAQUE, in,
                  arena_printf(m->arena,
                               "%s is not understood and may access memory",
                               in->text ? in->text : "a construct"));
}
