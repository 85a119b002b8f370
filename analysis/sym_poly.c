/* analysis/sym_poly.c: sums and products of polynomials.
 *
 * Terms are kept sorted by sym_term_order and combined. An overflowing
 * coefficient, too many terms or too high a degree give an unknown.
 * Sound: an unknown is a fresh variable, about which nothing is assumed. */
#include "analysis/sym_node.h"
#include <stdlib.h>
#include <string.h>

int sym_term_order(const sym_term *a, const sym_term *b) {
  if (a->atom_count != b->atom_count)
    return a->atom_count > b->atom_count ? -1 : 1;
  for (uint32_t i = 0; i < a->atom_count; i++)
    if (a->atoms[i] != b->atoms[i])
      return a->atoms[i] < b->atoms[i] ? -1 : 1;
  return 0;
}

sym_term *sym_work_terms(symtab *t, size_t n) {
  if (n > t->work_term_room) {
    t->work_term_room = n * 2;
    t->work_terms = ARENA_ARRAY(t->arena, sym_term, t->work_term_room);
  }
  return t->work_terms;
}

sym *sym_work_atoms(symtab *t, size_t n) {
  if (n > t->work_atom_room) {
    t->work_atom_room = n * 2;
    t->work_atoms = ARENA_ARRAY(t->arena, sym, t->work_atom_room);
  }
  return t->work_atoms;
}

sym sym_from_terms(symtab *t, sym_term *terms, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (terms[i].coef != 0)
      terms[kept++] = terms[i];
  if (kept == 0)
    return sym_int(t, 0);
  if (kept == 1 && terms[0].atom_count == 0)
    return sym_int(t, terms[0].coef);
  if (kept == 1 && terms[0].coef == 1 && terms[0].atom_count == 1)
    return terms[0].atoms[0];
  if (kept > SYM_MAX_TERMS)
    return sym_unknown(t);
  return sym_intern(t, &(sym_node){.kind = SYM_POLY,
                                   .terms = terms,
                                   .term_count = (uint32_t)kept});
}

/* a + factor * b. */
static sym combine(symtab *t, sym a, sym b, int64_t factor) {
  const sym_term *x, *y;
  size_t nx = sym_terms(t, a, &x), ny = sym_terms(t, b, &y);
  sym_term *out = sym_work_terms(t, nx + ny);
  size_t i = 0, k = 0, n = 0;
  while (i < nx || k < ny) {
    int order = i == nx ? 1 : k == ny ? -1 : sym_term_order(&x[i], &y[k]);
    int64_t scaled = 0;
    if (order >= 0 && !mul_ok(y[k].coef, factor, &scaled))
      return sym_unknown(t);
    sym_term term = order <= 0 ? x[i] : y[k];
    if (order > 0)
      term.coef = scaled;
    if (order == 0 && !add_ok(x[i].coef, scaled, &term.coef))
      return sym_unknown(t);
    out[n++] = term;
    i += order <= 0;
    k += order >= 0;
  }
  return sym_from_terms(t, out, n);
}

sym sym_add(symtab *t, sym a, sym b) {
  return combine(t, a, b, 1);
}

sym sym_sub(symtab *t, sym a, sym b) {
  return a == b ? sym_int(t, 0) : combine(t, a, b, -1);
}

sym sym_neg(symtab *t, sym a) {
  return sym_scale(t, a, -1);
}

sym sym_scale(symtab *t, sym e, int64_t factor) {
  if (factor == 1)
    return e;
  return combine(t, sym_int(t, 0), e, factor);
}

static void merge_atoms(const sym_term *a, const sym_term *b, sym *out) {
  uint32_t i = 0, k = 0, n = 0;
  while (i < a->atom_count || k < b->atom_count) {
    bool left =
        k == b->atom_count || (i < a->atom_count && a->atoms[i] <= b->atoms[k]);
    out[n++] = left ? a->atoms[i++] : b->atoms[k++];
  }
}

static int order_terms(const void *a, const void *b) {
  return sym_term_order(a, b);
}

