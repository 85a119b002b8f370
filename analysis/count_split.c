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

/* Sound: on launches where the guard is false no point is left. */
quantity space_count_guarded(counter *c, space *s, size_t k) {
  symtab *t = c->t;
  quantity zero = {sym_int(t, 0), 1};
  sym guard = s->conditions.at[k];
  space_remove_condition(s, k);
  if (count_knows(c, &s->facts, sym_not(t, guard)))
    return zero;
  space inner = space_copy(c, s);
  VEC_PUSH(c->arena, &inner.facts, guard);
  return quantity_choose(c, guard, space_count(c, &inner));
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
