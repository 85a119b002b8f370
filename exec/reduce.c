/* exec/reduce.c: reductions, scans and matrix products.
 *
 * A tile is seen as outer x n x inner lanes around the axis. Reductions run in
 * the element's own precision, in eight strands as a tree would (fold_line);
 * scans and products of matrices in ascending order, these in the result's
 * precision with fused multiplication and addition. Trouble of any lane along
 * the axis is trouble of the result. */
#include "exec/math.h"

#include <math.h>

typedef struct axis_view {
  size_t outer, n, inner;
} axis_view;

static axis_view view_axis(const exec_machine *m, const inst *in,
                           const tile_type *t) {
  assert(in->attr_count >= 1);
  int64_t axis = m->attrs[in->index][0];
  assert(axis >= 0 && axis < t->rank);
  axis_view v = {1, (size_t)t->dim[axis], 1};
  for (int64_t d = 0; d < t->rank; d++) {
    if (d < axis)
      v.outer *= (size_t)t->dim[d];
    if (d > axis)
      v.inner *= (size_t)t->dim[d];
  }
  return v;
}

enum { STRANDS = 8 };

/* Combines the lanes base, base + inner, ...: strand j takes those of number j,
 * j + 8, ...; then neighbouring strands are combined, and so on. Hardware has
 * some such order (floats: with such errors); none is promised. */
static void fold_line(exec_machine *m, const binary_rule *rule, tile *out,
                      size_t to, const tile *a, size_t base, axis_view v) {
  uint64_t strand[STRANDS];
  uint8_t trouble = 0;
  bool good = true;
  for (size_t k = 0; k < v.n; k++) {
    size_t lane = base + k * v.inner, j = k % STRANDS;
    trouble |= lane_trouble(a, lane);
    if (k < STRANDS)
      strand[j] = a->bits[lane];
    else
      good &= binary_apply(rule, a->type.elem, strand[j], a->bits[lane],
                           &strand[j]);
  }
  /* The lengths of axes are powers of two. */
  for (size_t n = v.n < STRANDS ? v.n : STRANDS; n > 1; n /= 2)
    for (size_t j = 0; j < n / 2; j++)
      good &= binary_apply(rule, a->type.elem, strand[2 * j], strand[2 * j + 1],
                           &strand[j]);
  out->bits[to] = strand[0];
  tile_blame(m, out, to, good ? trouble : trouble | LANE_UNDEFINED);
}

static void reduce(exec_machine *m, const inst *in, const binary_rule *rule) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  axis_view v = view_axis(m, in, &a->type);
  assert(out->type.elem == a->type.elem);
  assert(out->type.lanes == v.outer * v.inner);
  event_charge(m, in, a->type.lanes);
  for (size_t i = 0; i < v.outer; i++)
    for (size_t j = 0; j < v.inner; j++)
      fold_line(m, rule, out, i * v.inner + j, a, i * v.n * v.inner + j, v);
}

void exec_reduce_sum(exec_machine *m, const inst *in) {
  reduce(m, in, &binary_add);
}

void exec_reduce_max(exec_machine *m, const inst *in) {
  wrap_use(m, in, tile_operand(m, in, 0), "the maximum");
  reduce(m, in, &binary_max);
}

void exec_reduce_min(exec_machine *m, const inst *in) {
  wrap_use(m, in, tile_operand(m, in, 0), "the minimum");
  reduce(m, in, &binary_min);
}

void exec_reduce_prod(exec_machine *m, const inst *in) {
  reduce(m, in, &binary_mul);
}

void exec_reduce_xor(exec_machine *m, const inst *in) {
  reduce(m, in, &binary_xor);
}

void exec_reduce_and(exec_machine *m, const inst *in) {
  reduce(m, in, &binary_and);
}

void exec_reduce_or(exec_machine *m, const inst *in) {
  reduce(m, in, &binary_or);
}

/* Index of the first greatest (or least) lane of each line. */
static void arg_reduce(exec_machine *m, const inst *in, bool greatest) {
  const tile *a = tile_operand(m, in, 0);
  wrap_use(m, in, a, greatest ? "the maximum" : "the minimum");
  tile *out = tile_result(m, in, 0);
  axis_view v = view_axis(m, in, &a->type);
  event_charge(m, in, a->type.lanes);
  for (size_t line = 0; line < v.outer * v.inner; line++) {
    size_t base = line / v.inner * v.n * v.inner + line % v.inner, best = 0;
    uint8_t trouble = lane_trouble(a, base);
    for (size_t k = 1; k < v.n; k++) {
      uint64_t x = a->bits[base + k * v.inner];
      uint64_t y = a->bits[base + best * v.inner];
      trouble |= lane_trouble(a, base + k * v.inner);
      if (greatest ? number_less(a->type.elem, y, x)
                   : number_less(a->type.elem, x, y))
        best = k;
    }
    out->bits[line] = best;
    tile_blame(m, out, line, trouble);
  }
}

