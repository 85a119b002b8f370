/* traffic/layout.c: blocked layouts from text and for shapes. */
#include "traffic/layout.h"

#include <ctype.h>
#include <inttypes.h>

/* Numbers with an x between them, at most 2^16 each. Returns how many, 0 when
 * they are malformed; *at is behind them. */
static unsigned read_numbers(const char **at, int64_t *out) {
  unsigned n = 0;
  while (true) {
    int64_t value = 0;
    if (n == TYPE_MAX_RANK || !isdigit((unsigned char)**at))
      return 0;
    for (; isdigit((unsigned char)**at); (*at)++) {
      value = value * 10 + (**at - '0');
      if (value > 1 << 16)
        return 0;
    }
    out[n++] = value;
    if (**at != 'x')
      return n;
    (*at)++;
  }
}

static bool is_pow2(int64_t x) {
  return x > 0 && (x & (x - 1)) == 0;
}

static bool all_pow2(const int64_t *at, unsigned n) {
  for (unsigned d = 0; d < n; d++)
    if (!is_pow2(at[d]))
      return false;
  return true;
}

static int64_t product(const int64_t *at, unsigned n) {
  int64_t all = 1;
  for (unsigned d = 0; d < n; d++)
    all *= at[d];
  return all;
}

static bool is_permutation(const int64_t *at, unsigned n) {
  unsigned seen = 0;
  for (unsigned d = 0; d < n; d++) {
    if (at[d] >= n)
      return false;
    seen |= 1u << at[d];
  }
  return seen == (1u << n) - 1;
}

/* The part behind the next colon; true when there is none. */
static bool read_part(const char **at, unsigned rank, int64_t *out,
                      bool *given) {
  *given = **at == ':';
  if (!*given)
    return true;
  (*at)++;
  return read_numbers(at, out) == rank;
}

bool layout_read(const char *text, layout_request *out, const char **error) {
  int64_t order[TYPE_MAX_RANK];
  *out = (layout_request){0};
  *error = "it is SIZE[:THREADS[:WARPS[:ORDER]]], such as 8 or "
           "1x8:4x8:4x1:1x0";
  out->rank = read_numbers(&text, out->size);
  if (!out->rank ||
      !read_part(&text, out->rank, out->threads, &out->has_threads) ||
      !read_part(&text, out->rank, out->warps, &out->has_warps) ||
      !read_part(&text, out->rank, order, &out->has_order) || *text)
    return false;
  *error = "elements, threads and warps are powers of two";
  if (!all_pow2(out->size, out->rank) ||
      (out->has_threads && !all_pow2(out->threads, out->rank)) ||
      (out->has_warps && !all_pow2(out->warps, out->rank)))
    return false;
  *error = "a warp has 32 threads";
  if (out->has_threads && product(out->threads, out->rank) != WARP_THREADS)
    return false;
  *error = "the order names each axis once, from 0";
  if (out->has_order && !is_permutation(order, out->rank))
    return false;
  for (unsigned d = 0; d < out->rank && out->has_order; d++)
    out->order[d] = (unsigned)order[d];
  return true;
}

/* Spreads `count` (a power of two) along the order: on each axis as many as
 * still have elements of their own, what is left on the last one. */
static void spread(const layout *l, const int64_t *room, int64_t count,
                   int64_t *out) {
  for (unsigned k = 0; k < l->rank; k++) {
    unsigned d = l->order[k];
    out[d] = 1;
    while (count > 1 && (out[d] * 2 <= room[d] || k + 1 == l->rank)) {
      out[d] *= 2;
      count /= 2;
    }
  }
}

bool layout_make(const layout_request *r, const tile_shape *shape,
                 int64_t warps, layout *out) {
  int64_t room[TYPE_MAX_RANK] = {0};
  *out = (layout){.rank = r->rank};
  if (r->rank != shape->rank ||
      (r->has_warps && product(r->warps, r->rank) != warps))
    return false;
  for (unsigned d = 0; d < r->rank; d++) {
    out->size[d] = r->size[d];
    out->order[d] = r->has_order ? r->order[d] : r->rank - 1 - d;
    room[d] = shape->extent[d] / r->size[d];
  }
  spread(out, room, WARP_THREADS, out->threads);
  for (unsigned d = 0; d < r->rank && r->has_threads; d++)
    out->threads[d] = r->threads[d];
  for (unsigned d = 0; d < r->rank; d++)
    room[d] /= out->threads[d];
  spread(out, room, warps, out->warps);
  for (unsigned d = 0; d < r->rank && r->has_warps; d++)
    out->warps[d] = r->warps[d];
  return true;
}

int64_t layout_warps(const layout *self) {
  return product(self->warps, self->rank);
}

static void put_numbers(const int64_t *at, unsigned n, strbuf *out) {
  for (unsigned d = 0; d < n; d++)
    strbuf_printf(out, "%s%" PRId64, d ? "x" : "", at[d]);
}

void layout_put(const layout *self, strbuf *out) {
  int64_t order[TYPE_MAX_RANK];
  for (unsigned d = 0; d < self->rank; d++)
    order[d] = self->order[d];
  put_numbers(self->size, self->rank, out);
  strbuf_putc(out, ':');
  put_numbers(self->threads, self->rank, out);
  strbuf_putc(out, ':');
  put_numbers(self->warps, self->rank, out);
  if (self->rank > 1) {
    strbuf_putc(out, ':');
    put_numbers(order, self->rank, out);
  }
}
