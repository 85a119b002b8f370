/* analysis/certificate.c: the facts of a certificate proof.
 *
 * Facts live as packed polynomials. An equality that isolates a variable is
 * used up at once: the variable is replaced everywhere (by what equals it, so
 * nothing is lost and nothing is gained). */
#include "analysis/certificate.h"
#include <string.h>

cert *cert_create(arena *scratch, symtab *t, const sym *atoms, size_t n) {
  cert *self = ARENA_NEW(scratch, cert);
  self->t = t;
  self->scratch = scratch;
  self->cache = ARENA_NEW(scratch, range_cache);
  self->cache->version = 1;
  self->rank_room = symtab_count(t) + 1;
  self->rank_of = ARENA_ARRAY(scratch, uint8_t, self->rank_room);
  /* With too many atoms the earliest have ranks and the rest do not: facts
   * and goals with the rest are not representable, which proves nothing. */
  self->atom_count = (uint32_t)(n < CERT_RANKS ? n : CERT_RANKS);
  for (uint32_t r = 1; r <= self->atom_count; r++) {
    self->atoms[r] = atoms[r - 1];
    self->rank_of[atoms[r - 1]] = (uint8_t)r;
    self->ranges[r] = range_all();
  }
  return self;
}

static bool known(const cpoly_vec *facts, cpoly p) {
  for (size_t i = 0; i < facts->count; i++)
    if (cpoly_same(facts->at[i], p))
      return true;
  return false;
}

void cert_assume_ge(cert *self, cpoly p) {
  int64_t value;
  p = cpoly_tighten(self->scratch, p);
  if (cpoly_is_constant(p, &value)) {
    self->contradiction = self->contradiction || value < 0;
    return;
  }
  if (self->ge.count < CERT_FACTS && !known(&self->ge, p))
    VEC_PUSH(self->scratch, &self->ge, p);
}

static bool is_one_atom(cterm term) {
  return term.m == monomial_of(monomial_rank(term.m, 0)) &&
         (term.c == 1 || term.c == -1);
}

/* Program ids, turns and lanes are not replaced: an equality between instances
 * would then hide in the bounds of a lane. */
static bool is_launch_variable(const cert *self, uint8_t rank) {
  sym atom = self->atoms[rank];
  return sym_kind_of(self->t, atom) == SYM_VAR &&
         sym_var_role(self->t, atom) < ROLE_PROGRAM;
}

/* An atom with coefficient +-1 that occurs in no other term: variables of the
 * launch, or any atom that equals a constant or another atom. */
static uint8_t solvable(const cert *self, cpoly p, uint32_t *term) {
  bool constant = p.n == 1 ||
                  (p.n == 2 && is_one_atom(p.at[0]) && is_one_atom(p.at[1])) ||
                  (p.n == 2 && p.at[1].m == 0);
  for (uint32_t i = 0; i < p.n; i++) {
    monomial m = p.at[i].m;
    uint8_t rank = monomial_rank(m, 0);
    if (m != monomial_of(rank) || rank == 0 ||
        (p.at[i].c != 1 && p.at[i].c != -1))
      continue;
    if (!constant && !is_launch_variable(self, rank))
      continue;
    bool alone = true;
    for (uint32_t k = 0; k < p.n; k++)
      alone = alone && (k == i || monomial_divide(p.at[k].m, m) == NO_MONOMIAL);
    *term = i;
    if (alone)
      return rank;
  }
  return 0;
}

void cert_keep_eq(cert *self, cpoly p) {
  int64_t value;
  if (cpoly_is_constant(p, &value)) {
    self->contradiction = self->contradiction || value != 0;
    return;
  }
  if (self->eq.count < CERT_FACTS && !known(&self->eq, p))
    VEC_PUSH(self->scratch, &self->eq, p);
}

void cert_assume_eq(cert *self, cpoly p) {
  uint32_t term = 0;
  uint8_t rank = solvable(self, p, &term);
  if (rank) {
    /* c*x + rest == 0 with c = +-1: x == -c * rest. */
    cpoly x = {.at = &p.at[term], .n = 1}, rest, solution;
    int64_t c = p.at[term].c;
    if (cpoly_combine(self->scratch, p, 1, x, -1, 0, &rest) &&
        cpoly_combine(self->scratch, rest, -c, (cpoly){0}, 0, 0, &solution) &&
        cert_solve(self, rank, solution))
      return;
  }
  cert_keep_eq(self, p);
}

/* Facts that cannot be rewritten are dropped; they stay true but useless. */
static void rewrite(cert *self, cpoly_vec *facts, bool equalities) {
  cpoly_vec old = *facts;
  *facts = (cpoly_vec){0};
  for (size_t i = 0; i < old.count; i++) {
    cpoly p;
    if (!cpoly_apply_solved(self, old.at[i], &p))
      continue;
    if (equalities)
      cert_assume_eq(self, p);
    else
      cert_assume_ge(self, p);
  }
}

static void bound_by_range(cert *self, cpoly p, range r) {
  cterm low = {.m = 0, .c = 1}, high = {.m = 0, .c = 1};
  cpoly fact;
  if (r.lo > -RANGE_INF && cpoly_combine(self->scratch, p, 1, (cpoly){&low, 1},
                                         (int64_t)-r.lo, 0, &fact))
    cert_assume_ge(self, fact);
  if (r.hi < RANGE_INF && cpoly_combine(self->scratch, p, -1, (cpoly){&high, 1},
                                        (int64_t)r.hi, 0, &fact))
    cert_assume_ge(self, fact);
}

