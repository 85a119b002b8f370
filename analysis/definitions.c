/* analysis/definitions.c: what an atom means, as facts.
 *
 * A quotient q = a // b is known by inequalities that hold only for b > 0 (or
 * b < 0), a truncating one also needs the sign of a. Conditions that the facts
 * so far decide are resolved, which gives facts without conditions; the rest
 * stays guarded and is left to the solver. Atoms are visited in rank order, so
 * a condition can use all that is known about earlier atoms. Nothing is said
 * about a // 0. */
#include "analysis/certificate.h"

enum { GUARD_STEPS = 24 };

typedef struct definer {
  cert *facts;
  symtab *t;
  bool exact;
  sym_vec *formulas;
  sym zero, one;
} definer;

/* A fact that holds without condition. */
static void state(definer *self, sym fact) {
  cert_assume(self->facts, fact);
  if (sym_kind_of(self->t, fact) != SYM_TRUE)
    VEC_PUSH(self->facts->scratch, self->formulas, fact);
}

/* A fact for the solver only. */
static void state_if(definer *self, sym condition, sym fact) {
  sym guarded = sym_or(self->t, sym_not(self->t, condition), fact);
  if (sym_kind_of(self->t, guarded) != SYM_TRUE)
    VEC_PUSH(self->facts->scratch, self->formulas, guarded);
}

static bool proves(definer *self, sym goal) {
  return cert_proves(self->facts, goal, GUARD_STEPS);
}

static bool positive(definer *self, sym e) {
  return proves(self, sym_ge(self->t, e, self->one));
}

static bool not_negative(definer *self, sym e) {
  return proves(self, sym_ge(self->t, e, self->zero));
}

static bool not_positive(definer *self, sym e) {
  return proves(self, sym_le(self->t, e, self->zero));
}

/* 0 <= a - b*q <= b - 1, that is, q = a // b for b > 0. */
static sym floor_facts(symtab *t, sym q, sym a, sym b) {
  sym rest = sym_sub(t, a, sym_mul(t, b, q));
  return sym_and(t, sym_ge(t, rest, sym_int(t, 0)), sym_lt(t, rest, b));
}

/* b + 1 <= a - b*q <= 0: q = a // b for b < 0, or truncation for a <= 0. */
static sym negative_facts(symtab *t, sym q, sym a, sym b) {
  sym rest = sym_sub(t, a, sym_mul(t, b, q));
  return sym_and(t, sym_le(t, rest, sym_int(t, 0)), sym_gt(t, rest, b));
}

/* Facts derived inside the cert are shown to the solver too. */
static void publish(definer *self, size_t from) {
  for (size_t i = from; i < self->facts->ge.count; i++) {
    sym p = cpoly_to_sym(self->facts, self->facts->ge.at[i]);
    sym fact = sym_ge(self->t, p, self->zero);
    VEC_PUSH(self->facts->scratch, self->formulas, fact);
  }
}

/* Sound: the two inequalities are the definition of floor(a / b) for b > 0;
 * the sign of q follows from that of a. */
static void define_fdiv(definer *self, sym q, sym a, sym b) {
  symtab *t = self->t;
  if (!positive(self, b)) {
    state_if(self, sym_ge(t, b, self->one), floor_facts(t, q, a, b));
    if (!not_negative(self, b))
      state_if(self, sym_lt(t, b, self->zero), negative_facts(t, q, a, b));
    return;
  }
  state(self, floor_facts(t, q, a, b));
  if (not_negative(self, a))
    state(self, sym_ge(t, q, self->zero));
  size_t before = self->facts->ge.count;
  cert_quotient_bounds(self->facts, q, a, b);
  publish(self, before);
}

/* a == b*q + r. With r == 0 this is divisibility, and `a` may be replaced by
 * b*q; otherwise `a` stays, which is the simpler of the two. */
