/* analysis/count_merge.c: two variables become one, and one becomes two.
 *
 * Merge: where p and l occur only as B*p + l with 0 <= l < B, the number
 * i = B*p + l stands for both. K loops with tails, nested radices, split-K and
 * persistent loops are all this.
 * Unmerge: where i < n*B occurs only as i // B and i % B, these two are
 * variables.
 * Sound: for B >= 1, (p, l) <-> B*p + l is one to one between pairs with
 * 0 <= p, 0 <= l < B and the numbers 0 <= i, and p < P says i < B*P. */
#include "analysis/count_space.h"

/* B*p + l = i: what is put in place of l, and the space without the two. */
typedef struct merge {
  counter *c;
  sym p, l, i, base;
} merge;

static sym scaled(const merge *m, sym e) {
  return sym_mul(m->c->t, m->base, e);
}

/* p < e or p >= e (the bound of p alone), in terms of i. */
static sym bound_of_i(const merge *m, sym bound, bool is_upper) {
  return is_upper ? sym_lt(m->c->t, m->i, scaled(m, bound))
                  : sym_ge(m->c->t, m->i, scaled(m, bound));
}

/* The condition with i in place of B*p + l; SYM_NONE when p stays. */
static sym merged_condition(const merge *m, const space *s, sym condition) {
  symtab *t = m->c->t;
  sym bound, digit = sym_sub(t, m->i, scaled(m, m->p));
  bool is_upper;
  sym out = sym_substitute(t, condition, &m->l, &digit, 1);
  if (!sym_mentions(t, out, m->p))
    return out;
  if (sym_mentions(t, out, m->i) ||
      !space_solve(m->c, s, out, m->p, &bound, &is_upper))
    return SYM_NONE;
  return bound_of_i(m, bound, is_upper);
}

/* A bound of another variable: p must be gone. */
static sym merged_term(const merge *m, sym e) {
  symtab *t = m->c->t;
  sym digit = sym_sub(t, m->i, scaled(m, m->p));
  sym out = sym_substitute(t, e, &m->l, &digit, 1);
  return sym_mentions(t, out, m->p) ? SYM_NONE : out;
}

static bool merge_conditions(const merge *m, const space *old, space *s) {
  s->conditions = (sym_vec){0};
  for (size_t i = 0; i < old->conditions.count; i++) {
    sym out = merged_condition(m, old, old->conditions.at[i]);
    if (out == SYM_NONE)
      return false;
    space_require(m->c, s, out);
  }
  return true;
}

static bool merge_bounds(const merge *m, space *s) {
  for (size_t i = 0; i < s->vars.count; i++) {
    count_var *v = &s->vars.at[i];
    for (size_t k = 0; k < v->upper.count; k++) {
      v->upper.at[k] = merged_term(m, v->upper.at[k]);
      if (v->upper.at[k] == SYM_NONE)
        return false;
    }
  }
  s->weight = merged_term(m, s->weight);
  return s->weight != SYM_NONE;
}

/* Is l < B what the bounds of l say, given the rest? Then *out is the space
 * with that bound alone.
 * Sound: it follows from them, and they follow from it and the rest. What comes
 * after may use the bounds of *out only: they would be gone otherwise by what
 * they had helped to prove. */
static bool only_digits(counter *c, const space *s, size_t l, sym base,
                        space *out) {
  sym v = s->vars.at[l].var;
  sym_vec facts = space_facts(c, s, SYM_NONE, false);
  if (!count_knows(c, &facts, sym_lt(c->t, v, base)))
    return false;
  *out = space_copy(c, s);
  out->vars.at[l].upper = (sym_vec){0};
  VEC_PUSH(c->arena, &out->vars.at[l].upper, base);
  facts = space_facts(c, out, SYM_NONE, true);
  for (size_t i = 0; i < s->vars.at[l].upper.count; i++) {
    sym upper = s->vars.at[l].upper.at[i];
    if (upper != base && !count_knows(c, &facts, sym_lt(c->t, v, upper)))
      return false;
  }
  return true;
}

static bool carry_merge(const merge *m) {
  counter *c = m->c;
  sym_vec out = {0};
  for (size_t i = 0; i < c->carried.count; i++) {
    sym e = merged_term(m, c->carried.at[i]);
    if (e == SYM_NONE)
      return false;
    VEC_PUSH(c->arena, &out, e);
  }
  c->carried = out;
  return true;
}

