/* traffic/elements.h: how many distinct elements tiles have in all. */
#ifndef TRAFFIC_ELEMENTS_H
#define TRAFFIC_ELEMENTS_H

#include "base/vec.h"
#include "traffic/offsets.h"

typedef struct placed_set {
  int64_t first;
  const offset_set *set;
} placed_set;

typedef struct elements {
  arena *arena;
  VEC(placed_set) sets;
} elements;

elements elements_make(arena *arena);
/* The set, moved by `first`. It must outlive the count. */
void elements_add(elements *self, int64_t first, const offset_set *set);
/* Numbers that are in some set; -1 when they are too far apart to count. */
int64_t elements_count(const elements *self);

#endif