static void state_sum(definer *self, sym r, sym sum) {
  cert *facts = self->facts;
  const sym *args;
  cpoly p;
  uint8_t rank = facts->rank_of[r];
  range known = facts->ranges[rank];
  VEC_PUSH(facts->scratch, self->formulas, sum);
  if (rank == 0 || sym_kind_of(self->t, sum) != SYM_EQ0)
    return;
  sym_operands(self->t, sum, &args);
  if (!cpoly_from_sym(facts, args[0], &p))
    return;
  if (facts->solved[rank] || (known.lo == 0 && known.hi == 0))
    cert_assume_eq(facts, p);
  else
    cert_keep_eq(facts, p);
}

/* Sound: a % b = a - b * (a // b) by definition, and lies in [0, b) for b > 0
 * and in (b, 0] for b < 0. */
static void define_fmod(definer *self, sym r, sym a, sym b) {
  symtab *t = self->t;
  sym q = sym_fdiv(t, a, b);
  sym sum = sym_eq(t, a, sym_add(t, sym_mul(t, b, q), r));
  sym low = sym_ge(t, r, self->zero), high = sym_lt(t, r, b);
  if (positive(self, b)) {
    state(self, low);
    state(self, high);
    if (not_negative(self, a))
      state(self, sym_le(t, r, a));
    state_sum(self, r, sum);
    return;
  }
  state_if(self, sym_ge(t, b, self->one), sym_and(t, low, high));
  state_if(self, sym_lt(t, b, self->zero),
           sym_and(t, sym_le(t, r, self->zero), sym_gt(t, r, b)));
  state_if(self, sym_ne(t, b, self->zero), sum);
}

static void replace(definer *self, sym atom, sym by) {
  cpoly value;
  uint8_t rank = self->facts->rank_of[atom];
  VEC_PUSH(self->facts->scratch, self->formulas, sym_eq(self->t, atom, by));
  if (rank && !self->facts->solved[rank] &&
      cpoly_from_sym(self->facts, by, &value))
    cert_solve(self->facts, rank, value);
}

/* Sound: with a >= 0 and b > 0 truncation is floor. Otherwise the remainder
 * has the sign of a and is smaller than b in size, case by case. */
static void define_tdiv(definer *self, sym q, sym a, sym b) {
  symtab *t = self->t;
  sym down = sym_neg(t, b);
  bool b_positive = positive(self, b);
  bool a_up = not_negative(self, a), a_down = !a_up && not_positive(self, a);
  if (b_positive && a_up) {
    replace(self, q, sym_fdiv(t, a, b));
    return;
  }
  if (b_positive && a_down) {
    state(self, negative_facts(t, sym_neg(t, q), a, down));
    return;
  }
  sym up = sym_ge(t, a, self->zero), under = sym_le(t, a, self->zero);
  sym above = sym_ge(t, b, self->one), below = sym_lt(t, b, self->zero);
  sym minus_q = sym_neg(t, q);
  state_if(self, sym_and(t, above, up), floor_facts(t, q, a, b));
  state_if(self, sym_and(t, above, under), negative_facts(t, minus_q, a, down));
  if (b_positive)
    return;
  state_if(self, sym_and(t, below, up), floor_facts(t, minus_q, a, down));
  state_if(self, sym_and(t, below, under), negative_facts(t, q, a, b));
}

/* Sound: a - b * (a / b), truncating, has the sign of a and is smaller than b
 * in size. */
static void define_tmod(definer *self, sym r, sym a, sym b) {
  symtab *t = self->t;
  sym q = sym_tdiv(t, a, b), zero = self->zero, minus_b = sym_neg(t, b);
  sym sum = sym_eq(t, a, sym_add(t, sym_mul(t, b, q), r));
  sym up = sym_ge(t, a, zero), divides = sym_ne(t, b, zero);
  sym inside = sym_and(t, sym_lt(t, r, b), sym_gt(t, r, minus_b));
  sym outside = sym_and(t, sym_gt(t, r, b), sym_lt(t, r, minus_b));
  if (!positive(self, b)) {
    state_if(self, divides, sum);
    state_if(self, sym_gt(t, b, zero), inside);
    state_if(self, sym_lt(t, b, zero), outside);
    state_if(self, sym_and(t, divides, up), sym_ge(t, r, zero));
    state_if(self, sym_and(t, divides, sym_le(t, a, zero)), sym_le(t, r, zero));
    return;
  }
  if (not_negative(self, a)) {
    replace(self, r, sym_fmod(t, a, b));
    return;
  }
  state(self, inside);
  state_if(self, up, sym_ge(t, r, zero));
  state_if(self, sym_le(t, a, zero), sym_le(t, r, zero));
  state_sum(self, r, sum);
}

