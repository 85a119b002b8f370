/* report/traffic.h: what the models of memory traffic found, as text. */
#ifndef REPORT_TRAFFIC_H
#define REPORT_TRAFFIC_H

#include "base/strbuf.h"
#include "traffic/cache.h"
#include "traffic/coalesce.h"
#include "traffic/footprint.h"
#include "traffic/gpu.h"
#include "traffic/knobs.h"

void report_footprint(const char *title, const footprint *f, strbuf *out);
void report_loops(const loop_turns_vec *loops, strbuf *out);
/* The grids beside each other: who writes a tile, and which tiles the first
 * programs read. False, and nothing, when they are too large for text. */
bool report_footprint_picture(const footprint_grid_vec *grids, int64_t first,
                              strbuf *out);
/* The same as a drawing. */
void report_footprint_svg(const char *title, const footprint_grid_vec *grids,
                          int64_t first, strbuf *out);
/* "a 8 x 128, b 17 x 128": what is read. */
const char *report_bands(arena *arena, const footprint *f);

/* One line of a sweep; found false: no launch has this value. */
typedef struct footprint_point {
  int64_t value;
  bool found;
  uint64_t tiles; /* read */
  const char *bands;
} footprint_point;
void report_footprint_sweep(const char *title, const char *name,
                            const footprint_point *points, size_t n,
                            strbuf *out);

typedef struct cache_view {
  const char *title;
  const gpu *gpu;
  int64_t l2, wave;
} cache_view;

/* One launch. */
void report_cache(const cache_view *view, const cache_result *r, strbuf *out);

/* One line of a sweep; found false: there is no result, with `why`. */
typedef struct cache_point {
  int64_t value;
  bool found;
  cache_result result;
} cache_point;
void report_cache_sweep(const cache_view *view, const char *name,
                        const cache_point *points, size_t n, strbuf *out);

/* One choice of constexprs. All rows have the same names. */
typedef struct knob_row {
  knob_set knobs;
  bool found;
  const char *why; /* when it is not found */
  knob_costs costs;
} knob_row;
void report_knobs(const cache_view *view, const knob_row *rows, size_t n,
                  strbuf *out);

/* One access under the layouts that were given, and the best one. */
typedef struct coalesce_row {
  unsigned line;
  const char *what; /* "load of" */
  const char *tensor;
  const lane_tile *tile;
  layout *given;
  coalesce_result *given_results;
  size_t given_count;
  layout best;
  coalesce_result best_result;
} coalesce_row;
void report_coalesce(const coalesce_row *row, strbuf *out);

#endif
