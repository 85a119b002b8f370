/* analysis/count_split.c: a space in two: conditions on sizes, alternatives,
 * choices. */
#include "analysis/count_space.h"

/* -------------------------------------------------- conditions on sizes */

/* The first condition that no variable is in, once those that the launch
 * implies are gone. */
size_t space_guard(counter *c, space *s) {
  for (size_t k = 0; k < s->conditions.count; k++) {
    sym guard = s->conditions.at[k];
    if (count_moves(c, guard))
      continue;
    if (!count_knows(c, &s->facts, guard))
      return k;
    space_remove_condition(s, k--);
  }
  return s->conditions.count;
}

/* p != 0 as p >= 1, where p >= 0 is known. */
static sym sharpened(counter *c, const space *s, sym guard) {
  const sym *args;
  if (sym_kind_of(c->t, guard) != SYM_NE0)
    return guard;
  sym_operands(c->t, guard, &args);
  sym p = args[0];
  bool natural = count_knows(c, &s->facts, sym_ge(c->t, p, sym_int(c->t, 0)));
  return natural ? sym_ge(c->t, p, sym_int(c->t, 1)) : guard;
}

/* The count of s on launches where the guard holds, 0 on the others.
 * Sound: a count that is 0 on the others anyway needs no guard. */
static quantity count_where(counter *c, const space *s, sym guard) {
  symtab *t = c->t;
  quantity zero = {sym_int(t, 0), 1}, out;
  if (count_knows(c, &s->facts, sym_not(t, guard)))
    return zero;
  space inner = space_copy(c, s);
  VEC_PUSH(c->arena, &inner.facts, sharpened(c, s, guard));
  out = space_count(c, &inner);
  if (out.num == SYM_NONE)
    return out;
  sym_vec others = space_copy(c, s).facts;
  VEC_PUSH(c->arena, &others, sym_not(t, guard));
  return count_knows(c, &others, sym_eq(t, out.num, zero.num))
             ? out
             : quantity_choose(c, guard, out);
}

/* Sound: on launches where the guard is false no point is left. */
quantity space_count_guarded(counter *c, space *s, size_t k) {
  sym guard = s->conditions.at[k];
  space_remove_condition(s, k);
  return count_where(c, s, guard);
}

/* ------------------------------------------------- factors of unknown sign */

/* A launch-level factor of a variable in a condition p >= 0, neither known to
 * be positive nor to be negative; SYM_NONE. */
static sym unsigned_factor(counter *c, const space *s, sym condition) {
  symtab *t = c->t;
  const sym *args;
  sym coef, rest, one = sym_int(t, 1);
  if (sym_kind_of(t, condition) != SYM_GE0)
    return SYM_NONE;
  sym_operands(t, condition, &args);
  sym p = args[0];
  for (size_t k = 0; k < s->vars.count; k++)
    if (sym_mentions(t, p, s->vars.at[k].var) &&
        count_linear(c, p, s->vars.at[k].var, &coef, &rest) &&
        !count_moves(c, coef) &&
        !count_knows(c, &s->facts, sym_ge(t, coef, one)) &&
        !count_knows(c, &s->facts, sym_le(t, coef, sym_int(t, -1))))
      return coef;
  return SYM_NONE;
}

/* The count where the factor in condition k is 0, 0 elsewhere.
 * Sound: what is a multiple of it is 0 there. */
static quantity count_flat(counter *c, const space *s, size_t k, sym factor) {
  symtab *t = c->t;
  const sym *args;
  sym coef, rest, none = sym_eq(t, factor, sym_int(t, 0));
  space out = space_copy(c, s);
  sym_operands(t, s->conditions.at[k], &args);
  sym p = args[0];
  for (size_t i = 0; i < s->vars.count; i++)
    if (count_linear(c, p, s->vars.at[i].var, &coef, &rest) && coef == factor)
      p = rest;
  space_remove_condition(&out, k);
  space_require(c, &out, sym_ge(t, p, sym_int(t, 0)));
  if (count_knows(c, &s->facts, sym_not(t, none)))
    return (quantity){sym_int(t, 0), 1};
  VEC_PUSH(c->arena, &out.facts, none);
  quantity found = space_count(c, &out);
  if (found.num == SYM_NONE)
    return found;
  sym_poly_divide(t, found.num, factor, &coef, &rest);
  found.num = rest;
  return quantity_choose(c, none, found);
}

