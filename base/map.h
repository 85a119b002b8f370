/* base/map.h: uint64 -> uint64 open-addressing hash map and string interning.
 * Storage lives in an arena. Iteration order is insertion order. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct map map;
map *map_create(arena *arena);
/* Returns false and leaves *value alone when the key is absent. */
bool map_get(const map *self, uint64_t key, uint64_t *value);
void map_put(map *self, uint64_t key, uint64_t value);
size_t map_count(const map *self);

/* Strings to dense ids from 1 (0 is "no name") and back. */
typedef struct intern intern;
intern *intern_create(arena *arena);
uint32_t intern_id(intern *self, const char *text);
uint32_t intern_id_n(intern *self, const char *text, size_t length);
const char *intern_text(const intern *self, uint32_t id); /* "" for 0 */

/* A well-mixed 64-bit hash step, for hash-consing tables. */
uint64_t hash_mix(uint64_t seed, uint64_t value);
uint64_t hash_bytes(const void *bytes, size_t length);

#endif
