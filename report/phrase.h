/* report/phrase.h: a verdict as one sentence.
 *
 * verdict.message tells the fault, whatever the verdict on it is; here it
 * becomes what is actually said: the fault, the claim that there is none, or
 * that it is undecided. */
#ifndef REPORT_PHRASE_H
#define REPORT_PHRASE_H

#include "report/report.h"

/* "store writes outside `out`", "store stays inside `out` if n <= 4",
 * "undecided whether store stays inside `out`". Without a final full stop. */
const char *verdict_sentence(arena *arena, const verdict *v);

#endif
