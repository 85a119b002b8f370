/* analysis/cert_search.c: the search for a certificate.
 *
 * A state is a polynomial R; proving R >= 0 proves the goal. A step picks the
 * greatest monomial that may be negative and cancels it with a product of a
 * fact and a monomial that is not negative:
 *   b*R - a*m*f >= 0 with f >= 0, m >= 0 and a, b > 0 gives R >= 0.
 * States are tried best first, by the number of terms that may be negative,
 * and the search ends after a fixed number of expansions. */
#include "analysis/certificate.h"

enum {
  QUEUE = 600,
  SEEN = 2048,
  USEFUL = 1024,
  SETBACK = 16,
  SHORT = 12,
  LARGE = 1 << 16
};

typedef struct state {
  cpoly p;
  uint32_t score, depth;
} state;

typedef struct search {
  cert *facts;
  state queue[QUEUE];
  uint32_t count;
  uint64_t seen[SEEN];
  monomial useful[USEFUL]; /* that some fact can cancel */
  bool proved;
} search;

static uint32_t useful_slot(const search *self, monomial m) {
  uint32_t at = (uint32_t)((m * UINT64_C(0x9E3779B97F4A7C15)) >> 54);
  for (int i = 0; i < 8 && self->useful[at] && self->useful[at] != m; i++)
    at = (at + 1) % USEFUL;
  return at;
}

/* Monomials that a fact can cancel, where they are negative: those with a
 * negative coefficient in an inequality, and all of an equality. */
static void note_useful(search *self, const cpoly_vec *facts, bool equalities) {
  for (size_t i = 0; i < facts->count; i++)
    for (uint32_t k = 0; k < facts->at[i].n; k++) {
      cterm term = facts->at[i].at[k];
      if (term.m && (equalities || term.c < 0))
        self->useful[useful_slot(self, term.m)] = term.m;
    }
}

/* Cancelling -x with a bound on y multiplied by x leaves -x*y: pointless
 * unless something is known about x*y. */
static bool leads_on(const search *self, const state *s, cpoly fact,
                     monomial m) {
  for (uint32_t i = 0; i < fact.n && fact.at[i].m; i++) {
    monomial product = monomial_times(fact.at[i].m, m);
    if (fact.at[i].c < 0)
      continue;
    if (self->useful[useful_slot(self, product)] == product)
      return true;
    for (uint32_t k = 0; k < s->p.n; k++)
      if (s->p.at[k].m == product && s->p.at[k].c > 0)
        return true;
  }
  return false;
}

static uint32_t bad_terms(const cert *self, cpoly p) {
  uint32_t bad = 0;
  for (uint32_t i = 0; i < p.n; i++) {
    int128 least = term_least(self, p.at[i]);
    bad += least < 0;
    bad += least == -RANGE_INF;
  }
  return bad;
}

static bool first_visit(search *self, cpoly p) {
  uint64_t h = cpoly_hash(p) | 1;
  for (uint32_t at = (uint32_t)h % SEEN, i = 0; i < 16; i++) {
    if (self->seen[at] == h)
      return false; /* a clash only loses a state */
    if (self->seen[at] == 0) {
      self->seen[at] = h;
      return true;
    }
    at = (at + 1) % SEEN;
  }
  return true;
}

/* The greatest monomial that may be negative; 0 when only the constant is. */
static monomial greatest_bad(const cert *self, cpoly p) {
  for (uint32_t i = 0; i < p.n && p.at[i].m; i++)
    if (term_least(self, p.at[i]) < 0)
      return p.at[i].m;
  return 0;
}

/* A numeric limit took the place of a size: rarely the way to go. */
static bool has_large_factor(cpoly p) {
  for (uint32_t i = 0; i < p.n && p.at[i].m; i++)
    if (p.at[i].c > LARGE || p.at[i].c < -LARGE)
      return true;
  return false;
}

/* `over` is the monomial just cancelled: a state whose bad monomials are not
 * all smaller makes no progress and has to wait. */
