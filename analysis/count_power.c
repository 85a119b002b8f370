/* analysis/count_power.c: exact fractions, and sums of powers. */
#include "analysis/count_space.h"
#include "base/panic.h"

enum { DEGREE = 4 };

/* Content of e, the constant included. */
static int64_t content(const symtab *t, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  int64_t g = 0;
  for (size_t i = 0; i < n; i++)
    g = gcd_of(g, terms[i].coef);
  return g;
}

static quantity reduced(counter *c, quantity q) {
  if (q.num == SYM_NONE || !sym_is_exact(c->t, q.num))
    return NO_QUANTITY;
  int64_t g = gcd_of(content(c->t, q.num), q.den);
  sym rest, num;
  if (q.num == sym_int(c->t, 0))
    return (quantity){q.num, 1};
  sym_poly_divide(c->t, q.num, sym_int(c->t, g), &num, &rest);
  assert(rest == sym_int(c->t, 0));
  return (quantity){num, q.den / g};
}

quantity quantity_add(counter *c, quantity a, quantity b) {
  symtab *t = c->t;
  int64_t g = gcd_of(a.den, b.den), den;
  if (a.num == SYM_NONE || b.num == SYM_NONE || !mul_ok(a.den / g, b.den, &den))
    return NO_QUANTITY;
  sym x = sym_mul(t, a.num, sym_int(t, b.den / g));
  sym y = sym_mul(t, b.num, sym_int(t, a.den / g));
  return reduced(c, (quantity){sym_add(t, x, y), den});
}

quantity quantity_multiply(counter *c, quantity a, quantity b) {
  int64_t den;
  if (a.num == SYM_NONE || b.num == SYM_NONE || !mul_ok(a.den, b.den, &den))
    return NO_QUANTITY;
  return reduced(c, (quantity){sym_mul(c->t, a.num, b.num), den});
}

quantity quantity_choose(counter *c, sym condition, quantity a) {
  if (a.num == SYM_NONE)
    return a;
  a.num = sym_select(c->t, condition, a.num, sym_int(c->t, 0));
  return a;
}

/* S(n) = sum of v^degree for 0 <= v < n, times 60.
 * Sound: S(n + 1) - S(n) = n^degree as polynomials, so the sum from low to
 * below high is S(high) - S(low) for all low <= high, negative ones too. */
static sym sixty_power_sums(symtab *t, unsigned degree, sym n) {
  static const int64_t row[DEGREE + 1][DEGREE + 2] = {
      {0, 60, 0, 0, 0, 0},    {0, -30, 30, 0, 0, 0},   {0, 10, -30, 20, 0, 0},
      {0, 0, 15, -30, 15, 0}, {0, -2, 0, 20, -30, 12},
  };
  sym sum = sym_int(t, 0), power = sym_int(t, 1);
  for (unsigned k = 0; k <= DEGREE + 1; k++) {
    sum = sym_add(t, sum, sym_mul(t, sym_int(t, row[degree][k]), power));
    power = sym_mul(t, power, n);
  }
  return sum;
}

/* The coefficients of w as a polynomial in v; false when v is in an atom or
 * its degree too high. */
static bool coefficients(counter *c, sym w, sym v, sym *out) {
  symtab *t = c->t;
  const sym_term *terms;
  size_t n = sym_terms(t, w, &terms);
  for (unsigned k = 0; k <= DEGREE; k++)
    out[k] = sym_int(t, 0);
  for (size_t i = 0; i < n; i++) {
    unsigned degree = 0;
    sym product = sym_int(t, terms[i].coef);
    for (uint32_t k = 0; k < terms[i].atom_count; k++) {
      if (terms[i].atoms[k] == v)
        degree++;
      else if (sym_mentions(t, terms[i].atoms[k], v))
        return false;
      else
        product = sym_mul(t, product, terms[i].atoms[k]);
    }
    if (degree > DEGREE)
      return false;
    out[degree] = sym_add(t, out[degree], product);
  }
  return true;
}

bool count_power_sum(counter *c, sym w, sym v, sym low, sym high,
                     quantity *out) {
  symtab *t = c->t;
  sym coef[DEGREE + 1], sum = sym_int(t, 0);
  if (!coefficients(c, w, v, coef))
    return false;
  for (unsigned k = 0; k <= DEGREE; k++) {
    sym part =
        sym_sub(t, sixty_power_sums(t, k, high), sixty_power_sums(t, k, low));
    sum = sym_add(t, sum, sym_mul(t, coef[k], part));
  }
  if (sym_mentions_role(t, sum, ROLE_UNKNOWN))
    return false; /* a coefficient overflowed */
  *out = reduced(c, (quantity){sum, 60});
  return out->num != SYM_NONE;
}
