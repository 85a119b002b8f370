/* analysis/memo.h: answers of the prover, remembered for all programs of a
 * kernel and both readings of each.
 *
 * Programs have tables of symbols of their own. A question is found again by
 * its shape: facts as a set and goal, without regard to handles or to the order
 * in which they were made. */
#ifndef ANALYSIS_MEMO_H
#define ANALYSIS_MEMO_H

#include "analysis/prover.h"

/* How hard the question was tried; each has answers of its own. */
typedef enum memo_effort {
  MEMO_FAST,    /* folding, bounds, certificates */
  MEMO_SOLVER,  /* what came after these: the sweep, Z3 */
  MEMO_RADIX,   /* certificates for the radix rule of prover_instances.c */
  MEMO_RAGGED,  /* certificates for the rule of prover_ragged.c */
  MEMO_CONE,    /* the first among facts that were chosen already */
  MEMO_CONE_Z3, /* Z3 among such facts */
  MEMO_EFFORTS,
} memo_effort;

typedef struct memo_answer {
  bool known;
  proof proof;
  uint64_t rlimit; /* that a failed question had at most */
} memo_answer;

/* The names that a memo has for the expressions of one table. */
typedef struct memo_view memo_view;
memo_view *memo_open(proof_memo *memo, arena *arena, const symtab *t);
/* The place of a question's answer; it stays where it is. */
memo_answer *memo_at(memo_view *self, memo_effort effort, const sym *facts,
                     size_t n, sym goal);

#endif
