/* analysis/judge_state.h: the judge's own state, shared by judge.c and
 * witness.c. */
#ifndef ANALYSIS_JUDGE_STATE_H
#define ANALYSIS_JUDGE_STATE_H

#include "analysis/judge.h"
#include "base/map.h"

struct judge {
  arena *arena;
  const tile_program *program;
  symtab *syms;
  launch *launch;
  interp_result *result;
  prover *prover;
  premise_state *premises;  /* by premise index */
  sym_vec *contexts;        /* by access index: its facts, once asked for */
  sym_vec *homes;           /* by premise index: the facts where it stands */
  map *counted;             /* answers that counting was given; null: none */
  const analysis_dump *log; /* where obligations are written; null: nowhere */
};

/* The load whose result the application is, when its pointer is followed;
 * null for everything else. */
const access *judge_load_behind(const judge *self, sym atom);

#endif
