/* ir/expr_poly.c: sums and products in normal form.
 *
 * A polynomial with int64 coefficients over atoms. It becomes one tree of
 * nodes: positive terms first, then negative ones, the constant last, each
 * term `coefficient * atom * atom`. Reading that tree back (poly_of) gives the
 * polynomial again. */
#include "base/checked.h"
#include "base/panic.h"
#include "ir/expr_table.h"

#include <string.h>

/* Graded lexicographic order, the larger first: < 0 when a comes before b. It
 * is compatible with multiplication, which division needs. */
static int monomial_order(const exprs *t, const poly_term *a,
                          const poly_term *b) {
  if (a->degree != b->degree)
    return a->degree > b->degree ? -1 : 1;
  for (uint32_t i = 0; i < a->degree; i++) {
    int order = expr_order(t, a->atom[i], b->atom[i]);
    if (order)
      return order;
  }
  return 0;
}

static void poly_remove(poly *p, size_t i) {
  p->count--;
  memmove(&p->term[i], &p->term[i + 1], (p->count - i) * sizeof p->term[0]);
}

static bool poly_add_term(const exprs *t, poly *p, const poly_term *term) {
  size_t low = 0, high = p->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = monomial_order(t, term, &p->term[middle]);
    if (order == 0) {
      poly_term *same = &p->term[middle];
      if (!add_ok(same->coef, term->coef, &same->coef))
        return false;
      if (same->coef == 0)
        poly_remove(p, middle);
      return true;
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  if (term->coef == 0)
    return true;
  if (p->count == POLY_ROOM)
    return false;
  memmove(&p->term[low + 1], &p->term[low],
          (p->count - low) * sizeof p->term[0]);
  p->term[low] = *term;
  p->count++;
  return true;
}

bool poly_add_int(const exprs *t, poly *p, int64_t value) {
  poly_term term = {.coef = value};
  return poly_add_term(t, p, &term);
}

bool poly_add_atom(const exprs *t, poly *p, expr atom, int64_t coef) {
  poly_term term = {.coef = coef, .degree = 1, .atom = {atom}};
  return poly_add_term(t, p, &term);
}

bool poly_add_scaled(const exprs *t, poly *p, const poly_term *term,
                     int64_t coef) {
  poly_term scaled = *term;
  return mul_ok(term->coef, coef, &scaled.coef) && poly_add_term(t, p, &scaled);
}

bool poly_add(const exprs *t, poly *p, const poly *q, int64_t coef) {
  for (size_t i = 0; i < q->count; i++)
    if (!poly_add_scaled(t, p, &q->term[i], coef))
      return false;
  return true;
}

/* Multiplies out by one atom, keeping the atoms sorted. */
static bool term_times_atom(const exprs *t, poly_term *term, expr atom) {
  if (term->degree == POLY_DEGREE)
    return false;
  uint32_t i = term->degree++;
  while (i > 0 && expr_order(t, term->atom[i - 1], atom) > 0) {
    term->atom[i] = term->atom[i - 1];
    i--;
  }
  term->atom[i] = atom;
  return true;
}

static bool term_mul(const exprs *t, const poly_term *a, const poly_term *b,
                     poly_term *out) {
  *out = *a;
  if (!mul_ok(a->coef, b->coef, &out->coef))
    return false;
  for (uint32_t i = 0; i < b->degree; i++)
    if (!term_times_atom(t, out, b->atom[i]))
      return false;
  return true;
}

bool poly_mul(const exprs *t, const poly *a, const poly *b, poly *out) {
  out->count = 0;
  for (size_t i = 0; i < a->count; i++) {
    for (size_t j = 0; j < b->count; j++) {
      poly_term term;
      if (!term_mul(t, &a->term[i], &b->term[j], &term) ||
          !poly_add_term(t, out, &term))
        return false;
    }
  }
  return true;
}

bool poly_negate(poly *p) {
  for (size_t i = 0; i < p->count; i++)
    if (!sub_ok(0, p->term[i].coef, &p->term[i].coef))
      return false;
  return true;
}

/* -------------------------------------------------- to and from the table */

/* The term of a node that is no sum: `coefficient * atom * ...` or an atom. */
static bool term_of(const exprs *t, expr e, poly_term *out) {
  out->coef = 1;
  out->degree = 0;
  for (;;) {
    const expr_node *n = expr_node_at(t, e);
    if (n->kind == EXPR_INT) {
      out->coef = n->value;
      return true;
    }
    if (n->kind != EXPR_MUL)
      return term_times_atom(t, out, e);
    if (!term_times_atom(t, out, n->operand[1]))
      return false;
    e = n->operand[0];
  }
}

bool poly_of(const exprs *t, expr e, poly *out) {
  poly_term term;
  out->count = 0;
  for (;;) {
    const expr_node *n = expr_node_at(t, e);
    bool sum = n->kind == EXPR_ADD || n->kind == EXPR_SUB;
    if (!term_of(t, sum ? n->operand[1] : e, &term))
      return false;
    if (n->kind == EXPR_SUB && !sub_ok(0, term.coef, &term.coef))
      return false;
    if (!poly_add_term(t, out, &term))
      return false;
    if (!sum)
      return true;
    e = n->operand[0];
  }
}

static expr binary(exprs *t, expr_kind kind, expr a, expr b) {
  if (!a || !b)
    return EXPR_NONE;
  return expr_node_make(t, kind, 0, (expr[3]){a, b, EXPR_NONE});
}

/* The node of coef * atoms. */
static expr term_make(exprs *t, int64_t coef, const poly_term *term) {
  bool plain = coef == 1 && term->degree > 0;
  expr e = plain ? term->atom[0] : expr_node_make(t, EXPR_INT, coef, NULL);
  for (uint32_t i = plain; i < term->degree; i++)
    e = binary(t, EXPR_MUL, e, term->atom[i]);
  return e;
}

/* sum + term, as a difference where that reads better. */
static expr sum_with(exprs *t, expr sum, const poly_term *term, bool first) {
  if (first)
    return term_make(t, term->coef, term);
  if (term->coef > 0 || term->coef == INT64_MIN)
    return binary(t, EXPR_ADD, sum, term_make(t, term->coef, term));
  return binary(t, EXPR_SUB, sum, term_make(t, -term->coef, term));
}

expr poly_make(exprs *t, const poly *p) {
  expr sum = EXPR_NONE;
  bool first = true;
  if (p->count > POLY_TERMS)
    return EXPR_NONE;
  if (p->count == 0)
    return expr_node_make(t, EXPR_INT, 0, NULL);
  size_t last = p->count - 1;
  bool has_constant = p->term[last].degree == 0;
  size_t products = has_constant ? last : p->count;
  for (size_t i = 0; i < products; i++)
    if (p->term[i].coef > 0) {
      sum = sum_with(t, sum, &p->term[i], first);
      first = false;
    }
  bool leads = first && has_constant && p->term[last].coef > 0;
  if (leads) {
    sum = sum_with(t, sum, &p->term[last], first);
    first = false;
  }
  for (size_t i = 0; i < products; i++)
    if (p->term[i].coef < 0) {
      sum = sum_with(t, sum, &p->term[i], first);
      first = false;
    }
  if (has_constant && !leads)
    sum = sum_with(t, sum, &p->term[last], first);
  return sum;
}

/* -------------------------------------------------------------- division */

bool poly_is_int(const poly *p, int64_t *value) {
  *value = p->count ? p->term[0].coef : 0;
  return p->count == 0 || p->term[0].degree == 0;
}

int64_t poly_constant(const poly *p) {
  if (p->count == 0 || p->term[p->count - 1].degree > 0)
    return 0;
  return p->term[p->count - 1].coef;
}

int64_t poly_take_constant(poly *p) {
  int64_t constant = poly_constant(p);
  if (constant)
    p->count--;
  return constant;
}

static uint64_t magnitude(int64_t x) {
  return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

int64_t poly_content(const poly *p, int64_t start, bool with_constant) {
  uint64_t g = magnitude(start);
  for (size_t i = 0; i < p->count; i++) {
    uint64_t x = magnitude(p->term[i].coef);
    if (p->term[i].degree == 0 && !with_constant)
      continue;
    while (x) {
      uint64_t rest = g % x;
      g = x;
      x = rest;
    }
  }
  return g == 0 || g > INT64_MAX ? 1 : (int64_t)g;
}

void poly_divide_exact(poly *p, int64_t by) {
  for (size_t i = 0; i < p->count; i++) {
    assert(p->term[i].coef % by == 0);
    p->term[i].coef /= by;
  }
}

static bool divide_by_int(const exprs *t, const poly *n, int64_t d, poly *whole,
                          poly *rest) {
  whole->count = rest->count = 0;
  for (size_t i = 0; i < n->count; i++) {
    poly_term in = n->term[i], out = n->term[i];
    bool constant = in.degree == 0;
    in.coef = constant || in.coef % d == 0 ? floor_div(in.coef, d) : 0;
    out.coef -= in.coef * d;
    if (!poly_add_term(t, whole, &in) || !poly_add_term(t, rest, &out))
      return false;
  }
  return true;
}

/* out = a / b as monomials (coefficient 1); false when b is no divisor. */
static bool monomial_divide(const poly_term *a, const poly_term *b,
                            poly_term *out) {
  uint32_t j = 0;
  out->coef = 1;
  out->degree = 0;
  for (uint32_t i = 0; i < a->degree; i++) {
    if (j < b->degree && a->atom[i] == b->atom[j])
      j++;
    else
      out->atom[out->degree++] = a->atom[i];
  }
  return j == b->degree;
}

/* Takes the leading term of d out of every term that it divides, the largest
 * first; what that adds is smaller. */
static bool divide_by_poly(const exprs *t, const poly *n, const poly *d,
                           poly *whole, poly *rest) {
  const poly_term *lead = &d->term[0];
  size_t i = 0;
  unsigned steps = 0;
  whole->count = 0;
  *rest = *n;
  while (i < rest->count) {
    poly_term q, product, monomial = rest->term[i];
    int64_t coef = floor_div(monomial.coef, lead->coef);
    if (coef == 0 || !monomial_divide(&monomial, lead, &q)) {
      i++;
      continue;
    }
    q.coef = coef;
    if (++steps > 1000 || coef == INT64_MIN || !poly_add_term(t, whole, &q))
      return false;
    q.coef = -coef;
    for (size_t k = 0; k < d->count; k++)
      if (!term_mul(t, &q, &d->term[k], &product) ||
          !poly_add_term(t, rest, &product))
        return false;
  }
  return true;
}

bool poly_divide(const exprs *t, const poly *n, const poly *d, poly *whole,
                 poly *rest) {
  int64_t number;
  assert(d->count > 0 && d->term[0].coef > 0);
  if (poly_is_int(d, &number))
    return divide_by_int(t, n, number, whole, rest);
  return divide_by_poly(t, n, d, whole, rest);
}