static void offer(search *self, cpoly p, uint32_t depth, monomial over) {
  p = cpoly_tighten(self->facts->scratch, p);
  if (cpoly_bounds_ge(self->facts, p)) {
    self->proved = true;
    return;
  }
  if (self->count == QUEUE || !first_visit(self, p))
    return;
  cterm room[CERT_TERMS];
  cpoly left = cpoly_absorbed(self->facts, p, room);
  state s = {.p = p, .depth = depth};
  s.score = 4 * bad_terms(self->facts, left) + p.n + 2 * depth;
  if (greatest_bad(self->facts, left) >= over)
    s.score += SETBACK;
  if (has_large_factor(p))
    s.score += SETBACK / 2;
  self->queue[self->count++] = s;
}

static state take_best(search *self) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < self->count; i++)
    if (self->queue[i].score < self->queue[best].score)
      best = i;
  state s = self->queue[best];
  for (uint32_t i = best + 1; i < self->count; i++)
    self->queue[i - 1] = self->queue[i];
  self->count--;
  return s;
}

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* b*R + b - 1 - a*m*f with the term cancelled; `flip` uses -f (equalities
 * only). Sound: R is an integer, so R >= 0 holds exactly when b*R + b - 1 >= 0
 * does. */
static void cancel(search *self, const state *s, cterm bad, cpoly fact,
                   cterm with, bool equality, bool flip) {
  monomial m = monomial_divide(bad.m, with.m);
  int64_t c = with.c, scale, factor;
  if (m == NO_MONOMIAL || bad.c == INT64_MIN || with.c == INT64_MIN)
    return;
  if (flip)
    c = -c;
  if ((c < 0) != (bad.c < 0))
    return; /* would need a negative multiple of f */
  int64_t g = gcd(bad.c, c);
  scale = c / g;
  factor = bad.c / g;
  if (scale < 0) {
    scale = -scale;
    factor = -factor;
  }
  assert(scale > 0 && factor > 0);
  if (flip)
    factor = -factor;
  cpoly next;
  cterm slack = {.m = 0, .c = scale - 1};
  if (cpoly_combine(self->facts->scratch, s->p, scale, fact, -factor, m,
                    &next) &&
      (scale == 1 || cpoly_combine(self->facts->scratch, next, 1,
                                   (cpoly){&slack, 1}, 1, 0, &next)))
    offer(self, next, s->depth + 1, equality ? NO_MONOMIAL : bad.m);
}

/* Sound: m is not negative, by the ranges of its atoms. */
static bool not_negative(const cert *self, monomial m) {
  return m == 0 || monomial_range(self, m).lo >= 0;
}

static void cancel_term(search *self, const state *s, cterm bad) {
  cert *facts = self->facts;
  for (size_t i = 0; i < facts->ge.count && !self->proved; i++) {
    cpoly f = facts->ge.at[i];
    for (uint32_t k = 0; k < f.n && !self->proved; k++) {
      if ((f.at[k].c < 0) != (bad.c < 0))
        continue;
      monomial m = monomial_divide(bad.m, f.at[k].m);
      if (f.at[k].m == 0 && bad.m != 0 && !leads_on(self, s, f, m))
        continue;
      if (m != NO_MONOMIAL && not_negative(facts, m))
        cancel(self, s, bad, f, f.at[k], false, false);
    }
  }
  for (size_t i = 0; i < facts->eq.count && !self->proved; i++) {
    cpoly f = facts->eq.at[i];
    for (uint32_t k = 0; k < f.n && !self->proved; k++)
      cancel(self, s, bad, f, f.at[k], true, (f.at[k].c < 0) != (bad.c < 0));
  }
}

static bool all_positive(const cert *self, monomial m) {
  for (; m; m <<= 8)
    if (self->ranges[(uint8_t)(m >> 56)].lo < 1)
      return false;
  return true;
}

/* R = c*S for a monomial c >= 1: R >= 0 holds exactly when R + c - 1 >= 0,
 * since S is an integer; and S >= 0 is enough. */
