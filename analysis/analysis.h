/* analysis/analysis.h: from one tile program to the verdicts on it. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "analysis/prover.h"
#include "analysis/verdict.h"
#include "ir/tile.h"

typedef struct analysis_options {
  prover_options prover;
  /* Bit number-of-row in checks.def; 0: all. */
  uint64_t selected;
} analysis_options;

/* The stages that can be dumped as text while checking. Null members are
 * skipped. */
typedef struct analysis_dump {
  strbuf *facts, *access, *obligations, *smt2;
} analysis_dump;

/* Checks one program; appends its verdicts (at least one bounds verdict for
 * each memory access) in program order. Everything lives in p->arena. False,
 * and no verdicts, when the facts about the launch contradict each other. */
bool analyse(tile_program *p, analysis_options options,
             const analysis_dump *dump, verdict_vec *out, prover_stats *stats);

#endif
