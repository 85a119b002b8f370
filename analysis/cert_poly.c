/* analysis/cert_poly.c: packed polynomials of the certificate search.
 *
 * All arithmetic is overflow-checked; a failure leaves the caller with
 * "cannot say". */
#include "analysis/certificate.h"
#include <string.h>

monomial monomial_times(monomial a, monomial b) {
  monomial out = 0;
  int shift = 56;
  while (a || b) {
    if (shift < 0)
      return NO_MONOMIAL;
    uint8_t x = (uint8_t)(a >> 56), y = (uint8_t)(b >> 56);
    if (x >= y) {
      out |= (monomial)x << shift;
      a <<= 8;
    } else {
      out |= (monomial)y << shift;
      b <<= 8;
    }
    shift -= 8;
  }
  return out;
}

monomial monomial_divide(monomial a, monomial b) {
  monomial out = 0;
  int shift = 56;
  while (a) {
    uint8_t x = (uint8_t)(a >> 56), y = (uint8_t)(b >> 56);
    a <<= 8;
    if (x == y) {
      b <<= 8;
    } else {
      out |= (monomial)x << shift;
      shift -= 8;
    }
  }
  return b ? NO_MONOMIAL : out;
}

monomial monomial_gcd(monomial a, monomial b) {
  monomial out = 0;
  int shift = 56;
  while (a && b) {
    uint8_t x = (uint8_t)(a >> 56), y = (uint8_t)(b >> 56);
    if (x == y) {
      out |= (monomial)x << shift;
      shift -= 8;
    }
    a <<= x >= y ? 8 : 0;
    b <<= y >= x ? 8 : 0;
  }
  return out;
}

static monomial term_monomial(const cert *self, const sym_term *term) {
  monomial m = 0;
  if (term->atom_count > CERT_DEGREE)
    return NO_MONOMIAL;
  for (uint32_t i = 0; i < term->atom_count; i++) {
    sym atom = term->atoms[i];
    uint8_t rank = atom < self->rank_room ? self->rank_of[atom] : 0;
    m = rank ? monomial_times(m, monomial_of(rank)) : NO_MONOMIAL;
    if (m == NO_MONOMIAL)
      return NO_MONOMIAL;
  }
  return m;
}

/* Inserts into a sorted array; an equal monomial is added to. */
static bool insert_term(cterm *at, uint32_t *n, uint32_t room, cterm term) {
  uint32_t low = 0, high = *n;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (at[middle].m > term.m)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < *n && at[low].m == term.m)
    return add_ok(at[low].c, term.c, &at[low].c);
  if (*n == room)
    return false;
  memmove(at + low + 1, at + low, (*n - low) * sizeof *at);
  at[low] = term;
  (*n)++;
  return true;
}

static cpoly finish(arena *scratch, cterm *at, uint32_t n) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++)
    if (at[i].c != 0)
      at[kept++] = at[i];
  return (cpoly){.at = arena_copy(scratch, at, kept * sizeof *at), .n = kept};
}

bool cpoly_apply_solved(const cert *self, cpoly p, cpoly *out) {
  *out = p;
  for (uint32_t r = self->atom_count; r >= 1; r--)
    if (self->solved[r] &&
        !cpoly_replace(self->scratch, *out, (uint8_t)r, self->value[r], out))
      return false;
  return true;
}

bool cpoly_from_sym(const cert *self, sym e, cpoly *out) {
  const sym_term *terms;
  cterm at[CERT_TERMS];
  uint32_t n = 0;
  size_t count = sym_terms(self->t, e, &terms);
  for (size_t i = 0; i < count; i++) {
    monomial m = term_monomial(self, &terms[i]);
    if (m == NO_MONOMIAL ||
        !insert_term(at, &n, CERT_TERMS, (cterm){m, terms[i].coef}))
      return false;
  }
  return cpoly_apply_solved(self, finish(self->scratch, at, n), out);
}

sym cpoly_to_sym(const cert *self, cpoly p) {
  sym sum = sym_int(self->t, 0);
  for (uint32_t i = 0; i < p.n; i++) {
    sym product = sym_int(self->t, p.at[i].c);
    for (int k = 0; k < CERT_DEGREE; k++) {
      uint8_t rank = monomial_rank(p.at[i].m, k);
      if (rank)
        product = sym_mul(self->t, product, self->atoms[rank]);
    }
    sum = sym_add(self->t, sum, product);
  }
  return sum;
}

cpoly cpoly_constant(arena *scratch, int64_t value) {
  cterm term = {.m = 0, .c = value};
  return finish(scratch, &term, 1);
}

bool cpoly_is_constant(cpoly p, int64_t *value) {
  *value = cpoly_constant_term(p);
  return p.n == 0 || p.at[0].m == 0;
}

int64_t cpoly_constant_term(cpoly p) {
  return p.n && p.at[p.n - 1].m == 0 ? p.at[p.n - 1].c : 0;
}

