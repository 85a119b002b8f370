/* analysis/sym_rules.c: normal forms of quotients, remainders, min, max,
 * select and next_pow2.
 *
 * Each rewrite is an equality of mathematical integers, whatever the value of
 * a // 0 may be: `equal handles mean equal expressions`. No rewrite needs a
 * symbolic divisor to be non-zero. */
#include "analysis/sym_node.h"
#include <stdlib.h>

/* e split as g * part + rest, where part has all terms whose coefficient g
 * divides (the constant by floor division) and rest the others, with a
 * constant in [0, g). Sound: term by term, coef = g * (coef / g) exactly; the
 * constant is g * floor(c / g) + floor_mod(c, g). */
static void split_multiples(symtab *t, sym e, int64_t g, sym *part, sym *rest) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms), moved = 0, kept = 0;
  sym_term *out = ARENA_ARRAY(t->arena, sym_term, 2 * n + 1);
  sym_term *left = out + n;
  for (size_t i = 0; i < n; i++) {
    bool constant = terms[i].atom_count == 0;
    sym_term term = terms[i];
    if (constant || term.coef % g == 0) {
      term.coef = floor_div(term.coef, g);
      out[moved++] = term;
      term.coef = floor_mod(terms[i].coef, g);
    }
    left[kept++] = term;
  }
  *part = sym_from_terms(t, out, moved);
  *rest = sym_from_terms(t, left, kept);
}

/* (e - constant) / g, for a g that divides all other coefficients. */
static sym divide_content(symtab *t, sym e, int64_t g, int64_t constant) {
  sym part, rest;
  split_multiples(t, sym_sub(t, e, sym_int(t, constant)), g, &part, &rest);
  assert(rest == sym_int(t, 0));
  return part;
}

/* Common factor of c and of the coefficients of e's non-constant terms. */
static int64_t common_factor(const symtab *t, sym e, int64_t c,
                             int64_t *constant) {
  uint64_t g = sym_content(t, e, constant), d = (uint64_t)c;
  while (d) {
    uint64_t rest = g % d;
    g = d;
    d = rest;
  }
  assert(g >= 1 && g <= (uint64_t)c);
  return (int64_t)g;
}

/* e is x % d for a constant d with 0 < d <= c, so that 0 <= e < c. */
static bool is_small_remainder(const symtab *t, sym e, int64_t c) {
  const sym_node *n = sym_at(t, e);
  int64_t d;
  return n->kind == SYM_FMOD && sym_is_int(t, n->operands[1], &d) && d > 0 &&
         d <= c;
}

static sym binary(symtab *t, sym_kind kind, sym a, sym b) {
  return sym_intern_op(t, kind, (sym[]){a, b}, 2);
}

/* a // c and a % c for a constant c > 0, with a = c * part + rest.
 * Sound: floor((c*q + r) / c) = q + floor(r / c), (c*q + r) % c = r % c, and
 * floor((g*r + k) / (g*c)) = floor((r + floor(k / g)) / c). */
static sym fdiv_positive(symtab *t, sym a, int64_t c) {
  sym part, rest;
  int64_t k;
  if (c == 1)
    return a;
  split_multiples(t, a, c, &part, &rest);
  if (sym_is_int(t, rest, &k) || is_small_remainder(t, rest, c))
    return part; /* 0 <= rest < c */
  int64_t g = common_factor(t, rest, c, &k);
  if (g > 1) {
    sym inner = divide_content(t, rest, g, k);
    inner = sym_add(t, inner, sym_int(t, floor_div(k, g)));
    return sym_add(t, part, fdiv_positive(t, inner, c / g));
  }
  return sym_add(t, part, binary(t, SYM_FDIV, rest, sym_int(t, c)));
}

static sym fmod_positive(symtab *t, sym a, int64_t c) {
  sym part, rest;
  int64_t k;
  if (c == 1)
    return sym_int(t, 0);
  split_multiples(t, a, c, &part, &rest);
  if (sym_is_int(t, rest, &k) || is_small_remainder(t, rest, c))
    return rest; /* 0 <= rest < c */
  int64_t g = common_factor(t, rest, c, &k);
  if (g > 1) {
    /* (g*r + k) % (g*c) = g * ((r + k // g) % c) + k % g. */
    sym inner = divide_content(t, rest, g, k);
    inner = sym_add(t, inner, sym_int(t, floor_div(k, g)));
    return sym_add(t, sym_scale(t, fmod_positive(t, inner, c / g), g),
                   sym_int(t, floor_mod(k, g)));
  }
  return binary(t, SYM_FMOD, rest, sym_int(t, c));
}

sym sym_fdiv(symtab *t, sym a, sym b) {
  assert(!sym_is_bool(t, a));
  int64_t c;
  if (!sym_is_int(t, b, &c))
    return binary(t, SYM_FDIV, a, b);
  if (c == 0 || c == INT64_MIN)
    return sym_unknown(t);
  /* a // -c = (-a) // c: the rational quotients are equal. */
  return c < 0 ? fdiv_positive(t, sym_neg(t, a), -c) : fdiv_positive(t, a, c);
}

sym sym_fmod(symtab *t, sym a, sym b) {
  assert(!sym_is_bool(t, a));
  int64_t c;
  if (!sym_is_int(t, b, &c))
    return binary(t, SYM_FMOD, a, b);
  if (c == 0 || c == INT64_MIN)
    return sym_unknown(t);
  /* a % -c = -((-a) % c), from a // -c = (-a) // c. */
  return c < 0 ? sym_neg(t, fmod_positive(t, sym_neg(t, a), -c))
               : fmod_positive(t, a, c);
}

