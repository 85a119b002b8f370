/* analysis/judge.h: what a check may ask about one tile program under one
 * launch mode. Checks see facts, accesses, premises and divisions; the prover,
 * the search for counterexamples and the search for requirements stay behind
 * these functions. */
#ifndef ANALYSIS_JUDGE_H
#define ANALYSIS_JUDGE_H

#include "analysis/access.h"
#include "analysis/analysis.h"
#include "analysis/verdict.h"

typedef struct judge judge;

judge *judge_create(arena *kernel, const tile_program *p, bool pinned,
                    analysis_options options);
/* Writes every obligation, with what became of it, to the dump's buffers. */
void judge_log(judge *self, const analysis_dump *log);
prover_stats judge_statistics(const judge *self);
const launch *judge_launch(const judge *self);
const interp_result *judge_result(const judge *self);
arena *judge_arena(const judge *self);

/* The launch's own facts contradict each other: no program runs. */
bool judge_is_void(judge *self);
/* Facts at an access: launch, path, lanes, mask, and what a caller promised
 * (null: nothing). */
sym_vec judge_access_facts(judge *self, const access *a,
                           const sym_vec *promised);
/* Launch facts, the facts given, and the ranges of what `about` mentions. */
sym_vec judge_facts(judge *self, const sym_vec *path, sym about);
/* ... the launch facts without the limits of a grid. */
sym_vec judge_facts_before_limits(judge *self, sym about);

proof judge_prove(judge *self, const sym_vec *facts, sym goal);
bool judge_implies(judge *self, const sym_vec *facts, sym goal);
/* Is the access inside its (known) tensor? With its own strides, or with the
 * ones given (which the facts must say are equal). */
proof judge_inside(judge *self, const access *a, const sym_vec *facts,
                   const sym *strides, sym *index);

/* The same for a dense allocation of unknown strides: its elements are the
 * addresses from 0 to their number. */
proof judge_inside_dense(judge *self, const access *a, const sym_vec *facts);

/* A premise has one state, whoever relies on it. */
typedef struct premise_state {
  enum { PREMISE_IDLE, PREMISE_PROVED, PREMISE_OPEN } state;
  bool wide; /* proved for a 64-bit reading of the type too */
  proof proof;
  sym_vec facts; /* OPEN: the context in which it could not be proved */
  sym value;
  bool failed;        /* some consumer could not discharge it */
  bool masked;        /* some consumer needed its mask */
  text_list requires; /* promises that some consumer needed, and the lines */
  text_list asserts;  /* that would discharge them */
} premise_state;
typedef VEC(uint32_t) premise_vec;
/* Proves all needs of an access (its path's where they stand, its mask's on the
 * path to it too, its pointer's under the mask too, and what is promised, in
 * the words of v). Returns the premises that stay open. */
premise_vec judge_discharge(judge *self, const access *a,
                            const sym_vec *promised, const verdict *v);
/* The same for needs that no mask excuses. */
premise_vec judge_discharge_needs(judge *self, needs n);
/* The same, also under the path facts of the consumer, which rest on needs of
 * their own. */
bool judge_discharge_on_path(judge *self, needs n, const sym_vec *path);
const premise_state *judge_premise(const judge *self, uint32_t index);
/* least <= value <= greatest of the premise's type. */
sym judge_fits(judge *self, uint32_t index, sym value);

/* What a counterexample must show. */
typedef enum fault {
  FAULT_OUTSIDE,    /* a live lane addresses no element of its tensor */
  FAULT_WRAP,       /* a value that leaves its type is used */
  FAULT_DIV_ZERO,   /* an integer division by 0 */
  FAULT_CLAIM,      /* what a block pointer or descriptor claims is false */
  FAULT_GRID,       /* a grid axis is over its limit; at no instruction */
  FAULT_CONTRACT,   /* a condition on the launch is false; at no instruction */
  FAULT_UNWRITTEN,  /* what is read holds nothing */
  FAULT_RACE_STORE, /* two programs write one element */
  FAULT_RACE_LOAD,  /* a program reads what another one writes */
  FAULT_LANE,       /* two lanes of a program are not ordered */
} fault;

/* Looks for a launch, and a place in it, where `bad` holds under the facts
 * and the interpreter shows the event at the instruction; smallest sizes
 * first. The variables in `enlarged` (null: none) are as large as a caller
 * likes: the fault must stay. NULL when none was confirmed; *mismatch says that
 * a model existed and the interpreter did not confirm it. */
const witness *judge_refute(judge *self, const sym_vec *facts, sym bad,
                            const inst *at, fault kind, const sym_vec *enlarged,
                            bool *mismatch);
/* The same for two instances (race_witness.c). The facts are those of both,
 * with the negated goal; `at` is the access that the verdict speaks of. */
const witness *judge_refute_pair(judge *self, const sym_vec *facts,
                                 const inst *at, fault kind);
/* e with the turns of the loops around `from` replaced by those around `to`,
 * outermost first; SYM_NONE when there are not as many. */
sym judge_at_turns(const judge *self, sym e, const inst *from, const inst *to);
/* True when e depends on what a load found in memory. */
bool judge_depends_on_content(const judge *self, sym e);
/* The tensor that an uninterpreted number is an element of, because a live lane
 * of a load found it there; false for everything else. */
bool judge_content_of(const judge *self, sym atom, uint32_t *tensor);
/* True when a model of e under the path may be a counterexample: nothing in
 * them is lost, and every load that they depend on reads a tensor whose
 * `values` clause says what may come, so that a fault may choose among it. */
bool judge_may_refute(const judge *self, const sym_vec *path, sym e);
/* True when no load that e depends on reads a tensor whose elements constrain
 * each other (distinct, sorted): a fault may choose each by itself. */
bool judge_content_is_free(const judge *self, sym e);
/* True when e holds an unknown or an application: no exact number. */
bool judge_lost(const judge *self, sym e);
/* True when e is made of launch symbols only. */
bool judge_is_launch_level(const judge *self, sym e);
/* A launch-level U with facts |- e < U, in numbers that a caller can see, or
 * SYM_NONE. Exact bounds that a mask
 * states come before those by replacing ids, turns and lanes by their last
 * values. */
sym judge_upper_bound(judge *self, const sym_vec *facts, sym e);

#endif