bool cert_solve(cert *self, uint8_t rank, cpoly value) {
  assert(rank >= 1 && rank <= self->atom_count);
  if (self->solved[rank])
    return false;
  for (uint32_t i = 0; i < value.n; i++)
    if (monomial_divide(value.at[i].m, monomial_of(rank)) != NO_MONOMIAL)
      return false;
  for (uint32_t r = 1; r <= self->atom_count; r++)
    if (self->solved[r] && !cpoly_replace(self->scratch, self->value[r], rank,
                                          value, &self->value[r]))
      return false; /* too large */
  self->solved[rank] = true;
  self->value[rank] = value;
  range r = self->ranges[rank];
  rewrite(self, &self->ge, false);
  rewrite(self, &self->eq, true);
  bound_by_range(self, value, r);
  return true;
}

void cert_assume(cert *self, sym fact) {
  const sym *operands;
  cpoly p;
  sym_kind kind = sym_kind_of(self->t, fact);
  if (kind == SYM_FALSE)
    self->contradiction = true;
  if (kind != SYM_AND && kind != SYM_GE0 && kind != SYM_EQ0)
    return;
  size_t n = sym_operands(self->t, fact, &operands);
  if (kind == SYM_AND) {
    for (size_t i = 0; i < n; i++)
      cert_assume(self, operands[i]);
    return;
  }
  if (!cpoly_from_sym(self, operands[0], &p))
    return;
  if (kind == SYM_GE0)
    cert_assume_ge(self, p);
  else
    cert_assume_eq(self, p);
}

static bool all_at_least(const cert *self, monomial m, int128 limit) {
  for (; m; m <<= 8)
    if (self->ranges[(uint8_t)(m >> 56)].lo < limit)
      return false;
  return true;
}

/* The non-constant part of p divided by the monomial m. */
static cpoly divided(cert *self, cpoly p, monomial m, int64_t constant) {
  cterm at[CERT_TERMS + 1];
  uint32_t n = 0;
  for (uint32_t i = 0; i < p.n && p.at[i].m; i++)
    at[n++] = (cterm){monomial_divide(p.at[i].m, m), p.at[i].c};
  cpoly quotient = {.at = at, .n = n}, out = {0};
  cpoly offset = cpoly_constant(self->scratch, constant);
  if (n > CERT_TERMS ||
      !cpoly_combine(self->scratch, quotient, 1, offset, 1, 0, &out))
    return (cpoly){0};
  return out;
}

/* Sound: c*s >= 1 with c >= 0 gives s >= 1, since s <= 0 would give c*s <= 0;
 * c*s >= 0 with c >= 1 gives s >= 0. */
static void cut_inequality(cert *self, cpoly p) {
  monomial c = cpoly_common(p);
  int64_t k = cpoly_constant_term(p);
  if (c == 0 || k > 0)
    return;
  if (k < 0 && all_at_least(self, c, 0))
    cert_assume_ge(self, divided(self, p, c, -1));
  else if (k == 0 && all_at_least(self, c, 1))
    cert_assume_ge(self, divided(self, p, c, 0));
}

/* Sound: c*s == 0 with c >= 1 gives s == 0. */
static void cut_equality(cert *self, cpoly p) {
  monomial c = cpoly_common(p);
  if (c && cpoly_constant_term(p) == 0 && all_at_least(self, c, 1))
    cert_assume_eq(self, divided(self, p, c, 0));
}

/* b with the leading monomial of a taken out: b - c*m*a. Sound: both are 0. */
static bool reduced(cert *self, cpoly a, cpoly b, cpoly *out) {
  for (uint32_t i = 0; i < b.n; i++) {
    monomial m = monomial_divide(b.at[i].m, a.at[0].m);
    if (m == NO_MONOMIAL || b.at[i].c == INT64_MIN)
      continue;
    return cpoly_combine(self->scratch, b, 1, a, -b.at[i].c * a.at[0].c, m,
                         out);
  }
  return false;
}

/* Equalities combined in pairs, where that makes a simpler one. */
static void combine_equalities(cert *self) {
  cpoly_vec old = self->eq;
  for (size_t i = 0; i < old.count; i++)
    for (size_t k = 0; k < old.count; k++) {
      cpoly a = old.at[i], b = old.at[k], simpler;
      if (i != k && (a.at[0].c == 1 || a.at[0].c == -1) &&
          reduced(self, a, b, &simpler) &&
          (simpler.n < b.n || simpler.n <= 2) &&
          cpoly_apply_solved(self, simpler, &simpler))
        cert_assume_eq(self, simpler);
    }
}

void cert_saturate(cert *self) {
  combine_equalities(self);
  for (size_t i = 0, n = self->ge.count; i < n && i < self->ge.count; i++)
    cut_inequality(self, self->ge.at[i]);
  for (size_t i = 0, n = self->eq.count; i < n && i < self->eq.count; i++)
    cut_equality(self, self->eq.at[i]);
  cert_propagate(self);
  for (uint32_t rank = 1; rank <= self->atom_count; rank++) {
    cterm atom = {.m = monomial_of((uint8_t)rank), .c = 1};
    range r = self->ranges[rank];
    if (self->solved[rank])
      continue;
    if (r.lo == 0)
      r.lo = -RANGE_INF; /* no search needs x >= 0: it is in the range */
    bound_by_range(self, (cpoly){.at = &atom, .n = 1}, r);
  }
}
