/* analysis/judge_state.h: the judge's own state, shared by judge.c and
 * witness.c. */
#ifndef ANALYSIS_JUDGE_STATE_H
#define ANALYSIS_JUDGE_STATE_H

#include "analysis/count.h"
#include "base/map.h"

struct judge {
  arena *arena;
  const tile_program *program;
  symtab *syms;
  launch *launch;
  interp_result *result;
  prover *prover;
  prover *pairs; /* for two instances: less for a query, a budget of its own */
  premise_state *premises; /* by premise index */
  sym_vec *contexts;       /* by access index: its facts, once asked for */
  sym_vec *homes;          /* by premise index: the facts where it stands */
  map *counted;            /* answers that counting was given; null: none */
  count_sum_vec sums;      /* that formulas hold as variables */
  /* By function number: its like in another program (pair.c), 0: none yet. */
  VEC(uint32_t) primed_functions;
  const analysis_dump *log; /* where obligations are written; null: nowhere */
};

/* The turns of the loops around an instruction, outermost first; room for
 * INTERP_MAX_LOOPS. False when it is not in the body. */
bool judge_turns(const judge *self, const inst *at, sym *turns, size_t *count);
/* judge_prove by the prover of two instances. */
proof judge_prove_pair(judge *self, const sym_vec *facts, sym goal);
/* The grid, and every condition on the way to the launch, is understood. */
bool judge_host_is_read(const judge *self);
struct exec_event;
/* numbers: by symbol of the program; tile: its text. */
const witness *witness_make(judge *self, const int64_t *numbers,
                            const struct exec_event *event, const char *tile,
                            const char *detail);

/* The load whose result the application is, when its pointer is followed;
 * null for everything else. */
const access *judge_load_behind(const judge *self, sym atom);

#endif