void exec_argmax(exec_machine *m, const inst *in) {
  arg_reduce(m, in, true);
}

void exec_argmin(exec_machine *m, const inst *in) {
  arg_reduce(m, in, false);
}

static void scan(exec_machine *m, const inst *in, const binary_rule *rule) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  axis_view v = view_axis(m, in, &a->type);
  bool reverse = in->attr_count > 1 && m->attrs[in->index][1] != 0;
  for (size_t line = 0; line < v.outer * v.inner; line++) {
    size_t base = line / v.inner * v.n * v.inner + line % v.inner;
    uint64_t sum = 0;
    uint8_t trouble = 0;
    for (size_t k = 0; k < v.n; k++) {
      size_t lane = base + (reverse ? v.n - 1 - k : k) * v.inner;
      trouble |= lane_trouble(a, lane);
      if (k == 0)
        sum = a->bits[lane];
      else if (!binary_apply(rule, a->type.elem, sum, a->bits[lane], &sum))
        trouble |= LANE_UNDEFINED;
      out->bits[lane] = sum;
      tile_blame(m, out, lane, trouble);
    }
  }
}

void exec_cumsum(exec_machine *m, const inst *in) {
  scan(m, in, &binary_add);
}

void exec_cumprod(exec_machine *m, const inst *in) {
  scan(m, in, &binary_mul);
}

/* --------------------------------------------------------- sort, histogram */

/* A line's lanes in order, by insertion: lines are short. */
static void sort_line(exec_machine *m, const tile *a, tile *out, size_t base,
                      axis_view v, bool descending) {
  uint8_t trouble = 0;
  for (size_t k = 0; k < v.n; k++) {
    uint64_t x = a->bits[base + k * v.inner];
    size_t at = k;
    trouble |= lane_trouble(a, base + k * v.inner);
    for (; at > 0; at--) {
      uint64_t y = out->bits[base + (at - 1) * v.inner];
      if (!(descending ? number_less(a->type.elem, y, x)
                       : number_less(a->type.elem, x, y)))
        break;
      out->bits[base + at * v.inner] = y;
    }
    out->bits[base + at * v.inner] = x;
  }
  for (size_t k = 0; trouble && k < v.n; k++)
    tile_blame(m, out, base + k * v.inner, trouble);
}

void exec_sort(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  wrap_use(m, in, a, "the sort");
  tile *out = tile_result(m, in, 0);
  axis_view v = view_axis(m, in, &a->type);
  event_charge(m, in, a->type.lanes * v.n);
  for (size_t line = 0; line < v.outer * v.inner; line++)
    sort_line(m, a, out, line / v.inner * v.n * v.inner + line % v.inner, v,
              m->attrs[in->index][1] != 0);
}

/* Numbers outside the bins are undefined behaviour: no bin has a value then. */
void exec_histogram(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0), *mask = tile_operand(m, in, 1);
  tile *out = tile_result(m, in, 0);
  uint8_t trouble = 0;
  wrap_use(m, in, a, "the histogram");
  memset(out->bits, 0, sizeof *out->bits * out->type.lanes);
  for (size_t i = 0; i < a->type.lanes; i++) {
    trouble |= mask ? lane_trouble(mask, i) : 0;
    if (mask && !mask->bits[i])
      continue;
    int128 bin = lane_value(a, i);
    trouble |= lane_trouble(a, i);
    if (bin < 0 || bin >= (int128)out->type.lanes)
      trouble |= LANE_UNDEFINED;
    else
      out->bits[bin]++;
  }
  if (trouble)
    tile_blame_all(m, out, trouble);
}

/* ------------------------------------------------------------------- dot */

typedef struct dot_shape {
  size_t batch, m, n, k;
} dot_shape;

static dot_shape dot_shape_of(const tile *a, const tile *b) {
  uint32_t r = a->type.rank;
  assert((r == 2 || r == 3) && b->type.rank == r);
  dot_shape d = {.batch = r == 3 ? (size_t)a->type.dim[0] : 1,
                 .m = (size_t)a->type.dim[r - 2],
                 .k = (size_t)a->type.dim[r - 1],
                 .n = (size_t)b->type.dim[r - 1]};
  assert((size_t)b->type.dim[r - 2] == d.k);
  return d;
}

