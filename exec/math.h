/* exec/math.h: lane by lane application, and operations on single numbers. */
#ifndef EXEC_MATH_H
#define EXEC_MATH_H

#include "exec/rules.h"

/* One operation on two numbers. `ints` gets extended bits and returns false
 * for an undefined result; floats of 32 bits are computed by f32, all others
 * by f64 and rounded once. */
typedef struct binary_rule {
  bool (*ints)(int_form form, uint64_t a, uint64_t b, uint64_t *out);
  float (*f32)(float a, float b);
  double (*f64)(double a, double b);
} binary_rule;

extern const binary_rule binary_add, binary_mul, binary_min, binary_max,
    binary_and, binary_or, binary_xor;

/* Both operands and the result are of element type s; false: undefined. */
bool binary_apply(const binary_rule *rule, scalar s, uint64_t a, uint64_t b,
                  uint64_t *out);
/* a < b, by the type. */
bool number_less(scalar s, uint64_t a, uint64_t b);

#endif
