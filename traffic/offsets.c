/* traffic/offsets.c: interned sets of offsets. */
#include "traffic/offsets.h"
#include "base/map.h"
#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>

struct offsets {
  arena *arena;
  intern *runs;         /* the bytes of the runs */
  VEC(offset_set) sets; /* number 1 is at 0 */
  map *sums;            /* (a << 32 | b) -> set */
};

typedef VEC(run) run_vec;

static uint32_t add(offsets *self, const run *runs, size_t n) {
  uint32_t id = intern_id_n(self->runs, (const char *)runs, n * sizeof *runs);
  if (id <= self->sets.count)
    return id;
  offset_set set = {.runs = (const run *)intern_text(self->runs, id),
                    .run_count = n,
                    .last = runs[n - 1].first + runs[n - 1].length - 1};
  for (size_t i = 0; i < n; i++)
    set.count += runs[i].length;
  VEC_PUSH(self->arena, &self->sets, set);
  assert(id == self->sets.count);
  return id;
}

offsets *offsets_create(arena *arena) {
  offsets *self = ARENA_NEW(arena, offsets);
  self->arena = arena;
  self->runs = intern_create(arena);
  self->sums = map_create(arena);
  run one = {0, 1};
  uint32_t id = add(self, &one, 1);
  assert(id == OFFSETS_ONE);
  (void)id;
  return self;
}

const offset_set *offsets_at(const offsets *self, uint32_t set) {
  assert(set >= 1 && set <= self->sets.count);
  return &self->sets.at[set - 1];
}

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool is_sorted(const int64_t *numbers, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (numbers[i] < numbers[i - 1])
      return false;
  return true;
}

/* Appends a run that begins at or after the last one's beginning. */
static void append(arena *a, run_vec *out, run r) {
  run *last = out->count ? &out->at[out->count - 1] : NULL;
  if (!last || r.first > last->first + last->length) {
    VEC_PUSH(a, out, r);
    return;
  }
  int64_t end = r.first + r.length;
  if (end > last->first + last->length)
    last->length = end - last->first;
}

uint32_t offsets_of(offsets *self, int64_t *numbers, size_t n, int64_t *least) {
  assert(n > 0);
  if (!is_sorted(numbers, n))
    qsort(numbers, n, sizeof *numbers, ascending);
  *least = numbers[0];
  arena *scratch = arena_create();
  run_vec runs = {0};
  for (size_t i = 0; i < n; i++)
    append(scratch, &runs, (run){numbers[i] - numbers[0], 1});
  uint32_t id = add(self, runs.at, runs.count);
  arena_destroy(scratch);
  return id;
}

static int by_first(const void *a, const void *b) {
  return ascending(&((const run *)a)->first, &((const run *)b)->first);
}

/* Every run of `inner` at every offset of `outer`, in ascending order. */
static uint32_t sum_of(offsets *self, const offset_set *outer,
                       const offset_set *inner) {
  arena *scratch = arena_create();
  size_t n = (size_t)outer->count * inner->run_count, k = 0;
  run *all = ARENA_ARRAY(scratch, run, n);
  for (size_t i = 0; i < outer->run_count; i++)
    for (int64_t x = 0; x < outer->runs[i].length; x++)
      for (size_t j = 0; j < inner->run_count; j++)
        all[k++] = (run){outer->runs[i].first + x + inner->runs[j].first,
                         inner->runs[j].length};
  bool sorted = true;
  for (size_t i = 1; i < n && sorted; i++)
    sorted = all[i - 1].first <= all[i].first;
  if (!sorted)
    qsort(all, n, sizeof *all, by_first);
  run_vec runs = {0};
  for (size_t i = 0; i < n; i++)
    append(scratch, &runs, all[i]);
  uint32_t id = add(self, runs.at, runs.count);
  arena_destroy(scratch);
  return id;
}

uint32_t offsets_sum(offsets *self, uint32_t a, uint32_t b) {
  uint64_t key = (uint64_t)a << 32 | b, known;
  if (a == OFFSETS_ONE || b == OFFSETS_ONE)
    return a == OFFSETS_ONE ? b : a;
  if (map_get(self->sums, key, &known))
    return (uint32_t)known;
  const offset_set *x = offsets_at(self, a), *y = offsets_at(self, b);
  /* The set with fewer runs is shifted as a whole. */
  bool swap = x->run_count * (size_t)y->count < y->run_count * (size_t)x->count;
  uint32_t id = swap ? sum_of(self, y, x) : sum_of(self, x, y);
  map_put(self->sums, key, id);
  return id;
}
