/* ops/math_rule.c: abstract rules of arithmetic, comparison and selection.
 *
 * + - * and << by a constant are ring operations: their mathematical result is
 * kept and claimed to fit only where a sink asks. Everything else sinks its
 * operands first, so it works on exact numbers. */
#include "ops/rules.h"

typedef sym (*binary)(symtab *t, sym a, sym b);

static bool both_int(const value *operand) {
  return operand[0].form == VALUE_INT && operand[1].form == VALUE_INT;
}

static value ring(interp *in, const inst *i, const value *operand, binary f) {
  if (!both_int(operand))
    return value_any(in, i);
  sym of = f(interp_syms(in), operand[0].of, operand[1].of);
  return value_ring(in, i, of,
                    needs_join(in, operand[0].needs, operand[1].needs));
}

/* Sound: machine addition is addition modulo 2^width. */
value abstract_add(interp *in, const inst *i, const value *operand) {
  return ring(in, i, operand, sym_add);
}

/* Sound: as for addition. */
value abstract_sub(interp *in, const inst *i, const value *operand) {
  return ring(in, i, operand, sym_sub);
}

/* Sound: as for addition. Truth values multiply as conjunctions. */
value abstract_mul(interp *in, const inst *i, const value *operand) {
  return ring(in, i, operand, sym_mul);
}

/* Sound: 0 - x modulo 2^width. */
value abstract_neg(interp *in, const inst *i, const value *operand) {
  if (operand[0].form != VALUE_INT)
    return value_any(in, i);
  return value_ring(in, i, sym_neg(interp_syms(in), operand[0].of),
                    operand[0].needs);
}

static value exact_binary(interp *in, const inst *i, const value *operand,
                          binary f) {
  if (!both_int(operand))
    return value_any(in, i);
  value a = value_sink(in, i, operand[0]), b = value_sink(in, i, operand[1]);
  return value_exact(VALUE_INT, f(interp_syms(in), a.of, b.of),
                     needs_join(in, a.needs, b.needs));
}

/* Triton makes a constexpr of an argument whose value is 1, and what is
 * computed from such arguments and constants alone is Python's: it floors
 * where the run-time division truncates. */
static bool may_be_static(interp *in, value v) {
  symtab *t = interp_syms(in);
  return !sym_mentions_role(t, v.of, ROLE_PROGRAM) &&
         !sym_mentions_role(t, v.of, ROLE_TURN) &&
         !sym_mentions_role(t, v.of, ROLE_LANE) && sym_is_exact(t, v.of);
}

/* Sound: for natural numbers rounding towards 0 is rounding down, which is how
 * the host divides too: equal quotients are one symbol. */
static value division(interp *in, const inst *i, const value *operand,
                      binary truncating, binary flooring) {
  symtab *t = interp_syms(in);
  if (!both_int(operand))
    return value_any(in, i);
  interp_note_division(in, i, value_sink(in, i, operand[1]));
  sym zero = sym_int(t, 0);
  sym natural = sym_and(t, sym_ge(t, operand[0].of, zero),
                        sym_ge(t, operand[1].of, zero));
  if (interp_implies(in, i, natural))
    return exact_binary(in, i, operand, flooring);
  value v = exact_binary(in, i, operand, truncating);
  if (may_be_static(in, operand[0]) && may_be_static(in, operand[1]))
    v.of = sym_select(t, natural, v.of, value_any(in, i).of);
  return v;
}

/* Sound: C's quotient of exact operands where both are natural numbers; any
 * value where Python's rounding may apply instead. The quotient of a division
 * by 0 is undefined in Triton and is TC302's matter. INT_MIN // -1 is the one
 * quotient that leaves its type; it needs a divisor that can be negative, and
 * then the result is claimed by a premise. */
value abstract_idiv(interp *in, const inst *i, const value *operand) {
  value v = division(in, i, operand, sym_tdiv, sym_fdiv);
  if (v.form == VALUE_INT && v.of != SYM_NONE) {
    int64_t c;
    if (!sym_is_int(interp_syms(in), operand[1].of, &c) || c == -1)
      return value_ring(in, i, v.of, v.needs);
  }
  return v;
}

/* Sound: as for the quotient; a remainder always fits. */
value abstract_irem(interp *in, const inst *i, const value *operand) {
  return division(in, i, operand, sym_tmod, sym_fmod);
}

/* Sound: the smaller of two exact numbers. */
value abstract_min(interp *in, const inst *i, const value *operand) {
  return exact_binary(in, i, operand, sym_min);
}

/* Sound: the larger of two exact numbers. */
value abstract_max(interp *in, const inst *i, const value *operand) {
  return exact_binary(in, i, operand, sym_max);
}

