/* analysis/count_reindex.c: a variable in an odd order becomes the coordinates
 * that it stands for.
 *
 * A grouped matmul computes two coordinates from one program id, by quotients
 * of quotients. Where a variable v occurs only in coordinates x[0..n), these
 * may take its place if they number the points of a box.
 * Sound: v -> x maps 0 <= v < U into the box 0 <= x[k] < E[k] (from the range
 * of v and launch facts alone, for all v: no mask is asked), it is injective,
 * and the box has U points. So it is one to one and onto. */
#include "analysis/count_space.h"

enum { COORDINATES = 3, FACTORS = 5 };

typedef struct reindex {
  counter *c;
  const space *s;
  sym v, upper;
  sym x[COORDINATES], extent[COORDINATES], fresh[COORDINATES];
  size_t n;
  bool failed;
} reindex;

/* The terms of e that mention v, as factor * coordinate with a launch-level
 * monomial as factor; the rest of e. */
static void split_terms(const reindex *r, sym e, sym *part, sym *rest) {
  symtab *t = r->c->t;
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  *part = *rest = sym_int(t, 0);
  for (size_t i = 0; i < n; i++) {
    sym term = sym_int(t, terms[i].coef);
    for (uint32_t k = 0; k < terms[i].atom_count; k++)
      term = sym_mul(t, term, terms[i].atoms[k]);
    sym *to = sym_mentions(t, term, r->v) ? part : rest;
    *to = sym_add(t, *to, term);
  }
}

static bool divides(symtab *t, sym e, sym by, sym *quotient) {
  sym rest;
  sym_poly_divide(t, e, by, quotient, &rest);
  return rest == sym_int(t, 0);
}

/* Greatest launch-level monomial in all terms, by the atoms of the first. */
static sym common_factor(const reindex *r, sym e, sym *quotient) {
  symtab *t = r->c->t;
  const sym_term *terms, *first;
  size_t n = sym_terms(t, e, &terms);
  sym factor = sym_int(t, 1), next;
  int64_t g = 0;
  *quotient = e;
  for (size_t i = 0; i < n; i++)
    g = gcd_of(g, terms[i].coef);
  first = terms;
  if (first[0].coef < 0)
    g = -g;
  if (g != 1 && divides(t, *quotient, sym_int(t, g), &next)) {
    factor = sym_int(t, g);
    *quotient = next;
  }
  for (uint32_t k = 0; k < first[0].atom_count; k++) {
    sym atom = first[0].atoms[k];
    if (!count_moves(r->c, atom) && divides(t, *quotient, atom, &next)) {
      factor = sym_mul(t, factor, atom);
      *quotient = next;
    }
  }
  return factor;
}

static size_t coordinate(reindex *r, sym x) {
  for (size_t k = 0; k < r->n; k++)
    if (r->x[k] == x)
      return k;
  if (r->n == COORDINATES) {
    r->failed = true;
    return 0;
  }
  r->x[r->n] = x;
  r->fresh[r->n] = SYM_NONE;
  return r->n++;
}

static bool has_other_variable(const reindex *r, sym e) {
  for (size_t k = 0; k < r->s->vars.count; k++)
    if (r->s->vars.at[k].var != r->v &&
        sym_mentions(r->c->t, e, r->s->vars.at[k].var))
      return true;
  return false;
}

/* e with each part that mentions v replaced by its coordinate's variable; the
 * coordinates are gathered on the way. */
