/* traffic/lru.h: least recently used, for numbered things of any size. */
#ifndef TRAFFIC_LRU_H
#define TRAFFIC_LRU_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct lru_entry {
  uint32_t older, newer; /* neighbours, by number + 1; 0: none */
  bool resident;
  int64_t bytes;
} lru_entry;

typedef struct lru {
  arena *arena;
  int64_t capacity, used; /* bytes */
  uint32_t oldest, newest;
  VEC(lru_entry) entries; /* by number */
} lru;

lru lru_make(arena *arena, int64_t capacity);
/* Makes it the most recent. True when it was there; else it comes in, and the
 * least recent ones leave until all fit. */
bool lru_touch(lru *self, uint32_t number, int64_t bytes);

#endif