static range range_of(definer *self, sym e) {
  cpoly p;
  return cpoly_from_sym(self->facts, e, &p) ? cpoly_range(self->facts, p)
                                            : range_all();
}

static bool fits(int128 v) {
  return v > -(((int128)1) << 62) && v < (((int128)1) << 62);
}

/* m is one of a and b: it lies in the hull of their ranges, and is at least 1
 * or 0 when both are. */
static void state_hull(definer *self, sym m, sym a, sym b) {
  symtab *t = self->t;
  range x = range_of(self, a), y = range_of(self, b);
  int128 lo = x.lo < y.lo ? x.lo : y.lo, hi = x.hi > y.hi ? x.hi : y.hi;
  if (fits(hi))
    state(self, sym_le(t, m, sym_int(t, (int64_t)hi)));
  if (fits(lo) && lo >= 1) {
    state(self, sym_ge(t, m, sym_int(t, (int64_t)lo)));
    return;
  }
  for (int64_t low = 1; low >= 0; low--) {
    sym limit = sym_int(t, low);
    if (proves(self, sym_ge(t, a, limit)) &&
        proves(self, sym_ge(t, b, limit))) {
      state(self, sym_ge(t, m, limit));
      return;
    }
  }
  if (fits(lo))
    state(self, sym_ge(t, m, sym_int(t, (int64_t)lo)));
}

/* What is known to lie below the minimum lies below both arms, which may have a
 * factor in common with it. Sound: f >= 0 with c*m in it gives
 * f + c*(arm - m) >= 0, as c*(arm - m) is not negative. */
static void bound_arm(definer *self, sym m, sym arm, bool is_min) {
  cert *facts = self->facts;
  monomial atom = monomial_of(facts->rank_of[m]);
  cpoly difference;
  if (!facts->rank_of[m] ||
      !cpoly_from_sym(facts, sym_sub(self->t, arm, m), &difference))
    return;
  for (size_t i = 0, n = facts->ge.count; i < n; i++) {
    cpoly f = facts->ge.at[i], bound;
    for (uint32_t k = 0; k < f.n; k++)
      if (f.at[k].m == atom && (f.at[k].c > 0) == is_min &&
          cpoly_combine(facts->scratch, f, 1, difference, f.at[k].c, 0, &bound))
        cert_assume_ge(facts, bound);
  }
}

/* Sound: the definition of min and max. */
static void define_extremum(definer *self, sym m, sym a, sym b, bool is_min) {
  symtab *t = self->t;
  sym low = is_min ? a : b, high = is_min ? b : a;
  if (cert_bounds_ge(self->facts, sym_sub(t, high, low))) {
    replace(self, m, a);
    return;
  }
  if (cert_bounds_ge(self->facts, sym_sub(t, low, high))) {
    replace(self, m, b);
    return;
  }
  state(self, is_min ? sym_le(t, m, a) : sym_ge(t, m, a));
  state(self, is_min ? sym_le(t, m, b) : sym_ge(t, m, b));
  bound_arm(self, m, a, is_min);
  bound_arm(self, m, b, is_min);
  state_hull(self, m, a, b);
  VEC_PUSH(self->facts->scratch, self->formulas,
           sym_or(t, sym_eq(t, m, a), sym_eq(t, m, b)));
}

static void define_select(definer *self, sym m, sym cond, sym a, sym b) {
  symtab *t = self->t;
  if (proves(self, cond)) {
    replace(self, m, a);
    return;
  }
  if (proves(self, sym_not(t, cond))) {
    replace(self, m, b);
    return;
  }
  state_hull(self, m, a, b);
  state_if(self, cond, sym_eq(t, m, a));
  state_if(self, sym_not(t, cond), sym_eq(t, m, b));
}

enum { POWERS = 40 };

