/* base/npy.h: arrays in NumPy's .npy files, versions 1.0 to 3.0.
 *
 * Elements are bools, integers, floats, or raw bytes ('V'; how NumPy stores
 * types that are not its own, such as bfloat16). */
#ifndef BASE_NPY_H
#define BASE_NPY_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

enum { NPY_MAX_RANK = 32 };

typedef struct npy_array {
  char kind;      /* 'b' 'i' 'u' 'f' 'V' */
  unsigned bytes; /* of an element: 1, 2, 4 or 8 */
  bool fortran;   /* the first axis varies fastest in `data`, else the last */
  uint32_t rank;
  int64_t extent[NPY_MAX_RANK];
  int64_t count;             /* of elements */
  const unsigned char *data; /* count * bytes, little-endian */
} npy_array;

/* Reads an array from the bytes of a file; `data` may point into them. On
 * failure returns false and sets *why to what is wrong, as it follows a path
 * and a colon. */
bool npy_parse(arena *arena, const unsigned char *bytes, size_t length,
               npy_array *out, const char **why);
bool npy_read(arena *arena, const char *path, npy_array *out, const char **why);
/* Writes version 1.0, in the order that `fortran` tells. */
bool npy_write(arena *arena, const char *path, const npy_array *array,
               const char **why);
/* Bits of the element at a place in `data`, zero-extended, and back. */
uint64_t npy_get(const npy_array *array, int64_t place);
void npy_put(unsigned char *data, unsigned bytes, int64_t place, uint64_t bits);

#endif
