/* analysis/delinearise.c: from an element offset to indices.
 *
 * offset = sum of index[d] * stride[d], found by dividing the offset by one
 * stride after the other, the one of the highest degree first; what is left
 * belongs to the axis of stride 1. The identity always holds for the indices
 * returned; whether they are in range is proved afterwards. */
#include "analysis/delinearise.h"
#include "analysis/query.h"

static uint32_t degree_of(const symtab *t, sym e) {
  const sym_term *terms;
  return sym_terms(t, e, &terms) ? terms[0].atom_count : 0;
}

static uint64_t size_of(int64_t v) {
  return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* a is peeled before b. */
static bool outer_of(const symtab *t, sym a, sym b) {
  uint32_t x = degree_of(t, a), y = degree_of(t, b);
  int64_t v = 0, w = 0;
  if (x != y)
    return x > y;
  if (sym_is_int(t, a, &v) && sym_is_int(t, b, &w))
    return size_of(v) > size_of(w);
  return false;
}

void stride_order(const symtab *t, const sym *stride, size_t rank,
                  size_t *order) {
  for (size_t i = 0; i < rank; i++) {
    size_t k = i;
    for (; k > 0 && outer_of(t, stride[i], stride[order[k - 1]]); k--)
      order[k] = order[k - 1];
    order[k] = i;
  }
}

static int64_t constant_of(const symtab *t, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  return n && terms[n - 1].atom_count == 0 ? terms[n - 1].coef : 0;
}

/* The constant of the rest is shared out: a stride of c takes the nearest (or
 * next lower) multiple of c out of it. */
static int64_t share_of(int64_t constant, int64_t c, split_style style) {
  int64_t share = floor_div(constant, c);
  if (style == SPLIT_NEAREST &&
      size_of(floor_mod(constant, c)) * 2 > size_of(c))
    share++;
  return share;
}

/* How much of *rest belongs to an axis of this stride. */
static sym peel(symtab *t, sym *rest, sym stride, split_style style) {
  sym index, left;
  int64_t c = 0, extra = 0;
  sym_poly_divide(t, *rest, stride, &index, &left);
  if (style == SPLIT_CONSTANTS_INSIDE)
    extra = -constant_of(t, index);
  else if (sym_is_int(t, stride, &c) && c != 0 && c != -1)
    extra = share_of(constant_of(t, left), c, style);
  if (extra) {
    index = sym_add(t, index, sym_int(t, extra));
    left = sym_sub(t, left, sym_mul(t, stride, sym_int(t, extra)));
  }
  *rest = left;
  return index;
}

bool delinearise_as(symtab *t, sym offset, const sym *stride, size_t rank,
                    split_style style, sym *index) {
  size_t order[DELINEARISE_RANK], unit = rank;
  sym rest = offset, zero = sym_int(t, 0);
  assert(rank <= DELINEARISE_RANK);
  stride_order(t, stride, rank, order);
  for (size_t i = 0; i < rank; i++) {
    size_t d = order[i];
    int64_t c = 0;
    bool constant = sym_is_int(t, stride[d], &c);
    index[d] = zero;
    if (constant && (c == 1 || c == -1))
      unit = unit == rank ? d : unit;
    else if (!constant || c != 0)
      index[d] = peel(t, &rest, stride[d], style);
  }
  if (unit < rank) {
    index[unit] = sym_mul(t, rest, stride[unit]);
    return true;
  }
  return rest == zero;
}

bool delinearise(symtab *t, sym offset, const sym *stride, size_t rank,
                 sym *index) {
  return rank <= DELINEARISE_RANK &&
         delinearise_as(t, offset, stride, rank, SPLIT_NEAREST, index);
}