/* Sound: |x| of an exact number. |INT_MIN| leaves its type: a premise. */
value abstract_abs(interp *in, const inst *i, const value *operand) {
  if (operand[0].form != VALUE_INT)
    return value_any(in, i);
  symtab *t = interp_syms(in);
  value a = value_sink(in, i, operand[0]);
  sym of = sym_max(t, a.of, sym_neg(t, a.of));
  return value_ring(in, i, of, a.needs);
}

static bool is_mask_constant(interp *in, value v, int64_t *c) {
  return v.form == VALUE_INT && sym_is_int(interp_syms(in), v.of, c) && *c >= 0;
}

static value truth_binary(interp *in, const value *operand, binary f) {
  return value_exact(VALUE_TRUTH,
                     f(interp_syms(in), operand[0].of, operand[1].of),
                     needs_join(in, operand[0].needs, operand[1].needs));
}

static bool both_truth(const value *operand) {
  return operand[0].form == VALUE_TRUTH && operand[1].form == VALUE_TRUTH;
}

/* Sound: conjunction on bool. x & (2^k - 1) is x modulo 2^k in two's
 * complement, wrapped or not, for k below the width; x & c for any other
 * constant c >= 0 is in [0, c]. */
value abstract_and(interp *in, const inst *i, const value *operand) {
  if (both_truth(operand))
    return truth_binary(in, operand, sym_and);
  int64_t c;
  symtab *t = interp_syms(in);
  for (int k = 0; k < 2; k++) {
    if (!is_mask_constant(in, operand[k], &c) ||
        operand[1 - k].form != VALUE_INT)
      continue;
    if ((c & (c + 1)) == 0 && c < INT32_MAX)
      return value_exact(VALUE_INT,
                         sym_fmod(t, operand[1 - k].of, sym_int(t, c + 1)),
                         operand[1 - k].needs);
    return value_within(in, i, sym_int(t, 0), sym_int(t, c));
  }
  return value_any(in, i);
}

/* Sound: disjunction on bool; any value else. */
value abstract_or(interp *in, const inst *i, const value *operand) {
  return both_truth(operand) ? truth_binary(in, operand, sym_or)
                             : value_any(in, i);
}

static sym sym_xor(symtab *t, sym a, sym b) {
  return sym_or(t, sym_and(t, a, sym_not(t, b)), sym_and(t, sym_not(t, a), b));
}

/* Sound: exclusive or on bool; any value else. */
value abstract_xor(interp *in, const inst *i, const value *operand) {
  return both_truth(operand) ? truth_binary(in, operand, sym_xor)
                             : value_any(in, i);
}

/* Sound: negation on bool; ~x is -x - 1 modulo 2^width. */
value abstract_not(interp *in, const inst *i, const value *operand) {
  symtab *t = interp_syms(in);
  if (operand[0].form == VALUE_TRUTH)
    return value_exact(VALUE_TRUTH, sym_not(t, operand[0].of),
                       operand[0].needs);
  if (operand[0].form != VALUE_INT)
    return value_any(in, i);
  sym of = sym_sub(t, sym_neg(t, operand[0].of), sym_int(t, 1));
  return value_ring(in, i, of, operand[0].needs);
}

static bool shift_count(interp *in, const inst *i, value v, int64_t *count) {
  type t = interp_type(in, i->results[0]);
  return v.form == VALUE_INT && sym_is_int(interp_syms(in), v.of, count) &&
         *count >= 0 && *count < scalar_bits(t.elem) && *count < 62;
}

/* Sound: multiplication by 2^c modulo 2^width for a constant c below the
 * width. */
value abstract_shl(interp *in, const inst *i, const value *operand) {
  int64_t c;
  symtab *t = interp_syms(in);
  if (operand[0].form != VALUE_INT || !shift_count(in, i, operand[1], &c))
    return value_any(in, i);
  return value_ring(in, i,
                    sym_mul(t, operand[0].of, sym_int(t, (int64_t)1 << c)),
                    operand[0].needs);
}

/* Sound: floor division by 2^c of an exact number, signed or unsigned. */
value abstract_shr(interp *in, const inst *i, const value *operand) {
  int64_t c;
  symtab *t = interp_syms(in);
  if (operand[0].form != VALUE_INT || !shift_count(in, i, operand[1], &c))
    return value_any(in, i);
  value a = value_sink(in, i, operand[0]);
  return value_exact(VALUE_INT, sym_fdiv(t, a.of, sym_int(t, (int64_t)1 << c)),
                     a.needs);
}

