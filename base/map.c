/* base/map.c: dense entries in insertion order, found through a table of
 * entry numbers (0: free slot) with linear probing at most half full. Growing
 * leaves the old storage to the arena. */
#include "base/map.h"
#include "base/panic.h"
#include "base/vec.h"

#include <string.h>

#define FIRST_SLOTS 16

uint64_t hash_mix(uint64_t seed, uint64_t value) {
  uint64_t x = seed * 0x9e3779b97f4a7c15u + value;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

uint64_t hash_bytes(const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  uint64_t hash = hash_mix(1, length);
  while (length > 0) {
    uint64_t word = 0;
    size_t n = length < sizeof word ? length : sizeof word;
    memcpy(&word, at, n);
    hash = hash_mix(hash, word);
    at += n;
    length -= n;
  }
  return hash;
}

/* The table of entry numbers that map and intern share. */
typedef struct table {
  uint32_t *slots;
  size_t room; /* a power of two */
} table;

static table table_make(arena *arena, size_t room) {
  return (table){.slots = ARENA_ARRAY(arena, uint32_t, room), .room = room};
}

/* Stores a number at the first free slot of its probe sequence. */
static void table_add(table *self, uint64_t hash, uint32_t number) {
  size_t i = hash & (self->room - 1);
  while (self->slots[i])
    i = (i + 1) & (self->room - 1);
  self->slots[i] = number;
}

typedef struct map_entry {
  uint64_t key, value;
} map_entry;

struct map {
  arena *arena;
  VEC(map_entry) entries;
  table table;
};

map *map_create(arena *arena) {
  map *self = ARENA_NEW(arena, map);
  self->arena = arena;
  self->table = table_make(arena, FIRST_SLOTS);
  return self;
}

static map_entry *map_find(const map *self, uint64_t key) {
  size_t mask = self->table.room - 1;
  for (size_t i = hash_mix(0, key) & mask;; i = (i + 1) & mask) {
    uint32_t number = self->table.slots[i];
    if (number == 0)
      return NULL;
    if (self->entries.at[number - 1].key == key)
      return &self->entries.at[number - 1];
  }
}

bool map_get(const map *self, uint64_t key, uint64_t *value) {
  const map_entry *entry = map_find(self, key);
  if (!entry)
    return false;
  *value = entry->value;
  return true;
}

static void map_grow(map *self) {
  self->table = table_make(self->arena, self->table.room * 2);
  for (size_t i = 0; i < self->entries.count; i++)
    table_add(&self->table, hash_mix(0, self->entries.at[i].key),
              (uint32_t)(i + 1));
}

void map_put(map *self, uint64_t key, uint64_t value) {
  map_entry *entry = map_find(self, key);
  if (entry) {
    entry->value = value;
    return;
  }
  if (self->entries.count >= UINT32_MAX - 1)
    panic("map is full");
  map_entry fresh = {.key = key, .value = value};
  VEC_PUSH(self->arena, &self->entries, fresh);
  if (self->entries.count * 2 > self->table.room)
    map_grow(self);
  else
    table_add(&self->table, hash_mix(0, key), (uint32_t)self->entries.count);
}

size_t map_count(const map *self) {
  return self->entries.count;
}

typedef struct name {
  const char *text;
  size_t length;
  uint64_t hash;
} name;

struct intern {
  arena *arena;
  VEC(name) names; /* id 1 is at 0 */
  table table;
};

intern *intern_create(arena *arena) {
  intern *self = ARENA_NEW(arena, intern);
  self->arena = arena;
  self->table = table_make(arena, FIRST_SLOTS);
  return self;
}

uint32_t intern_id(intern *self, const char *text) {
  return intern_id_n(self, text, strlen(text));
}

static bool name_is(const name *self, uint64_t hash, const char *text,
                    size_t length) {
  return self->hash == hash && self->length == length &&
         (length == 0 || memcmp(self->text, text, length) == 0);
}

static void intern_grow(intern *self) {
  self->table = table_make(self->arena, self->table.room * 2);
  for (size_t i = 0; i < self->names.count; i++)
    table_add(&self->table, self->names.at[i].hash, (uint32_t)(i + 1));
}

uint32_t intern_id_n(intern *self, const char *text, size_t length) {
  uint64_t hash = hash_bytes(text, length);
  size_t mask = self->table.room - 1;
  for (size_t i = hash & mask; self->table.slots[i]; i = (i + 1) & mask) {
    uint32_t id = self->table.slots[i];
    if (name_is(&self->names.at[id - 1], hash, text, length))
      return id;
  }
  if (self->names.count >= UINT32_MAX - 1)
    panic("too many names");
  name fresh = {.text = arena_strndup(self->arena, text, length),
                .length = length,
                .hash = hash};
  VEC_PUSH(self->arena, &self->names, fresh);
  uint32_t id = (uint32_t)self->names.count;
  if (self->names.count * 2 > self->table.room)
    intern_grow(self);
  else
    table_add(&self->table, hash, id);
  return id;
}

const char *intern_text(const intern *self, uint32_t id) {
  assert(id <= self->names.count);
  return id ? self->names.at[id - 1].text : "";
}
