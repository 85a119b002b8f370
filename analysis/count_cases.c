/* analysis/count_cases.c: two block sizes of which one divides the other.
 *
 * A causal loop walks to (pid + 1)*BLOCK_M in steps of BLOCK_N; the count has a
 * closed form when one block divides the other.
 * Sound: two powers of two do, one way or the other. */
#include "analysis/count_space.h"

static bool is_power_of_two(const counter *c, sym e) {
  const sym_vec *facts = &judge_launch(c->judge)->facts;
  sym fact = sym_ispow2(c->t, e);
  for (size_t i = 0; i < facts->count; i++)
    if (facts->at[i] == fact)
      return true;
  return false;
}

static bool is_block(const counter *c, sym e) {
  return sym_kind_of(c->t, e) == SYM_VAR &&
         sym_var_role(c->t, e) == ROLE_CONST && is_power_of_two(c, e);
}

/* A quotient whose divisor is one block and whose dividend holds another. */
static bool pair_in(const counter *c, sym e, sym *a, sym *b) {
  const sym *args;
  sym atoms[64], vars[32];
  size_t n = sym_atoms(c->t, e, atoms, 64);
  for (size_t i = 0; i < n && i < 64; i++) {
    if (sym_kind_of(c->t, atoms[i]) != SYM_FDIV)
      continue;
    sym_operands(c->t, atoms[i], &args);
    size_t count = sym_variables(c->t, args[0], vars, 32);
    for (size_t k = 0; k < count && k < 32; k++)
      if (is_block(c, args[1]) && is_block(c, vars[k]) && vars[k] != args[1]) {
        *a = vars[k];
        *b = args[1];
        return true;
      }
  }
  return false;
}

/* The blocks to tell apart: a condition compares multiples of both. */
static bool find_pair(counter *c, const space *s, sym *a, sym *b) {
  for (size_t i = 0; i < s->conditions.count; i++)
    if (pair_in(c, s->conditions.at[i], a, b))
      return true;
  for (size_t i = 0; i < s->vars.count; i++)
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++)
      if (pair_in(c, s->vars.at[i].upper.at[k], a, b))
        return true;
  return false;
}

static void replace(counter *c, space *s, sym from, sym to) {
  sym_vec old = s->facts;
  s->facts = (sym_vec){0};
  for (size_t i = 0; i < old.count; i++)
    VEC_PUSH(c->arena, &s->facts,
             sym_substitute(c->t, old.at[i], &from, &to, 1));
  space_substitute(c, s, &from, &to, 1);
}

/* e with by in place of the product (whole multiples of it in every sum). */
static sym fold_product(counter *c, sym e, sym product, sym by) {
  symtab *t = c->t;
  const sym *args;
  const sym_term *terms;
  sym part[3], quotient, rest;
  sym_kind kind = sym_kind_of(t, e);
  if (kind == SYM_POLY) {
    size_t n = sym_terms(t, e, &terms);
    sym sum = sym_int(t, 0);
    for (size_t i = 0; i < n; i++) {
      sym one = sym_int(t, terms[i].coef);
      for (uint32_t k = 0; k < terms[i].atom_count; k++)
        one = sym_mul(t, one, fold_product(c, terms[i].atoms[k], product, by));
      sum = sym_add(t, sum, one);
    }
    sym_poly_divide(t, sum, product, &quotient, &rest);
    return sym_add(t, sym_mul(t, quotient, by), rest);
  }
  size_t n = sym_operands(t, e, &args);
  if (n != 2 || sym_is_bool(t, e))
    return e;
  for (size_t i = 0; i < n; i++)
    part[i] = fold_product(c, args[i], product, by);
  switch (kind) {
  case SYM_FDIV:
    return sym_fdiv(t, part[0], part[1]);
  case SYM_FMOD:
    return sym_fmod(t, part[0], part[1]);
  case SYM_MIN:
    return sym_min(t, part[0], part[1]);
  case SYM_MAX:
    return sym_max(t, part[0], part[1]);
  case SYM_INT:
  case SYM_VAR:
  case SYM_POLY:
  case SYM_TDIV:
  case SYM_TMOD:
  case SYM_SELECT:
  case SYM_POW2CEIL:
  case SYM_APPLY:
  case SYM_TRUE:
  case SYM_FALSE:
  case SYM_GE0:
  case SYM_EQ0:
  case SYM_NE0:
  case SYM_AND:
  case SYM_OR:
  case SYM_NOT:
  case SYM_APPLYB:
  case SYM_ISPOW2:
    break;
  }
  return e;
}

/* The count where `large` is a multiple of `small`: large = r*small. */
static bool count_multiple(counter *c, const space *s, sym large, sym small,
                           sym *out) {
  symtab *t = c->t;
  sym r = sym_var(t, ROLE_CONST, "#ratio");
  sym product = sym_mul(t, r, small), ratio = sym_fdiv(t, large, small);
  space inner = space_copy(c, s);
  replace(c, &inner, large, product);
  VEC_PUSH(c->arena, &inner.facts, sym_ge(t, r, sym_int(t, 1)));
  sym formula;
  if (!count_formula(c, &inner, &formula))
    return false;
  space flat = {0};
  for (size_t i = 0; i < inner.facts.count; i++)
    VEC_PUSH(c->arena, &flat.facts, inner.facts.at[i]);
  formula = count_flatten(c, &flat, formula);
  formula = fold_product(c, formula, product, large);
  *out = sym_substitute(t, formula, &r, &ratio, 1);
  return true;
}

bool count_by_cases(counter *c, const space *s, sym *out) {
  symtab *t = c->t;
  sym a, b, first, second;
  space seen = space_copy(c, s);
  if (!space_normalise(c, &seen) || !find_pair(c, &seen, &a, &b) ||
      !count_multiple(c, s, a, b, &first) ||
      !count_multiple(c, s, b, a, &second))
    return false;
  sym divides = sym_eq(t, sym_fmod(t, a, b), sym_int(t, 0));
  *out = sym_select(t, divides, first, second);
  return true;
}