static sym replaced(reindex *r, sym e) {
  symtab *t = r->c->t;
  const sym *args;
  sym part, rest, x, out[3];
  if (r->failed || !sym_mentions(t, e, r->v))
    return e;
  if (!sym_is_bool(t, e) &&
      (sym_kind_of(t, e) == SYM_POLY || !has_other_variable(r, e))) {
    split_terms(r, e, &part, &rest);
    if (!has_other_variable(r, part)) {
      sym factor = common_factor(r, part, &x);
      size_t k = coordinate(r, x);
      return r->failed || r->fresh[k] == SYM_NONE
                 ? e
                 : sym_add(t, sym_mul(t, factor, r->fresh[k]), rest);
    }
    r->failed = true; /* v and another variable in one product or quotient */
    return e;
  }
  size_t n = sym_operands(t, e, &args);
  switch (sym_kind_of(t, e)) {
  case SYM_GE0:
    out[0] = replaced(r, args[0]);
    return sym_ge(t, out[0], sym_int(t, 0));
  case SYM_EQ0:
    out[0] = replaced(r, args[0]);
    return sym_eq(t, out[0], sym_int(t, 0));
  case SYM_NE0:
    out[0] = replaced(r, args[0]);
    return sym_ne(t, out[0], sym_int(t, 0));
  case SYM_FDIV:
  case SYM_FMOD:
    if (n == 2 && !sym_mentions(t, args[1], r->v)) {
      out[0] = replaced(r, args[0]);
      return sym_kind_of(t, e) == SYM_FDIV ? sym_fdiv(t, out[0], args[1])
                                           : sym_fmod(t, out[0], args[1]);
    }
    break;
  case SYM_INT:
  case SYM_VAR:
  case SYM_POLY:
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
  r->failed = true;
  return e;
}

/* Everything that mentions v, rewritten in place. */
static void replace_all(reindex *r, space *s) {
  sym_vec old = s->conditions;
  s->conditions = (sym_vec){0};
  for (size_t i = 0; i < old.count; i++)
    space_require(r->c, s, replaced(r, old.at[i]));
  for (size_t i = 0; i < s->vars.count; i++)
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++)
      s->vars.at[i].upper.at[k] = replaced(r, s->vars.at[i].upper.at[k]);
  s->weight = replaced(r, s->weight);
  for (size_t i = 0; i < r->c->carried.count; i++)
    r->c->carried.at[i] = replaced(r, r->c->carried.at[i]);
}

static void gather(reindex *r) {
  space probe = space_copy(r->c, r->s);
  sym_vec carried = r->c->carried;
  r->c->carried = (sym_vec){0};
  for (size_t i = 0; i < carried.count; i++)
    VEC_PUSH(r->c->arena, &r->c->carried, carried.at[i]);
  replace_all(r, &probe);
  r->c->carried = carried;
}

static sym_vec range_of(const reindex *r, sym v) {
  symtab *t = r->c->t;
  sym_vec out = {0};
  for (size_t i = 0; i < r->s->facts.count; i++)
    VEC_PUSH(r->c->arena, &out, r->s->facts.at[i]);
  VEC_PUSH(r->c->arena, &out, sym_ge(t, v, sym_int(t, 0)));
  VEC_PUSH(r->c->arena, &out, sym_lt(t, v, r->upper));
  return out;
}

/* Extents for the coordinates from k on whose product is `left`: products of
 * factors of U, each proved to bound its coordinate. */
static bool choose_extents(reindex *r, const sym_vec *facts, size_t k,
                           const sym *factor, size_t n, unsigned used) {
  symtab *t = r->c->t;
  unsigned all = (1u << n) - 1;
  if (k == r->n)
    return used == all;
  for (unsigned pick = 0; pick <= all; pick++) {
    if ((pick & used) || (k + 1 == r->n && (pick | used) != all))
      continue;
    sym extent = sym_int(t, 1);
    for (size_t i = 0; i < n; i++)
      if (pick >> i & 1)
        extent = sym_mul(t, extent, factor[i]);
    if (!count_knows(r->c, facts, sym_lt(t, r->x[k], extent)) ||
        !count_knows(r->c, facts, sym_ge(t, r->x[k], sym_int(t, 0))))
      continue;
    r->extent[k] = extent;
    if (choose_extents(r, facts, k + 1, factor, n, used | pick))
      return true;
  }
  return false;
}

static bool inside_box(reindex *r) {
  sym factor[FACTORS];
  const sym_term *terms;
  size_t n = 0;
  symtab *t = r->c->t;
  if (sym_terms(t, r->upper, &terms) != 1 || terms[0].atom_count >= FACTORS ||
      terms[0].coef < 1)
    return false;
  if (terms[0].coef > 1)
    factor[n++] = sym_int(t, terms[0].coef);
  for (uint32_t k = 0; k < terms[0].atom_count; k++)
    factor[n++] = terms[0].atoms[k];
  sym_vec facts = range_of(r, r->v);
  return choose_extents(r, &facts, 0, factor, n, 0);
}