/* Greatest g >= 1 that divides c and all coefficients, the constant too. */
static int64_t full_factor(const symtab *t, sym a, int64_t c) {
  int64_t k, g = common_factor(t, a, c, &k);
  while (k % g != 0) {
    int64_t rest = k % g;
    k = g;
    g = rest < 0 ? -rest : rest;
  }
  return g;
}

/* Sound: (g*a) / (g*c) and a / c are one rational number, so their truncations
 * agree, and the remainder of the first is g times that of the second. */
static sym tdiv_positive(symtab *t, sym a, int64_t c) {
  int64_t k, g = full_factor(t, a, c);
  sym inner = g == 1 ? a : divide_content(t, a, g, 0);
  if (c / g == 1)
    return inner;
  if (sym_is_int(t, inner, &k))
    return sym_int(t, k / (c / g));
  return binary(t, SYM_TDIV, inner, sym_int(t, c / g));
}

static sym tmod_positive(symtab *t, sym a, int64_t c) {
  int64_t k, g = full_factor(t, a, c);
  sym inner = g == 1 ? a : divide_content(t, a, g, 0);
  if (c / g == 1)
    return sym_int(t, 0);
  if (sym_is_int(t, inner, &k))
    return sym_int(t, g * (k % (c / g)));
  return sym_scale(t, binary(t, SYM_TMOD, inner, sym_int(t, c / g)), g);
}

sym sym_tdiv(symtab *t, sym a, sym b) {
  assert(!sym_is_bool(t, a));
  int64_t c;
  if (!sym_is_int(t, b, &c))
    return binary(t, SYM_TDIV, a, b);
  if (c == 0 || c == INT64_MIN)
    return sym_unknown(t);
  /* Truncation is odd: a / -c = -(a / c). */
  return c < 0 ? sym_neg(t, tdiv_positive(t, a, -c)) : tdiv_positive(t, a, c);
}

sym sym_tmod(symtab *t, sym a, sym b) {
  assert(!sym_is_bool(t, a));
  int64_t c;
  if (!sym_is_int(t, b, &c))
    return binary(t, SYM_TMOD, a, b);
  if (c == 0 || c == INT64_MIN)
    return sym_unknown(t);
  /* The remainder has the sign of a: a % -c = a % c. */
  return tmod_positive(t, a, c < 0 ? -c : c);
}

sym sym_cdiv(symtab *t, sym a, sym b) {
  return sym_fdiv(t, sym_sub(t, sym_add(t, a, b), sym_int(t, 1)), b);
}

/* a is one of the operands of b, a node of the same kind. */
static bool absorbs(const symtab *t, sym_kind kind, sym a, sym b) {
  const sym_node *n = sym_at(t, b);
  return n->kind == kind && (n->operands[0] == a || n->operands[1] == a);
}

/* Sound: min and max are commutative, idempotent and associative; with a
 * constant difference the order of a and b is known. */
static sym extremum(symtab *t, sym_kind kind, sym a, sym b) {
  assert(!sym_is_bool(t, a) && !sym_is_bool(t, b));
  int64_t difference;
  if (a == b || absorbs(t, kind, b, a))
    return a;
  if (absorbs(t, kind, a, b))
    return b;
  if (sym_is_int(t, sym_sub(t, a, b), &difference))
    return (difference < 0) == (kind == SYM_MIN) ? a : b;
  return a < b ? binary(t, kind, a, b) : binary(t, kind, b, a);
}

sym sym_min(symtab *t, sym a, sym b) {
  return extremum(t, SYM_MIN, a, b);
}

sym sym_max(symtab *t, sym a, sym b) {
  return extremum(t, SYM_MAX, a, b);
}

/* `a if cond else b` with a condition that orders a and b.
 * Sound: where a == b either answer is right, so `<` and `<=` agree. */
static sym select_ordered(symtab *t, sym cond, sym a, sym b) {
  if (cond == sym_le(t, a, b) || cond == sym_lt(t, a, b))
    return sym_min(t, a, b);
  if (cond == sym_ge(t, a, b) || cond == sym_gt(t, a, b))
    return sym_max(t, a, b);
  return SYM_NONE;
}

/* Of a condition and its negation one is taken as the condition of selects. */
static bool prefers_negation(const symtab *t, sym cond) {
  const sym_node *n = sym_at(t, cond);
  if (n->kind == SYM_NE0 || n->kind == SYM_NOT)
    return true;
  if (n->kind != SYM_GE0)
    return false;
  const sym_term *terms;
  size_t count = sym_terms(t, n->operands[0], &terms);
  return count > 0 && terms[0].coef < 0;
}

/* Sound: both arms equal, a decided condition, `not c` with swapped arms. */
sym sym_select(symtab *t, sym cond, sym a, sym b) {
  assert(sym_is_bool(t, cond) && !sym_is_bool(t, a) && !sym_is_bool(t, b));
  if (a == b || sym_kind_of(t, cond) == SYM_TRUE)
    return a;
  if (sym_kind_of(t, cond) == SYM_FALSE)
    return b;
  if (sym_kind_of(t, cond) == SYM_GE0) {
    sym ordered = select_ordered(t, cond, a, b);
    if (ordered != SYM_NONE)
      return ordered;
  }
  if (prefers_negation(t, cond))
    return sym_intern_op(t, SYM_SELECT, (sym[]){sym_not(t, cond), b, a}, 3);
  return sym_intern_op(t, SYM_SELECT, (sym[]){cond, a, b}, 3);
}

sym sym_pow2ceil(symtab *t, sym a) {
  int64_t value;
  assert(!sym_is_bool(t, a));
  if (!sym_is_int(t, a, &value))
    return sym_intern_op(t, SYM_POW2CEIL, &a, 1);
  if (value > INT64_C(1) << 62)
    return sym_unknown(t);
  return sym_int(t, next_pow2(value));
}
