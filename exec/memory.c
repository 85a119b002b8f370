/* exec/memory.c: pointers, loads, stores and atomics.
 *
 * Each lane of an access goes through access_lane: its mask, its address, and
 * whether the address is that of an element of the pointer's tensor. Lanes are
 * taken in row-major order, so of two stores to one element the last wins. */
#include "exec/math.h"

void exec_ptr_add(exec_machine *m, const inst *in) {
  const tile *p = tile_operand(m, in, 0), *o = tile_operand(m, in, 1);
  tile *out = tile_result(m, in, 0);
  assert(p->type.pointer && p->type.lanes == o->type.lanes);
  tile_inherit(m, out, p);
  tile_inherit(m, out, o);
  out->tensor = p->tensor;
  out->tensors = p->tensors;
  bool real = number_is_float(o->type.elem);
  for (size_t i = 0; i < out->type.lanes; i++) {
    uint64_t by = o->bits[i];
    if (real &&
        !number_truncate(SC_I64, number_decode(o->type.elem, by), &by)) {
      by = 0;
      tile_blame(m, out, i, LANE_UNDEFINED);
    }
    out->bits[i] = p->bits[i] + by;
  }
  if (!real)
    wrap_ring(m, in, out, p, o, RING_ADD, false);
}

typedef enum lane_state {
  LANE_OFF,     /* masked off */
  LANE_SKIPPED, /* a fault, or the run has ended */
  LANE_LIVE,
} lane_state;

/* A lane whose mask or address has no value. */
static lane_state valueless(exec_machine *m, const inst *in, const tile *p,
                            size_t lane, uint8_t trouble, bool mask) {
  if (trouble & LANE_UNKNOWN) {
    if (!m->muted)
      event_give_up(
          m, EVENT_OPAQUE, in,
          mask ? "the mask depends on something that is not understood"
               : "the address depends on something that is not understood");
    return LANE_SKIPPED;
  }
  uint32_t tensor = lane_tensor(p, lane);
  event_report(m, EVENT_OUTSIDE, in, &p->type, lane,
               (exec_event){.tensor = tensor < m->tensor_count ? tensor : 0,
                            .detail = mask ? "the mask is undefined"
                                           : "the address is undefined"});
  return LANE_SKIPPED;
}

static lane_state access_lane(exec_machine *m, const inst *in, const tile *p,
                              const tile *mask, size_t lane) {
  if (m->stopped)
    return LANE_SKIPPED;
  if (mask) {
    uint8_t trouble = lane_trouble(mask, lane);
    if (trouble)
      return valueless(m, in, p, lane, trouble, true);
    if (!mask->bits[lane])
      return LANE_OFF;
  }
  uint8_t trouble = lane_trouble(p, lane);
  if (trouble)
    return valueless(m, in, p, lane, trouble, false);
  if (wrap_use_lane(m, in, p, lane, "the address"))
    return LANE_SKIPPED;
  uint32_t tensor = lane_tensor(p, lane);
  int64_t offset = (int64_t)p->bits[lane];
  if (tensor >= m->tensor_count)
    return valueless(m, in, p, lane, LANE_UNDEFINED, false);
  if (elements_have(&m->tensors[tensor].elements, offset))
    return LANE_LIVE;
  event_report(m, EVENT_OUTSIDE, in, &p->type, lane,
               (exec_event){.tensor = tensor, .offset = offset});
  return LANE_SKIPPED;
}

