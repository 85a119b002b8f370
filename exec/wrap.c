/* exec/wrap.c: which integers are not what arithmetic promises.
 *
 * A lane whose exact value differs from its bits has wrapped. Ring operations
 * keep both, so `a*b - a*b` is harmless whatever a*b did; anything that looks
 * at the value (a comparison, a division, an address of a live lane) is its
 * use. Only instructions that are asked for make exact values differ; once
 * they do, all later ring operations carry the difference, 64-bit ones too. */
#include "exec/machine.h"

#include <stdio.h>

bool wrap_watched(const exec_machine *m, const inst *in) {
  uint32_t only = m->options.only_inst;
  return m->watch_wraps && (only == 0 || only == in->index);
}

static bool narrow(const tile_type *t) {
  return !t->pointer && scalar_is_int(t->elem) && scalar_bits(t->elem) <= 32;
}

/* a op b; on overflow of int128 some number that differs from `wrapped`. */
static int128 ring(ring_op op, int128 a, int128 b, int128 wrapped) {
  int128 out;
  bool lost = op == RING_ADD   ? __builtin_add_overflow(a, b, &out)
              : op == RING_SUB ? __builtin_sub_overflow(a, b, &out)
              : op == RING_MUL ? __builtin_mul_overflow(a, b, &out)
                               : __builtin_sub_overflow((int128)0, a, &out);
  return lost ? wrapped + 1 : out;
}

void wrap_settle(tile *out) {
  if (!out->exact)
    return;
  for (size_t i = 0; i < out->type.lanes; i++)
    if (out->exact[i] != lane_value(out, i))
      return;
  out->exact = NULL;
}

void wrap_ring(exec_machine *m, const inst *in, tile *out, const tile *a,
               const tile *b, ring_op op, bool left) {
  bool carried = a->exact || (b && b->exact);
  bool source = left && narrow(&out->type) && wrap_watched(m, in);
  if (!carried && !source)
    return;
  int128 *exact = tile_exact(m, out);
  for (size_t i = 0; i < out->type.lanes; i++) {
    int128 x = lane_exact(a, i), y = b ? lane_exact(b, i) : 0;
    bool parted = x != lane_value(a, i) || (b && y != lane_value(b, i));
    if (parted || source)
      exact[i] = ring(op, x, y, exact[i]);
  }
  out->wrap_inst = a->exact          ? a->wrap_inst
                   : (b && b->exact) ? b->wrap_inst
                                     : in->index;
  wrap_settle(out);
}

void wrap_keep(exec_machine *m, const inst *in, tile *out, const tile *a,
               bool left) {
  bool source = left && narrow(&out->type) && wrap_watched(m, in);
  if (!a->exact && !source)
    return;
  int128 *exact = tile_exact(m, out);
  for (size_t i = 0; i < out->type.lanes; i++)
    if (source || lane_exact(a, i) != lane_value(a, i))
      exact[i] = lane_exact(a, i);
  out->wrap_inst = a->exact ? a->wrap_inst : in->index;
  wrap_settle(out);
}

/* Decimal text of a 128-bit integer. */
static const char *decimal(int128 x, char room[48]) {
  char *at = room + 47;
  *at = 0;
  bool negative = x < 0;
  do {
    int digit = (int)(x % 10);
    *--at = (char)('0' + (digit < 0 ? -digit : digit));
    x /= 10;
  } while (x != 0);
  if (negative)
    *--at = '-';
  return at;
}

static const char *wrap_detail(exec_machine *m, const inst *in, const tile *t,
                               size_t lane, const char *use) {
  char exact[48], wrapped[48];
  const char *was = decimal(t->exact[lane], exact);
  const char *is = decimal(lane_value(t, lane), wrapped);
  if (narrow(&t->type))
    return arena_printf(m->arena,
                        "%s is not an %s: wraps to %s, used by %s in line %u",
                        was, scalar_name(t->type.elem), is, use, in->at.line);
  return arena_printf(m->arena,
                      "%s became %s by wrapping, used by %s in line %u", was,
                      is, use, in->at.line);
}

bool wrap_use_lane(exec_machine *m, const inst *in, const tile *t, size_t lane,
                   const char *use) {
  if (!t->exact || m->muted || lane_trouble(t, lane) ||
      t->exact[lane] == lane_value(t, lane))
    return false;
  exec_event what = {.value = (int64_t)t->bits[lane]};
  if (m->event_count == 0)
    what.detail = wrap_detail(m, in, t, lane, use);
  if (t->type.pointer && lane_tensor(t, lane) < m->tensor_count) {
    what.tensor = lane_tensor(t, lane);
    what.offset = what.value;
  }
  assert(t->wrap_inst && t->wrap_inst <= m->program->inst_count);
  return event_report(m, EVENT_WRAP, m->insts[t->wrap_inst], &t->type, lane,
                      what);
}

void wrap_use(exec_machine *m, const inst *in, const tile *t, const char *use) {
  if (!t->exact)
    return;
  for (size_t i = 0; i < t->type.lanes && !m->stopped; i++)
    wrap_use_lane(m, in, t, i, use);
}
