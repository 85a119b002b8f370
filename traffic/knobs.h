/* traffic/knobs.h: what a choice of constexprs costs. */
#ifndef TRAFFIC_KNOBS_H
#define TRAFFIC_KNOBS_H

#include "traffic/walk.h"

typedef struct knob {
  const char *name;
  int64_t value;
} knob;
typedef VEC(knob) knob_set;
typedef VEC(knob_set) knob_sets;

/* The configurations that the host code leaves to the autotuner, in its order;
 * none when it fixes everything. */
knob_sets knobs_configurations(const tile_program *p, arena *arena);

typedef struct knob_costs {
  int64_t programs;
  int64_t requested_bytes; /* of all live lanes, read and written */
  int64_t distinct_bytes;  /* distinct elements; those that are read and those
                              that are written; -1: too far apart to count */
  int64_t on_chip_bytes;   /* of a program, see walk_on_chip_bytes; 0: none */
  int64_t l2_bytes;        /* loads that miss, and stores; see cache.h */
} knob_costs;

bool knobs_measure(walk *w, int64_t l2, int64_t wave, knob_costs *out,
                   trouble *why);

#endif
