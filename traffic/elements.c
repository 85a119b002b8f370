/* traffic/elements.c: a bit for each element between the least and the
 * greatest. */
#include "traffic/elements.h"

#include <stdbool.h>

enum { WORD = 64 };
static const int64_t MOST_SPAN = (int64_t)1 << 33; /* a gigabyte of bits */

elements elements_make(arena *arena) {
  return (elements){.arena = arena};
}

void elements_add(elements *self, int64_t first, const offset_set *set) {
  placed_set p = {first, set};
  VEC_PUSH(self->arena, &self->sets, p);
}

/* False when the span is too large. */
static bool find_span(const elements *self, int64_t *least, int64_t *span) {
  int64_t lo = INT64_MAX, hi = INT64_MIN, last;
  for (size_t i = 0; i < self->sets.count; i++) {
    const placed_set *p = &self->sets.at[i];
    if (__builtin_add_overflow(p->first, p->set->last, &last))
      return false;
    lo = p->first < lo ? p->first : lo;
    hi = last > hi ? last : hi;
  }
  *least = lo;
  return !__builtin_sub_overflow(hi, lo, span) && *span < MOST_SPAN;
}

/* Ones from bit `from` to bit `to` - 1 of one word. */
static uint64_t ones(int64_t from, int64_t to) {
  uint64_t below = to >= WORD ? UINT64_MAX : ((uint64_t)1 << to) - 1;
  return below & ~(((uint64_t)1 << from) - 1);
}

static void set_bits(uint64_t *words, int64_t at, int64_t length) {
  for (int64_t end = at + length; at < end;) {
    int64_t word = at / WORD, from = at % WORD;
    int64_t to = end - word * WORD < WORD ? end - word * WORD : WORD;
    words[word] |= ones(from, to);
    at = (word + 1) * WORD;
  }
}

int64_t elements_count(const elements *self) {
  int64_t least, span, count = 0;
  if (self->sets.count == 0)
    return 0;
  if (!find_span(self, &least, &span))
    return -1;
  arena *scratch = arena_create();
  size_t n = (size_t)(span / WORD + 1);
  uint64_t *words = ARENA_ARRAY(scratch, uint64_t, n);
  for (size_t i = 0; i < self->sets.count; i++) {
    const placed_set *p = &self->sets.at[i];
    for (size_t k = 0; k < p->set->run_count; k++)
      set_bits(words, p->first - least + p->set->runs[k].first,
               p->set->runs[k].length);
  }
  for (size_t i = 0; i < n; i++)
    count += __builtin_popcountll(words[i]);
  arena_destroy(scratch);
  return count;
}
