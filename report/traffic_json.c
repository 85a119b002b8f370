/* report/traffic_json.c: what the models of memory traffic found, as JSON
 * (docs/traffic.schema.json). */
#include "report/json_tree.h"
#include "report/traffic.h"

struct traffic_json {
  json_tree tree;
  json_value *root, *launches;
};

traffic_json *traffic_json_begin(arena *arena, const char *command,
                                 const char *path) {
  traffic_json *self = ARENA_NEW(arena, traffic_json);
  self->tree = json_tree_make(arena);
  const json_tree *t = &self->tree;
  self->root = json_object(t);
  self->launches = json_array(t);
  json_add(t, self->root, "version", json_number(t, 1));
  json_add(t, self->root, "command", json_text(t, command));
  json_add(t, self->root, "path", json_text(t, path));
  return self;
}

void traffic_json_write(traffic_json *self, strbuf *out) {
  json_add(&self->tree, self->root, "launches", self->launches);
  json_tree_write(&self->tree, self->root, out);
}

static json_value *add_launch(traffic_json *self, const launch_head *h) {
  const json_tree *t = &self->tree;
  json_value *out = json_object(t);
  json_add(t, out, "kernel", json_text(t, h->kernel));
  json_add_number(t, out, "line", h->line, 0);
  json_add(t, out, "title", json_text(t, h->title));
  json_append(t, self->launches, out);
  return out;
}

static void add_notes(const json_tree *t, json_value *out,
                      const launch_head *h) {
  json_value *contiguous = json_array(t), *left_out = json_array(t);
  for (size_t i = 0; i < h->contiguous_count; i++)
    json_append(t, contiguous, json_text(t, h->contiguous[i]));
  for (size_t i = 0; i < h->left_out_count; i++) {
    json_value *one = json_object(t);
    json_add_number(t, one, "line", h->left_out[i].line, 0);
    json_add(t, one, "reason", json_text(t, h->left_out[i].reason));
    json_append(t, left_out, one);
  }
  json_add(t, out, "contiguous", contiguous);
  json_add(t, out, "not_counted", left_out);
}

/* -------------------------------------------------------------- footprint */

static const char *direction_text(direction d) {
  return d == READS ? "reads" : "writes";
}

static json_value *use_value(const json_tree *t, const footprint_use *use,
                             int64_t programs) {
  json_value *out = json_object(t), *each = json_array(t);
  json_add(t, out, "tensor", json_text(t, use->tensor));
  json_add(t, out, "direction", json_text(t, direction_text(use->direction)));
  json_add_number(t, out, "tiles", (int64_t)use->tiles, -1);
  json_add_number(t, out, "bands", (int64_t)use->bands, 0);
  json_add_number(t, out, "tiles_of_a_band",
                  use->bands ? (int64_t)use->band_tiles : 0, 0);
  json_add_number(t, out, "distinct_elements", use->elements, -1);
  json_add_number(t, out, "requested_elements", use->lanes, -1);
  json_add_number(t, out, "element_bytes", use->element_bytes, 0);
  for (int64_t p = 0; p < programs; p++)
    json_append(t, each, json_number(t, use->per_program[p]));
  json_add(t, out, "tiles_of_programs", each);
  return out;
}

static json_value *formulas_value(const json_tree *t, const band_formulas *b) {
  json_value *out = json_object(t), *all = json_array(t);
  for (size_t i = 0; i < b->all.count; i++) {
    const band_formula *f = &b->all.at[i];
    json_value *one = json_object(t);
    json_add(t, one, "tensor", json_text(t, f->tensor));
    json_add(t, one, "direction", json_text(t, direction_text(f->direction)));
    json_add(t, one, "formula", json_text(t, f->formula));
    json_append(t, all, one);
  }
  json_add(t, out, "limit", json_text(t, b->limit));
  json_add(t, out, "bands", all);
  return out;
}

static json_value *loops_value(const json_tree *t,
                               const loop_turns_vec *loops) {
  json_value *all = json_array(t);
  for (size_t i = 0; i < loops->count; i++) {
    json_value *out = json_object(t);
    json_add_number(t, out, "line", loops->at[i].line, 0);
    json_add(t, out, "formula", json_text(t, loops->at[i].formula));
    json_add(t, out, "turns", json_number(t, loops->at[i].turns));
    json_append(t, all, out);
  }
  return all;
}

static json_value *grid_value(const json_tree *t, const footprint_grid *g) {
  json_value *out = json_object(t), *cells = json_array(t);
  json_add(t, out, "tensor", json_text(t, g->tensor));
  json_add(t, out, "direction", json_text(t, direction_text(g->direction)));
  json_add(t, out, "rows", json_number(t, g->rows));
  json_add(t, out, "columns", json_number(t, g->columns));
  for (size_t i = 0; i < g->cells.count; i++) {
    const footprint_cell *c = &g->cells.at[i];
    json_value *cell = json_array(t);
    json_append(t, cell, json_number(t, c->row));
    json_append(t, cell, json_number(t, c->column));
    json_append(t, cell, json_number(t, c->program));
    json_append(t, cells, cell);
  }
  json_add(t, out, "cells", cells);
  return out;
}

