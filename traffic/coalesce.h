/* traffic/coalesce.h: what the accesses of warps cost.
 *
 * A thread accesses its elements by vectors of up to 16 bytes: as many
 * neighbours along the fastest axis as are neighbours in memory too, aligned to
 * their size and live together, everywhere in the tile. One vector of each
 * thread of a warp is one instruction. It moves each 32-byte sector that some
 * live lane touches once; nothing is remembered from one instruction to the
 * next. Tensors begin at multiples of 128 bytes. */
#ifndef TRAFFIC_COALESCE_H
#define TRAFFIC_COALESCE_H

#include "traffic/layout.h"
#include "traffic/walk.h"

enum { SECTOR_BYTES = 32, SEGMENT_BYTES = 128, VECTOR_BYTES = 16 };

/* One tile as an access addresses it, lane by lane, row-major. */
typedef struct lane_tile {
  tile_shape shape;
  int64_t element_bytes;
  size_t lanes;
  int64_t live;     /* lanes that are */
  int64_t *address; /* in elements; of live lanes only */
  bool *is_live;
} lane_tile;

typedef struct coalesce_result {
  int64_t vector_bytes;
  int64_t instructions; /* of warps, with a live lane */
  int64_t sectors, segments;
  int64_t wanted_bytes; /* distinct ones of the tile */
  double used;          /* wanted / moved: 0 to 1 */
} coalesce_result;

coalesce_result coalesce_count(const lane_tile *tile, const layout *layout);
/* Of the layouts of at most 16 bytes a thread the one that moves the fewest
 * sectors; of equal ones that with the fewest instructions. Warps are rows of
 * threads, or rectangles on two axes. */
layout coalesce_best(const lane_tile *tile, int64_t warps,
                     coalesce_result *result);
/* Distance in elements between neighbours on an axis, where it is the same
 * everywhere; false when it is not, or nobody has a neighbour. */
bool coalesce_stride(const lane_tile *tile, unsigned axis, int64_t *out);

/* One access of a kernel: the first of its tiles with the most live lanes,
 * among those of the first programs. lanes is 0 when it is never made. */
typedef VEC(lane_tile) lane_tile_vec;
bool coalesce_tiles(walk *w, lane_tile_vec *out, trouble *why);

#endif
