/* analysis/count_distinct.c: how many elements an access touches.
 *
 * The address goes through the same re-indexings as the points; what is left is
 * the image of a space under a few expressions. Variables that no expression
 * holds are projected away, `x % M` of a lone range of at least M is a range of
 * M, and where the expressions then determine the variables, the image has as
 * many elements as the space has points. */
#include "analysis/count_space.h"

static const char NOT_ONE_TO_ONE[] =
    "two lanes may touch one element in a way that has no closed form";

static bool is_carried(const counter *c, sym v) {
  for (size_t i = 0; i < c->carried.count; i++)
    if (sym_mentions(c->t, c->carried.at[i], v))
      return true;
  return false;
}

/* Conditions about sizes leave the space: those that the launch does not imply
 * become guards, under which all else is said. */
static void settle_guards(counter *c, space *s, sym *guards) {
  for (size_t i = s->conditions.count; i-- > 0;) {
    sym guard = s->conditions.at[i];
    if (count_moves(c, guard))
      continue;
    space_remove_condition(s, i);
    if (count_knows(c, &s->facts, guard))
      continue;
    *guards = sym_and(c->t, *guards, guard);
    VEC_PUSH(c->arena, &s->facts, guard);
  }
}

/* Sound: an integer v with l <= v for all lower and v < u for all upper bounds
 * exists exactly when every l is below every u, as all of them are integers. */
static bool project(counter *c, space *s, size_t k) {
  bounds b;
  sym v = s->vars.at[k].var;
  if (!space_bounds(c, s, v, &b))
    return false;
  space out = space_outer(c, s, v);
  for (size_t i = 0; i < b.lower.count; i++)
    for (size_t j = 0; j < b.upper.count; j++)
      space_require(c, &out, sym_lt(c->t, b.lower.at[i], b.upper.at[j]));
  *s = out;
  return true;
}

/* k*(a // b) + r >= 0 without the quotient.
 * Sound: for b, k >= 1 it says a // b >= ceil(-r / k), and a // b >= x says
 * a >= b*x. */
static sym without_quotient(counter *c, const space *s, sym condition) {
  symtab *t = c->t;
  const sym *args;
  sym atoms[32], coef, rest, one = sym_int(t, 1);
  if (sym_kind_of(t, condition) != SYM_GE0)
    return SYM_NONE;
  sym_operands(t, condition, &args);
  sym p = args[0];
  size_t n = sym_atoms(t, p, atoms, 32);
  for (size_t i = 0; i < n && i < 32; i++) {
    if (sym_kind_of(t, atoms[i]) != SYM_FDIV || !count_moves(c, atoms[i]) ||
        !count_linear(c, p, atoms[i], &coef, &rest) || count_moves(c, coef))
      continue;
    sym_operands(t, atoms[i], &args);
    if (count_moves(c, args[1]) ||
        !count_knows(c, &s->facts, sym_ge(t, args[1], one)) ||
        !count_knows(c, &s->facts, sym_ge(t, coef, one)))
      continue;
    sym least = sym_cdiv(t, sym_neg(t, rest), coef);
    return sym_ge(t, args[0], sym_mul(t, args[1], least));
  }
  return SYM_NONE;
}

/* Quotients of variables that are to be projected away go to the other side,
 * where they say less of what is in the way. */
static bool shift_quotient(counter *c, space *s) {
  for (size_t k = 0; k < s->vars.count; k++) {
    sym v = s->vars.at[k].var;
    for (size_t i = 0; !is_carried(c, v) && i < s->conditions.count; i++) {
      sym coef, rest, condition = s->conditions.at[i];
      if (!sym_mentions(c->t, condition, v))
        continue;
      sym other = without_quotient(c, s, condition);
      const sym *args;
      if (other == SYM_NONE || sym_kind_of(c->t, other) != SYM_GE0)
        continue;
      sym_operands(c->t, other, &args);
      if (!count_linear(c, args[0], v, &coef, &rest))
        continue;
      space_remove_condition(s, i);
      space_require(c, s, other);
      return true;
    }
  }
  return false;
}

static bool project_one(counter *c, space *s) {
  for (size_t k = s->vars.count; k-- > 0;)
    if (!is_carried(c, s->vars.at[k].var) && project(c, s, k))
      return true;
  return false;
}

