/* checks/barriers.h: accesses of one program that a barrier keeps apart. */
#ifndef CHECKS_BARRIERS_H
#define CHECKS_BARRIERS_H

#include "analysis/access.h"

/* True when every way from one of the two accesses to the other, in either
 * order, passes a `tl.debug_barrier()`. */
bool barrier_between(const tile_program *p, const access *a, const access *b);
/* A branch or a loop's length depends on an atomic's result, or on a load of
 * memory that the kernel writes: programs may wait for each other. */
bool programs_synchronise(const tile_program *p);

#endif