/* A row of a (stride 1) or a column of b (stride n) with trouble taints its
 * whole line of the result. */
static void dot_trouble(exec_machine *m, tile *out, const tile *a,
                        const tile *b, dot_shape d) {
  if (!a->trouble && !b->trouble)
    return;
  uint8_t *to = tile_trouble(m, out);
  for (size_t z = 0; z < d.batch; z++) {
    for (size_t i = 0; i < d.m; i++) {
      uint8_t row = 0;
      for (size_t k = 0; k < d.k; k++)
        row |= lane_trouble(a, (z * d.m + i) * d.k + k);
      for (size_t j = 0; j < d.n; j++)
        to[(z * d.m + i) * d.n + j] |= row;
    }
    for (size_t j = 0; j < d.n; j++) {
      uint8_t column = 0;
      for (size_t k = 0; k < d.k; k++)
        column |= lane_trouble(b, (z * d.k + k) * d.n + j);
      for (size_t i = 0; i < d.m; i++)
        to[(z * d.m + i) * d.n + j] |= column;
    }
  }
}

static void dot_ints(tile *out, const tile *a, const tile *b, const tile *acc,
                     dot_shape d) {
  int_form form = int_form_of(out->type.elem);
  for (size_t row = 0; row < d.batch * d.m; row++)
    for (size_t j = 0; j < d.n; j++) {
      size_t column = row / d.m * d.k * d.n + j;
      uint64_t sum = acc ? acc->bits[row * d.n + j] : 0;
      for (size_t k = 0; k < d.k; k++)
        sum += a->bits[row * d.k + k] * b->bits[column + k * d.n];
      out->bits[row * d.n + j] = int_fit(form, sum);
    }
}

static double *decoded(exec_machine *m, const tile *t) {
  double *x = ARENA_ARRAY(m->arena, double, t->type.lanes);
  for (size_t i = 0; i < t->type.lanes; i++)
    x[i] = number_is_float(t->type.elem)
               ? number_decode(t->type.elem, t->bits[i])
               : (double)(int64_t)t->bits[i];
  return x;
}

/* One row of a product: sums[j] += x[k] * y[k][j], k ascending. */
static void row_in_double(double *sums, const double *x, const double *y,
                          dot_shape d) {
  for (size_t k = 0; k < d.k; k++)
    for (size_t j = 0; j < d.n; j++)
      sums[j] += x[k] * y[k * d.n + j];
}

static void row_in_float(double *sums, const double *x, const double *y,
                         dot_shape d) {
  for (size_t k = 0; k < d.k; k++)
    for (size_t j = 0; j < d.n; j++)
      sums[j] =
          (double)fmaf((float)x[k], (float)y[k * d.n + j], (float)sums[j]);
}

/* In float for results of at most 32 bits, else in double. */
static void dot_floats(exec_machine *m, tile *out, const tile *a, const tile *b,
                       const tile *acc, dot_shape d) {
  arena_mark mark = arena_save(m->arena);
  const double *x = decoded(m, a), *y = decoded(m, b);
  const double *z = acc ? decoded(m, acc) : NULL;
  double *sums = ARENA_ARRAY(m->arena, double, d.n);
  bool wide = out->type.elem == SC_F64 || out->type.elem == SC_ANY;
  for (size_t row = 0; row < d.batch * d.m; row++) {
    for (size_t j = 0; j < d.n; j++)
      sums[j] = z ? z[row * d.n + j] : 0;
    (wide ? row_in_double : row_in_float)(sums, x + row * d.k,
                                          y + row / d.m * d.k * d.n, d);
    for (size_t j = 0; j < d.n; j++)
      out->bits[row * d.n + j] = number_encode(out->type.elem, sums[j]);
  }
  arena_rewind(m->arena, mark);
}

void exec_dot(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0), *b = tile_operand(m, in, 1);
  const tile *acc = tile_operand(m, in, 2);
  tile *out = tile_result(m, in, 0);
  dot_shape d = dot_shape_of(a, b);
  assert(out->type.lanes == d.batch * d.m * d.n);
  if (m->options.watch_races) {
    tile_blame_all(m, out, LANE_UNKNOWN); /* long to compute, and no place */
    return;
  }
  event_charge(m, in, (uint64_t)out->type.lanes * d.k);
  if (m->stopped)
    return;
  tile_inherit(m, out, acc);
  dot_trouble(m, out, a, b, d);
  if (number_is_float(out->type.elem))
    dot_floats(m, out, a, b, acc, d);
  else
    dot_ints(out, a, b, acc, d);
}
