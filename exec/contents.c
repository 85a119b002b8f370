/* exec/contents.c: what tensors hold before a program starts.
 *
 * The content of an element is a function of the seed, the storage and the
 * offset, so nothing is stored until it is written and a tensor of 2^40
 * elements costs nothing. */
#include "exec/machine.h"

static bool bound(exec_machine *m, expr e, int128 *out) {
  int64_t value;
  if (e == EXPR_NONE ||
      !expr_eval(m->program->exprs, e, m->number, m->known, &value))
    return false;
  *out = value;
  return true;
}

/* Range of the elements of t: by its clause within its type. */
static void bind_range(exec_machine *m, contents *c, const tensor *t) {
  c->least = scalar_is_int(t->dtype) ? number_least(t->dtype) : 0;
  c->greatest = scalar_is_int(t->dtype) ? number_greatest(t->dtype) : 0;
  if (!t->has_range)
    return;
  int128 value;
  c->ranged = true;
  bool has_least = bound(m, t->least, &value);
  if (has_least)
    c->least = value;
  bool has_greatest = bound(m, t->greatest, &value);
  if (has_greatest)
    c->greatest = value;
  if (!has_greatest && c->greatest < c->least)
    c->greatest = c->least;
  if (!has_least && c->least > c->greatest)
    c->least = c->greatest;
}

/* The values that may repeat in a tensor of distinct ones, within its range. */
static void bind_exceptions(exec_machine *m, contents *c, const tensor *t) {
  assert(t->except_count <= TENSOR_MAX_EXCEPT);
  for (uint32_t i = 0; i < t->except_count; i++) {
    int128 value;
    if (bound(m, t->except[i], &value) && value >= c->least &&
        value <= c->greatest)
      c->except[c->except_count++] = value;
  }
}

void contents_bind(exec_machine *m, uint32_t index) {
  const tensor *t = &m->program->tensors.at[index];
  storage *s = &m->storages[m->tensors[index].storage];
  contents *c = &s->contents;
  bool holds =
      (t->role != TENSOR_OUT || t->written) && !m->tensors[index].part.known;
  bool held = c->holds;
  c->holds |= holds;
  if (m->tensors[index].storage != index && (c->ranged || !t->has_range))
    return; /* a view of a storage that is described already */
  *c = (contents){.holds = holds || held,
                  .dtype = t->dtype,
                  .distinct = t->distinct || t->except_count > 0,
                  .sorted = t->sorted,
                  .start = m->tensors[index].start};
  bind_range(m, c, t);
  bind_exceptions(m, c, t);
  int64_t count, stride;
  if (t->known && t->rank == 1 &&
      expr_eval(m->program->exprs, t->extent[0], m->number, m->known, &count) &&
      expr_eval(m->program->exprs, t->stride[0], m->number, m->known,
                &stride) &&
      stride > 0) {
    c->count = count;
    c->stride = stride;
  }
}

/* A bijection of [0, n): i -> (i*a + b) mod n with a coprime to n. */
static int64_t permute(uint64_t seed, int64_t i, int64_t n) {
  uint64_t a = hash_mix(seed, 1) % (uint64_t)n, b = hash_mix(seed, 2);
  for (;; a = (a + 1) % (uint64_t)n) {
    uint64_t x = a, y = (uint64_t)n;
    while (y != 0) {
      uint64_t rest = x % y;
      x = y;
      y = rest;
    }
    if (x == 1)
      break;
  }
  return (int64_t)(((int128)i * (int128)a + (int128)(b % (uint64_t)n)) % n);
}

static int128 clamp(int128 x, int128 least, int128 greatest) {
  return x < least ? least : x > greatest ? greatest : x;
}

/* The number at index i of a 1-D tensor that is sorted or distinct. */
static int128 ordered(const contents *c, exec_fill fill, uint64_t seed,
                      int64_t i) {
  int128 least = c->least, width = c->greatest - c->least + 1;
  int128 n = c->count;
  if (c->distinct) {
    uint64_t hash = hash_mix(seed, (uint64_t)i + 4);
    if (c->except_count > 0 && !c->sorted &&
        (i >= width || (fill == FILL_RANDOM && hash % 8 == 0)))
      return c->except[(hash >> 8) % c->except_count];
    if (fill == FILL_RANDOM && !c->sorted)
      i = permute(seed, i, c->count);
    if (width < n)
      return least + (i < width ? i : width - 1);
    if (fill == FILL_ZERO)
      return clamp(0, least, c->greatest - n + 1) + i;
  } else if (fill == FILL_ZERO) {
    return clamp(0, least, c->greatest);
  } else {
    /* A random part of the range, so that seeds differ. */
    int128 cut = (int128)(hash_mix(seed, 3) % 4) * width / 8;
    least += cut;
    width -= cut;
  }
  /* Widths of 2^64 times counts of 2^62 fit: quotient and remainder apart. */
  return least + width / n * i + width % n * i / n;
}

uint64_t contents_at(const contents *c, exec_fill fill, uint64_t seed,
                     int64_t offset) {
  bool whole = scalar_is_int(c->dtype) || c->ranged;
  int128 number;
  int64_t place = offset - c->start;
  if (c->count > 0 && whole && (c->distinct || c->sorted) && place >= 0 &&
      place / c->stride < c->count) {
    number = ordered(c, fill, seed, place / c->stride);
  } else if (fill == FILL_ZERO) {
    number = whole ? clamp(0, c->least, c->greatest) : 0;
  } else {
    uint64_t hash = hash_mix(seed, (uint64_t)offset);
    if (!whole) /* [-1, 1), in steps that every format has */
      return number_encode(c->dtype, ((double)(hash >> 61) - 4) / 4);
    int128 width = c->greatest - c->least + 1;
    number = width <= 0 ? c->least : c->least + (int128)hash % width;
  }
  if (number_is_float(c->dtype))
    return number_encode(c->dtype, (double)number);
  return number_fit(c->dtype, (uint64_t)number);
}