/* Sums equal monomials of n sorted terms; false on overflow. */
static bool collect(sym_term *terms, size_t *n) {
  size_t kept = 0;
  for (size_t i = 0; i < *n; i++) {
    if (kept && sym_term_order(&terms[kept - 1], &terms[i]) == 0) {
      if (!add_ok(terms[kept - 1].coef, terms[i].coef, &terms[kept - 1].coef))
        return false;
    } else {
      terms[kept++] = terms[i];
    }
  }
  *n = kept;
  return true;
}

static uint32_t degree(const sym_term *terms, size_t n) {
  return n ? terms[0].atom_count : 0;
}

sym sym_mul(symtab *t, sym a, sym b) {
  int64_t constant;
  if (sym_is_int(t, a, &constant))
    return sym_scale(t, b, constant);
  if (sym_is_int(t, b, &constant))
    return sym_scale(t, a, constant);
  const sym_term *x, *y;
  size_t nx = sym_terms(t, a, &x), ny = sym_terms(t, b, &y), n = 0;
  size_t most = (size_t)degree(x, nx) + degree(y, ny);
  if (nx * ny > SYM_MAX_PRODUCT || most > SYM_MAX_DEGREE)
    return sym_unknown(t);
  sym_term *out = sym_work_terms(t, nx * ny);
  sym *atoms = sym_work_atoms(t, nx * ny * most);
  for (size_t i = 0; i < nx; i++)
    for (size_t k = 0; k < ny; k++) {
      sym_term *term = &out[n++];
      if (!mul_ok(x[i].coef, y[k].coef, &term->coef))
        return sym_unknown(t);
      term->atom_count = x[i].atom_count + y[k].atom_count;
      merge_atoms(&x[i], &y[k], atoms);
      term->atoms = atoms;
      atoms += term->atom_count;
    }
  qsort(out, n, sizeof *out, order_terms);
  if (!collect(out, &n))
    return sym_unknown(t);
  return sym_from_terms(t, out, n);
}

uint64_t sym_content(const symtab *t, sym e, int64_t *constant) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  uint64_t g = 0;
  *constant = 0;
  for (size_t i = 0; i < n; i++) {
    if (terms[i].atom_count == 0) {
      *constant = terms[i].coef;
      continue;
    }
    uint64_t c = terms[i].coef < 0 ? 0 - (uint64_t)terms[i].coef
                                   : (uint64_t)terms[i].coef;
    while (c) {
      uint64_t rest = g % c;
      g = c;
      c = rest;
    }
  }
  return g;
}

/* term = divisor * result, both monomials with coefficients. */
static bool divide_term(const sym_term *term, const sym_term *divisor,
                        sym_term *result, sym *atoms) {
  if (divisor->coef == 0 || term->coef == INT64_MIN ||
      term->coef % divisor->coef != 0)
    return false;
  uint32_t k = 0, n = 0;
  for (uint32_t i = 0; i < term->atom_count; i++) {
    if (k < divisor->atom_count && divisor->atoms[k] == term->atoms[i])
      k++;
    else
      atoms[n++] = term->atoms[i];
  }
  *result = (sym_term){
      .coef = term->coef / divisor->coef, .atoms = atoms, .atom_count = n};
  return k == divisor->atom_count;
}

/* The first term of e that the leading term of divisor divides. */
static sym first_quotient(symtab *t, sym e, const sym_term *leading) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  sym atoms[SYM_MAX_DEGREE];
  sym_term one;
  for (size_t i = 0; i < n; i++)
    if (terms[i].atom_count <= SYM_MAX_DEGREE &&
        divide_term(&terms[i], leading, &one, atoms))
      return sym_from_terms(t, &one, 1);
  return SYM_NONE;
}

/* Ends because each step replaces a monomial by smaller ones; the cap is for
 * safety only (what is left then stays in rest, which is still exact). */
void sym_poly_divide(symtab *t, sym e, sym divisor, sym *quotient, sym *rest) {
  const sym_term *leading;
  size_t n = sym_terms(t, divisor, &leading);
  *quotient = sym_int(t, 0);
  *rest = e;
  for (int step = 0; n > 0 && step < SYM_MAX_TERMS; step++) {
    sym part = first_quotient(t, *rest, leading);
    if (part == SYM_NONE)
      return;
    *quotient = sym_add(t, *quotient, part);
    *rest = sym_sub(t, *rest, sym_mul(t, part, divisor));
  }
}
