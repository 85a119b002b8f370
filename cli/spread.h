/* cli/spread.h: independent pieces of work over several processes. */
#ifndef CLI_SPREAD_H
#define CLI_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

/* Fills record number i. It runs in a process of its own, so nothing but the
 * record comes back. */
typedef void (*spread_work)(void *context, size_t i, void *record);

/* records[i] of `size` bytes for i < n, by `jobs` processes (1: in this one).
 * The result does not depend on jobs. False, after a message, when a process
 * was lost. */
bool spread_run(spread_work work, void *context, void *records, size_t size,
                size_t n, size_t jobs);
/* As many as there are cores. */
size_t spread_jobs(void);

#endif