/* Tells the recorder of a live lane. */
static void record(exec_machine *m, const inst *in, const tile *p, size_t lane,
                   bool reads, bool writes, uint64_t bits, uint8_t trouble) {
  race_touch(m, in, p, lane, reads, writes);
  if (!m->options.recorder || m->muted)
    return;
  int64_t at[TYPE_MAX_RANK];
  size_t rest = lane;
  for (uint32_t d = p->type.rank; d-- > 0;) {
    at[d] = (int64_t)(rest % (size_t)p->type.dim[d]);
    rest /= (size_t)p->type.dim[d];
  }
  exec_access a = {.inst = in->index,
                   .instance = m->instance,
                   .at = in->at,
                   .reads = reads,
                   .writes = writes,
                   .atomic = reads && writes,
                   .bits = bits,
                   .undefined = (trouble & LANE_UNDEFINED) != 0,
                   .unknown = (trouble & LANE_UNKNOWN) != 0,
                   .tensor = lane_tensor(p, lane),
                   .offset = (int64_t)p->bits[lane],
                   .turn_count = m->depth < MAX_TURNS ? m->depth : MAX_TURNS,
                   .turns = m->turns,
                   .lane_count = p->type.rank,
                   .lane = at};
  memcpy(a.program, m->pid, sizeof a.program);
  m->options.recorder(m->options.recorder_context, &a);
}

/* An element as its memory holds it, seen as type `to`. */
static uint64_t adapt(scalar from, scalar to, uint64_t bits) {
  if (from == to)
    return bits;
  if (from == SC_ANY) {
    double x = double_of_bits(bits);
    if (number_is_float(to))
      return number_encode(to, x);
    return number_truncate(to, x, &bits) ? bits : 0;
  }
  if (to == SC_ANY) {
    if (number_is_float(from))
      return bits_of_double(number_decode(from, bits));
    return bits_of_double(scalar_is_signed(from) ? (double)(int64_t)bits
                                                 : (double)bits);
  }
  return number_fit(to, bits);
}

static scalar memory_type(const exec_machine *m, const tile *p, size_t lane) {
  uint32_t first = m->tensors[lane_tensor(p, lane)].storage;
  return m->storages[first].contents.dtype;
}

static cell read_lane(exec_machine *m, const tile *p, size_t lane) {
  cell c = memory_read(m, lane_tensor(p, lane), (int64_t)p->bits[lane]);
  c.bits = adapt(memory_type(m, p, lane), p->type.elem, c.bits);
  if (m->stale)
    c.trouble = LANE_UNKNOWN;
  return c;
}

/* The element that an instruction reads. */
static cell take_lane(exec_machine *m, const inst *in, const tile *p,
                      size_t lane) {
  cell c = read_lane(m, p, lane);
  if (c.state == CELL_EMPTY && m->options.only_kind == EVENT_UNWRITTEN)
    event_report(m, EVENT_UNWRITTEN, in, &p->type, lane,
                 (exec_event){.tensor = lane_tensor(p, lane),
                              .offset = (int64_t)p->bits[lane]});
  return c;
}

static void write_lane(exec_machine *m, const tile *p, size_t lane,
                       uint64_t bits, uint8_t trouble) {
  memory_write(m, lane_tensor(p, lane), (int64_t)p->bits[lane],
               adapt(p->type.elem, memory_type(m, p, lane), bits), trouble);
}

/* What a masked-off lane without `other` holds. */
static void masked_lane(exec_machine *m, tile *out, size_t lane) {
  scalar s = out->type.elem;
  out->bits[lane] = 0;
  if (!m->options.fill_masked)
    tile_blame(m, out, lane, LANE_UNDEFINED);
  else if (number_is_float(s))
    out->bits[lane] = number_encode(s, m->options.masked_value);
  else
    number_truncate(s, m->options.masked_value, &out->bits[lane]);
}

void exec_load(exec_machine *m, const inst *in) {
  const tile *p = tile_operand(m, in, 0), *mask = tile_operand(m, in, 1);
  const tile *other = tile_operand(m, in, 2);
  tile *out = tile_result(m, in, 0);
  assert(p->type.lanes == out->type.lanes);
  m->instance++;
  for (size_t i = 0; i < out->type.lanes; i++) {
    out->bits[i] = 0;
    lane_state state = access_lane(m, in, p, mask, i);
    if (state == LANE_LIVE) {
      cell c = take_lane(m, in, p, i);
      out->bits[i] = c.bits;
      tile_blame(m, out, i, c.trouble);
      record(m, in, p, i, true, false, c.bits, c.trouble);
    } else if (state == LANE_OFF && other) {
      out->bits[i] = other->bits[i];
      tile_blame(m, out, i, lane_trouble(other, i));
    } else if (state == LANE_OFF) {
      masked_lane(m, out, i);
    }
  }
}