void traffic_json_footprint(traffic_json *self, const launch_head *h,
                            const footprint *f, const band_formulas *bands,
                            const loop_turns_vec *loops,
                            const footprint_grid_vec *grids) {
  const json_tree *t = &self->tree;
  json_value *out = add_launch(self, h), *uses = json_array(t);
  json_value *drawn = json_array(t);
  for (size_t i = 0; i < f->uses.count; i++)
    json_append(t, uses, use_value(t, &f->uses.at[i], f->first));
  for (size_t i = 0; i < grids->count; i++)
    json_append(t, drawn, grid_value(t, &grids->at[i]));
  json_add(t, out, "programs", json_number(t, f->programs));
  json_add(t, out, "first", json_number(t, f->first));
  json_add(t, out, "tiles_read",
           json_number(t, (int64_t)footprint_tiles_read(f)));
  json_add(t, out, "uses", uses);
  json_add(t, out, "band_formulas", formulas_value(t, bands));
  json_add(t, out, "loops", loops_value(t, loops));
  json_add(t, out, "grids", drawn);
  add_notes(t, out, h);
}

void traffic_json_footprint_sweep(traffic_json *self, const launch_head *h,
                                  const char *name,
                                  const footprint_point *points, size_t n) {
  const json_tree *t = &self->tree;
  json_value *out = add_launch(self, h), *all = json_array(t);
  for (size_t i = 0; i < n; i++) {
    json_value *one = json_object(t);
    int64_t tiles = points[i].found ? (int64_t)points[i].tiles : -1;
    json_add(t, one, "value", json_number(t, points[i].value));
    json_add_number(t, one, "tiles_read", tiles, -1);
    json_append(t, all, one);
  }
  json_add(t, out, "sweep", json_text(t, name));
  json_add(t, out, "points", all);
}

/* ------------------------------------------------------------------ cache */

static json_value *machine_value(const json_tree *t, const cache_view *v) {
  json_value *out = json_object(t);
  json_add(t, out, "gpu", json_text(t, v->gpu->title));
  json_add(t, out, "l2_bytes", json_number(t, v->l2));
  json_add(t, out, "wave", json_number(t, v->wave));
  json_add(t, out, "bandwidth", json_real(t, v->gpu->bandwidth));
  json_add(t, out, "flops",
           v->gpu->flops > 0 ? json_real(t, v->gpu->flops) : json_null(t));
  return out;
}

static json_value *tiles_value(const json_tree *t, int64_t tiles,
                               int64_t bytes) {
  json_value *out = json_object(t);
  json_add(t, out, "tiles", json_number(t, tiles));
  json_add(t, out, "bytes", json_number(t, bytes));
  return out;
}

static void add_result(const json_tree *t, json_value *out, const cache_view *v,
                       const cache_result *r) {
  double compute = cache_compute_ms(v, r);
  json_add(t, out, "programs", json_number(t, r->programs));
  json_add(t, out, "waves", json_number(t, r->waves));
  json_add_number(t, out, "tile_bytes", r->tile_bytes, 0);
  json_add(t, out, "loaded",
           tiles_value(t, (int64_t)r->loads, r->loaded_bytes));
  json_add(t, out, "distinct",
           tiles_value(t, (int64_t)r->tiles, r->distinct_bytes));
  json_add(t, out, "missed",
           tiles_value(t, (int64_t)r->misses, r->missed_bytes));
  json_add(t, out, "stored_bytes", json_number(t, r->stored_bytes));
  json_add(t, out, "operations", json_number(t, r->flops));
  json_add(t, out, "memory_ms", json_real(t, cache_memory_ms(v, r)));
  json_add(t, out, "compute_ms",
           compute > 0 ? json_real(t, compute) : json_null(t));
}

void traffic_json_cache(traffic_json *self, const launch_head *h,
                        const cache_view *v, const cache_result *r) {
  json_value *out = add_launch(self, h);
  json_add(&self->tree, out, "machine", machine_value(&self->tree, v));
  add_result(&self->tree, out, v, r);
}

void traffic_json_cache_sweep(traffic_json *self, const launch_head *h,
                              const cache_view *v, const char *name,
                              const cache_point *points, size_t n) {
  const json_tree *t = &self->tree;
  json_value *out = add_launch(self, h), *all = json_array(t);
  for (size_t i = 0; i < n; i++) {
    json_value *one = json_object(t);
    json_add(t, one, "value", json_number(t, points[i].value));
    json_add(t, one, "found", yyjson_mut_bool(t->doc, points[i].found));
    if (points[i].found)
      add_result(t, one, v, &points[i].result);
    json_append(t, all, one);
  }
  json_add(t, out, "machine", machine_value(t, v));
  json_add(t, out, "sweep", json_text(t, name));
  json_add(t, out, "points", all);
}

