/* base/arena.h: bump allocation by lifetime.
 *
 * Three lifetimes exist: run (options, sources, findings), kernel (one tile
 * program and all that is derived from it) and scratch (one pass, by mark and
 * rewind). Nothing is freed one by one. Allocation never returns null. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

typedef struct arena arena;
typedef struct arena_mark {
  void *block;
  size_t used;
} arena_mark;

arena *arena_create(void);
void arena_destroy(arena *self); /* null is allowed */

/* Zeroed memory, aligned for any type. */
void *arena_alloc(arena *self, size_t size);
/* A copy of n bytes, or of a string (its terminating zero included). */
void *arena_copy(arena *self, const void *bytes, size_t size);
char *arena_strndup(arena *self, const char *text, size_t length);
char *arena_strdup(arena *self, const char *text);
char *arena_printf(arena *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

arena_mark arena_save(const arena *self);
void arena_rewind(arena *self, arena_mark mark);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, n)                                            \
  ((type *)arena_alloc((arena), sizeof(type) * (size_t)(n)))

#endif
