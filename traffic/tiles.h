/* traffic/tiles.h: tiles and their numbers. */
#ifndef TRAFFIC_TILES_H
#define TRAFFIC_TILES_H

#include "base/vec.h"

#include <stdint.h>

typedef struct tile {
  uint32_t tensor;
  uint32_t set;  /* of offsets from the first, see traffic/offsets.h */
  int64_t first; /* least address, in elements from the tensor's first one */
} tile;

/* Equal tiles have equal numbers, from 0 in the order in which they came. */
typedef struct tiles {
  arena *arena;
  VEC(tile) all;   /* by number */
  uint32_t *slots; /* open addressing: number + 1, 0: free */
  size_t room;     /* of slots, a power of two */
} tiles;

tiles tiles_make(arena *arena);
uint32_t tiles_number(tiles *self, tile t);

#endif
