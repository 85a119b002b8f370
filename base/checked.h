/* base/checked.h: overflow-checked integer arithmetic and tri-state truth.
 *
 * Each *_ok function returns false on overflow and leaves *out unspecified. */
#ifndef BASE_CHECKED_H
#define BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 int128;

typedef enum truth { NO, YES, UNSURE } truth;

static inline bool add_ok(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_add_overflow(a, b, out);
}
static inline bool sub_ok(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_sub_overflow(a, b, out);
}
static inline bool mul_ok(int64_t a, int64_t b, int64_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}
/* Python's // and % : toward minus infinity; b != 0. */
static inline int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}
static inline int64_t floor_mod(int64_t a, int64_t b) {
  int64_t r = a % b;
  return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}
/* Greatest common divisor, not negative; 1 where it is 2^63. */
static inline int64_t gcd_of(int64_t a, int64_t b) {
  uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
  uint64_t y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
  while (y) {
    uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  return x > INT64_MAX ? 1 : (int64_t)x;
}
/* The least power of two that is at least x; 1 for x <= 1, as triton's
 * next_power_of_2 except that it gives 0 for 0. x <= 2^62. */
static inline int64_t next_pow2(int64_t x) {
  int64_t p = 1;
  if (x == 0)
    return 0;
  while (p < x)
    p *= 2;
  return p;
}

#endif
