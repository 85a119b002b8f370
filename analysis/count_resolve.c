/* analysis/count_resolve.c: quotients, remainders, min, max and select, decided
 * by facts.
 *
 * Every rewrite is an equality of integers wherever the facts hold. Quotients
 * have one form: whole multiples of the divisor stand outside, but x - 1 is
 * divided as x + b - 1, so that a cdiv of the host and one that comes out of a
 * bound are one atom. */
#include "analysis/count_space.h"

typedef struct resolver {
  counter *c;
  symtab *t;
  const sym_vec *launch_facts, *facts;
  map *done;
} resolver;

static sym resolve(resolver *self, sym e);

static bool holds(resolver *self, sym goal) {
  bool moves = count_moves(self->c, goal);
  return count_knows(self->c, moves ? self->facts : self->launch_facts, goal);
}

static bool at_least(resolver *self, sym e, int64_t least) {
  return holds(self, sym_ge(self->t, e, sym_int(self->t, least)));
}

/* 0 <= e < b. */
static bool is_digit(resolver *self, sym e, sym b) {
  return holds(self, sym_lt(self->t, e, b)) && at_least(self, e, 0);
}

static int64_t constant_of(const symtab *t, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  return n && terms[n - 1].atom_count == 0 ? terms[n - 1].coef : 0;
}

/* Factors of a monomial divisor that can be split off, smallest first: each
 * atom, and the coefficient. */
static size_t factors_of(const resolver *self, sym b, sym *out, size_t cap) {
  const sym_term *terms;
  size_t n = 0;
  if (sym_terms(self->t, b, &terms) != 1 ||
      (terms[0].atom_count < 2 &&
       (terms[0].atom_count < 1 || terms[0].coef < 2)))
    return 0;
  if (terms[0].coef > 1)
    out[n++] = sym_int(self->t, terms[0].coef);
  for (uint32_t i = 0; i < terms[0].atom_count && n < cap; i++)
    out[n++] = terms[0].atoms[i];
  return n;
}

/* b = f*g and a = f*x + y with 0 <= y < f, f >= 1 and g >= 1: a // b = x // g.
 * Sound: a // b = floor((x + y/f) / g), x is an integer and 0 <= y/f < 1. */
static bool split_factor(resolver *self, sym a, sym b, sym *f, sym *g, sym *x,
                         sym *y) {
  sym factor[8], rest;
  size_t n = factors_of(self, b, factor, 8);
  for (size_t i = 0; i < n; i++) {
    *f = factor[i];
    sym_poly_divide(self->t, b, *f, g, &rest);
    sym_poly_divide(self->t, a, *f, x, y);
    if (rest != sym_int(self->t, 0) || *x == sym_int(self->t, 0))
      continue;
    bool whole = *y == sym_int(self->t, 0);
    if (constant_of(self->t, *y) == -1) { /* f*x + y is f*(x - 1) + y + f */
      *x = sym_sub(self->t, *x, sym_int(self->t, 1));
      *y = sym_add(self->t, *y, *f);
    }
    if (at_least(self, *f, 1) && at_least(self, *g, 1) &&
        (whole || is_digit(self, *y, *f)))
      return true;
  }
  return false;
}

/* floor(rest / b) for a rest without whole multiples of b, b >= 1. */
static sym quotient_of_rest(resolver *self, sym rest, sym b) {
  symtab *t = self->t;
  sym f, g, x, y;
  if (rest == sym_int(t, 0))
    return rest;
  bool worth = count_moves(self->c, rest) || sym_is_int(t, rest, NULL);
  if (worth && is_digit(self, rest, b))
    return sym_int(t, 0);
  if (worth && holds(self, sym_lt(t, rest, sym_int(t, 0))) &&
      holds(self, sym_ge(t, rest, sym_neg(t, b))))
    return sym_int(t, -1);
  if (split_factor(self, rest, b, &f, &g, &x, &y))
    return resolve(self, sym_fdiv(t, x, g));
  if (constant_of(t, rest) == -1)
    return sym_sub(t, sym_fdiv(t, sym_add(t, rest, b), b), sym_int(t, 1));
  return sym_fdiv(t, rest, b);
}

