/* exec/float.c: functions of floats.
 *
 * Elements of 32 bits are computed in float, all others in double and rounded
 * once to their own format. */
#include "exec/math.h"

#include <math.h>

typedef struct unary_rule {
  float (*f32)(float);
  double (*f64)(double);
} unary_rule;

static void unary(exec_machine *m, const inst *in, unary_rule rule) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  scalar s = out->type.elem;
  assert(number_is_float(s));
  tile_inherit(m, out, a);
  for (size_t i = 0; i < out->type.lanes; i++)
    out->bits[i] =
        s == SC_F32 ? bits_of_float(rule.f32(float_of_bits(a->bits[i])))
                    : number_encode(s, rule.f64(number_decode(s, a->bits[i])));
}

static float rsqrt32(float x) {
  return 1.0f / sqrtf(x);
}
static double rsqrt64(double x) {
  return 1.0 / sqrt(x);
}
static float sigmoid32(float x) {
  return 1.0f / (1.0f + expf(-x));
}
static double sigmoid64(double x) {
  return 1.0 / (1.0 + exp(-x));
}

#define UNARY(name, f32, f64)                                                  \
  void exec_##name(exec_machine *m, const inst *in) {                          \
    unary(m, in, (unary_rule){f32, f64});                                      \
  }

UNARY(exp, expf, exp)
UNARY(exp2, exp2f, exp2)
UNARY(log, logf, log)
UNARY(log2, log2f, log2)
UNARY(sin, sinf, sin)
UNARY(cos, cosf, cos)
UNARY(tanh, tanhf, tanh)
UNARY(erf, erff, erf)
UNARY(sqrt, sqrtf, sqrt)
UNARY(rsqrt, rsqrt32, rsqrt64)
UNARY(sigmoid, sigmoid32, sigmoid64)
UNARY(floor, floorf, floor)
UNARY(ceil, ceilf, ceil)
UNARY(round, roundf, round)
UNARY(trunc, truncf, trunc)
UNARY(log1p, log1pf, log1p)
UNARY(expm1, expm1f, expm1)

#undef UNARY

void exec_fma(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0), *b = tile_operand(m, in, 1);
  const tile *c = tile_operand(m, in, 2);
  tile *out = tile_result(m, in, 0);
  scalar s = out->type.elem;
  tile_inherit(m, out, a);
  tile_inherit(m, out, b);
  tile_inherit(m, out, c);
  for (size_t i = 0; i < out->type.lanes; i++) {
    if (!number_is_float(s))
      out->bits[i] =
          int_fit(int_form_of(s), a->bits[i] * b->bits[i] + c->bits[i]);
    else if (s == SC_F32)
      out->bits[i] = bits_of_float(fmaf(float_of_bits(a->bits[i]),
                                        float_of_bits(b->bits[i]),
                                        float_of_bits(c->bits[i])));
    else
      out->bits[i] = number_encode(s, fma(number_decode(s, a->bits[i]),
                                          number_decode(s, b->bits[i]),
                                          number_decode(s, c->bits[i])));
  }
}

void exec_isnan(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  scalar s = a->type.elem;
  tile_inherit(m, out, a);
  for (size_t i = 0; i < out->type.lanes; i++)
    out->bits[i] = number_is_float(s) && isnan(number_decode(s, a->bits[i]));
}