static void divide_out(search *self, const state *s) {
  cert *facts = self->facts;
  monomial c = cpoly_common(s->p);
  if (c == 0 || cpoly_constant_term(s->p) != 0)
    return;
  if (!all_positive(facts, c))
    return;
  cterm relaxed[2] = {{.m = c, .c = 1}, {.m = 0, .c = -1}};
  cterm one = {.m = c, .c = 1};
  cpoly next, quotient, rest;
  if (cpoly_combine(facts->scratch, s->p, 1, (cpoly){relaxed, 2}, 1, 0, &next))
    offer(self, next, s->depth + 1, NO_MONOMIAL);
  if (cpoly_divide(facts->scratch, s->p, (cpoly){&one, 1}, &quotient, &rest) &&
      rest.n == 0)
    offer(self, quotient, s->depth + 1, NO_MONOMIAL);
}

/* The way back of divide_out: for c >= 1, R >= 0 holds exactly when
 * c*R + c - 1 >= 0. Worth it when a fact speaks of c times the bad monomial. */
static void multiply_in(search *self, const state *s, cterm bad, cpoly fact,
                        bool any_sign) {
  cert *facts = self->facts;
  for (uint32_t k = 0; k < fact.n && !self->proved; k++) {
    cterm with = fact.at[k];
    monomial c = monomial_divide(with.m, bad.m);
    if (c == 0 || c == NO_MONOMIAL || !all_positive(facts, c) ||
        (!any_sign && (with.c < 0) != (bad.c < 0)))
      continue;
    cterm slack[2] = {{.m = c, .c = 1}, {.m = 0, .c = -1}};
    cpoly next;
    if (cpoly_combine(facts->scratch, (cpoly){slack, 2}, 1, s->p, 1, c, &next))
      offer(self, next, s->depth + 1, NO_MONOMIAL);
  }
}

static void multiply_by_facts(search *self, const state *s, cterm bad) {
  const cert *facts = self->facts;
  if (s->p.n > SHORT)
    return;
  for (size_t i = 0; i < facts->ge.count && !self->proved; i++)
    multiply_in(self, s, bad, facts->ge.at[i], false);
  for (size_t i = 0; i < facts->eq.count && !self->proved; i++)
    multiply_in(self, s, bad, facts->eq.at[i], true);
}

static void expand(search *self, const state *s) {
  self->facts->steps++;
  divide_out(self, s);
  bool found = false;
  for (uint32_t i = 0; i < s->p.n && !found && !self->proved; i++) {
    if (s->p.at[i].m == 0 || term_least(self->facts, s->p.at[i]) >= 0)
      continue;
    cancel_term(self, s, s->p.at[i]);
    multiply_by_facts(self, s, s->p.at[i]);
    found = true;
  }
  cterm constant = {.m = 0, .c = cpoly_constant_term(s->p)};
  if (constant.c < 0 && !self->proved)
    cancel_term(self, s, constant);
}

bool cpoly_proves_ge(cert *self, cpoly p, unsigned steps) {
  if (cpoly_bounds_ge(self, p))
    return true;
  arena_mark mark = arena_save(self->scratch);
  search *s = ARENA_NEW(self->scratch, search);
  s->facts = self;
  note_useful(s, &self->ge, false);
  note_useful(s, &self->eq, true);
  offer(s, p, 0, NO_MONOMIAL);
  for (unsigned i = 0; i < steps && s->count && !s->proved; i++) {
    state best = take_best(s);
    expand(s, &best);
  }
  bool proved = s->proved;
  arena_rewind(self->scratch, mark);
  return proved;
}

bool cert_bounds_ge(cert *self, sym e) {
  cpoly p;
  return self->contradiction ||
         (cpoly_from_sym(self, e, &p) && cpoly_bounds_ge(self, p));
}

bool cert_proves_ge(cert *self, sym e, unsigned steps) {
  cpoly p;
  return self->contradiction ||
         (cpoly_from_sym(self, e, &p) && cpoly_proves_ge(self, p, steps));
}

/* The last min, max or select among the atoms of p. */
static sym last_choice(const cert *self, sym e) {
  const sym_term *terms;
  sym found = SYM_NONE;
  size_t n = sym_terms(self->t, e, &terms);
  for (size_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < terms[i].atom_count; k++) {
      sym atom = terms[i].atoms[k];
      sym_kind kind = sym_kind_of(self->t, atom);
      if ((kind == SYM_MIN || kind == SYM_MAX || kind == SYM_SELECT) &&
          atom > found)
        found = atom;
    }
  return found;
}