/* Sound: floor((b*x + y) / b) = x + floor(y / b) for b >= 1. */
static sym quotient(resolver *self, sym a, sym b) {
  symtab *t = self->t;
  sym whole, rest;
  if (count_moves(self->c, b) || !at_least(self, b, 1))
    return sym_fdiv(t, a, b);
  sym_poly_divide(t, a, b, &whole, &rest);
  return sym_add(t, whole, quotient_of_rest(self, rest, b));
}

/* Sound: (b*x + y) % b = y % b; (f*x + y) % (f*g) = f*(x % g) + y for a digit
 * y of f. */
static sym remainder_of(resolver *self, sym a, sym b) {
  symtab *t = self->t;
  sym whole, rest, f, g, x, y;
  if (count_moves(self->c, b) || !at_least(self, b, 1))
    return sym_fmod(t, a, b);
  sym_poly_divide(t, a, b, &whole, &rest);
  if (rest == sym_int(t, 0) || is_digit(self, rest, b))
    return rest;
  if (split_factor(self, rest, b, &f, &g, &x, &y))
    return sym_add(t, sym_mul(t, f, resolve(self, sym_fmod(t, x, g))), y);
  return sym_fmod(t, rest, b);
}

/* Sound: truncation and floor agree for a >= 0 and b >= 1. */
static sym truncated(resolver *self, sym_kind kind, sym a, sym b) {
  bool quotient_wanted = kind == SYM_TDIV;
  if (at_least(self, b, 1) && at_least(self, a, 0))
    return quotient_wanted ? quotient(self, a, b) : remainder_of(self, a, b);
  return quotient_wanted ? sym_tdiv(self->t, a, b) : sym_tmod(self->t, a, b);
}

/* The lesser (or greater) of two where the facts order them. */
static sym extremum(resolver *self, sym_kind kind, sym a, sym b) {
  symtab *t = self->t;
  sym result = kind == SYM_MIN ? sym_min(t, a, b) : sym_max(t, a, b);
  if (sym_kind_of(t, result) != kind)
    return result;
  if (holds(self, sym_le(t, a, b)))
    return kind == SYM_MIN ? a : b;
  if (holds(self, sym_le(t, b, a)))
    return kind == SYM_MIN ? b : a;
  return result;
}

/* Conditions about one variable only: a mask seldom holds everywhere. */
static sym choice(resolver *self, sym condition, sym a, sym b) {
  sym vars[8];
  size_t moving = 0, n = sym_variables(self->t, condition, vars, 8);
  for (size_t i = 0; i < n && i < 8; i++)
    moving += count_moves(self->c, vars[i]);
  if (moving <= 1 && n <= 8 && holds(self, condition))
    return a;
  if (moving <= 1 && n <= 8 && holds(self, sym_not(self->t, condition)))
    return b;
  return sym_select(self->t, condition, a, b);
}

static sym resolve_poly(resolver *self, sym e) {
  symtab *t = self->t;
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  sym sum = sym_int(t, 0);
  for (size_t i = 0; i < n; i++) {
    sym product = sym_int(t, terms[i].coef);
    for (uint32_t k = 0; k < terms[i].atom_count; k++)
      product = sym_mul(t, product, resolve(self, terms[i].atoms[k]));
    sum = sym_add(t, sum, product);
  }
  return sum;
}

static sym resolve_connective(resolver *self, sym e) {
  symtab *t = self->t;
  const sym *args;
  size_t n = sym_operands(t, e, &args);
  bool conjunction = sym_kind_of(t, e) == SYM_AND;
  sym out = sym_bool(t, conjunction);
  for (size_t i = 0; i < n; i++) {
    sym part = resolve(self, args[i]);
    out = conjunction ? sym_and(t, out, part) : sym_or(t, out, part);
  }
  return out;
}

