/* exec/elements.c: is a flat offset that of an element?
 *
 * Axes are sorted by stride and merged where one continues the next without a
 * gap, which leaves a single axis for contiguous tensors and for overlapping
 * windows with divisible strides. What is left is searched from the greatest
 * stride down, bounded by what the smaller axes can reach and by their common
 * divisor; the last two axes are solved by a modular inverse. The answer is
 * exact for every choice of strides. */
#include "exec/machine.h"

#define MOST_SPAN ((int128)1 << 62)

static int64_t gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Inserts an axis, descending by stride. */
static void insert(element_set *s, int64_t extent, int64_t stride) {
  uint32_t at = s->rank++;
  while (at > 0 && s->stride[at - 1] < stride) {
    s->extent[at] = s->extent[at - 1];
    s->stride[at] = s->stride[at - 1];
    at--;
  }
  s->extent[at] = extent;
  s->stride[at] = stride;
}

/* Joins axis d and d+1 when together they are one axis of the finer stride. */
static bool merge(element_set *s, uint32_t d) {
  int64_t coarse = s->stride[d], fine = s->stride[d + 1];
  if (coarse % fine != 0 || coarse / fine > s->extent[d + 1])
    return false;
  s->extent[d] = (s->extent[d] - 1) * (coarse / fine) + s->extent[d + 1];
  s->stride[d] = fine;
  s->rank--;
  for (uint32_t i = d + 1; i < s->rank; i++) {
    s->extent[i] = s->extent[i + 1];
    s->stride[i] = s->stride[i + 1];
  }
  return true;
}

bool elements_build(element_set *set, const int64_t *extent,
                    const int64_t *stride, uint32_t rank) {
  *set = (element_set){.known = true};
  int128 low = 0, span = 0;
  for (uint32_t d = 0; d < rank; d++) {
    assert(extent[d] >= 0);
    if (extent[d] == 0)
      set->empty = true;
  }
  if (set->empty)
    return true;
  for (uint32_t d = 0; d < rank; d++) {
    if (extent[d] == 1 || stride[d] == 0)
      continue;
    int128 size = stride[d] < 0 ? -(int128)stride[d] : stride[d];
    int128 reach = size * (extent[d] - 1);
    span += reach;
    if (span > MOST_SPAN)
      return false;
    low += stride[d] < 0 ? -reach : 0;
    insert(set, extent[d], (int64_t)size);
  }
  set->low = (int64_t)low;
  for (uint32_t d = set->rank; d-- > 0;)
    while (d + 1 < set->rank && merge(set, d))
      continue;
  int64_t reach = 0, divisor = 0;
  for (uint32_t d = set->rank; d-- > 0;) {
    reach += (set->extent[d] - 1) * set->stride[d];
    divisor = gcd(set->stride[d], divisor);
    set->reach[d] = reach;
    set->divisor[d] = divisor;
  }
  return true;
}

/* The inverse of a modulo m, for coprime a and m >= 1. */
static int64_t inverse(int64_t a, int64_t m) {
  int64_t r0 = m, r1 = a % m, t0 = 0, t1 = 1;
  while (r1 != 0) {
    int64_t q = r0 / r1, r2 = r0 - q * r1, t2 = t0 - q * t1;
    r0 = r1;
    r1 = r2;
    t0 = t1;
    t1 = t2;
  }
  return t0 < 0 ? t0 + m : t0;
}

/* Indices of axis d that leave an offset the later axes can reach. */
static void index_range(const element_set *s, uint32_t d, int64_t offset,
                        int64_t *least, int64_t *greatest) {
  int64_t over = offset - s->reach[d + 1];
  *least = over > 0 ? (over - 1) / s->stride[d] + 1 : 0;
  *greatest = offset / s->stride[d];
  if (*greatest > s->extent[d] - 1)
    *greatest = s->extent[d] - 1;
}

/* The last two axes: i*s1 + j*s2 == offset, as a congruence for i. */
static bool solve_pair(const element_set *s, uint32_t d, int64_t offset) {
  int64_t g = s->divisor[d], m = s->stride[d + 1] / g;
  int128 wanted = (int128)(offset / g % m) * inverse(s->stride[d] / g, m) % m;
  int64_t least, greatest;
  index_range(s, d, offset, &least, &greatest);
  int64_t first = least + floor_mod((int64_t)wanted - least % m, m);
  return first <= greatest;
}

static bool search(const element_set *s, uint32_t d, int64_t offset) {
  if (d == s->rank)
    return offset == 0;
  if (offset < 0 || offset > s->reach[d] || offset % s->divisor[d] != 0)
    return false;
  if (d + 1 == s->rank)
    return true;
  if (d + 2 == s->rank)
    return solve_pair(s, d, offset);
  int64_t least, greatest;
  index_range(s, d, offset, &least, &greatest);
  for (int64_t i = least; i <= greatest; i++)
    if (search(s, d + 1, offset - i * s->stride[d]))
      return true;
  return false;
}

bool elements_have(const element_set *set, int64_t offset) {
  if (!set->known)
    return true;
  int64_t above;
  if (set->empty || !sub_ok(offset, set->low, &above) || above < 0)
    return false;
  return search(set, 0, above);
}
