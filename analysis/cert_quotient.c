/* analysis/cert_quotient.c: bounds of a quotient that need integrality.
 *
 * For q = a // b with b > 0 known: b*q <= a <= b*q + b - 1. A fact that
 * bounds a by a multiple of a part of b bounds q:
 *   a <= c*U + k and b = c*b1:  c*(b1*q - U) <= k.
 * Sound: with k < 0 and c >= 0 the bracket is negative, so b1*q <= U - 1; with
 * k <= 0 and c >= 1 it is at most 0. For a constant c it is at most
 * floor(k / c). */
#include "analysis/certificate.h"

enum { CANDIDATE_STEPS = 24 };

typedef struct quotient {
  cert *facts;
  cpoly q, a, b;
} quotient;

static bool scaled(quotient *self, cpoly a, int64_t x, cpoly b, int64_t y,
                   cpoly *out) {
  return cpoly_combine(self->facts->scratch, a, x, b, y, 0, out);
}

static cpoly one_term(cert *self, cterm term) {
  cpoly unit = {.at = &term, .n = 1}, out = {0};
  cpoly_combine(self->scratch, unit, 1, (cpoly){0}, 0, 0, &out);
  return out;
}

static bool at_least(const cert *self, monomial m, int128 limit) {
  for (; m; m <<= 8)
    if (self->ranges[(uint8_t)(m >> 56)].lo < limit)
      return false;
  return true;
}

/* U + offset - b1*q >= 0 becomes a fact. */
static void conclude(quotient *self, cpoly u, int64_t offset, cpoly b1) {
  cert *facts = self->facts;
  cpoly product, rest, bound;
  cpoly constant = cpoly_constant(facts->scratch, offset);
  if (cpoly_multiply(facts->scratch, b1, self->q, &product) &&
      scaled(self, u, 1, product, -1, &rest) &&
      scaled(self, rest, 1, constant, 1, &bound))
    cert_assume_ge(facts, bound);
}

/* q - L >= 0 becomes a fact. */
static void conclude_lower(quotient *self, cpoly least) {
  cpoly bound;
  if (scaled(self, self->q, 1, least, -1, &bound))
    cert_assume_ge(self->facts, bound);
}

static int64_t gcd_of_coefficients(cpoly p, int64_t g) {
  for (uint32_t i = 0; i < p.n && p.at[i].m; i++) {
    int64_t c = p.at[i].c;
    while (c) {
      int64_t rest = g % c;
      g = c;
      c = rest;
    }
  }
  return g < 0 ? -g : g;
}

/* a <= h where b is one term: c is what h and b have in common. */
static void upper_by_term(quotient *self, cpoly h) {
  cert *facts = self->facts;
  cterm b = self->b.at[0];
  int64_t k = cpoly_constant_term(h);
  monomial common = b.m;
  for (uint32_t i = 0; i < h.n && h.at[i].m; i++)
    common = monomial_gcd(common, h.at[i].m);
  if (h.n == 0 || h.at[0].m == 0)
    common = b.m; /* a constant bound: U = 0 */
  int64_t g = gcd_of_coefficients(h, b.c);
  if ((common == 0 && g <= 1) || b.c < 1 || (common && k > 0))
    return;
  if (!at_least(facts, common, k < 0 ? 0 : 1))
    return;
  cpoly c = one_term(facts, (cterm){common, g}), u, rest, nonconstant;
  cpoly b1 = one_term(facts, (cterm){monomial_divide(b.m, common), b.c / g});
  cpoly constant = cpoly_constant(facts->scratch, k);
  int64_t offset = common ? (k < 0 ? -1 : 0) : floor_div(k, g);
  if (scaled(self, h, 1, constant, -1, &nonconstant) &&
      cpoly_divide(facts->scratch, nonconstant, c, &u, &rest) && rest.n == 0)
    conclude(self, u, offset, b1);
}

