/* analysis/count.c: the exact number of points of an access. */
#include "analysis/count_space.h"

static count_result refuse(const access *a, const char *reason) {
  return (count_result){.reason = reason, .at = a->inst->at};
}

/* The quotient is exact on every launch, so floor division gives it. */
static bool formula_of(counter *c, quantity q, sym *out) {
  if (q.num == SYM_NONE)
    return false;
  *out = sym_fdiv(c->t, q.num, sym_int(c->t, q.den));
  if (!count_moves(c, *out))
    return true;
  count_fail(c, "a number in the formula does not fit 64 bits");
  return false;
}

bool count_formula(counter *c, const space *s, sym *out) {
  return formula_of(c, space_count(c, s), out);
}

count_result count_access(judge *j, const access *a, bool masked) {
  counter c = counter_create(j);
  space s;
  sym formula;
  if (space_of_access(&c, a, masked, &s)) {
    if (count_formula(&c, &s, &formula))
      return (count_result){true, formula, NULL, a->inst->at};
    counter again = counter_create(j);
    if (count_by_cases(&again, &s, &formula))
      return (count_result){true, formula, NULL, a->inst->at};
  }
  return refuse(a, c.reason ? c.reason : "no closed form was found");
}
