/* traffic/lanes.h: what the live lanes of one access address.
 *
 * The address of an access is a sum of parts over different lane axes, and its
 * mask a conjunction of conditions over different lane axes. Axes that share a
 * part or a condition form a *lane group*. What a tile addresses is then its
 * base plus, from each group, any offset of the group's live lanes; groups are
 * looked at one at a time, and what they gave is remembered. */
#ifndef TRAFFIC_LANES_H
#define TRAFFIC_LANES_H

#include "traffic/formula.h"
#include "traffic/offsets.h"
#include "traffic/scope.h"

/* What the lanes of a group address. */
typedef struct lane_set {
  bool valid;    /* all addresses and conditions have values */
  int64_t lanes; /* live ones; 0: nothing is addressed */
  int64_t least; /* offset */
  uint32_t set;  /* offsets from it */
} lane_set;

typedef struct lane_group lane_group;

typedef struct lane_axis {
  sym lane;
  int64_t extent;
} lane_axis;

/* The group of these axes: `offset` is the part of the address, `masks` the
 * conditions. Null, with *missing, when a formula cannot be made. */
lane_group *lane_group_create(scope *scope, const lane_axis *axes, size_t count,
                              sym offset, const sym_vec *masks, sym *missing);
/* At the present program and turns. The result lives until the next call. */
const lane_set *lane_group_now(lane_group *self, offsets *table);

/* Each lane of the group, the last axis fastest, at the present program and
 * turns; `address` is the offset, of live lanes only. False when something has
 * no value. */
typedef void (*lane_visit)(void *context, size_t lane, bool live,
                           int64_t address);
bool lane_group_each(lane_group *self, lane_visit visit, void *context);

#endif
