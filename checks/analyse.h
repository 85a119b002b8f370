/* checks/analyse.h: from one tile program to the verdicts on it. */
#ifndef CHECKS_ANALYSE_H
#define CHECKS_ANALYSE_H

#include "analysis/analysis.h"

/* Checks one program; appends its verdicts (at least one bounds verdict for
 * each memory access) in program order, and hints where they are wanted (not
 * null). Everything lives in p->arena. False, and no verdicts, when the facts
 * about the launch contradict each other. */
bool analyse(tile_program *p, analysis_options options,
             const analysis_dump *dump, verdict_vec *out, hint_vec *hints,
             prover_stats *stats);

#endif