bool cpoly_combine(arena *scratch, cpoly a, int64_t x, cpoly b, int64_t y,
                   monomial m, cpoly *out) {
  cterm at[2 * CERT_TERMS];
  uint32_t i = 0, k = 0, n = 0;
  assert(a.n <= CERT_TERMS && b.n <= CERT_TERMS);
  while (i < a.n || k < b.n) {
    /* Multiplication keeps the order of monomials. */
    monomial right = k < b.n ? monomial_times(b.at[k].m, m) : 0;
    int64_t left_c = 0, right_c = 0;
    if (right == NO_MONOMIAL)
      return false;
    bool take_a = i < a.n && (k == b.n || a.at[i].m >= right);
    bool take_b = k < b.n && (i == a.n || right >= a.at[i].m);
    cterm term = {.m = take_a ? a.at[i].m : right};
    if ((take_a && !mul_ok(a.at[i++].c, x, &left_c)) ||
        (take_b && !mul_ok(b.at[k++].c, y, &right_c)) ||
        !add_ok(left_c, right_c, &term.c))
      return false;
    if (term.c)
      at[n++] = term;
  }
  if (n > CERT_TERMS)
    return false;
  *out = (cpoly){.at = arena_copy(scratch, at, n * sizeof *at), .n = n};
  return true;
}

bool cpoly_multiply(arena *scratch, cpoly a, cpoly b, cpoly *out) {
  cterm at[CERT_TERMS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t k = 0; k < b.n; k++) {
      cterm term = {.m = monomial_times(a.at[i].m, b.at[k].m)};
      if (term.m == NO_MONOMIAL || !mul_ok(a.at[i].c, b.at[k].c, &term.c) ||
          !insert_term(at, &n, CERT_TERMS, term))
        return false;
    }
  *out = finish(scratch, at, n);
  return true;
}

bool cpoly_divide(arena *scratch, cpoly a, cpoly b, cpoly *q, cpoly *rest) {
  cterm quotient[CERT_TERMS];
  uint32_t n = 0;
  *rest = a;
  for (int step = 0; b.n > 0 && step < CERT_TERMS; step++) {
    cterm part = {.m = NO_MONOMIAL};
    for (uint32_t i = 0; i < rest->n && part.m == NO_MONOMIAL; i++)
      if (rest->at[i].c != INT64_MIN && rest->at[i].c % b.at[0].c == 0) {
        part.m = monomial_divide(rest->at[i].m, b.at[0].m);
        part.c = rest->at[i].c / b.at[0].c;
      }
    if (part.m == NO_MONOMIAL)
      break;
    if (part.c == INT64_MIN ||
        !cpoly_combine(scratch, *rest, 1, b, -part.c, part.m, rest) ||
        !insert_term(quotient, &n, CERT_TERMS, part))
      return false;
  }
  *q = finish(scratch, quotient, n);
  return true;
}

static bool contains(monomial m, uint8_t rank) {
  return monomial_divide(m, monomial_of(rank)) != NO_MONOMIAL;
}

bool cpoly_replace(arena *scratch, cpoly p, uint8_t rank, cpoly by,
                   cpoly *out) {
  bool found = false;
  *out = p;
  for (uint32_t i = 0; i < p.n && !found; i++)
    found = contains(p.at[i].m, rank);
  if (!found)
    return true;
  cpoly sum = {0};
  for (uint32_t i = 0; i < p.n; i++) {
    monomial m = p.at[i].m;
    cpoly part = cpoly_constant(scratch, p.at[i].c);
    for (; contains(m, rank); m = monomial_divide(m, monomial_of(rank)))
      if (!cpoly_multiply(scratch, part, by, &part))
        return false;
    if (!cpoly_combine(scratch, sum, 1, part, 1, m, &sum))
      return false;
  }
  *out = sum;
  return true;
}

static uint64_t content(cpoly p) {
  uint64_t g = 0;
  for (uint32_t i = 0; i < p.n && p.at[i].m; i++) {
    uint64_t c = p.at[i].c < 0 ? 0 - (uint64_t)p.at[i].c : (uint64_t)p.at[i].c;
    while (c) {
      uint64_t rest = g % c;
      g = c;
      c = rest;
    }
  }
  return g;
}

/* Sound: over the integers g*p + c >= 0 holds exactly when
 * p + floor(c / g) >= 0 does. */
cpoly cpoly_tighten(arena *scratch, cpoly p) {
  uint64_t g = content(p);
  if (g < 2 || g > INT64_MAX)
    return p;
  cterm at[CERT_TERMS];
  for (uint32_t i = 0; i < p.n; i++) {
    at[i].m = p.at[i].m;
    at[i].c =
        at[i].m ? p.at[i].c / (int64_t)g : floor_div(p.at[i].c, (int64_t)g);
  }
  return finish(scratch, at, p.n);
}

bool cpoly_same(cpoly a, cpoly b) {
  if (a.n != b.n)
    return false;
  for (uint32_t i = 0; i < a.n; i++)
    if (a.at[i].m != b.at[i].m || a.at[i].c != b.at[i].c)
      return false;
  return true;
}

uint64_t cpoly_hash(cpoly p) {
  uint64_t h = p.n;
  for (uint32_t i = 0; i < p.n; i++) {
    h = (h ^ p.at[i].m) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ (h >> 29) ^ (uint64_t)p.at[i].c) * UINT64_C(0xBF58476D1CE4E5B9);
  }
  return h ^ (h >> 32);
}

monomial cpoly_common(cpoly p) {
  monomial m = p.n ? p.at[0].m : 0;
  for (uint32_t i = 1; i < p.n && p.at[i].m && m; i++)
    m = monomial_gcd(m, p.at[i].m);
  return m;
}
