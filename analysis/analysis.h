/* analysis/analysis.h: what an analysis of one tile program is told, and what
 * it may tell on the way. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "analysis/prover.h"
#include "analysis/verdict.h"
#include "ir/tile.h"

typedef struct analysis_options {
  prover_options prover;
  bool pinned_only; /* nothing is tried for all blocks, nor about races */
  /* Bit number-of-row in checks.def; 0: all. */
  uint64_t selected;
} analysis_options;

/* The stages that can be dumped as text while checking. Null members are
 * skipped. */
typedef struct analysis_dump {
  strbuf *facts, *access, *obligations, *smt2;
} analysis_dump;

#endif
