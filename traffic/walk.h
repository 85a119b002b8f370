/* traffic/walk.h: the accesses of a launch at given sizes, in the order in
 * which a program makes them, at the granularity of tiles.
 *
 * A *tile* is what one access addresses at one moment: the set of the
 * addresses of its live lanes. Equal sets of one tensor are the same tile,
 * whichever access, program or turn addresses them and in whatever order its
 * lanes do (a tile that wraps around by `% M` included). A tile without live
 * lanes is none.
 *
 * A *step* is what a program does between two loop boundaries: one turn of an
 * innermost loop, or what stands before, between and after loops. Steps that
 * touch nothing are none.
 *
 * Index arithmetic is that of mathematical integers: where a 32-bit value
 * wraps (TC301) the model is not that of the machine. */
#ifndef TRAFFIC_WALK_H
#define TRAFFIC_WALK_H

#include "traffic/lanes.h"
#include "traffic/layout.h"
#include "traffic/sizes.h"
#include "traffic/tiles.h"

typedef struct walk walk; /* kernel arena */

typedef struct touch {
  uint32_t access; /* number, see walk_access */
  uint32_t tile;   /* number from 0, see walk_tile */
  int64_t lanes;   /* live ones, also where several share an address */
} touch;

/* Null members are skipped. */
typedef struct walk_visitor {
  void *context;
  void (*touched)(void *context, touch t);
  void (*stepped)(void *context);
  void (*multiplied)(void *context, int64_t flops); /* a dot: 2*M*N*K */
} walk_visitor;

/* Null, with *why, when the launch has no model at these sizes. */
walk *walk_create(judge *j, const sizes *sizes, trouble *why);
/* A walk looks at so many programs, turns and accesses, and different tiles in
 * all, and no more. */
enum {
  WALK_MOST = 1 << 28,
  WALK_MOST_TILES = 1 << 22,
  WALK_MOST_PROGRAMS = 1 << 24
};
/* One program, by its number (axis 0 counts fastest). False, with *why, when
 * an address or a bound has no value there, or the walk has seen as many as it
 * looks at. */
bool walk_program(walk *self, int64_t program, const walk_visitor *visitor,
                  trouble *why);

/* The lanes of an access, row-major, while it is being visited. */
bool walk_lanes(walk *self, size_t number, lane_visit visit, void *context);
/* The tile of an access; a scalar is one of a single element. */
const tile_shape *walk_shape(const walk *self, size_t number);

const sizes *walk_sizes(const walk *self);
size_t walk_access_count(const walk *self);
/* Accesses that are understood: in program order. */
const access *walk_access(const walk *self, size_t number);
/* Accesses that have no model, with the reasons: what they touch is in no
 * count. */
size_t walk_refused_count(const walk *self);
const access *walk_refused(const walk *self, size_t number, trouble *why);
size_t walk_tile_count(const walk *self); /* seen so far */
const tile *walk_tile(const walk *self, size_t number);
const offset_set *walk_tile_offsets(const walk *self, size_t number);
/* A counted loop with accesses or dots in it, whose number of turns is the same
 * for all programs: as a formula over sizes and constexprs, and at the sizes.
 */
typedef struct loop_turns {
  uint32_t line;
  const char *formula;
  int64_t turns;
} loop_turns;
typedef VEC(loop_turns) loop_turns_vec;
/* In program order. The formulas are those of a judge that is not pinned, of
 * the same kernel without the sizes that were given. */
loop_turns_vec walk_loops(const walk *self, judge *free);
/* Bytes of the results of dots that live at one time, see analysis/on_chip.h;
 * false when the kernel has none. */
bool walk_on_chip_bytes(const walk *self, int64_t *out);

#endif
