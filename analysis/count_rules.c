/* analysis/count_rules.c: rules that replace a space by one with the same
 * number of points. */
#include "analysis/count_space.h"

enum { STEPS = 60 };

static sym operand(const counter *c, sym condition) {
  const sym *args;
  sym_operands(c->t, condition, &args);
  return args[0];
}

static bool launch_knows(counter *c, const space *s, sym goal) {
  return count_knows(c, &s->facts, goal);
}

/* Sound: for a >= 1, a*v + r >= 0 is v >= -r / a, that is v >= ceil(-r / a);
 * for a <= -1 it is v <= floor(r / -a), that is v < ceil((r + 1) / -a). */
bool space_solve(counter *c, const space *s, sym condition, sym v, sym *bound,
                 bool *is_upper) {
  symtab *t = c->t;
  sym coef, rest, one = sym_int(t, 1);
  if (sym_kind_of(t, condition) != SYM_GE0 ||
      !count_linear(c, operand(c, condition), v, &coef, &rest) ||
      count_moves(c, coef))
    return false;
  sym opposite = sym_neg(t, coef);
  if (launch_knows(c, s, sym_ge(t, coef, one))) {
    *is_upper = false;
    *bound = sym_cdiv(t, sym_neg(t, rest), coef);
  } else if (launch_knows(c, s, sym_ge(t, opposite, one))) {
    *is_upper = true;
    *bound = sym_cdiv(t, sym_add(t, rest, one), opposite);
  } else {
    return false;
  }
  sym_vec facts = space_facts(c, s, v, false);
  *bound = count_resolve(c, s, &facts, *bound);
  return true;
}

static bool is_void(const counter *c, const space *s) {
  for (size_t i = 0; i < s->conditions.count; i++)
    if (sym_kind_of(c->t, s->conditions.at[i]) == SYM_FALSE)
      return true;
  return false;
}

/* The only variable of the space in e; its count when there is none or more. */
static size_t only_variable(const counter *c, const space *s, sym e) {
  size_t found = s->vars.count;
  for (size_t k = 0; k < s->vars.count; k++) {
    if (!sym_mentions(c->t, e, s->vars.at[k].var))
      continue;
    if (found != s->vars.count)
      return s->vars.count;
    found = k;
  }
  return found;
}

static bool has_upper(const count_var *v, sym upper) {
  for (size_t i = 0; i < v->upper.count; i++)
    if (v->upper.at[i] == upper)
      return true;
  return false;
}

/* Sound: what holds at all points anyway says nothing. Tried where it would
 * mean a case split: divisors that are not 0, alternatives. */
static bool drop_implied(counter *c, space *s) {
  symtab *t = c->t;
  sym_vec facts = space_facts(c, s, SYM_NONE, false);
  for (size_t i = 0; i < s->conditions.count; i++) {
    sym goal = s->conditions.at[i];
    sym_kind kind = sym_kind_of(t, goal);
    if (kind == SYM_NE0)
      goal = sym_ge(t, operand(c, goal), sym_int(t, 1));
    else if (kind != SYM_OR)
      continue;
    if (!count_knows(c, &facts, goal))
      continue;
    space_remove_condition(s, i);
    return true;
  }
  return false;
}

/* A condition about one variable becomes its bound, or drops out when it says
 * v >= 0 or less. */
static bool make_bound(counter *c, space *s) {
  for (size_t i = 0; i < s->conditions.count; i++) {
    sym bound;
    bool is_upper;
    size_t k = only_variable(c, s, s->conditions.at[i]);
    if (k == s->vars.count ||
        !space_solve(c, s, s->conditions.at[i], s->vars.at[k].var, &bound,
                     &is_upper) ||
        count_moves(c, bound))
      continue;
    if (is_upper && !has_upper(&s->vars.at[k], bound))
      VEC_PUSH(c->arena, &s->vars.at[k].upper, bound);
    else if (!is_upper &&
             !launch_knows(c, s, sym_le(c->t, bound, sym_int(c->t, 0))))
      continue;
    space_remove_condition(s, i);
    return true;
  }
  return false;
}

void space_bound(counter *c, space *s) {
  space_resolve(c, s);
  for (int step = 0; step < STEPS && make_bound(c, s); step++)
    ;
}

/* Sound: v = e and v a variable of the space leave one point for each point of
 * the others at which 0 <= e and e is below v's bounds. */
