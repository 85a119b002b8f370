/* exec/math.c: elementwise arithmetic on integers, bools and floats.
 *
 * Integers of SC_ANY elements are computed as whole doubles. Trouble of a lane
 * is that of its operands, plus what the operation itself leaves undefined
 * (a division by zero, a shift by the width). */
#include "exec/math.h"

#include <math.h>

/* ------------------------------------------------------- single numbers */

static bool int_add(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  *out = int_fit(f, a + b);
  return true;
}

static bool int_sub(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  *out = int_fit(f, a - b);
  return true;
}

static bool int_mul(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  *out = int_fit(f, a * b);
  return true;
}

/* Whether a / b is defined: b is not 0 and the quotient fits. */
static bool divides(int_form f, uint64_t a, uint64_t b) {
  if (b == 0)
    return false;
  int64_t least = INT64_MIN >> f.unused;
  return !(f.is_signed && (int64_t)b == -1 && (int64_t)a == least);
}

static bool int_div(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  if (!divides(f, a, b))
    return false;
  *out = f.is_signed ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
  return true;
}

static bool int_rem(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  if (!divides(f, a, b))
    return false;
  *out = f.is_signed ? (uint64_t)((int64_t)a % (int64_t)b) : a % b;
  return true;
}

static bool int_less(int_form f, uint64_t a, uint64_t b) {
  return f.is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static bool int_min(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  *out = int_less(f, b, a) ? b : a;
  return true;
}

static bool int_max(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  *out = int_less(f, a, b) ? b : a;
  return true;
}

static bool int_and(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  *out = int_fit(f, a & b);
  return true;
}

static bool int_or(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  *out = int_fit(f, a | b);
  return true;
}

static bool int_xor(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  *out = int_fit(f, a ^ b);
  return true;
}

static bool int_shl(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  if (b >= 64 - f.unused)
    return false;
  *out = int_fit(f, a << b);
  return true;
}

static bool int_shr(int_form f, uint64_t a, uint64_t b, uint64_t *out) {
  if (b >= 64 - f.unused)
    return false;
  *out = f.is_signed ? (uint64_t)((int64_t)a >> b) : a >> b;
  return true;
}

static float add32(float a, float b) {
  return a + b;
}
static float sub32(float a, float b) {
  return a - b;
}
static float mul32(float a, float b) {
  return a * b;
}
static float div32(float a, float b) {
  return a / b;
}
static double add64(double a, double b) {
  return a + b;
}
static double sub64(double a, double b) {
  return a - b;
}
static double mul64(double a, double b) {
  return a * b;
}
static double div64(double a, double b) {
  return a / b;
}
static double quotient64(double a, double b) {
  return trunc(a / b);
}

/* Bit operations on elements of unknown type, as on 64-bit integers; NaN when
 * an operand is no integer of that range. */
static double whole(int_form f, double a, double b,
                    bool (*ints)(int_form, uint64_t, uint64_t, uint64_t *)) {
  uint64_t x, y, out;
  if (!number_truncate(SC_I64, a, &x) || !number_truncate(SC_I64, b, &y) ||
      !ints(f, x, y, &out))
    return NAN;
  return (double)(int64_t)out;
}

static const int_form form_i64 = {0, true};

static double and64(double a, double b) {
  return whole(form_i64, a, b, int_and);
}
static double or64(double a, double b) {
  return whole(form_i64, a, b, int_or);
}
static double xor64(double a, double b) {
  return whole(form_i64, a, b, int_xor);
}
static double shl64(double a, double b) {
  return whole(form_i64, a, b, int_shl);
}
static double shr64(double a, double b) {
  return whole(form_i64, a, b, int_shr);
}

const binary_rule binary_add = {int_add, add32, add64};
const binary_rule binary_mul = {int_mul, mul32, mul64};
const binary_rule binary_min = {int_min, fminf, fmin};
const binary_rule binary_max = {int_max, fmaxf, fmax};
const binary_rule binary_and = {int_and, NULL, and64};
const binary_rule binary_or = {int_or, NULL, or64};
const binary_rule binary_xor = {int_xor, NULL, xor64};
static const binary_rule binary_sub = {int_sub, sub32, sub64};
static const binary_rule binary_div = {int_div, div32, div64};
static const binary_rule binary_idiv = {int_div, NULL, quotient64};
static const binary_rule binary_irem = {int_rem, fmodf, fmod};
static const binary_rule binary_shl = {int_shl, NULL, shl64};
static const binary_rule binary_shr = {int_shr, NULL, shr64};
static const binary_rule binary_pow = {NULL, powf, pow};

bool binary_apply(const binary_rule *rule, scalar s, uint64_t a, uint64_t b,
                  uint64_t *out) {
  if (!number_is_float(s))
    return rule->ints && rule->ints(int_form_of(s), a, b, out);
  if (s == SC_F32 && rule->f32)
    *out = bits_of_float(rule->f32(float_of_bits(a), float_of_bits(b)));
  else
    *out =
        number_encode(s, rule->f64(number_decode(s, a), number_decode(s, b)));
  return true;
}

bool number_less(scalar s, uint64_t a, uint64_t b) {
  if (number_is_float(s))
    return number_decode(s, a) < number_decode(s, b);
  return int_less(int_form_of(s), a, b);
}

/* ------------------------------------------------------------ lane by lane */

static tile *binary(exec_machine *m, const inst *in, const binary_rule *rule) {
  const tile *a = tile_operand(m, in, 0), *b = tile_operand(m, in, 1);
  tile *out = tile_result(m, in, 0);
  assert(a->type.lanes == out->type.lanes && b->type.lanes == out->type.lanes);
  tile_inherit(m, out, a);
  tile_inherit(m, out, b);
  for (size_t i = 0; i < out->type.lanes; i++)
    if (!binary_apply(rule, out->type.elem, a->bits[i], b->bits[i],
                      &out->bits[i])) {
      out->bits[i] = 0;
      tile_blame(m, out, i, LANE_UNDEFINED);
    }
  return out;
}

/* Sum, difference, product of integers in one pass that also notices whether
 * a lane left its type. The exact result of types up to 32 bits differs from
 * its 64-bit value only where that does not fit either. */
static bool ring_pass(ring_op op, tile *out, const tile *a, const tile *b) {
  int_form form = int_form_of(out->type.elem);
  uint64_t parted = 0, *to = out->bits;
  const uint64_t *x = a->bits, *y = b->bits;
  for (size_t i = 0; i < out->type.lanes; i++) {
    uint64_t full = op == RING_ADD   ? x[i] + y[i]
                    : op == RING_SUB ? x[i] - y[i]
                                     : x[i] * y[i];
    to[i] = int_fit(form, full);
    parted |= to[i] ^ full;
  }
  return parted != 0;
}

static void ring_binary(exec_machine *m, const inst *in, ring_op op,
                        const binary_rule *rule) {
  const tile *a = tile_operand(m, in, 0), *b = tile_operand(m, in, 1);
  if (number_is_float(a->type.elem)) {
    binary(m, in, rule);
    return;
  }
  tile *out = tile_result(m, in, 0);
  assert(a->type.lanes == out->type.lanes && b->type.lanes == out->type.lanes);
  tile_inherit(m, out, a);
  tile_inherit(m, out, b);
  bool left = op == RING_ADD   ? ring_pass(RING_ADD, out, a, b)
              : op == RING_SUB ? ring_pass(RING_SUB, out, a, b)
                               : ring_pass(RING_MUL, out, a, b);
  wrap_ring(m, in, out, a, b, op, left);
}

void exec_add(exec_machine *m, const inst *in) {
  ring_binary(m, in, RING_ADD, &binary_add);
}

void exec_sub(exec_machine *m, const inst *in) {
  ring_binary(m, in, RING_SUB, &binary_sub);
}

void exec_mul(exec_machine *m, const inst *in) {
  ring_binary(m, in, RING_MUL, &binary_mul);
}

void exec_div(exec_machine *m, const inst *in) {
  binary(m, in, &binary_div);
}

/* A zero divisor is undefined behaviour of the whole program, whatever masks
 * later switch off. */
static void division(exec_machine *m, const inst *in, const binary_rule *rule) {
  const tile *a = tile_operand(m, in, 0), *b = tile_operand(m, in, 1);
  wrap_use(m, in, a, "the division");
  wrap_use(m, in, b, "the division");
  tile *out = binary(m, in, rule);
  if (scalar_is_float(b->type.elem))
    return;
  for (size_t i = 0; i < out->type.lanes; i++) {
    bool zero = b->type.elem == SC_ANY ? double_of_bits(b->bits[i]) == 0
                                       : b->bits[i] == 0;
    if (!zero || lane_trouble(b, i))
      continue;
    if (!event_report(m, EVENT_DIV_ZERO, in, &out->type, i, (exec_event){0}) &&
        !lane_trouble(a, i) && !m->stopped && out->trouble) {
      out->bits[i] = 0;
      out->trouble[i] = 0;
    }
  }
}

void exec_idiv(exec_machine *m, const inst *in) {
  division(m, in, &binary_idiv);
}

void exec_irem(exec_machine *m, const inst *in) {
  division(m, in, &binary_irem);
}

static void select_extreme(exec_machine *m, const inst *in, const char *name,
                           const binary_rule *rule) {
  wrap_use(m, in, tile_operand(m, in, 0), name);
  wrap_use(m, in, tile_operand(m, in, 1), name);
  binary(m, in, rule);
}

void exec_min(exec_machine *m, const inst *in) {
  select_extreme(m, in, "the minimum", &binary_min);
}

void exec_max(exec_machine *m, const inst *in) {
  select_extreme(m, in, "the maximum", &binary_max);
}

/* On bools a sound `decided` (0 for and, 1 for or) settles the lane, whatever
 * the other operand is. */
static void logical(exec_machine *m, const inst *in, const binary_rule *rule,
                    uint64_t decided) {
  const tile *a = tile_operand(m, in, 0), *b = tile_operand(m, in, 1);
  tile *out = binary(m, in, rule);
  if (out->type.elem != SC_BOOL || !out->trouble)
    return;
  for (size_t i = 0; i < out->type.lanes; i++)
    if ((!lane_trouble(a, i) && a->bits[i] == decided) ||
        (!lane_trouble(b, i) && b->bits[i] == decided)) {
      out->bits[i] = decided;
      out->trouble[i] = 0;
    }
}

void exec_and(exec_machine *m, const inst *in) {
  logical(m, in, &binary_and, 0);
}

void exec_or(exec_machine *m, const inst *in) {
  logical(m, in, &binary_or, 1);
}

void exec_xor(exec_machine *m, const inst *in) {
  binary(m, in, &binary_xor);
}

/* a << b is a times 2^b: exact values follow it where the count is sound. */
static void wrap_shift(exec_machine *m, const inst *in, tile *out,
                       const tile *a, const tile *b) {
  bool source = wrap_watched(m, in) && scalar_bits(out->type.elem) <= 32;
  if (!scalar_is_int(out->type.elem) || (!source && !a->exact))
    return;
  int128 *exact = tile_exact(m, out);
  for (size_t i = 0; i < out->type.lanes; i++) {
    int128 x = lane_exact(a, i);
    bool parted = x != lane_value(a, i);
    if (lane_trouble(out, i) || !(parted || source))
      continue;
    if (__builtin_mul_overflow(x, (int128)1 << b->bits[i], &exact[i]))
      exact[i] = lane_value(out, i) + 1;
  }
  out->wrap_inst = a->exact ? a->wrap_inst : in->index;
  wrap_settle(out);
}

void exec_shl(exec_machine *m, const inst *in) {
  wrap_use(m, in, tile_operand(m, in, 1), "the shift");
  tile *out = binary(m, in, &binary_shl);
  wrap_shift(m, in, out, tile_operand(m, in, 0), tile_operand(m, in, 1));
}

void exec_shr(exec_machine *m, const inst *in) {
  wrap_use(m, in, tile_operand(m, in, 1), "the shift");
  binary(m, in, &binary_shr);
}

void exec_pow(exec_machine *m, const inst *in) {
  binary(m, in, &binary_pow);
}

void exec_neg(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  tile_inherit(m, out, a);
  if (number_is_float(out->type.elem)) {
    scalar s = out->type.elem;
    for (size_t i = 0; i < out->type.lanes; i++)
      out->bits[i] = number_encode(s, -number_decode(s, a->bits[i]));
    return;
  }
  int_form form = int_form_of(out->type.elem);
  uint64_t parted = 0;
  for (size_t i = 0; i < out->type.lanes; i++) {
    uint64_t full = 0 - a->bits[i];
    out->bits[i] = int_fit(form, full);
    parted |= full ^ out->bits[i];
  }
  wrap_ring(m, in, out, a, NULL, RING_NEG, parted != 0);
}

void exec_not(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  tile *out = tile_result(m, in, 0);
  scalar s = out->type.elem;
  tile_inherit(m, out, a);
  for (size_t i = 0; i < out->type.lanes; i++)
    out->bits[i] = number_is_float(s)
                       ? number_encode(s, -number_decode(s, a->bits[i]) - 1)
                       : int_fit(int_form_of(s), ~a->bits[i]);
}

void exec_abs(exec_machine *m, const inst *in) {
  const tile *a = tile_operand(m, in, 0);
  wrap_use(m, in, a, "the absolute value");
  tile *out = tile_result(m, in, 0);
  scalar s = out->type.elem;
  tile_inherit(m, out, a);
  for (size_t i = 0; i < out->type.lanes; i++) {
    if (number_is_float(s))
      out->bits[i] = number_encode(s, fabs(number_decode(s, a->bits[i])));
    else if (lane_value(a, i) < 0)
      out->bits[i] = int_fit(int_form_of(s), 0 - a->bits[i]);
    else
      out->bits[i] = a->bits[i];
  }
}

/* -------------------------------------------------- comparison, selection */

typedef struct order {
  bool less, equal, greater; /* which of the three makes it true */
  bool unordered;            /* for NaN */
} order;

static bool compare_lane(order o, const tile *a, const tile *b, size_t i) {
  if (a->type.pointer) {
    uint64_t x = address_of(a, i), y = address_of(b, i);
    return x < y ? o.less : x > y ? o.greater : o.equal;
  }
  if (number_is_float(a->type.elem)) {
    double x = number_decode(a->type.elem, a->bits[i]);
    double y = number_decode(b->type.elem, b->bits[i]);
    return x < y ? o.less : x > y ? o.greater : x == y ? o.equal : o.unordered;
  }
  uint64_t x = a->bits[i], y = b->bits[i];
  if (x == y)
    return o.equal;
  return int_less(int_form_of(a->type.elem), x, y) ? o.less : o.greater;
}

static void compare(exec_machine *m, const inst *in, order o) {
  const tile *a = tile_operand(m, in, 0), *b = tile_operand(m, in, 1);
  wrap_use(m, in, a, "the comparison");
  wrap_use(m, in, b, "the comparison");
  tile *out = tile_result(m, in, 0);
  tile_inherit(m, out, a);
  tile_inherit(m, out, b);
  for (size_t i = 0; i < out->type.lanes; i++)
    out->bits[i] = compare_lane(o, a, b, i);
}

void exec_lt(exec_machine *m, const inst *in) {
  compare(m, in, (order){.less = true});
}

void exec_le(exec_machine *m, const inst *in) {
  compare(m, in, (order){.less = true, .equal = true});
}

void exec_gt(exec_machine *m, const inst *in) {
  compare(m, in, (order){.greater = true});
}

void exec_ge(exec_machine *m, const inst *in) {
  compare(m, in, (order){.greater = true, .equal = true});
}

void exec_eq(exec_machine *m, const inst *in) {
  compare(m, in, (order){.equal = true});
}

void exec_ne(exec_machine *m, const inst *in) {
  compare(m, in, (order){.less = true, .greater = true, .unordered = true});
}

/* Takes the trouble, exact value and tensor of the arm that is chosen only. */
void exec_where(exec_machine *m, const inst *in) {
  const tile *c = tile_operand(m, in, 0), *a = tile_operand(m, in, 1);
  const tile *b = tile_operand(m, in, 2);
  tile *out = tile_result(m, in, 0);
  size_t n = out->type.lanes;
  for (size_t i = 0; i < n; i++)
    out->bits[i] = (c->bits[i] ? a : b)->bits[i];
  if (a->trouble || b->trouble || c->trouble) {
    uint8_t *trouble = tile_trouble(m, out);
    for (size_t i = 0; i < n; i++)
      trouble[i] = lane_trouble(c, i) | lane_trouble(c->bits[i] ? a : b, i);
  }
  out->tensor = a->tensor;
  if (a->tensors || b->tensors || a->tensor != b->tensor) {
    uint32_t *tensors = tile_tensors(m, out);
    for (size_t i = 0; i < n; i++)
      tensors[i] = lane_tensor(c->bits[i] ? a : b, i);
  }
  if (a->exact || b->exact) {
    int128 *exact = tile_exact(m, out);
    for (size_t i = 0; i < n; i++)
      exact[i] = lane_exact(c->bits[i] ? a : b, i);
    out->wrap_inst = a->exact ? a->wrap_inst : b->wrap_inst;
    wrap_settle(out);
  }
}
