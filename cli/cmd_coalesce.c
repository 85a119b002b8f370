/* cli/cmd_coalesce.c: `tilecheck coalesce`: sectors of warp accesses. */
#include "cli/model.h"
#include "report/traffic.h"
#include "traffic/coalesce.h"

#include <stdio.h>
#include <string.h>

typedef struct coalesce_command {
  model_input input;
  int64_t warps;
  VEC(layout_request) layouts;
} coalesce_command;

static bool read_layouts(coalesce_command *c) {
  const options *o = c->input.options;
  for (size_t i = 0; i < o->given_count; i++) {
    const option_given *given = &o->given[i];
    layout_request r;
    const char *error;
    if (strcmp(given->name, "layout") != 0)
      continue;
    if (!layout_read(given->value, &r, &error)) {
      options_usage(
          arena_printf(c->input.run, "--layout '%s': %s", given->value, error));
      return false;
    }
    VEC_PUSH(c->input.run, &c->layouts, r);
  }
  return true;
}

static bool read_command(coalesce_command *c) {
  if (!model_number(c->input.options, "warps", 1, 4, &c->warps) ||
      !read_layouts(c))
    return false;
  if (c->warps <= 64 && (c->warps & (c->warps - 1)) == 0)
    return true;
  options_usage("--warps is a power of two, at most 64");
  return false;
}

static const char *what_of(const access *a) {
  switch (a->effect) {
  case EFFECT_READ:
    return "load of";
  case EFFECT_WRITE:
    return "store to";
  case EFFECT_ATOMIC:
    return "atomic on";
  case EFFECT_NONE:
  case EFFECT_ANY:
    break;
  }
  return "access of";
}

/* Layouts of other ranks than the tile's are left out. */
static coalesce_row row_of(const coalesce_command *c, const access *a,
                           const tile_program *p, const lane_tile *tile) {
  arena *arena = c->input.run;
  size_t n = c->layouts.count;
  coalesce_row row = {.line = a->inst->at.line,
                      .what = what_of(a),
                      .tensor = p->tensors.at[a->pointer.tensor].name,
                      .tile = tile,
                      .given = ARENA_ARRAY(arena, layout, n + 1),
                      .given_results =
                          ARENA_ARRAY(arena, coalesce_result, n + 1)};
  if (tile->live == 0)
    return row;
  for (size_t i = 0; i < n; i++) {
    layout *l = &row.given[row.given_count];
    if (!layout_make(&c->layouts.at[i], &tile->shape, c->warps, l))
      continue;
    row.given_results[row.given_count++] = coalesce_count(tile, l);
  }
  row.best = coalesce_best(tile, c->warps, &row.best_result);
  return row;
}

/* Each layout must fit some tile: a forgotten one would be silent. */
static bool layouts_fit(coalesce_command *c, const lane_tile_vec *tiles) {
  for (size_t i = 0; i < c->layouts.count; i++) {
    bool any = false;
    for (size_t k = 0; k < tiles->count && !any; k++) {
      layout l;
      any = layout_make(&c->layouts.at[i], &tiles->at[k].shape, c->warps, &l);
    }
    trouble why = {.message = "a --layout fits no access: its axes are those "
                              "of another tile, or its warps are not --warps"};
    if (!any)
      model_complain(&c->input, &why);
    if (!any)
      return false;
  }
  return true;
}

static void put_text(const coalesce_command *c, const launch_head *head,
                     const coalesce_row *rows, size_t n, strbuf *out) {
  strbuf_printf(out, "%s\n  %lld warps of 32 threads\n", head->title,
                (long long)c->warps);
  for (size_t i = 0; i < n; i++)
    report_coalesce(&rows[i], out);
  report_notes(head, out);
}

static bool run_once(coalesce_command *c, tile_program *p) {
  arena *arena = c->input.run;
  strbuf out = strbuf_make(arena);
  launch_model m;
  lane_tile_vec tiles;
  trouble why;
  if (!model_make(&c->input, p, &m, &why) ||
      !coalesce_tiles(m.walk, &tiles, &why)) {
    model_complain(&c->input, &why);
    return false;
  }
  if (!layouts_fit(c, &tiles))
    return false;
  coalesce_row *rows = ARENA_ARRAY(arena, coalesce_row, tiles.count + 1);
  for (size_t i = 0; i < tiles.count; i++)
    rows[i] = row_of(c, walk_access(m.walk, i), p, &tiles.at[i]);
  launch_head head = model_notes(arena, &m);
  if (c->input.json)
    traffic_json_coalesce(c->input.json, &head, c->warps, rows, tiles.count);
  else
    put_text(c, &head, rows, tiles.count, &out);
  fputs(out.text, stdout);
  return true;
}

static int run_all(coalesce_command *c) {
  program_vec programs = {0};
  model_sets none = {0};
  int status = TC_STATUS_CLEAN;
  if (!model_programs(&c->input, c->input.run, &none, &programs))
    return TC_STATUS_INPUT;
  for (size_t i = 0; i < programs.count; i++)
    if (!run_once(c, programs.at[i]))
      status = TC_STATUS_INPUT;
  return status;
}

int cmd_coalesce(const options *o) {
  coalesce_command c = {0};
  int status = model_open(o, "coalesce", &c.input);
  if (status == TC_STATUS_CLEAN)
    status = read_command(&c) ? model_finish(&c.input, run_all(&c))
                              : TC_STATUS_INPUT;
  model_close(&c.input);
  return status;
}