static bool solve_equality(counter *c, space *s) {
  symtab *t = c->t;
  for (size_t i = 0; i < s->conditions.count; i++) {
    if (sym_kind_of(t, s->conditions.at[i]) != SYM_EQ0)
      continue;
    for (size_t k = s->vars.count; k-- > 0;) {
      count_var v = s->vars.at[k];
      sym coef, rest;
      int64_t unit;
      if (!count_linear(c, operand(c, s->conditions.at[i]), v.var, &coef,
                        &rest) ||
          !sym_is_int(t, coef, &unit) || (unit != 1 && unit != -1))
        continue;
      sym value = unit == 1 ? sym_neg(t, rest) : rest;
      space_remove_condition(s, i);
      space_remove_var(s, k);
      space_substitute(c, s, &v.var, &value, 1);
      space_require(c, s, sym_ge(t, value, sym_int(t, 0)));
      for (size_t u = 0; u < v.upper.count; u++)
        space_require(c, s, sym_lt(t, value, v.upper.at[u]));
      return true;
    }
  }
  return false;
}

/* v % d == e with 0 <= e < d and v a variable of the space.
 * Sound: it says v = d*w + e, and w >= 0 as v >= 0 and e < d; w is one for each
 * v. */
static bool multiple_of(counter *c, space *s, size_t condition, size_t k) {
  symtab *t = c->t;
  count_var *v = &s->vars.at[k];
  const sym *args;
  sym atoms[8], coef, rest, p = operand(c, s->conditions.at[condition]);
  size_t n = sym_atoms(t, p, atoms, 8);
  for (size_t i = 0; i < n && i < 8; i++) {
    int64_t sign;
    if (sym_kind_of(t, atoms[i]) != SYM_FMOD ||
        !count_linear(c, p, atoms[i], &coef, &rest) ||
        !sym_is_int(t, coef, &sign) || (sign != 1 && sign != -1))
      continue;
    sym_operands(t, atoms[i], &args);
    sym e = sign == 1 ? sym_neg(t, rest) : rest, d = args[1];
    if (args[0] != v->var || count_moves(c, d) || count_moves(c, e) ||
        !launch_knows(c, s, sym_ge(t, e, sym_int(t, 0))) ||
        !launch_knows(c, s, sym_lt(t, e, d)))
      continue;
    sym from = v->var, w = counter_variable(c);
    sym whole = sym_add(t, sym_mul(t, d, w), e);
    space_remove_condition(s, condition);
    for (size_t u = 0; u < v->upper.count; u++)
      space_require(c, s, sym_lt(t, whole, v->upper.at[u]));
    *v = (count_var){.var = w};
    space_substitute(c, s, &from, &whole, 1);
    return true;
  }
  return false;
}

static bool solve_multiple(counter *c, space *s) {
  for (size_t i = 0; i < s->conditions.count; i++) {
    size_t k = only_variable(c, s, s->conditions.at[i]);
    if (sym_kind_of(c->t, s->conditions.at[i]) == SYM_EQ0 &&
        k < s->vars.count && multiple_of(c, s, i, k))
      return true;
  }
  return false;
}

/* p >= 0 with p = coef*min(a, b) + rest, coef of one sign: the two conditions
 * with a and with b, joined by `and` or `or`.
 * Sound: p is monotone in the minimum, which is one of the two. */
static sym split_extremum(counter *c, const space *s, sym condition) {
  symtab *t = c->t;
  const sym *args;
  sym atoms[32], coef, rest, p = operand(c, condition), zero = sym_int(t, 0);
  size_t n = sym_atoms(t, p, atoms, 32);
  for (size_t i = 0; i < n && i < 32; i++) {
    sym_kind kind = sym_kind_of(t, atoms[i]);
    if ((kind != SYM_MIN && kind != SYM_MAX) ||
        !count_linear(c, p, atoms[i], &coef, &rest) || count_moves(c, coef))
      continue;
    bool rises = launch_knows(c, s, sym_ge(t, coef, zero));
    if (!rises && !launch_knows(c, s, sym_le(t, coef, zero)))
      continue;
    sym_operands(t, atoms[i], &args);
    sym a = sym_ge(t, sym_add(t, sym_mul(t, coef, args[0]), rest), zero);
    sym b = sym_ge(t, sym_add(t, sym_mul(t, coef, args[1]), rest), zero);
    return rises == (kind == SYM_MIN) ? sym_and(t, a, b) : sym_or(t, a, b);
  }
  return SYM_NONE;
}

