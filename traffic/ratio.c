/* traffic/ratio.c: quotients of formulas in lowest terms, and their limits. */
#include "traffic/ratio.h"

#include "base/vec.h"
#include <string.h>

/* ------------------------------------------------------------ common factors
 */

static int64_t gcd(int64_t a, int64_t b) {
  if (a < 0)
    a = a == INT64_MIN ? INT64_MAX : -a;
  if (b < 0)
    b = b == INT64_MIN ? INT64_MAX : -b;
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static int64_t content(symtab *t, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  int64_t g = 0;
  for (size_t i = 0; i < n; i++)
    g = gcd(g, terms[i].coef);
  return g ? g : 1;
}

static bool divides_all(symtab *t, sym e, sym atom) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  for (size_t i = 0; i < n; i++) {
    bool found = false;
    for (uint32_t k = 0; k < terms[i].atom_count; k++)
      found = found || terms[i].atoms[k] == atom;
    if (!found)
      return false;
  }
  return n > 0;
}

static sym divided(symtab *t, sym e, sym by) {
  sym quotient, rest;
  sym_poly_divide(t, e, by, &quotient, &rest);
  return quotient;
}

ratio ratio_of(symtab *t, sym above, sym below) {
  sym quotient, rest;
  int64_t n;
  if (sym_is_int(t, below, &n) && n == 0)
    return (ratio){above, below};
  sym_poly_divide(t, above, below, &quotient, &rest);
  if (sym_is_int(t, rest, &n) && n == 0)
    return (ratio){quotient, sym_int(t, 1)};
  for (bool again = true; again;) {
    const sym_term *terms;
    again = false;
    size_t count = sym_terms(t, above, &terms);
    for (uint32_t k = 0; count && k < terms[0].atom_count && !again; k++) {
      sym atom = terms[0].atoms[k];
      if (!divides_all(t, above, atom) || !divides_all(t, below, atom))
        continue;
      above = divided(t, above, atom);
      below = divided(t, below, atom);
      again = true;
    }
  }
  int64_t g = gcd(content(t, above), content(t, below));
  if (g > 1) {
    above = divided(t, above, sym_int(t, g));
    below = divided(t, below, sym_int(t, g));
  }
  sym_poly_divide(t, above, below, &quotient, &rest);
  if (sym_is_int(t, rest, &n) && n == 0)
    return (ratio){quotient, sym_int(t, 1)};
  return (ratio){above, below};
}

/* -------------------------------------------------------------------- limits
 */

/* above/below as polynomials, of which only what grows fastest is kept. */
typedef struct growth {
  ratio r;
  int degree; /* in sizes */
} growth;

static bool leading(symtab *t, sym e, growth *out);

static sym power_free_product(symtab *t, ratio *product, growth factor) {
  product->above = sym_mul(t, product->above, factor.r.above);
  product->below = sym_mul(t, product->below, factor.r.below);
  return product->above;
}

static bool leading_poly(symtab *t, sym e, growth *out) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  *out = (growth){{sym_int(t, 0), sym_int(t, 1)}, 0};
  for (size_t i = 0; i < n; i++) {
    growth term = {{sym_int(t, terms[i].coef), sym_int(t, 1)}, 0}, factor;
    for (uint32_t k = 0; k < terms[i].atom_count; k++) {
      if (!leading(t, terms[i].atoms[k], &factor))
        return false;
      power_free_product(t, &term.r, factor);
      term.degree += factor.degree;
      sym_terms(t, e, &terms); /* the table may have grown */
    }
    if (i > 0 && term.degree < out->degree)
      continue;
    if (i == 0 || term.degree > out->degree) {
      *out = term;
      continue;
    }
    /* a/b + c/d */
    sym left = sym_mul(t, out->r.above, term.r.below);
    sym right = sym_mul(t, term.r.above, out->r.below);
    out->r = ratio_of(t, sym_add(t, left, right),
                      sym_mul(t, out->r.below, term.r.below));
  }
  int64_t zero;
  /* What grows fastest must not cancel. */
  return !(sym_is_int(t, out->r.above, &zero) && zero == 0);
}

static bool leading(symtab *t, sym e, growth *out) {
  sym_kind kind = sym_kind_of(t, e);
  if (kind == SYM_VAR) {
    *out = (growth){{e, sym_int(t, 1)}, sym_var_role(t, e) == ROLE_SIZE};
    return true;
  }
  if (kind == SYM_FDIV) {
    const sym *operands;
    growth a, b;
    sym_operands(t, e, &operands);
    sym above = operands[0], below = operands[1];
    if (!leading_poly(t, above, &a) || !leading_poly(t, below, &b) ||
        a.degree <= b.degree)
      return false;
    out->r = ratio_of(t, sym_mul(t, a.r.above, b.r.below),
                      sym_mul(t, a.r.below, b.r.above));
    out->degree = a.degree - b.degree;
    return true;
  }
  return (kind == SYM_POLY || kind == SYM_INT) && leading_poly(t, e, out);
}

bool ratio_limit(symtab *t, sym above, sym below, ratio *out) {
  growth a, b;
  if (!leading_poly(t, above, &a) || !leading_poly(t, below, &b))
    return false;
  if (a.degree != b.degree)
    return false;
  *out = ratio_of(t, sym_mul(t, a.r.above, b.r.below),
                  sym_mul(t, a.r.below, b.r.above));
  return true;
}
