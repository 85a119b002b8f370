/* exec/number.h: one number of a scalar type in 64 bits.
 *
 * Integers are sign- or zero-extended from their width, so equal numbers have
 * equal bits. Floats hold the pattern of their own format in the low bits. An
 * element of unknown type (SC_ANY) holds a double. */
#ifndef EXEC_NUMBER_H
#define EXEC_NUMBER_H

#include "base/checked.h"
#include "ir/type.h"

#include <string.h>

/* How an integer type lies in 64 bits. */
typedef struct int_form {
  unsigned unused; /* bits above the type's width */
  bool is_signed;
} int_form;

static inline int_form int_form_of(scalar s) {
  unsigned width = scalar_bits(s);
  return (int_form){.unused = width ? 64 - width : 0,
                    .is_signed = scalar_is_signed(s)};
}

/* The number modulo 2^width, extended. */
static inline uint64_t int_fit(int_form form, uint64_t bits) {
  bits <<= form.unused;
  if (form.is_signed)
    return (uint64_t)((int64_t)bits >> form.unused);
  return bits >> form.unused;
}

/* The mathematical value of extended bits. */
static inline int128 int_value(int_form form, uint64_t bits) {
  return form.is_signed ? (int128)(int64_t)bits : (int128)bits;
}

static inline uint64_t bits_of_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double double_of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline uint64_t bits_of_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float float_of_bits(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float x;
  memcpy(&x, &low, sizeof x);
  return x;
}

/* True when elements are computed as floats: the float types and SC_ANY. */
bool number_is_float(scalar s);
/* A float element as a double (exact), and the nearest element (ties to even;
 * 8-bit floats saturate, as the hardware's conversions do). */
double number_decode(scalar s, uint64_t bits);
uint64_t number_encode(scalar s, double x);
/* Extended bits of an integer element; bits outside the format are dropped
 * for floats. */
uint64_t number_fit(scalar s, uint64_t bits);
/* The integer that x truncates to; false when it is out of the type's range. */
bool number_truncate(scalar s, double x, uint64_t *bits);
/* Least and greatest value of an integer type. */
int128 number_least(scalar s);
int128 number_greatest(scalar s);

#endif
