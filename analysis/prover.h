/* analysis/prover.h: "do these facts imply this goal?"
 *
 * The order of work: folding and bounds, certificates (a sum of products of
 * facts), then Z3 on integers with a deterministic resource limit. A result
 * is YES only with a decision by one of these; everything else says why not.
 * No solver type is visible here. The prover generates the defining facts of
 * every atom by itself (quotients and remainders guarded by their sign
 * conditions, min, max, select, next_pow2), so callers state only what they
 * know about variables, paths and masks. */
#ifndef ANALYSIS_PROVER_H
#define ANALYSIS_PROVER_H

#include "analysis/sym.h"

typedef struct prover prover; /* kernel arena */

typedef enum proof_method {
  METHOD_NONE,
  METHOD_FOLD,        /* the goal folds to true */
  METHOD_BOUNDS,      /* intervals with symbolic ends */
  METHOD_CERTIFICATE, /* sum of products of facts */
  METHOD_Z3,
} proof_method;

typedef enum proof_trouble {
  TROUBLE_NONE,     /* proved, or a model exists */
  TROUBLE_RESOURCE, /* a deterministic limit ran out */
  TROUBLE_DEADLINE, /* the wall clock ran out; never cache this */
  TROUBLE_GAVE_UP,  /* the solver cannot decide (non-linear) */
} proof_trouble;

typedef struct proof {
  bool proved;
  proof_method method;
  proof_trouble trouble;
} proof;

/* Answers that several provers share (memo.h); all have equal options but for
 * their limits. */
typedef struct proof_memo proof_memo;
proof_memo *memo_create(arena *arena);

typedef struct prover_options {
  uint64_t rlimit;      /* Z3 resource units for one query; 0: the default */
  uint64_t budget;      /* for all queries of this prover; 0: the default */
  unsigned deadline_ms; /* wall-clock safety net for one query; 0: default */
  bool no_z3;           /* certificates only */
  proof_memo *memo;     /* null: nothing is remembered */
} prover_options;

typedef struct prover_stats {
  uint64_t queries, by_fold, by_bounds, by_certificate, by_z3, z3_calls;
  uint64_t z3_rlimit_used;
  double z3_ms; /* wall clock, for reports only; decides nothing */
} prover_stats;

prover *prover_create(arena *kernel, symtab *t, prover_options options);

/* Does the conjunction of facts imply goal (a truth value)? A conjunction as
 * goal is proved part by part; a disjunction `A or B` by proving B under
 * not A when folding does not decide. Facts that are conjunctions are taken
 * apart. Contradictory facts prove anything (callers test that their contexts
 * have a point, see prover_satisfiable in the tests). */
proof prover_prove(prover *self, const sym *facts, size_t n, sym goal);
/* The same by folding, bounds and certificates alone: cheap, no solver. */
proof prover_prove_fast(prover *self, const sym *facts, size_t n, sym goal);
bool prover_implies_fast(prover *self, const sym *facts, size_t n, sym goal);

/* Between the two calls, questions with equal facts share work. */
void prover_begin_batch(prover *self);
void prover_end_batch(prover *self);

/* Is the element offset `offset` that of an element of a tensor, that is, are
 * there indices 0 <= i[d] < extent[d] with offset = sum of i[d] * stride[d]?
 * Delinearises by matching stride polynomials (axes sorted by the degree of
 * their stride, merges of adjacent axes of contiguous tensors tried after the
 * full split), then proves each index goal. On success index[d] (rank of
 * them) are the indices found for the axes given, when index is not null; a
 * merged split leaves SYM_NONE there. */
proof prover_inside(prover *self, const sym *facts, size_t n, sym offset,
                    const sym *extent, const sym *stride, size_t rank,
                    sym *index);
/* The delinearisation alone: writes candidate indices, returns false when no
 * split matches. No claim about ranges. */
bool delinearise(symtab *t, sym offset, const sym *stride, size_t rank,
                 sym *index);

/* A model: values for all variables (and applications) of the facts. */
typedef struct model_entry {
  sym atom; /* a SYM_VAR, SYM_APPLY or SYM_APPLYB */
  int64_t value;
} model_entry;
typedef struct model {
  model_entry *entries; /* caller's arena */
  size_t count;
} model;
/* Looks for integers that make all facts true. YES: *out is such a model and
 * has been checked with sym_eval (values that do not fit int64 make it
 * UNSURE). NO: there is none. `limit` > 0 bounds every variable of role SIZE,
 * STRIDE, CONST and GRID by it from above: small models first. next_pow2 and
 * is-power-of-two are exact here. */
truth prover_model(prover *self, const sym *facts, size_t n, int64_t limit,
                   arena *arena, model *out);

prover_stats prover_statistics(const prover *self);
void prover_stats_add(prover_stats *to, prover_stats more);
/* SMT-LIB text of the last query that would go to Z3 for this goal. */
void prover_smt2(prover *self, const sym *facts, size_t n, sym goal,
                 strbuf *out);
/* "4.5.1.0" of the linked library. */
const char *prover_z3_version(arena *arena);
const char *proof_method_name(proof_method method);

#endif
