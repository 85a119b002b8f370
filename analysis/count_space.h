/* analysis/count_space.h: sets of integer points (internal to count*.c).
 *
 * A space is the set of the points that an access runs at: ordered variables
 * (program ids, turns, lanes, and what rules put in their place), each from 0
 * to below all of its upper bounds, under a list of conditions. Rules replace a
 * space by another with the same number of points, or by several whose numbers
 * add up.
 *
 * Launch facts hold on every launch with a program. Only they justify what is
 * said of sizes; the bounds and conditions of a space justify only what is said
 * of its own points. */
#ifndef ANALYSIS_COUNT_SPACE_H
#define ANALYSIS_COUNT_SPACE_H

#include "analysis/count.h"
#include "analysis/prover.h"
#include "base/map.h"

typedef struct count_var {
  sym var;       /* from 0 */
  sym_vec upper; /* exclusive; any number of them, all hold */
} count_var;

typedef struct space {
  sym_vec facts; /* about launch symbols only */
  VEC(count_var) vars;
  sym_vec conditions; /* truth values; a conjunction */
  sym weight;         /* what each point counts: a polynomial */
} space;

/* A number as num / den, exact on every launch; num is SYM_NONE when it could
 * not be found. */
typedef struct quantity {
  sym num;
  int64_t den;
} quantity;
static const quantity NO_QUANTITY = {SYM_NONE, 1};

typedef struct counter {
  judge *judge;
  symtab *t;
  arena *arena;
  prover *prover;
  sym_vec carried; /* expressions that substitutions reach as well */
  map *known;      /* answers, by goal and facts */
  unsigned proofs; /* questions left */
  unsigned spaces; /* visits left */
  unsigned fresh;  /* variables made so far */
  const char *reason;
} counter;

counter counter_create(judge *j);
/* The points of an access. False, with a reason, when it says no exact thing
 * about them. */
bool space_of_access(counter *c, const access *a, bool masked, space *out);
/* Adds the facts of the launch that are of use. */
void space_push_launch(counter *c, space *s);
space space_copy(const counter *c, const space *s);
sym counter_variable(counter *c);                /* a fresh one */
void count_fail(counter *c, const char *reason); /* the first reason stays */

/* Program ids, turns, lanes: anything that is no launch symbol. */
bool count_moves(const counter *c, sym e);
/* Do the facts imply the goal? By certificates, within the budget. */
bool count_knows(counter *c, const sym_vec *facts, sym goal);
/* Launch facts and the bounds of all variables but `without` (SYM_NONE: all);
 * with the conditions that do not mention it when `conditions`. */
sym_vec space_facts(counter *c, const space *s, sym without, bool conditions);
/* Adds a condition, taken apart. */
void space_require(counter *c, space *s, sym condition);
size_t space_find(const space *s, sym var); /* its place; count when absent */
void space_remove_var(space *s, size_t k);
void space_remove_condition(space *s, size_t k);
/* Replaces variables in everything but their own entries. */
void space_substitute(counter *c, space *s, const sym *from, const sym *to,
                      size_t n);
bool space_mentions(const counter *c, const space *s, sym var);

/* e as coef * v + rest with v in neither; false when it is not linear in v. */
bool count_linear(counter *c, sym e, sym v, sym *coef, sym *rest);

/* count_resolve.c: quotients, remainders, min, max and select that the facts
 * decide, in e; equal to e wherever they hold. Of sizes the launch facts of s
 * decide alone. */
sym count_resolve(counter *c, const space *s, const sym_vec *facts, sym e);
/* All conditions, bounds and carried expressions of s, resolved. */
void space_resolve(counter *c, space *s);

/* The conditions about one variable as its bounds, where they are fixed. */
void space_bound(counter *c, space *s);
/* count_rules.c: rules that keep the number of points, to a fixpoint. False
 * when the space is empty. */
bool space_normalise(counter *c, space *s);
/* A condition solved for v: v < *bound (*is_upper) or v >= *bound, the bound
 * without v. False when it is no such condition. */
bool space_solve(counter *c, const space *s, sym condition, sym v, sym *bound,
                 bool *is_upper);
/* count_merge.c: one of the re-indexings; true when one was done. */
bool space_merge(counter *c, space *s);
bool space_unmerge(counter *c, space *s);
/* count_reindex.c */
bool space_reindex(counter *c, space *s);
/* count_rotate.c: the order within a group in its plain form. */
bool space_rotate(counter *c, space *s);

/* count_bounds.c */
typedef struct bounds {
  sym_vec upper, lower; /* exclusive, inclusive */
} bounds;
/* s without v and all that mentions it. */
space space_outer(const counter *c, const space *s, sym v);
/* All that s says of v, as bounds; false when something is no bound of it, or
 * nothing bounds it from above. */
bool space_bounds(counter *c, const space *s, sym v, bounds *b);
/* Leaves out bounds that others imply; launch-level ones become one. */
void space_reduce(counter *c, const space *s, const sym_vec *facts, bounds *b);
/* Is a <= b at all points? What is said of sizes alone rests on launch facts
 * alone. */
bool space_ordered(counter *c, const space *s, const sym_vec *facts, sym a,
                   sym b);

/* count_split.c: the first condition that no variable is in (their number when
 * there is none), once those that the launch implies are gone. */
size_t space_guard(counter *c, space *s);
/* The count where condition k, a guard, holds; 0 elsewhere. */
quantity space_count_guarded(counter *c, space *s, size_t k);
/* By the cases of a disjunction or inequation, of a select, min or max; false
 * when there is none. */
bool space_split_disjunction(counter *c, const space *s, quantity *out);
bool space_split_choice(counter *c, const space *s, quantity *out);
/* By the sign of a size that a variable has as factor; false when all are
 * known. */
bool space_split_sign(counter *c, const space *s, quantity *out);

/* count_sum.c: the sum of the weight over all points. */
quantity space_count(counter *c, const space *s);
/* The same as a launch-level integer. */
bool count_formula(counter *c, const space *s, sym *out);
/* count_cases.c: in two cases, by which of two blocks divides the other. */
bool count_by_cases(counter *c, const space *s, sym *out);
/* count_content.c: as a sum over what loads found. */
bool count_by_contents(counter *c, const space *s, sym *out);
/* count_simplify.c: exact divisions multiplied out, nested quotients in one. */
sym count_flatten(counter *c, const space *s, sym formula);
/* Sum over v from low to below high of the polynomial w, for low <= high. */
bool count_power_sum(counter *c, sym w, sym v, sym low, sym high,
                     quantity *out);

/* count_power.c */
quantity quantity_add(counter *c, quantity a, quantity b);
quantity quantity_multiply(counter *c, quantity a, quantity b);
/* a where the condition holds, else 0. */
quantity quantity_choose(counter *c, sym condition, quantity a);

#endif
