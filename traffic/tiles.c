/* traffic/tiles.c: a hash table of tiles. */
#include "traffic/tiles.h"
#include "base/map.h"
#include "base/panic.h"

#include <stdbool.h>

enum { FIRST_ROOM = 1 << 10 };

tiles tiles_make(arena *arena) {
  return (tiles){.arena = arena,
                 .slots = ARENA_ARRAY(arena, uint32_t, FIRST_ROOM),
                 .room = FIRST_ROOM};
}

static bool is_same(const tile *a, const tile *b) {
  return a->first == b->first && a->set == b->set && a->tensor == b->tensor;
}

/* Where t is, or the free slot where it belongs. */
static size_t find_slot(const tiles *self, const tile *t) {
  uint64_t what = (uint64_t)t->tensor << 32 | t->set;
  size_t at = hash_mix(what, (uint64_t)t->first) & (self->room - 1);
  while (self->slots[at] && !is_same(&self->all.at[self->slots[at] - 1], t))
    at = (at + 1) & (self->room - 1);
  return at;
}

static void grow(tiles *self) {
  self->room *= 2;
  self->slots = ARENA_ARRAY(self->arena, uint32_t, self->room);
  for (size_t i = 0; i < self->all.count; i++)
    self->slots[find_slot(self, &self->all.at[i])] = (uint32_t)(i + 1);
}

uint32_t tiles_number(tiles *self, tile t) {
  size_t at = find_slot(self, &t);
  if (self->slots[at])
    return self->slots[at] - 1;
  if (self->all.count >= UINT32_MAX - 1)
    panic("too many tiles");
  VEC_PUSH(self->arena, &self->all, t);
  self->slots[at] = (uint32_t)self->all.count;
  if (self->all.count * 2 > self->room)
    grow(self);
  return (uint32_t)self->all.count - 1;
}