static bool split_extrema(counter *c, space *s) {
  for (size_t i = 0; i < s->conditions.count; i++) {
    sym split = SYM_NONE;
    if (sym_kind_of(c->t, s->conditions.at[i]) == SYM_GE0 &&
        count_moves(c, s->conditions.at[i]))
      split = split_extremum(c, s, s->conditions.at[i]);
    if (split == SYM_NONE)
      continue;
    space_remove_condition(s, i);
    space_require(c, s, split);
    return true;
  }
  return false;
}

/* Sound: v < min(a, b) says v < a and v < b. */
static void split_bounds(counter *c, space *s) {
  const sym *args;
  for (size_t i = 0; i < s->vars.count; i++) {
    count_var *v = &s->vars.at[i];
    for (size_t k = 0; k < v->upper.count; k++)
      if (sym_kind_of(c->t, v->upper.at[k]) == SYM_MIN) {
        sym_operands(c->t, v->upper.at[k], &args);
        sym second = args[1];
        v->upper.at[k--] = args[0];
        VEC_PUSH(c->arena, &v->upper, second);
      }
  }
}

/* q + r >= 0 and r - q >= 0 for a quotient q = a // b.
 * Sound: for b >= 1, a // b >= x says a >= b*x, and a // b <= x says
 * a < b*(x + 1). */
static sym without_quotient(counter *c, const space *s, sym condition) {
  symtab *t = c->t;
  const sym *args;
  sym atoms[32], coef, rest, p = operand(c, condition), one = sym_int(t, 1);
  size_t n = sym_atoms(t, p, atoms, 32);
  for (size_t i = 0; i < n && i < 32; i++) {
    int64_t sign;
    if (sym_kind_of(t, atoms[i]) != SYM_FDIV || !count_moves(c, atoms[i]) ||
        !count_linear(c, p, atoms[i], &coef, &rest) ||
        !sym_is_int(t, coef, &sign) || (sign != 1 && sign != -1))
      continue;
    sym_operands(t, atoms[i], &args);
    sym a = args[0], b = args[1];
    if (count_moves(c, b) || !launch_knows(c, s, sym_ge(t, b, one)))
      continue;
    if (sign == 1)
      return sym_ge(t, a, sym_mul(t, b, sym_neg(t, rest)));
    return sym_lt(t, a, sym_mul(t, b, sym_add(t, rest, one)));
  }
  return SYM_NONE;
}

static bool drop_quotient(counter *c, space *s) {
  for (size_t i = 0; i < s->conditions.count; i++) {
    sym other = SYM_NONE;
    if (sym_kind_of(c->t, s->conditions.at[i]) == SYM_GE0)
      other = without_quotient(c, s, s->conditions.at[i]);
    if (other == SYM_NONE)
      continue;
    space_remove_condition(s, i);
    space_require(c, s, other);
    return true;
  }
  return false;
}

/* Sound: a condition that the others and the bounds imply says nothing. Tried
 * last, for those about several variables. */
static bool drop_redundant(counter *c, space *s) {
  for (size_t i = 0; i < s->conditions.count; i++) {
    sym goal = s->conditions.at[i];
    if (!count_moves(c, goal) || only_variable(c, s, goal) != s->vars.count)
      continue;
    space others = space_copy(c, s);
    space_remove_condition(&others, i);
    sym_vec facts = space_facts(c, &others, SYM_NONE, true);
    if (!count_knows(c, &facts, goal))
      continue;
    *s = others;
    return true;
  }
  return false;
}

bool space_normalise(counter *c, space *s) {
  typedef bool (*rule)(counter *, space *);
  static const rule rules[] = {solve_equality, split_extrema,  drop_implied,
                               make_bound,     solve_multiple, space_rotate,
                               space_merge,    space_unmerge,  space_reindex,
                               drop_quotient,  drop_redundant};
  enum { RULES = sizeof rules / sizeof *rules };
  for (int step = 0; step < STEPS; step++) {
    size_t k = 0;
    space_resolve(c, s);
    split_bounds(c, s);
    if (is_void(c, s))
      return false;
    while (k < RULES && !rules[k](c, s))
      k++;
    if (k == RULES)
      break;
  }
  return true;
}
