/* traffic/lru.c: a list from the least to the most recent. */
#include "traffic/lru.h"

#include <assert.h>

lru lru_make(arena *arena, int64_t capacity) {
  return (lru){.arena = arena, .capacity = capacity};
}

static lru_entry *entry(lru *self, uint32_t link) {
  return &self->entries.at[link - 1];
}

static void unlink_entry(lru *self, uint32_t link) {
  lru_entry *e = entry(self, link);
  if (e->older)
    entry(self, e->older)->newer = e->newer;
  else
    self->oldest = e->newer;
  if (e->newer)
    entry(self, e->newer)->older = e->older;
  else
    self->newest = e->older;
}

static void make_newest(lru *self, uint32_t link) {
  lru_entry *e = entry(self, link);
  e->older = self->newest;
  e->newer = 0;
  if (self->newest)
    entry(self, self->newest)->newer = link;
  else
    self->oldest = link;
  self->newest = link;
}

static void evict_oldest(lru *self) {
  uint32_t link = self->oldest;
  assert(link);
  unlink_entry(self, link);
  entry(self, link)->resident = false;
  self->used -= entry(self, link)->bytes;
}

bool lru_touch(lru *self, uint32_t number, int64_t bytes) {
  uint32_t link = number + 1;
  while (self->entries.count <= number) {
    lru_entry none = {0};
    VEC_PUSH(self->arena, &self->entries, none);
  }
  if (entry(self, link)->resident) {
    unlink_entry(self, link);
    make_newest(self, link);
    return true;
  }
  *entry(self, link) = (lru_entry){.resident = true, .bytes = bytes};
  make_newest(self, link);
  self->used += bytes;
  while (self->used > self->capacity)
    evict_oldest(self);
  return false;
}
