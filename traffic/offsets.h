/* traffic/offsets.h: what a tile addresses, up to where it begins.
 *
 * A set of element offsets whose least is 0, as maximal runs of consecutive
 * ones in ascending order. Sets are interned: equal sets have equal numbers,
 * so a tile is known by its tensor, its least address and such a number. */
#ifndef TRAFFIC_OFFSETS_H
#define TRAFFIC_OFFSETS_H

#include "base/arena.h"
#include <stdint.h>

typedef struct run {
  int64_t first, length;
} run;

typedef struct offset_set {
  const run *runs;
  size_t run_count;
  int64_t count; /* of offsets */
  int64_t last;  /* greatest offset */
} offset_set;

typedef struct offsets offsets; /* the table */

offsets *offsets_create(arena *arena);
/* The set of n > 0 numbers, repeats allowed, less their least, which goes to
 * *least. Sorts them in place. */
uint32_t offsets_of(offsets *self, int64_t *numbers, size_t n, int64_t *least);
/* {x + y : x in a, y in b}. */
uint32_t offsets_sum(offsets *self, uint32_t a, uint32_t b);
const offset_set *offsets_at(const offsets *self, uint32_t set);
/* The set {0}. */
enum { OFFSETS_ONE = 1 };

#endif