/* Sound: what the bounds imply says nothing. */
static bool drop_implied(counter *c, space *s) {
  sym_vec facts = space_facts(c, s, SYM_NONE, false);
  for (size_t i = 0; i < s->conditions.count; i++)
    if (count_knows(c, &facts, s->conditions.at[i])) {
      space_remove_condition(s, i);
      return true;
    }
  return false;
}

/* x % m, where x is in nothing else and 0 <= x < U is all that is said of it.
 * Sound: the remainders are 0 to min(U, m) - 1, for m >= 1. */
static bool wrap_one(counter *c, space *s) {
  symtab *t = c->t;
  const sym *args;
  for (size_t i = 0; i < c->carried.count; i++) {
    sym e = c->carried.at[i];
    if (sym_kind_of(t, e) != SYM_FMOD)
      continue;
    sym_operands(t, e, &args);
    sym x = args[0], m = args[1];
    size_t k = space_find(s, x), uses = 0;
    if (k == s->vars.count || s->vars.at[k].upper.count != 1 ||
        count_moves(c, s->vars.at[k].upper.at[0]) || count_moves(c, m) ||
        space_mentions(c, s, x) ||
        !count_knows(c, &s->facts, sym_ge(t, m, sym_int(t, 1))))
      continue;
    for (size_t j = 0; j < c->carried.count; j++)
      uses += sym_mentions(t, c->carried.at[j], x);
    if (uses != 1)
      continue;
    s->vars.at[k].upper.at[0] = count_resolve(
        c, s, &s->facts, sym_min(t, s->vars.at[k].upper.at[0], m));
    c->carried.at[i] = x;
    return true;
  }
  return false;
}

/* Does e say which value v has, once the other variables are known? */
static bool determines(counter *c, const space *s, sym e, sym v,
                       const bool *known) {
  symtab *t = c->t;
  sym coef, rest, one = sym_int(t, 1);
  for (size_t k = 0; k < s->vars.count; k++)
    if (!known[k] && s->vars.at[k].var != v &&
        sym_mentions(t, e, s->vars.at[k].var))
      return false;
  if (!count_linear(c, e, v, &coef, &rest) || count_moves(c, coef))
    return false;
  return count_knows(c, &s->facts, sym_ge(t, coef, one)) ||
         count_knows(c, &s->facts, sym_ge(t, sym_neg(t, coef), one));
}

/* Sound: expressions that determine the variables one after the other map the
 * points one to one. */
static bool is_one_to_one(counter *c, const space *s) {
  bool *known = ARENA_ARRAY(c->arena, bool, s->vars.count + 1);
  bool grown = true;
  while (grown) {
    grown = false;
    for (size_t k = 0; k < s->vars.count; k++)
      for (size_t i = 0; i < c->carried.count && !known[k]; i++)
        if (determines(c, s, c->carried.at[i], s->vars.at[k].var, known))
          grown = known[k] = true;
  }
  for (size_t k = 0; k < s->vars.count; k++)
    if (!known[k])
      return false;
  return true;
}

/* The image of the space under what is carried. */
static bool count_image(counter *c, const space *given, sym *out) {
  space s = space_copy(c, given);
  sym guards = sym_true(c->t), formula;
  bool more = true;
  while (more) {
    if (!space_normalise(c, &s)) {
      *out = sym_int(c->t, 0);
      return true;
    }
    settle_guards(c, &s, &guards);
    more = project_one(c, &s) || wrap_one(c, &s) || shift_quotient(c, &s) ||
           drop_implied(c, &s);
  }
  if (!is_one_to_one(c, &s)) {
    count_fail(c, NOT_ONE_TO_ONE);
    return false;
  }
  c->carried = (sym_vec){0};
  if (!count_formula(c, &s, &formula))
    return false;
  *out = sym_select(c->t, guards, formula, sym_int(c->t, 0));
  return true;
}

/* By the flat address: distinct numbers are distinct elements. */
static bool count_addresses(counter *c, const access *a, const space *s,
                            sym *out) {
  c->carried = (sym_vec){0};
  VEC_PUSH(c->arena, &c->carried, a->pointer.of);
  return count_image(c, s, out);
}

