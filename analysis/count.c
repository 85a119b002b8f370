/* analysis/count.c: the exact number of points of an access. */
#include "analysis/count_space.h"

static count_result refuse(const access *a, const char *reason) {
  return (count_result){.reason = reason, .at = a->inst->at};
}

enum { LONGEST = 400 }; /* names, numbers and operators */

/* Symbols of the text of e, counted until there are more than the longest. */
static unsigned length_of(const counter *c, sym e, unsigned so_far) {
  const sym *args;
  const sym_term *terms;
  if (so_far > LONGEST)
    return so_far;
  if (sym_kind_of(c->t, e) == SYM_POLY) {
    size_t n = sym_terms(c->t, e, &terms);
    for (size_t i = 0; i < n && so_far <= LONGEST; i++) {
      so_far++;
      for (uint32_t k = 0; k < terms[i].atom_count; k++)
        so_far = length_of(c, terms[i].atoms[k], so_far);
    }
    return so_far;
  }
  size_t n = sym_operands(c->t, e, &args);
  for (size_t i = 0; i < n; i++)
    so_far = length_of(c, args[i], so_far);
  return so_far + 1;
}

/* The quotient is exact on every launch, so floor division gives it. */
static bool formula_of(counter *c, quantity q, sym *out) {
  if (q.num == SYM_NONE)
    return false;
  if (length_of(c, q.num, 0) > LONGEST) {
    count_fail(c, "its formula would be too long to read");
    return false;
  }
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
    counter last = counter_create(j);
    if (count_by_cases(&again, &s, &formula) ||
        count_by_contents(&last, &s, &formula))
      return (count_result){true, formula, NULL, a->inst->at};
  }
  return refuse(a, c.reason ? c.reason : "no closed form was found");
}
