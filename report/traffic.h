/* report/traffic.h: what the models of memory traffic found, as text
 * and JSON (docs/traffic.schema.json). */
#ifndef REPORT_TRAFFIC_H
#define REPORT_TRAFFIC_H

#include "analysis/verdict.h"
#include "base/strbuf.h"
#include "traffic/bands.h"
#include "traffic/cache.h"
#include "traffic/coalesce.h"
#include "traffic/footprint.h"
#include "traffic/gpu.h"
#include "traffic/knobs.h"

/* An access that is in no count. */
typedef struct left_out {
  uint32_t line;
  const char *reason;
} left_out;

/* The launch that a result is about. */
typedef struct launch_head {
  const char *title, *kernel;
  uint32_t line;                 /* of the launch; 0: there is none */
  const char *const *contiguous; /* tensors that were taken so */
  size_t contiguous_count;
  const left_out *left_out;
  size_t left_out_count;
} launch_head;

/* What was taken for granted, and what is in no count, as lines. */
void report_notes(const launch_head *h, strbuf *out);

void report_footprint(const char *title, const footprint *f, strbuf *out);
void report_loops(const loop_turns_vec *loops, strbuf *out);
void report_band_formulas(const band_formulas *b, strbuf *out);
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

/* How long the missed bytes and the operations take; 0: not known. */
double cache_memory_ms(const cache_view *view, const cache_result *r);
double cache_compute_ms(const cache_view *view, const cache_result *r);
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
/* TC702 for one choice; null: none. */
const char *knobs_hint(arena *arena, const cache_view *view,
                       const knob_row *row);

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
/* Why the best layout is as good as it is, or no better. */
const char *coalesce_reason(arena *arena, const coalesce_row *row);
/* TC701: layouts that were given, and a tile that has no good one. */
text_list coalesce_hints(arena *arena, const coalesce_row *row);

/* ------------------------------------------------------------------- JSON */

/* One document for all launches of a command. */
typedef struct traffic_json traffic_json;
traffic_json *traffic_json_begin(arena *arena, const char *command,
                                 const char *path);
void traffic_json_write(traffic_json *self, strbuf *out);

void traffic_json_footprint(traffic_json *self, const launch_head *h,
                            const footprint *f, const band_formulas *bands,
                            const loop_turns_vec *loops,
                            const footprint_grid_vec *grids);
void traffic_json_footprint_sweep(traffic_json *self, const launch_head *h,
                                  const char *name,
                                  const footprint_point *points, size_t n);
void traffic_json_cache(traffic_json *self, const launch_head *h,
                        const cache_view *v, const cache_result *r);
void traffic_json_cache_sweep(traffic_json *self, const launch_head *h,
                              const cache_view *v, const char *name,
                              const cache_point *points, size_t n);
void traffic_json_knobs(traffic_json *self, const launch_head *h,
                        const cache_view *v, const knob_row *rows, size_t n);
void traffic_json_coalesce(traffic_json *self, const launch_head *h,
                           int64_t warps, const coalesce_row *rows, size_t n);

#endif