static value compare(interp *in, const inst *i, const value *operand,
                     binary f) {
  if (!both_int(operand))
    return value_any(in, i);
  value a = value_sink(in, i, operand[0]), b = value_sink(in, i, operand[1]);
  return value_exact(VALUE_TRUTH, f(interp_syms(in), a.of, b.of),
                     needs_join(in, a.needs, b.needs));
}

/* Sound: comparison of exact numbers, here and below. */
value abstract_lt(interp *in, const inst *i, const value *operand) {
  return compare(in, i, operand, sym_lt);
}
/* Sound: see lt. */
value abstract_le(interp *in, const inst *i, const value *operand) {
  return compare(in, i, operand, sym_le);
}
/* Sound: see lt. */
value abstract_gt(interp *in, const inst *i, const value *operand) {
  return compare(in, i, operand, sym_gt);
}
/* Sound: see lt. */
value abstract_ge(interp *in, const inst *i, const value *operand) {
  return compare(in, i, operand, sym_ge);
}
/* Sound: see lt; on bool, both or neither. */
value abstract_eq(interp *in, const inst *i, const value *operand) {
  if (both_truth(operand)) {
    value v = truth_binary(in, operand, sym_xor);
    v.of = sym_not(interp_syms(in), v.of);
    return v;
  }
  return compare(in, i, operand, sym_eq);
}
/* Sound: see eq. */
value abstract_ne(interp *in, const inst *i, const value *operand) {
  if (both_truth(operand))
    return truth_binary(in, operand, sym_xor);
  return compare(in, i, operand, sym_ne);
}

/* Sound: each lane holds one of the two, chosen by the condition. */
value abstract_where(interp *in, const inst *i, const value *operand) {
  return value_choose(in, i, operand[0], operand[1], operand[2]);
}

/* Some argument may make `to` 64 bits wide where `from` has 32. */
static bool may_widen(type from, type to) {
  unsigned from_bits = scalar_bits(from.elem), to_bits = scalar_bits(to.elem);
  if (to_bits == 64)
    return from_bits < 64;
  return to_bits > from_bits || (to.wide & ~from.wide) != 0;
}

/* Every value of `from` is one of `to`, whatever the arguments. */
static bool holds_all(type from, type to) {
  unsigned from_bits = scalar_bits(from.elem), to_bits = scalar_bits(to.elem);
  bool from_signed = scalar_is_signed(from.elem);
  bool at_least = to_bits == 64 || (!from.wide && to_bits >= from_bits) ||
                  (to_bits >= from_bits && (from.wide & ~to.wide) == 0);
  if (from_signed == scalar_is_signed(to.elem))
    return at_least;
  return !from_signed && to_bits > from_bits;
}

/* Integer to integer. Sound: extending takes the machine value, so its number
 * must be exact (a sink). A cast to a type that holds every value of the
 * source keeps the number; any other is reduction modulo 2^width, a ring
 * operation. */
static value cast_int(interp *in, const inst *i, value v) {
  type from = interp_type(in, i->operands[0]);
  type to = interp_type(in, i->results[0]);
  if (from.elem == to.elem && from.wide == to.wide)
    return v;
  if (may_widen(from, to))
    v = value_sink(in, i, v);
  if (holds_all(from, to) && v.pending == UINT32_MAX)
    return v;
  return value_ring(in, i, v.of, v.needs);
}

/* Sound: see cast_int; bool to integer is 0 or 1, integer to bool is "not 0";
 * everything that involves floats is any value, and so is what an element type
 * that nobody knows may have cut off. An element of such a type is some number,
 * and a cast to a known integer type reduces it modulo 2^width. (Were the type
 * a float, truncation would keep it within the integral ends of its range.) */
value abstract_cast(interp *in, const inst *i, const value *operand) {
  symtab *t = interp_syms(in);
  type to = interp_type(in, i->results[0]);
  value v = operand[0];
  if (to.pointer || v.form == VALUE_POINTER)
    return value_any(in, i);
  if (v.form == VALUE_TRUTH && scalar_is_int(to.elem)) {
    if (to.elem != SC_BOOL) {
      v.form = VALUE_INT;
      v.of = sym_select(t, v.of, sym_int(t, 1), sym_int(t, 0));
    }
    return v;
  }
  if (v.form == VALUE_INT && to.elem == SC_BOOL) {
    v = value_sink(in, i, v);
    return value_exact(VALUE_TRUTH, sym_ne(t, v.of, sym_int(t, 0)), v.needs);
  }
  if (v.form == VALUE_INT && scalar_is_int(to.elem))
    return cast_int(in, i, v);
  bool from_any =
      v.form == VALUE_OTHER && scalar_is_int(to.elem) && to.elem != SC_BOOL;
  if (v.of != SYM_NONE && from_any)
    return value_ring(in, i, v.of, v.needs);
  return value_any(in, i);
}
