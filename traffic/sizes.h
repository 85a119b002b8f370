/* traffic/sizes.h: a launch at given sizes.
 *
 * The models of this folder work with numbers. A pinned judge has numbers for
 * what the command line and the launch fix. Strides that are still free are
 * taken as those of a contiguous row-major tensor, which is reported; whatever
 * else is free has to be given. */
#ifndef TRAFFIC_SIZES_H
#define TRAFFIC_SIZES_H

#include "analysis/judge.h"

/* Why something cannot be modelled: a sentence without a full stop, and the
 * code that it speaks of (line 0: none). */
typedef struct trouble {
  const char *message;
  span at;
} trouble;

/* The element type of a tensor that nobody states. */
typedef struct dtype_given {
  const char *tensor; /* null: of all others */
  scalar dtype;
} dtype_given;
typedef VEC(dtype_given) dtype_vec;

typedef struct sizes {
  arena *arena;
  const launch *launch;
  sym_vec from, to;        /* variables that got numbers here */
  unsigned *element_bytes; /* by tensor; 0: not known */
  text_list contiguous;    /* tensors whose strides were not given */
  int64_t grid[3];
} sizes;

/* The launch of a pinned judge. False, with *why, when a number is missing, a
 * fact about the launch does not hold, or the grid is empty. */
bool sizes_resolve(judge *j, const dtype_vec *dtypes, sizes *out, trouble *why);
/* e with everything known replaced by numbers. */
sym sizes_apply(const sizes *self, sym e);
/* The value of a launch-level expression; false when it has none. */
bool sizes_number(const sizes *self, sym e, int64_t *out);
int64_t sizes_programs(const sizes *self);
/* "M=..., K=..." for the variables of e that have no number; null when there is
 * none, or when it is not sizes that are missing. */
const char *sizes_missing(const sizes *self, sym e);
/* The tensor's element size; false, with *why, when it is not known. */
bool sizes_element_bytes(const sizes *self, uint32_t tensor, int64_t *out,
                         trouble *why);

#endif