/* e with `atom` replaced in its monomials (not inside other atoms). */
static sym replace_atom(symtab *t, sym e, sym atom, sym by) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  sym sum = sym_int(t, 0);
  for (size_t i = 0; i < n; i++) {
    sym product = sym_int(t, terms[i].coef);
    for (uint32_t k = 0; k < terms[i].atom_count; k++)
      product = sym_mul(t, product,
                        terms[i].atoms[k] == atom ? by : terms[i].atoms[k]);
    sum = sym_add(t, sum, product);
  }
  return sum;
}

/* Proves e with `atom` replaced, under one more fact. */
static bool case_proved(cert *self, sym e, sym atom, sym by, sym fact,
                        unsigned steps, int depth) {
  cert saved = *self;
  cert_assume(self, fact);
  cert_propagate(self);
  bool proved = cert_proves_by_cases(self, replace_atom(self->t, e, atom, by),
                                     steps, depth - 1);
  uint64_t spent = self->steps;
  *self = saved;
  self->cache->version++;
  self->steps = spent;
  return proved;
}

/* Sound: the atom equals one of its two arms, each under its condition, and
 * the goal is proved in both cases. */
bool cert_proves_by_cases(cert *self, sym e, unsigned steps, int depth) {
  const sym *args;
  if (cert_proves_ge(self, e, steps))
    return true;
  sym atom = depth > 0 ? last_choice(self, e) : SYM_NONE;
  if (atom == SYM_NONE)
    return false;
  symtab *t = self->t;
  sym_kind kind = sym_kind_of(t, atom);
  sym_operands(t, atom, &args);
  sym a = args[kind == SYM_SELECT ? 1 : 0],
      b = args[kind == SYM_SELECT ? 2 : 1];
  sym cond = kind == SYM_SELECT ? args[0]
             : kind == SYM_MIN  ? sym_le(t, a, b)
                                : sym_ge(t, a, b);
  return case_proved(self, e, atom, a, cond, steps, depth) &&
         case_proved(self, e, atom, b, sym_not(t, cond), steps, depth);
}

/* Sound: a conjunction by all of its parts, a disjunction by one of them. */
static bool proves_parts(cert *self, sym goal, unsigned steps) {
  const sym *parts;
  bool all = sym_kind_of(self->t, goal) == SYM_AND;
  size_t n = sym_operands(self->t, goal, &parts);
  for (size_t i = 0; i < n; i++)
    if (cert_proves(self, parts[i], steps) != all)
      return !all;
  return all;
}

bool cert_proves(cert *self, sym goal, unsigned steps) {
  const sym *args;
  symtab *t = self->t;
  sym_kind kind = sym_kind_of(t, goal);
  if (kind == SYM_TRUE || self->contradiction)
    return true;
  if (kind == SYM_AND || kind == SYM_OR)
    return proves_parts(self, goal, steps);
  if (kind != SYM_GE0 && kind != SYM_EQ0 && kind != SYM_NE0)
    return false;
  sym_operands(t, goal, &args);
  sym p = args[0], negated = sym_neg(t, p), one = sym_int(t, 1);
  switch (kind) {
  case SYM_GE0:
    return cert_proves_by_cases(self, p, steps, 3);
  case SYM_EQ0:
    return cert_proves_by_cases(self, p, steps, 3) &&
           cert_proves_by_cases(self, negated, steps, 3);
  case SYM_NE0: /* integers apart are at least 1 apart */
    return cert_proves_by_cases(self, sym_sub(t, p, one), steps, 2) ||
           cert_proves_by_cases(self, sym_sub(t, negated, one), steps, 2);
  case SYM_INT:
  case SYM_VAR:
  case SYM_POLY:
  case SYM_FDIV:
  case SYM_FMOD:
  case SYM_TDIV:
  case SYM_TMOD:
  case SYM_MIN:
  case SYM_MAX:
  case SYM_SELECT:
  case SYM_POW2CEIL:
  case SYM_APPLY:
  case SYM_TRUE:
  case SYM_FALSE:
  case SYM_AND:
  case SYM_OR:
  case SYM_NOT:
  case SYM_APPLYB:
  case SYM_ISPOW2:
    break;
  }
  panic("not a literal");
}
