/* report/group.h: verdicts of one kernel that say the same are told once. */
#ifndef REPORT_GROUP_H
#define REPORT_GROUP_H

#include "base/vec.h"
#include "report/report.h"

/* The first verdict in text order speaks; the others are listed by line. */
typedef struct verdict_group {
  const verdict *first;
  VEC(const verdict *) others;
} verdict_group;

typedef VEC(verdict_group) verdict_groups;

/* Groups of one kernel in text order. Requirements are equal when their
 * conditions are; unknown verdicts are equal when reason and construct are.
 * Refuted and proved verdicts stay alone. Suppressed ones are left out. */
void group_verdicts(arena *arena, const kernel_report *kernel,
                    verdict_groups *out);

#endif