/* a <= h where h = b*U + k for a sum b. */
static void upper_by_sum(quotient *self, cpoly h) {
  cpoly u, rest, unit = cpoly_constant(self->facts->scratch, 1);
  int64_t k;
  if (cpoly_divide(self->facts->scratch, h, self->b, &u, &rest) &&
      cpoly_is_constant(rest, &k) && k <= 0)
    conclude(self, u, k < 0 ? -1 : 0, unit);
}

/* a >= h where h = b*L + k: q >= L for k >= 0, q >= L - 1 for k = -1. */
static void lower_by(quotient *self, cpoly h) {
  cpoly least, rest, constant = cpoly_constant(self->facts->scratch, -1);
  int64_t k;
  if (!cpoly_divide(self->facts->scratch, h, self->b, &least, &rest) ||
      !cpoly_is_constant(rest, &k))
    return;
  int64_t c;
  if (cpoly_is_constant(self->b, &c)) {
    constant = cpoly_constant(self->facts->scratch, floor_div(k, c));
    if (scaled(self, least, 1, constant, 1, &least))
      conclude_lower(self, least);
  } else if (k >= 0 ||
             (k == -1 && scaled(self, least, 1, constant, 1, &least))) {
    conclude_lower(self, least);
  }
}

/* b = min(x, y), a <= x*U + k: when also a <= y*U - 1, then a <= b*U - 1.
 * Sound: b is one of x and y. */
static void upper_by_min(quotient *self, cpoly h, cpoly x, cpoly y) {
  cert *facts = self->facts;
  arena *scratch = facts->scratch;
  cpoly u, rest, product, slack, unit = cpoly_constant(scratch, 1);
  int64_t k;
  if (!cpoly_divide(scratch, h, x, &u, &rest) || u.n == 0 ||
      !cpoly_is_constant(rest, &k) || k >= 0)
    return;
  if (cpoly_multiply(scratch, y, u, &product) &&
      scaled(self, product, 1, self->a, -1, &slack) &&
      scaled(self, slack, 1, unit, -1, &slack) &&
      cpoly_proves_ge(facts, slack, CANDIDATE_STEPS))
    conclude(self, u, -1, unit);
}

static void bound_from(quotient *self, cpoly h, const cpoly *arms) {
  if (self->b.n == 1)
    upper_by_term(self, h);
  else
    upper_by_sum(self, h);
  if (arms) {
    upper_by_min(self, h, arms[0], arms[1]);
    upper_by_min(self, h, arms[1], arms[0]);
  }
}

/* Sound: f >= 0 gives a <= a + f and a >= a - f. Only facts in which the
 * leading term of a cancels say something new. */
static void bound_by_fact(quotient *self, cpoly f, const cpoly *arms) {
  cterm lead = self->a.at[0];
  for (uint32_t i = 0; i < f.n; i++) {
    cpoly h;
    if (f.at[i].m != lead.m)
      continue;
    if (f.at[i].c == -lead.c && scaled(self, self->a, 1, f, 1, &h))
      bound_from(self, h, arms);
    if (f.at[i].c == lead.c && scaled(self, self->a, 1, f, -1, &h))
      lower_by(self, h);
  }
}

void cert_quotient_bounds(cert *self, sym q, sym a, sym b) {
  quotient s = {.facts = self};
  const sym *args;
  cpoly arms[2];
  if (!cpoly_from_sym(self, q, &s.q) || !cpoly_from_sym(self, a, &s.a) ||
      !cpoly_from_sym(self, b, &s.b) || s.a.n == 0 || s.b.n == 0 ||
      s.a.at[0].c == INT64_MIN)
    return;
  bool has_arms = false;
  if (sym_kind_of(self->t, b) == SYM_MIN) {
    sym_operands(self->t, b, &args);
    has_arms = cpoly_from_sym(self, args[0], &arms[0]) &&
               cpoly_from_sym(self, args[1], &arms[1]);
  }
  bound_from(&s, s.a, has_arms ? arms : NULL);
  lower_by(&s, s.a);
  for (size_t i = 0, n = self->ge.count; i < n; i++)
    bound_by_fact(&s, self->ge.at[i], has_arms ? arms : NULL);
}
