/* analysis/count_bounds.c: the bounds of one variable of a space. */
#include "analysis/count_space.h"

space space_outer(const counter *c, const space *s, sym v) {
  space out = space_copy(c, s);
  space_remove_var(&out, space_find(&out, v));
  for (size_t i = out.conditions.count; i-- > 0;)
    if (sym_mentions(c->t, out.conditions.at[i], v))
      space_remove_condition(&out, i);
  for (size_t i = 0; i < out.vars.count; i++) {
    sym_vec *upper = &out.vars.at[i].upper;
    size_t kept = 0;
    for (size_t k = 0; k < upper->count; k++)
      if (!sym_mentions(c->t, upper->at[k], v))
        upper->at[kept++] = upper->at[k];
    upper->count = kept;
  }
  return out;
}

static bool gather_one(counter *c, const space *s, sym v, sym condition,
                       bounds *b) {
  sym bound;
  bool is_upper;
  if (!sym_mentions(c->t, condition, v))
    return true;
  if (!space_solve(c, s, condition, v, &bound, &is_upper))
    return false;
  if (is_upper)
    VEC_PUSH(c->arena, &b->upper, bound);
  else
    VEC_PUSH(c->arena, &b->lower, bound);
  return true;
}

bool space_bounds(counter *c, const space *s, sym v, bounds *b) {
  *b = (bounds){0};
  const count_var *own = &s->vars.at[space_find(s, v)];
  VEC_PUSH(c->arena, &b->lower, sym_int(c->t, 0));
  for (size_t k = 0; k < own->upper.count; k++)
    VEC_PUSH(c->arena, &b->upper, own->upper.at[k]);
  for (size_t i = 0; i < s->conditions.count; i++)
    if (!gather_one(c, s, v, s->conditions.at[i], b))
      return false;
  for (size_t i = 0; i < s->vars.count; i++)
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++) {
      sym tie = sym_lt(c->t, s->vars.at[i].var, s->vars.at[i].upper.at[k]);
      if (s->vars.at[i].var != v && !gather_one(c, s, v, tie, b))
        return false;
    }
  return b->upper.count > 0;
}

bool space_ordered(counter *c, const space *s, const sym_vec *facts, sym a,
                   sym b) {
  sym goal = sym_le(c->t, a, b);
  return count_knows(c, count_moves(c, goal) ? facts : &s->facts, goal);
}

/* Leaves out bounds that others imply. */
static void drop_implied(counter *c, const space *s, const sym_vec *facts,
                         sym_vec *side, bool upper) {
  for (size_t i = 0; i < side->count; i++)
    for (size_t k = 0; k < side->count; k++) {
      sym a = side->at[i], b = side->at[k];
      if (i == k || !space_ordered(c, s, facts, upper ? a : b, upper ? b : a))
        continue;
      side->at[k] = VEC_POP(side);
      i = SIZE_MAX; /* from the start */
      break;
    }
}

/* One launch-level bound for all of them. */
static void join_fixed(counter *c, sym_vec *side, bool upper) {
  size_t kept = 0;
  sym all = SYM_NONE;
  for (size_t i = 0; i < side->count; i++) {
    sym e = side->at[i];
    if (count_moves(c, e))
      side->at[kept++] = e;
    else
      all = all == SYM_NONE ? e
            : upper         ? sym_min(c->t, all, e)
                            : sym_max(c->t, all, e);
  }
  side->count = kept;
  if (all != SYM_NONE)
    VEC_PUSH(c->arena, side, all);
}

void space_reduce(counter *c, const space *s, const sym_vec *facts, bounds *b) {
  drop_implied(c, s, facts, &b->upper, true);
  drop_implied(c, s, facts, &b->lower, false);
  join_fixed(c, &b->upper, true);
  join_fixed(c, &b->lower, false);
}
