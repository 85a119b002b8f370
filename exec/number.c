/* exec/number.c: conversions between doubles and element formats.
 *
 * A format is given by its field widths. Rounding goes through the quantum of
 * the value's binade: dividing by a power of two is exact in a double, so one
 * nearbyint rounds once, to even, subnormals included. */
#include "exec/number.h"
#include "base/panic.h"

#include <math.h>

/* A binary float format of at most 16 bits. */
typedef struct float_format {
  int mantissa, exponent; /* field widths */
  int bias;
  double greatest;
  bool has_infinity; /* else values beyond saturate */
} float_format;

static const float_format format_f16 = {10, 5, 15, 65504.0, true};
static const float_format format_bf16 = {7, 8, 127, 0x1.fep127, true};
static const float_format format_f8e4m3 = {3, 4, 7, 448.0, false};
static const float_format format_f8e5m2 = {2, 5, 15, 57344.0, false};

static const float_format *format_of(scalar s) {
  if (s == SC_F16)
    return &format_f16;
  if (s == SC_BF16)
    return &format_bf16;
  if (s == SC_F8E4M3)
    return &format_f8e4m3;
  assert(s == SC_F8E5M2);
  return &format_f8e5m2;
}

bool number_is_float(scalar s) {
  return s == SC_ANY || scalar_is_float(s);
}

static uint64_t nan_of(const float_format *f) {
  uint64_t all = ((uint64_t)1 << (f->mantissa + f->exponent)) - 1;
  /* The quiet NaN; e4m3 has only the pattern of all ones. */
  return f == &format_f8e4m3 ? all
                             : all & ~(((uint64_t)1 << (f->mantissa - 1)) - 1);
}

static uint64_t encode_small(const float_format *f, double x) {
  uint64_t sign = (uint64_t)(signbit(x) != 0) << (f->mantissa + f->exponent);
  uint64_t infinity = (((uint64_t)1 << f->exponent) - 1) << f->mantissa;
  if (isnan(x))
    return sign | nan_of(f);
  x = fabs(x);
  if (x == 0)
    return sign;
  if (!isinf(x)) {
    int power;
    frexp(x, &power); /* x in [2^(power-1), 2^power) */
    int binade = power - 1 < 1 - f->bias ? 1 - f->bias : power - 1;
    double quantum = ldexp(1.0, binade - f->mantissa);
    x = nearbyint(x / quantum) * quantum;
  }
  if (x > f->greatest) {
    if (f->has_infinity)
      return sign | infinity;
    x = f->greatest;
  }
  int power;
  frexp(x, &power);
  power -= 1;
  if (x == 0 || power < 1 - f->bias)
    return sign | (uint64_t)ldexp(x, f->bias - 1 + f->mantissa);
  uint64_t fraction = (uint64_t)ldexp(x, f->mantissa - power);
  fraction -= (uint64_t)1 << f->mantissa;
  return sign | (uint64_t)(power + f->bias) << f->mantissa | fraction;
}

static double decode_small(const float_format *f, uint64_t bits) {
  uint64_t fraction = bits & (((uint64_t)1 << f->mantissa) - 1);
  uint64_t all = ((uint64_t)1 << f->exponent) - 1;
  uint64_t power = bits >> f->mantissa & all;
  bool negative = bits >> (f->mantissa + f->exponent) & 1;
  double x;
  if (f == &format_f8e4m3 && power == all && fraction == 7)
    x = NAN;
  else if (f != &format_f8e4m3 && power == all)
    x = fraction ? NAN : INFINITY;
  else if (power == 0)
    x = ldexp((double)fraction, 1 - f->bias - f->mantissa);
  else
    x = ldexp((double)(fraction + ((uint64_t)1 << f->mantissa)),
              (int)power - f->bias - f->mantissa);
  return negative ? -x : x;
}

double number_decode(scalar s, uint64_t bits) {
  if (s == SC_F32)
    return (double)float_of_bits(bits);
  if (s == SC_F64 || s == SC_ANY)
    return double_of_bits(bits);
  return decode_small(format_of(s), bits);
}

uint64_t number_encode(scalar s, double x) {
  if (s == SC_F32)
    return bits_of_float((float)x);
  if (s == SC_F64 || s == SC_ANY)
    return bits_of_double(x);
  return encode_small(format_of(s), x);
}

uint64_t number_fit(scalar s, uint64_t bits) {
  return int_fit(int_form_of(s), bits);
}

bool number_truncate(scalar s, double x, uint64_t *bits) {
  x = trunc(x);
  unsigned width = scalar_bits(s);
  bool is_signed = scalar_is_signed(s);
  double least = is_signed ? -ldexp(1.0, (int)width - 1) : 0.0;
  double beyond = ldexp(1.0, (int)(is_signed ? width - 1 : width));
  if (!(x >= least && x < beyond))
    return false;
  *bits = is_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
  return true;
}

int128 number_least(scalar s) {
  assert(scalar_is_int(s));
  return scalar_is_signed(s) ? -((int128)1 << (scalar_bits(s) - 1)) : 0;
}

int128 number_greatest(scalar s) {
  assert(scalar_is_int(s));
  unsigned width = scalar_bits(s) - (scalar_is_signed(s) ? 1u : 0u);
  return ((int128)1 << width) - 1;
}