static bool is_injective(reindex *r) {
  counter *c = r->c;
  symtab *t = c->t;
  sym other = counter_variable(c);
  sym_vec facts = range_of(r, r->v);
  VEC_PUSH(c->arena, &facts, sym_ge(t, other, sym_int(t, 0)));
  VEC_PUSH(c->arena, &facts, sym_lt(t, other, r->upper));
  for (size_t k = 0; k < r->n; k++) {
    sym there = sym_substitute(t, r->x[k], &r->v, &other, 1);
    VEC_PUSH(c->arena, &facts, sym_eq(t, r->x[k], there));
  }
  return prover_prove(c->prover, facts.at, facts.count, sym_eq(t, r->v, other))
      .proved;
}

static bool is_odd(const reindex *r) {
  for (size_t k = 0; k < r->n; k++)
    if (r->x[k] != r->v)
      return r->n > 0;
  return false;
}

/* ---------------------------------------------------------- companions */

/* g where some part of b is g' - g*q for a quotient q of v; with *q. */
static sym step_in(const reindex *r, sym b, sym *q) {
  counter *c = r->c;
  const sym *args;
  sym atoms[64], coef, rest;
  size_t n = sym_kind_of(c->t, b) == SYM_MIN ? sym_operands(c->t, b, &args) : 0;
  for (size_t i = 0; i < n; i++) {
    size_t count = sym_atoms(c->t, args[i], atoms, 64);
    for (size_t k = 0; k < count && k < 64; k++)
      if (sym_kind_of(c->t, atoms[k]) == SYM_FDIV &&
          sym_mentions(c->t, atoms[k], r->v) &&
          count_linear(c, args[i], atoms[k], &coef, &rest)) {
        *q = atoms[k];
        return sym_neg(c->t, coef);
      }
  }
  return SYM_NONE;
}

/* The coordinate that a % b (or a // b) comes with: a // b, or a % b after the
 * groups before it. A guess, to be proved like the others. */
static sym companion_of(const reindex *r, sym atom) {
  symtab *t = r->c->t;
  const sym *args;
  sym q, step;
  sym_operands(t, atom, &args);
  if (sym_kind_of(t, atom) == SYM_FMOD)
    return sym_fdiv(t, args[0], args[1]);
  step = step_in(r, args[1], &q);
  if (step == SYM_NONE)
    return SYM_NONE;
  return sym_add(t, sym_mul(t, step, q), sym_fmod(t, args[0], args[1]));
}

/* A coordinate alone, with the one that it was computed beside. */
static bool with_companion(reindex *r) {
  sym atoms[64];
  symtab *t = r->c->t;
  if (r->n != 1)
    return false;
  size_t n = sym_atoms(t, r->x[0], atoms, 64);
  for (size_t i = 0; i < n && i < 64; i++) {
    const sym *args;
    sym_kind kind = sym_kind_of(t, atoms[i]);
    if (kind != SYM_FDIV && kind != SYM_FMOD)
      continue;
    sym_operands(t, atoms[i], &args);
    if (!sym_mentions(t, args[1], r->v))
      continue;
    r->x[1] = companion_of(r, atoms[i]);
    r->n = r->x[1] == SYM_NONE ? 1 : 2;
    if (r->n == 2 && inside_box(r) && is_injective(r))
      return true;
    r->n = 1;
  }
  return false;
}

static bool try_reindex(counter *c, space *s, size_t at) {
  reindex r = {.c = c,
               .s = s,
               .v = s->vars.at[at].var,
               .upper = s->vars.at[at].upper.at[0]};
  gather(&r);
  if (r.failed || !is_odd(&r) ||
      !((inside_box(&r) && is_injective(&r)) || with_companion(&r)))
    return false;
  space out = space_copy(c, s);
  for (size_t k = 0; k < r.n; k++) {
    count_var v = {.var = r.fresh[k] = counter_variable(c)};
    VEC_PUSH(c->arena, &v.upper, r.extent[k]);
    if (k == 0)
      out.vars.at[at] = v;
    else
      VEC_PUSH(c->arena, &out.vars, v);
  }
  replace_all(&r, &out);
  *s = out;
  return true;
}

bool space_reindex(counter *c, space *s) {
  for (size_t k = 0; k < s->vars.count; k++)
    if (s->vars.at[k].upper.count == 1 &&
        !count_moves(c, s->vars.at[k].upper.at[0]) && try_reindex(c, s, k))
      return true;
  return false;
}
