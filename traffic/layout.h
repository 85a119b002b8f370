/* traffic/layout.h: which thread holds which elements of a tile.
 *
 * A blocked layout, as Triton's compiler uses: a thread holds a box of `size`
 * neighbouring elements, a warp is a box of `threads` such threads, a program a
 * box of `warps` such warps; where that is smaller than the tile it is
 * repeated. Where it is larger, the threads beyond the tile hold nothing.
 * Threads and warps are numbered along order[0] first. Axes are those of the
 * tile, from the left. */
#ifndef TRAFFIC_LAYOUT_H
#define TRAFFIC_LAYOUT_H

#include "base/strbuf.h"
#include "ir/type.h"

enum { WARP_THREADS = 32 };

typedef struct tile_shape {
  unsigned rank; /* at least 1: a scalar is a tile of one element */
  int64_t extent[TYPE_MAX_RANK];
} tile_shape;

typedef struct layout {
  unsigned rank;
  int64_t size[TYPE_MAX_RANK], threads[TYPE_MAX_RANK], warps[TYPE_MAX_RANK];
  unsigned order[TYPE_MAX_RANK];
} layout;

/* What --layout says: sizes, and what else is given. */
typedef struct layout_request {
  unsigned rank;
  int64_t size[TYPE_MAX_RANK];
  bool has_threads, has_warps, has_order;
  int64_t threads[TYPE_MAX_RANK], warps[TYPE_MAX_RANK];
  unsigned order[TYPE_MAX_RANK];
} layout_request;

/* "8", "1x8", "1x8:4x8", "1x8:4x8:4x1", "1x8:4x8:4x1:1x0": elements a thread,
 * threads a warp, warps, order (the fastest axis first). False, with a sentence
 * in *error. */
bool layout_read(const char *text, layout_request *out, const char **error);
/* The layout for a tile: threads, then warps, along the order as far as there
 * are elements, the rest along the last axis of it; the order is from the last
 * axis to the first where nothing else is said. False when the ranks or the
 * number of warps do not fit. */
bool layout_make(const layout_request *r, const tile_shape *shape,
                 int64_t warps, layout *out);
int64_t layout_warps(const layout *self);
/* In the notation of layout_read: "1x8:4x8:4x1:1x0". */
void layout_put(const layout *self, strbuf *out);

#endif
