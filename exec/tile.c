/* exec/tile.c: the storage of values.
 *
 * Arrays are allocated once for each value and reused. `trouble`, `exact` and
 * `tensors` are absent (null) in the ordinary case, so sound tiles of one
 * tensor cost one array of lanes. */
#include "exec/machine.h"

const tile *tile_operand(const exec_machine *m, const inst *in, uint32_t i) {
  if (i >= in->operand_count || in->operands[i] == VALUE_NONE)
    return NULL;
  assert(in->operands[i] < m->value_count);
  return &m->values[in->operands[i]];
}

void tile_begin(exec_machine *m, tile *t) {
  if (!t->own.bits)
    t->own.bits = ARENA_ARRAY(m->arena, uint64_t, t->type.lanes);
  t->bits = t->own.bits;
  t->trouble = NULL;
  t->exact = NULL;
  t->wrap_inst = 0;
  t->tensor = NO_TENSOR;
  t->tensors = NULL;
}

tile *tile_result(exec_machine *m, const inst *in, uint32_t i) {
  assert(i < in->result_count);
  tile *t = &m->values[in->results[i]];
  event_charge(m, in, t->type.lanes);
  tile_begin(m, t);
  return t;
}

void tile_share(tile *out, const tile *t) {
  assert(out->type.lanes == t->type.lanes);
  out->bits = t->bits;
  out->trouble = t->trouble;
  out->exact = t->exact;
  out->wrap_inst = t->wrap_inst;
  out->tensor = t->tensor;
  out->tensors = t->tensors;
}

tile *tile_result_sharing(exec_machine *m, const inst *in, const tile *t) {
  assert(in->result_count == 1);
  tile *out = &m->values[in->results[0]];
  event_charge(m, in, 1);
  tile_share(out, t);
  return out;
}

uint8_t *tile_trouble(exec_machine *m, tile *t) {
  if (t->trouble)
    return t->trouble;
  if (!t->own.trouble)
    t->own.trouble = ARENA_ARRAY(m->arena, uint8_t, t->type.lanes);
  t->trouble = t->own.trouble;
  memset(t->trouble, 0, t->type.lanes);
  return t->trouble;
}

int128 *tile_exact(exec_machine *m, tile *t) {
  if (t->exact)
    return t->exact;
  if (!t->own.exact)
    t->own.exact = ARENA_ARRAY(m->arena, int128, t->type.lanes);
  for (size_t i = 0; i < t->type.lanes; i++)
    t->own.exact[i] = lane_value(t, i);
  return t->exact = t->own.exact;
}

uint32_t *tile_tensors(exec_machine *m, tile *t) {
  if (t->tensors)
    return t->tensors;
  if (!t->own.tensors)
    t->own.tensors = ARENA_ARRAY(m->arena, uint32_t, t->type.lanes);
  for (size_t i = 0; i < t->type.lanes; i++)
    t->own.tensors[i] = t->tensor;
  return t->tensors = t->own.tensors;
}

void tile_blame(exec_machine *m, tile *t, size_t lane, uint8_t trouble) {
  assert(lane < t->type.lanes);
  if (trouble)
    tile_trouble(m, t)[lane] |= trouble;
}

void tile_blame_all(exec_machine *m, tile *t, uint8_t trouble) {
  uint8_t *to = tile_trouble(m, t);
  for (size_t i = 0; i < t->type.lanes; i++)
    to[i] |= trouble;
}

void tile_inherit(exec_machine *m, tile *out, const tile *a) {
  if (!a || !a->trouble)
    return;
  assert(a->type.lanes == out->type.lanes);
  uint8_t *to = tile_trouble(m, out);
  for (size_t i = 0; i < out->type.lanes; i++)
    to[i] |= a->trouble[i];
}

int128 lane_value(const tile *t, size_t lane) {
  if (t->type.pointer)
    return (int64_t)t->bits[lane];
  assert(scalar_is_int(t->type.elem));
  return int_value(int_form_of(t->type.elem), t->bits[lane]);
}

int128 lane_exact(const tile *t, size_t lane) {
  return t->exact ? t->exact[lane] : lane_value(t, lane);
}

void tile_pick(exec_machine *m, tile *out, const tile *t,
               const uint32_t *from) {
  size_t n = out->type.lanes;
  for (size_t i = 0; i < n; i++)
    out->bits[i] = t->bits[from ? from[i] : 0];
  if (t->trouble) {
    uint8_t *to = tile_trouble(m, out);
    for (size_t i = 0; i < n; i++)
      to[i] = t->trouble[from ? from[i] : 0];
  }
  out->tensor = t->tensor;
  if (t->tensors) {
    uint32_t *to = tile_tensors(m, out);
    for (size_t i = 0; i < n; i++)
      to[i] = t->tensors[from ? from[i] : 0];
  }
  if (t->exact) {
    int128 *to = tile_exact(m, out);
    for (size_t i = 0; i < n; i++)
      to[i] = t->exact[from ? from[i] : 0];
    out->wrap_inst = t->wrap_inst;
  }
}

/* Each tensor has 2^48 bytes of address space, its first element in the
 * middle of them. */
enum { ADDRESS_SHIFT = 48 };

static int64_t element_bytes(scalar elem) {
  unsigned bytes = scalar_bytes(elem);
  return bytes ? (int64_t)bytes : 4;
}

uint64_t address_of(const tile *t, size_t lane) {
  assert(t->type.pointer);
  uint64_t base = (uint64_t)lane_tensor(t, lane) + 1;
  return (base << ADDRESS_SHIFT) +
         t->bits[lane] * (uint64_t)element_bytes(t->type.elem);
}

void address_split(const exec_machine *m, uint64_t address, scalar elem,
                   uint32_t *tensor, int64_t *offset) {
  uint64_t half = (uint64_t)1 << (ADDRESS_SHIFT - 1);
  uint64_t base = (address + half) >> ADDRESS_SHIFT;
  int64_t bytes = (int64_t)(address - (base << ADDRESS_SHIFT));
  *tensor = NO_TENSOR;
  *offset = 0;
  if (base < 1 || base > m->tensor_count || bytes % element_bytes(elem) != 0)
    return;
  *tensor = (uint32_t)(base - 1);
  *offset = bytes / element_bytes(elem);
}