void exec_store(exec_machine *m, const inst *in) {
  const tile *p = tile_operand(m, in, 0), *v = tile_operand(m, in, 1);
  const tile *mask = tile_operand(m, in, 2);
  assert(p->type.lanes == v->type.lanes);
  event_charge(m, in, p->type.lanes);
  m->instance++;
  for (size_t i = 0; i < p->type.lanes; i++) {
    if (access_lane(m, in, p, mask, i) != LANE_LIVE)
      continue;
    write_lane(m, p, i, v->bits[i], lane_trouble(v, i));
    record(m, in, p, i, false, true, v->bits[i], lane_trouble(v, i));
  }
}

/* What an atomic leaves behind in an element. */
typedef struct update {
  uint64_t bits;
  uint8_t trouble;
} update;

/* rule(element, value); a null rule exchanges. */
static update combined(const tile *v, size_t lane, const binary_rule *rule,
                       scalar elem, cell old) {
  update out = {v->bits[lane], lane_trouble(v, lane)};
  if (!rule)
    return out;
  out.trouble |= old.trouble;
  if (!binary_apply(rule, elem, old.bits, v->bits[lane], &out.bits))
    out.trouble |= LANE_UNDEFINED;
  return out;
}

/* The value where the element is the one expected, else the element. */
static update compared(const tile *v, const tile *expected, size_t lane,
                       cell old) {
  uint8_t unsure = old.trouble | lane_trouble(expected, lane);
  bool equal = old.bits == expected->bits[lane];
  update out = {equal ? v->bits[lane] : old.bits, unsure};
  if (equal)
    out.trouble |= lane_trouble(v, lane);
  return out;
}

/* Replaces each live element and gives the old one: compares first when there
 * is a fourth operand, else by the rule. */
static void atomic(exec_machine *m, const inst *in, const binary_rule *rule) {
  const tile *p = tile_operand(m, in, 0), *v = tile_operand(m, in, 1);
  const tile *mask = tile_operand(m, in, 2), *expected = tile_operand(m, in, 3);
  tile *out = in->result_count > 0 ? tile_result(m, in, 0) : NULL;
  event_charge(m, in, p->type.lanes);
  m->instance++;
  for (size_t i = 0; i < p->type.lanes; i++) {
    lane_state state = access_lane(m, in, p, mask, i);
    if (out)
      out->bits[i] = 0;
    if (out && state == LANE_OFF)
      masked_lane(m, out, i);
    if (state != LANE_LIVE)
      continue;
    cell old = take_lane(m, in, p, i);
    update fresh = expected ? compared(v, expected, i, old)
                            : combined(v, i, rule, p->type.elem, old);
    write_lane(m, p, i, fresh.bits, fresh.trouble);
    record(m, in, p, i, true, true, fresh.bits, fresh.trouble);
    if (out) {
      out->bits[i] = old.bits;
      tile_blame(m, out, i, old.trouble);
    }
  }
}

void exec_atomic_add(exec_machine *m, const inst *in) {
  atomic(m, in, &binary_add);
}

void exec_atomic_max(exec_machine *m, const inst *in) {
  atomic(m, in, &binary_max);
}

void exec_atomic_min(exec_machine *m, const inst *in) {
  atomic(m, in, &binary_min);
}

void exec_atomic_and(exec_machine *m, const inst *in) {
  atomic(m, in, &binary_and);
}

void exec_atomic_or(exec_machine *m, const inst *in) {
  atomic(m, in, &binary_or);
}

void exec_atomic_xor(exec_machine *m, const inst *in) {
  atomic(m, in, &binary_xor);
}

void exec_atomic_xchg(exec_machine *m, const inst *in) {
  atomic(m, in, NULL);
}

void exec_atomic_cas(exec_machine *m, const inst *in) {
  atomic(m, in, NULL);
}