/* p = next_pow2(x), exactly for x <= 2^40. */
static void enumerate_pow2ceil(definer *self, sym p, sym x) {
  symtab *t = self->t;
  state_if(self, sym_lt(t, x, self->zero), sym_eq(t, p, self->one));
  state_if(self, sym_eq(t, x, self->zero), sym_eq(t, p, self->zero));
  for (int k = 0; k <= POWERS; k++) {
    int64_t power = INT64_C(1) << k, half = k ? power / 2 : 0;
    sym inside = sym_and(t, sym_gt(t, x, sym_int(t, half)),
                         sym_le(t, x, sym_int(t, power)));
    state_if(self, inside, sym_eq(t, p, sym_int(t, power)));
  }
}

/* Sound: the least power of two that is >= x is below 2x for x >= 1. */
static void define_pow2ceil(definer *self, sym p, sym x) {
  symtab *t = self->t;
  sym twice = sym_sub(t, sym_mul(t, sym_int(t, 2), x), self->one);
  state(self, sym_ge(t, p, x));
  state(self, sym_ge(t, p, self->zero));
  if (positive(self, x)) {
    state(self, sym_ge(t, p, self->one));
    state(self, sym_le(t, p, twice));
  } else {
    state_if(self, sym_ne(t, x, self->zero), sym_ge(t, p, self->one));
    state_if(self, sym_ge(t, x, self->one), sym_le(t, p, twice));
  }
  if (self->exact)
    enumerate_pow2ceil(self, p, x);
}

static void define(definer *self, sym atom) {
  const sym *args;
  sym_operands(self->t, atom, &args);
  switch (sym_kind_of(self->t, atom)) {
  case SYM_FDIV:
    define_fdiv(self, atom, args[0], args[1]);
    return;
  case SYM_FMOD:
    define_fmod(self, atom, args[0], args[1]);
    return;
  case SYM_TDIV:
    define_tdiv(self, atom, args[0], args[1]);
    return;
  case SYM_TMOD:
    define_tmod(self, atom, args[0], args[1]);
    return;
  case SYM_MIN:
    define_extremum(self, atom, args[0], args[1], true);
    return;
  case SYM_MAX:
    define_extremum(self, atom, args[0], args[1], false);
    return;
  case SYM_SELECT:
    define_select(self, atom, args[0], args[1], args[2]);
    return;
  case SYM_POW2CEIL:
    define_pow2ceil(self, atom, args[0]);
    return;
  case SYM_VAR:
  case SYM_APPLY:
    return;
  case SYM_INT:
  case SYM_POLY:
  case SYM_TRUE:
  case SYM_FALSE:
  case SYM_GE0:
  case SYM_EQ0:
  case SYM_NE0:
  case SYM_AND:
  case SYM_OR:
  case SYM_NOT:
  case SYM_APPLYB:
  case SYM_ISPOW2:
    break;
  }
  panic("no definition of a symbol of kind %d",
        (int)sym_kind_of(self->t, atom));
}

void definitions_add(cert *self, bool exact, sym_vec *formulas) {
  definer d = {.facts = self,
               .t = self->t,
               .exact = exact,
               .formulas = formulas,
               .zero = sym_int(self->t, 0),
               .one = sym_int(self->t, 1)};
  cert_propagate(self);
  for (uint32_t rank = 1; rank <= self->atom_count; rank++) {
    size_t before = formulas->count;
    define(&d, self->atoms[rank]);
    if (formulas->count > before)
      cert_propagate(self);
  }
}

void definitions_twins(symtab *t, arena *scratch, sym atom, sym_vec *out) {
  const sym *args;
  sym_kind kind = sym_kind_of(t, atom);
  if (kind == SYM_FMOD || kind == SYM_TDIV || kind == SYM_TMOD) {
    sym_operands(t, atom, &args);
    VEC_PUSH(scratch, out, sym_fdiv(t, args[0], args[1]));
  }
  if (kind == SYM_TMOD) {
    VEC_PUSH(scratch, out, sym_fmod(t, args[0], args[1]));
    VEC_PUSH(scratch, out, sym_tdiv(t, args[0], args[1]));
  }
}