/* For B >= 1. */
static bool try_merge(counter *c, space *s, size_t p, size_t l, sym base) {
  merge m = {c, s->vars.at[p].var, s->vars.at[l].var, counter_variable(c),
             base};
  count_var merged = {.var = m.i};
  space digits, out;
  if (!only_digits(c, s, l, base, &digits))
    return false;
  out = space_copy(c, &digits);
  if (!merge_conditions(&m, &digits, &out))
    return false;
  for (size_t k = 0; k < s->vars.at[p].upper.count; k++)
    VEC_PUSH(c->arena, &merged.upper, scaled(&m, s->vars.at[p].upper.at[k]));
  out.vars.at[p] = merged;
  space_remove_var(&out, l);
  for (size_t k = 0; k < merged.upper.count; k++)
    if (sym_mentions(c->t, merged.upper.at[k], m.l))
      return false;
  if (!merge_bounds(&m, &out) || !carry_merge(&m))
    return false;
  *s = out;
  return true;
}

/* Sound: p -> P - 1 - p maps 0 <= p < P to itself, one to one. */
static bool try_reflected(counter *c, space *s, size_t p, size_t l, sym base) {
  symtab *t = c->t;
  const count_var *v = &s->vars.at[p];
  if (v->upper.count != 1 || count_moves(c, v->upper.at[0]))
    return false;
  space out = space_copy(c, s);
  sym last = sym_sub(t, v->upper.at[0], sym_int(t, 1));
  sym from = v->var, to = sym_sub(t, last, v->var);
  sym_vec carried = c->carried;
  c->carried = (sym_vec){0};
  for (size_t i = 0; i < carried.count; i++)
    VEC_PUSH(c->arena, &c->carried, carried.at[i]);
  space_substitute(c, &out, &from, &to, 1);
  if (try_merge(c, &out, p, l, base)) {
    *s = out;
    return true;
  }
  c->carried = carried;
  return false;
}

/* The numbers B for which e holds c*(B*p + l); negative ones too. */
static void pairings(counter *c, sym e, sym p, sym l, sym_vec *out) {
  symtab *t = c->t;
  sym at_p, at_l, rest, base;
  const sym *args;
  const sym_term *terms;
  if (!sym_mentions(t, e, p) || !sym_mentions(t, e, l))
    return;
  if (!sym_is_bool(t, e) && count_linear(c, e, p, &at_p, &rest) &&
      count_linear(c, e, l, &at_l, &rest)) {
    sym_poly_divide(t, at_p, at_l, &base, &rest);
    if (rest == sym_int(t, 0) && !count_moves(c, base))
      VEC_PUSH(c->arena, out, base);
    return;
  }
  if (sym_kind_of(t, e) == SYM_POLY) {
    size_t n = sym_terms(t, e, &terms);
    for (size_t i = 0; i < n; i++)
      for (uint32_t k = 0; k < terms[i].atom_count; k++)
        pairings(c, terms[i].atoms[k], p, l, out);
    return;
  }
  size_t n = sym_operands(t, e, &args);
  for (size_t i = 0; i < n; i++)
    pairings(c, args[i], p, l, out);
}

static bool is_positive(counter *c, const space *s, sym e) {
  return count_knows(c, &s->facts, sym_ge(c->t, e, sym_int(c->t, 1)));
}

static bool merge_pair(counter *c, space *s, size_t p, size_t l) {
  sym_vec bases = {0};
  sym first = s->vars.at[p].var, second = s->vars.at[l].var;
  for (size_t i = 0; i < s->conditions.count; i++)
    pairings(c, s->conditions.at[i], first, second, &bases);
  for (size_t i = 0; i < c->carried.count; i++)
    pairings(c, c->carried.at[i], first, second, &bases);
  for (size_t i = 0; i < bases.count; i++) {
    sym base = bases.at[i], opposite = sym_neg(c->t, base);
    bool tried = false;
    for (size_t k = 0; k < i; k++)
      tried = tried || bases.at[k] == base;
    if (tried)
      continue;
    if (is_positive(c, s, base) ? try_merge(c, s, p, l, base)
                                : is_positive(c, s, opposite) &&
                                      try_reflected(c, s, p, l, opposite))
      return true;
  }
  return false;
}

bool space_merge(counter *c, space *s) {
  for (size_t l = s->vars.count; l-- > 0;)
    for (size_t p = 0; p < s->vars.count; p++)
      if (p != l && merge_pair(c, s, p, l))
        return true;
  return false;
}

