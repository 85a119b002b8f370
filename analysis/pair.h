/* analysis/pair.h: two instances of accesses, for questions about races.
 *
 * The first instance keeps the names of its ids, turns and lanes; those of the
 * second carry a prime. Launch symbols are shared. What a load found is a
 * function of its own for each program. */
#ifndef ANALYSIS_PAIR_H
#define ANALYSIS_PAIR_H

#include "analysis/judge.h"

typedef struct pair pair;

/* Both accesses happen at live lanes: in two programs that may be one
 * (programs), or in one program. `more` (null: none) holds in each of them. */
pair *pair_create(judge *j, const access *a, const access *b, bool programs,
                  const sym_vec *more);
/* The expression of the second instance. */
sym pair_second(pair *self, sym e);
void pair_assume(pair *self, sym fact);
/* Draws what follows for loads of memory that the kernel does not write: equal
 * addresses hold equal values, equal values of a distinct tensor stand at
 * equal addresses, and a sorted tensor is monotone. */
void pair_relate_loads(pair *self);
sym_vec pair_facts(const pair *self);
/* Is there no such pair of instances for which the goal fails? */
proof pair_prove(pair *self, sym goal);
/* The same for a == b. */
proof pair_prove_equal(pair *self, sym a, sym b);

#endif
