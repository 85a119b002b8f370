/* base/vec.h: a growable array whose storage lives in an arena.
 *
 *   VEC(int) v = {0};
 *   VEC_PUSH(arena, &v, 3);
 *   for (size_t i = 0; i < v.count; i++) use(v.at[i]);
 *
 * Growing leaves the old storage to the arena. Name a vector type with
 * typedef VEC(thing) thing_vec; when it crosses a function boundary. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/arena.h"
#include <string.h>

#define VEC(type)                                                              \
  struct {                                                                     \
    type *at;                                                                  \
    size_t count, room;                                                        \
  }

#define VEC_PUSH(arena, vec, item)                                             \
  ((vec)->at = vec_grow((arena), (vec)->at, (vec)->count, &(vec)->room,        \
                        sizeof *(vec)->at),                                    \
   (vec)->at[(vec)->count++] = (item))

#define VEC_POP(vec) ((vec)->at[--(vec)->count])

/* Returns storage with room for at least one more item. */
static inline void *vec_grow(arena *a, void *at, size_t count, size_t *room,
                             size_t item) {
  if (count < *room)
    return at;
  size_t more = *room ? *room * 2 : 8;
  void *fresh = arena_alloc(a, more * item);
  if (count)
    memcpy(fresh, at, count * item);
  *room = more;
  return fresh;
}

#endif
