/* traffic/cache.h: what a cache of whole tiles saves.
 *
 * The programs of a launch run in waves of so many consecutive numbers. Within
 * a wave they go on in lock step: first the first step of each, in the order
 * of their numbers, then the second (see walk.h). A load looks for its tile in
 * the cache: fully associative, true LRU, empty at the start, kept from wave
 * to wave. A tile that is not there is a miss: it is fetched whole and becomes
 * the most recent; the least recent ones leave until all fit. Stores do not go
 * through the cache; what they write is counted apart. */
#ifndef TRAFFIC_CACHE_H
#define TRAFFIC_CACHE_H

#include "traffic/walk.h"

typedef struct cache_result {
  uint64_t loads, misses; /* of tiles */
  uint64_t tiles;         /* distinct ones that are loaded */
  int64_t loaded_bytes;   /* by all loads */
  int64_t missed_bytes;   /* memory traffic of the loads */
  int64_t distinct_bytes; /* of the distinct tiles, each once */
  int64_t stored_bytes;   /* by all stores and atomics */
  int64_t tile_bytes;     /* of a tile, when all are equal; else 0 */
  int64_t flops;          /* of all dots */
  int64_t programs, waves;
} cache_result;

/* False, with *why, when a program cannot be walked, an element type is not
 * known, a load has no model, or there is too much to look at. */
bool cache_simulate(walk *w, int64_t capacity_bytes, int64_t wave,
                    cache_result *out, trouble *why);

#endif