/* Sound: the factor is positive, negative or 0, one way for each launch. */
bool space_split_sign(counter *c, const space *s, quantity *out) {
  symtab *t = c->t;
  sym factor = SYM_NONE;
  size_t k = 0;
  for (; k < s->conditions.count; k++) {
    factor = unsigned_factor(c, s, s->conditions.at[k]);
    if (factor != SYM_NONE)
      break;
  }
  if (factor == SYM_NONE)
    return false;
  *out = count_where(c, s, sym_ge(t, factor, sym_int(t, 1)));
  if (out->num != SYM_NONE)
    *out = quantity_add(c, *out,
                        count_where(c, s, sym_le(t, factor, sym_int(t, -1))));
  if (out->num != SYM_NONE)
    *out = quantity_add(c, *out, count_flat(c, s, k, factor));
  return true;
}

/* ------------------------------------------------------- case splits */

/* The sum over the points where `first` holds and those where it does not. */
static quantity count_both(counter *c, const space *s, sym first, sym atom,
                           sym then, sym otherwise) {
  space a = space_copy(c, s), b = space_copy(c, s);
  if (atom != SYM_NONE) {
    space_substitute(c, &a, &atom, &then, 1);
    space_substitute(c, &b, &atom, &otherwise, 1);
  }
  space_require(c, &a, first);
  space_require(c, &b, sym_not(c->t, first));
  quantity sum = space_count(c, &a);
  return sum.num == SYM_NONE ? sum : quantity_add(c, sum, space_count(c, &b));
}

/* Sound: A or B is A, and apart from it B without A; p != 0 is p >= 1 or
 * p <= -1, never both. */
bool space_split_disjunction(counter *c, const space *s, quantity *out) {
  symtab *t = c->t;
  const sym *parts;
  for (size_t i = 0; i < s->conditions.count; i++) {
    sym whole = s->conditions.at[i], first, second = sym_false(t);
    sym_kind kind = sym_kind_of(t, whole);
    if (kind != SYM_OR && kind != SYM_NE0)
      continue;
    size_t n = sym_operands(t, whole, &parts);
    if (kind == SYM_NE0) {
      first = sym_ge(t, parts[0], sym_int(t, 1));
      second = sym_le(t, parts[0], sym_int(t, -1));
    } else {
      first = parts[0];
      for (size_t k = 1; k < n; k++)
        second = sym_or(t, second, parts[k]);
    }
    space a = space_copy(c, s), b = space_copy(c, s);
    space_remove_condition(&a, i);
    space_remove_condition(&b, i);
    space_require(c, &a, first);
    space_require(c, &b, sym_and(t, sym_not(t, first), second));
    *out = space_count(c, &a);
    if (out->num != SYM_NONE)
      *out = quantity_add(c, *out, space_count(c, &b));
    return true;
  }
  return false;
}

/* A select, min or max among the variables: one case for each outcome. */
static bool split_choice_in(counter *c, const space *s, sym e, quantity *out) {
  symtab *t = c->t;
  const sym *args;
  sym atoms[64];
  size_t n = sym_atoms(t, e, atoms, 64);
  for (size_t i = 0; i < n && i < 64; i++) {
    sym_kind kind = sym_kind_of(t, atoms[i]);
    if ((kind != SYM_SELECT && kind != SYM_MIN && kind != SYM_MAX) ||
        !count_moves(c, atoms[i]))
      continue;
    sym_operands(t, atoms[i], &args);
    sym a = args[0], b = args[1];
    if (kind == SYM_SELECT)
      *out = count_both(c, s, a, atoms[i], b, args[2]);
    else if (kind == SYM_MIN)
      *out = count_both(c, s, sym_le(t, a, b), atoms[i], a, b);
    else
      *out = count_both(c, s, sym_ge(t, a, b), atoms[i], a, b);
    return true;
  }
  return false;
}

bool space_split_choice(counter *c, const space *s, quantity *out) {
  for (size_t i = 0; i < s->conditions.count; i++)
    if (split_choice_in(c, s, s->conditions.at[i], out))
      return true;
  for (size_t i = 0; i < s->vars.count; i++)
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++)
      if (split_choice_in(c, s, s->vars.at[i].upper.at[k], out))
        return true;
  return split_choice_in(c, s, s->weight, out);
}