/* Is the access proved, without a solver, to be inside its known tensor? */
static bool is_inside(counter *c, const access *a, sym *index) {
  const launch *l = judge_launch(c->judge);
  const tensor *x = &l->program->tensors.at[a->pointer.tensor];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  if (!x->known)
    return false;
  launch_tensor(l, a->pointer.tensor, extent, stride);
  sym_vec facts = judge_access_facts(c->judge, a, NULL);
  return prover_inside(c->prover, facts.at, facts.count, a->pointer.of, extent,
                       stride, x->rank, index)
      .proved;
}

/* By the indices of the elements.
 * Sound: the index of each axis is in range, so an element has one. */
static bool count_indices(counter *c, const access *a, const space *s,
                          sym *out) {
  const tensor *x =
      &judge_launch(c->judge)->program->tensors.at[a->pointer.tensor];
  sym index[TYPE_MAX_RANK] = {SYM_NONE};
  if (!is_inside(c, a, index)) {
    count_fail(c, "the access is not shown to be inside its tensor");
    return false;
  }
  c->carried = (sym_vec){0};
  for (unsigned d = 0; d < x->rank; d++) {
    if (index[d] == SYM_NONE)
      return false;
    VEC_PUSH(c->arena, &c->carried, index[d]);
  }
  return count_image(c, s, out);
}

static bool count_one(counter *c, const access *a, sym *out) {
  space s;
  if (a->pointer.form != VALUE_POINTER || a->pointer.of == SYM_NONE ||
      a->pointer.tensor == TENSOR_LOST) {
    count_fail(c, "the address is not followed");
    return false;
  }
  if (judge_depends_on_content(c->judge, a->pointer.of)) {
    count_fail(c, "the address holds a number that was loaded");
    return false;
  }
  if (!sym_is_exact(c->t, a->pointer.of)) {
    count_fail(c, "the address is not followed");
    return false;
  }
  if (!space_of_access(c, a, true, &s))
    return false;
  counter flat = *c;
  if (count_addresses(&flat, a, &s, out))
    return true;
  return count_indices(c, a, &s, out);
}

/* Is the formula the number of elements of the tensor, and the access inside?
 */
static bool touches_all(counter *c, const access *a, sym formula) {
  const launch *l = judge_launch(c->judge);
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK], all = sym_int(l->syms, 1);
  const tensor *x = &l->program->tensors.at[a->pointer.tensor];
  if (!x->known)
    return false;
  launch_tensor(l, a->pointer.tensor, extent, stride);
  for (unsigned d = 0; d < x->rank; d++)
    all = sym_mul(l->syms, all, extent[d]);
  return formula == all && is_inside(c, a, stride);
}

static bool same_lanes(const access *a, const access *b) {
  if (a->pointer.of != b->pointer.of || a->mask != b->mask ||
      a->facts.count != b->facts.count)
    return false;
  for (size_t i = 0; i < a->facts.count; i++)
    if (a->facts.at[i] != b->facts.at[i])
      return false;
  return true;
}

/* Sound: accesses with the same address under the same conditions touch the
 * same elements; one that touches as many elements as there are touches all.
 */
count_result count_distinct(judge *j, const access *const *accesses, size_t n) {
  sym first = SYM_NONE;
  bool same = true;
  count_result refused = {0};
  for (size_t i = 0; i < n; i++) {
    const access *a = accesses[i];
    counter c = counter_create(j);
    sym formula;
    same = same && same_lanes(a, accesses[0]);
    if (i > 0 && same)
      continue;
    if (count_one(&c, a, &formula)) {
      if (n == 1 || (!same && touches_all(&c, a, formula)))
        return (count_result){true, formula, NULL, a->inst->at};
      first = i == 0 ? formula : first;
    } else if (!refused.reason) {
      refused.reason = c.reason ? c.reason : NOT_ONE_TO_ONE;
      refused.at = a->inst->at;
    }
  }
  counter c = counter_create(j);
  if (first != SYM_NONE && (same || touches_all(&c, accesses[0], first)))
    return (count_result){true, first, NULL, accesses[0]->inst->at};
  if (!refused.reason) {
    refused.reason = "several accesses touch different parts of it";
    refused.at = accesses[n - 1]->inst->at;
  }
  return refused;
}