/* --------------------------------------------------------------- unmerge */

/* Divisors by which v alone is divided in e. */
static void divisors_of(counter *c, sym e, sym v, sym_vec *out) {
  const sym *args;
  sym atoms[64];
  size_t n = sym_atoms(c->t, e, atoms, 64);
  for (size_t i = 0; i < n && i < 64; i++) {
    sym_kind kind = sym_kind_of(c->t, atoms[i]);
    if (kind != SYM_FDIV && kind != SYM_FMOD)
      continue;
    sym_operands(c->t, atoms[i], &args);
    if (args[0] == v && !count_moves(c, args[1]))
      VEC_PUSH(c->arena, out, args[1]);
  }
}

static void gather_divisors(counter *c, const space *s, sym v, sym_vec *out) {
  for (size_t i = 0; i < s->conditions.count; i++)
    divisors_of(c, s->conditions.at[i], v, out);
  for (size_t i = 0; i < s->vars.count; i++)
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++)
      divisors_of(c, s->vars.at[i].upper.at[k], v, out);
  for (size_t i = 0; i < c->carried.count; i++)
    divisors_of(c, c->carried.at[i], v, out);
}

/* Quotients and remainders in e that hold one of the variables. */
static size_t divisions(const counter *c, sym e, const sym *vars, size_t n) {
  sym atoms[64];
  size_t found = 0, count = sym_atoms(c->t, e, atoms, 64);
  for (size_t i = 0; i < count && i < 64; i++) {
    sym_kind kind = sym_kind_of(c->t, atoms[i]);
    bool holds = false;
    for (size_t k = 0; k < n; k++)
      holds = holds || sym_mentions(c->t, atoms[i], vars[k]);
    found += (kind == SYM_FDIV || kind == SYM_FMOD) && holds;
  }
  return found;
}

static size_t all_divisions(const counter *c, const space *s, const sym *vars,
                            size_t n) {
  size_t found = 0;
  for (size_t i = 0; i < s->conditions.count; i++)
    found += divisions(c, s->conditions.at[i], vars, n);
  for (size_t i = 0; i < s->vars.count; i++)
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++)
      found += divisions(c, s->vars.at[i].upper.at[k], vars, n);
  for (size_t i = 0; i < c->carried.count; i++)
    found += divisions(c, c->carried.at[i], vars, n);
  return found;
}

/* Sound: see above; accepted only when it removes divisions, so that it ends.
 */
static bool try_unmerge(counter *c, space *s, size_t k, sym base) {
  symtab *t = c->t;
  sym n, rest, v = s->vars.at[k].var;
  sym_poly_divide(t, s->vars.at[k].upper.at[0], base, &n, &rest);
  if (rest != sym_int(t, 0) ||
      !count_knows(c, &s->facts, sym_ge(t, base, sym_int(t, 1))))
    return false;
  sym pair[2] = {counter_variable(c), counter_variable(c)};
  sym whole = sym_add(t, sym_mul(t, base, pair[0]), pair[1]);
  space out = space_copy(c, s);
  size_t before = all_divisions(c, s, &v, 1);
  sym_vec carried = c->carried;
  c->carried = (sym_vec){0};
  for (size_t i = 0; i < carried.count; i++)
    VEC_PUSH(c->arena, &c->carried, carried.at[i]);
  count_var high = {.var = pair[0]}, low = {.var = pair[1]};
  VEC_PUSH(c->arena, &high.upper, n);
  VEC_PUSH(c->arena, &low.upper, base);
  out.vars.at[k] = high;
  VEC_PUSH(c->arena, &out.vars, low);
  space_substitute(c, &out, &v, &whole, 1);
  space_resolve(c, &out);
  if (all_divisions(c, &out, pair, 2) < before) {
    *s = out;
    return true;
  }
  c->carried = carried;
  return false;
}

bool space_unmerge(counter *c, space *s) {
  for (size_t k = 0; k < s->vars.count; k++) {
    sym_vec bases = {0};
    if (s->vars.at[k].upper.count != 1 ||
        count_moves(c, s->vars.at[k].upper.at[0]))
      continue;
    gather_divisors(c, s, s->vars.at[k].var, &bases);
    for (size_t i = 0; i < bases.count; i++)
      if (try_unmerge(c, s, k, bases.at[i]))
        return true;
  }
  return false;
}