static sym resolve_anew(resolver *self, sym e) {
  symtab *t = self->t;
  sym_kind kind = sym_kind_of(t, e);
  const sym *args;
  sym a = SYM_NONE, b = SYM_NONE;
  size_t n = kind == SYM_POLY ? 0 : sym_operands(t, e, &args);
  if (kind == SYM_AND || kind == SYM_OR)
    return resolve_connective(self, e);
  if (kind == SYM_POLY)
    return resolve_poly(self, e);
  if (kind == SYM_APPLY || kind == SYM_APPLYB || kind == SYM_NOT)
    return e;
  if (n > 0)
    a = resolve(self, args[0]);
  /* A divisor that moves stays: what it is decides nothing. */
  bool divides = kind == SYM_FDIV || kind == SYM_FMOD || kind == SYM_TDIV ||
                 kind == SYM_TMOD;
  if (n > 1)
    b = divides && count_moves(self->c, args[1]) ? args[1]
                                                 : resolve(self, args[1]);
  switch (kind) {
  case SYM_FDIV:
    return quotient(self, a, b);
  case SYM_FMOD:
    return remainder_of(self, a, b);
  case SYM_TDIV:
  case SYM_TMOD:
    return truncated(self, kind, a, b);
  case SYM_MIN:
  case SYM_MAX:
    return extremum(self, kind, a, b);
  case SYM_SELECT:
    return choice(self, a, b, resolve(self, args[2]));
  case SYM_POW2CEIL:
    return sym_pow2ceil(t, a);
  case SYM_GE0:
    return sym_ge(t, a, sym_int(t, 0));
  case SYM_EQ0:
    return sym_eq(t, a, sym_int(t, 0));
  case SYM_NE0:
    return sym_ne(t, a, sym_int(t, 0));
  case SYM_ISPOW2:
    return sym_ispow2(t, a);
  case SYM_INT:
  case SYM_VAR:
  case SYM_POLY:
  case SYM_APPLY:
  case SYM_TRUE:
  case SYM_FALSE:
  case SYM_AND:
  case SYM_OR:
  case SYM_NOT:
  case SYM_APPLYB:
    break;
  }
  return e;
}

static sym resolve(resolver *self, sym e) {
  uint64_t image;
  if (map_get(self->done, e, &image))
    return (sym)image;
  sym out = resolve_anew(self, e);
  map_put(self->done, e, out);
  return out;
}

/* Holds something to resolve: any atom that is no variable. */
static bool is_plain(const counter *c, sym e) {
  sym atoms[64];
  size_t n = sym_atoms(c->t, e, atoms, 64);
  for (size_t i = 0; i < n && i < 64; i++)
    if (sym_kind_of(c->t, atoms[i]) != SYM_VAR)
      return false;
  return n <= 64;
}

sym count_resolve(counter *c, const space *s, const sym_vec *facts, sym e) {
  if (is_plain(c, e))
    return e;
  resolver r = {c, c->t, &s->facts, facts, map_create(c->arena)};
  return resolve(&r, e);
}

/* Sound: equal wherever the facts hold, and these are the launch facts and the
 * bounds of the other variables, which stay. */
void space_resolve(counter *c, space *s) {
  sym_vec facts = space_facts(c, s, SYM_NONE, false), old = s->conditions;
  s->conditions = (sym_vec){0};
  for (size_t i = 0; i < old.count; i++)
    space_require(c, s, count_resolve(c, s, &facts, old.at[i]));
  for (size_t i = 0; i < s->vars.count; i++) {
    count_var *v = &s->vars.at[i];
    sym_vec others = space_facts(c, s, v->var, false);
    for (size_t k = 0; k < v->upper.count; k++)
      v->upper.at[k] = count_resolve(c, s, &others, v->upper.at[k]);
  }
  s->weight = count_resolve(c, s, &facts, s->weight);
  for (size_t i = 0; i < c->carried.count; i++)
    c->carried.at[i] = count_resolve(c, s, &facts, c->carried.at[i]);
}