/* ------------------------------------------------------------------ knobs */

static json_value *hint_value(const json_tree *t, const char *code,
                              const char *message) {
  json_value *out = json_object(t);
  json_add(t, out, "code", json_text(t, code));
  json_add(t, out, "message", json_text(t, message));
  return out;
}

static json_value *knobs_value(const json_tree *t, const cache_view *v,
                               const knob_row *row) {
  json_value *out = json_object(t), *knobs = json_object(t),
             *hints = json_array(t);
  const knob_costs *c = &row->costs;
  const char *hint = knobs_hint(t->arena, v, row);
  for (size_t k = 0; k < row->knobs.count; k++)
    json_add(t, knobs, row->knobs.at[k].name,
             json_number(t, row->knobs.at[k].value));
  json_add(t, out, "knobs", knobs);
  json_add(t, out, "reason", json_text(t, row->found ? NULL : row->why));
  if (!row->found)
    return out;
  if (hint)
    json_append(t, hints, hint_value(t, "TC702", hint));
  json_add(t, out, "programs", json_number(t, c->programs));
  json_add(t, out, "requested_bytes", json_number(t, c->requested_bytes));
  json_add_number(t, out, "distinct_bytes", c->distinct_bytes, -1);
  json_add_number(t, out, "on_chip_bytes", c->on_chip_bytes, 0);
  json_add(t, out, "l2_bytes", json_number(t, c->l2_bytes));
  json_add(t, out, "hints", hints);
  return out;
}

void traffic_json_knobs(traffic_json *self, const launch_head *h,
                        const cache_view *v, const knob_row *rows, size_t n) {
  const json_tree *t = &self->tree;
  json_value *out = add_launch(self, h), *all = json_array(t);
  for (size_t i = 0; i < n; i++)
    json_append(t, all, knobs_value(t, v, &rows[i]));
  json_add(t, out, "machine", machine_value(t, v));
  json_add(t, out, "choices", all);
}

/* --------------------------------------------------------------- coalesce */

static json_value *layout_value(const json_tree *t, const layout *l,
                                const coalesce_result *r) {
  json_value *out = json_object(t);
  strbuf text = strbuf_make(t->arena);
  layout_put(l, &text);
  json_add(t, out, "layout", json_text(t, text.text));
  json_add(t, out, "vector_bytes", json_number(t, r->vector_bytes));
  json_add(t, out, "warp_accesses", json_number(t, r->instructions));
  json_add(t, out, "sectors", json_number(t, r->sectors));
  json_add(t, out, "segments", json_number(t, r->segments));
  json_add(t, out, "wanted_bytes", json_number(t, r->wanted_bytes));
  json_add(t, out, "used", json_real(t, r->used));
  return out;
}

static json_value *access_value(const json_tree *t, const coalesce_row *row) {
  json_value *out = json_object(t), *shape = json_array(t),
             *given = json_array(t);
  json_value *hints = json_array(t);
  bool made = row->tile->live > 0;
  text_list found = coalesce_hints(t->arena, row);
  for (unsigned d = 0; d < row->tile->shape.rank; d++)
    json_append(t, shape, json_number(t, row->tile->shape.extent[d]));
  for (size_t i = 0; i < row->given_count; i++)
    json_append(t, given,
                layout_value(t, &row->given[i], &row->given_results[i]));
  for (size_t i = 0; i < found.count; i++)
    json_append(t, hints, hint_value(t, "TC701", found.at[i]));
  json_add(t, out, "line", json_number(t, row->line));
  json_add(t, out, "what", json_text(t, row->what));
  json_add(t, out, "tensor", json_text(t, row->tensor));
  json_add(t, out, "shape", shape);
  json_add(t, out, "element_bytes", json_number(t, row->tile->element_bytes));
  json_add(t, out, "live", json_number(t, row->tile->live));
  json_add(t, out, "given", given);
  json_add(t, out, "chosen",
           made ? layout_value(t, &row->best, &row->best_result)
                : json_null(t));
  json_add(t, out, "reason",
           json_text(t, made ? coalesce_reason(t->arena, row) : NULL));
  json_add(t, out, "hints", hints);
  return out;
}

void traffic_json_coalesce(traffic_json *self, const launch_head *h,
                           int64_t warps, const coalesce_row *rows, size_t n) {
  const json_tree *t = &self->tree;
  json_value *out = add_launch(self, h), *all = json_array(t);
  for (size_t i = 0; i < n; i++)
    json_append(t, all, access_value(t, &rows[i]));
  json_add(t, out, "warps", json_number(t, warps));
  json_add(t, out, "accesses", all);
  add_notes(t, out, h);
}
