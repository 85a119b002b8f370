/* cli/cmd_footprint.c: `tilecheck footprint`: tiles of the first programs. */
#include "cli/model.h"
#include "report/traffic.h"
#include "traffic/footprint.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct footprint_command {
  model_input input;
  int64_t first; /* -1: all programs */
  const char *svg;
  model_sweep sweep;
} footprint_command;

/* Pictures of launches beyond this many programs say nothing. */
enum { MOST_DRAWN = 1 << 14 };

static bool read_command(footprint_command *c) {
  c->svg = options_value(c->input.options, "svg");
  if (!model_number(c->input.options, "first", 1, -1, &c->first) ||
      !model_read_sweep(&c->input, &c->sweep))
    return false;
  if (!c->svg || !c->sweep.name)
    return true;
  options_usage("--svg draws one launch, --sweep compares many: give one");
  return false;
}

static bool find(footprint_command *c, const launch_model *m, footprint *out,
                 trouble *why) {
  int64_t programs = sizes_programs(&m->sizes);
  if (c->first <= programs)
    return footprint_find(m->walk, c->first < 0 ? programs : c->first, out,
                          why);
  *why = (trouble){
      .message = arena_printf(m->sizes.arena,
                              "--first %lld: the launch has %lld programs",
                              (long long)c->first, (long long)programs)};
  return false;
}

static bool write_file(footprint_command *c, const char *text) {
  FILE *file = fopen(c->svg, "w");
  bool written = file && fputs(text, file) >= 0;
  if (file && fclose(file) != 0)
    written = false;
  if (!written)
    fprintf(stderr, "tilecheck: cannot write %s: %s\n", c->svg,
            strerror(errno));
  return written;
}

static const char *picture_title(footprint_command *c, const launch_model *m,
                                 const footprint *f) {
  return arena_printf(c->input.run, "%s: the first %lld of %lld programs",
                      m->program->kernel, (long long)f->first,
                      (long long)f->programs);
}

/* The grids of a launch that is small enough to draw; else none. */
static bool find_grids(footprint_command *c, const launch_model *m,
                       const footprint *f, footprint_grid_vec *out) {
  trouble why = {.message = "too many programs to draw: give smaller sizes"};
  *out = (footprint_grid_vec){0};
  if (!c->svg && f->programs > MOST_DRAWN)
    return true;
  if (f->programs <= MOST_DRAWN && footprint_grids(m->walk, out, &why))
    return true;
  model_complain(&c->input, &why);
  return false;
}

static bool draw(footprint_command *c, const launch_model *m,
                 const footprint *f, const footprint_grid_vec *grids) {
  strbuf svg = strbuf_make(c->input.run);
  if (!c->svg)
    return true;
  report_footprint_svg(picture_title(c, m, f), grids, f->first, &svg);
  return write_file(c, svg.text);
}

/* What holds for all sizes: the kernel is read once more, without numbers. */
static void find_formulas(footprint_command *c, const launch_model *m,
                          const footprint *f, size_t launch,
                          band_formulas *bands, loop_turns_vec *loops) {
  tile_program *p = model_free_program(&c->input, c->input.run, launch);
  *bands = (band_formulas){0};
  *loops = (loop_turns_vec){0};
  if (!p)
    return;
  judge *free = judge_create(p->arena, p, false, (analysis_options){0});
  *bands = bands_find(c->input.run, free, &m->sizes, f);
  *loops = walk_loops(m->walk, free);
}

static void put_text(const launch_head *head, const footprint *f,
                     const band_formulas *bands, const loop_turns_vec *loops,
                     const footprint_grid_vec *grids, strbuf *out) {
  report_footprint(head->title, f, out);
  report_band_formulas(bands, out);
  report_loops(loops, out);
  report_notes(head, out);
  report_footprint_picture(grids, f->first, out);
}

static bool run_once(footprint_command *c, size_t launch, tile_program *p) {
  arena *arena = c->input.run;
  strbuf out = strbuf_make(arena);
  launch_model m;
  footprint found;
  footprint_grid_vec grids;
  trouble why;
  if (!model_make(&c->input, p, &m, &why) || !find(c, &m, &found, &why)) {
    model_complain(&c->input, &why);
    return false;
  }
  bool drawn = find_grids(c, &m, &found, &grids) && draw(c, &m, &found, &grids);
  band_formulas bands;
  loop_turns_vec loops;
  find_formulas(c, &m, &found, launch, &bands, &loops);
  launch_head head = model_notes(arena, &m);
  if (c->input.json)
    traffic_json_footprint(c->input.json, &head, &found, &bands, &loops,
                           &grids);
  else
    put_text(&head, &found, &bands, &loops, &grids, &out);
  fputs(out.text, stdout);
  return drawn;
}

/* ------------------------------------------------------------------ sweep */

static footprint_point sweep_one(footprint_command *c, size_t launch, size_t i,
                                 trouble *why) {
  arena *own = arena_create();
  footprint_point out = {.value = c->sweep.low + (int64_t)i};
  model_sets sets = model_sweep_sets(&c->sweep, own, i);
  tile_program *p = model_program_with(&c->input, own, &sets, launch);
  launch_model m;
  footprint found;
  if (p && model_make(&c->input, p, &m, why) && find(c, &m, &found, why)) {
    out.found = true;
    out.tiles = footprint_tiles_read(&found);
    out.bands = report_bands(c->input.run, &found);
  } else if (why->message) {
    why->message = arena_strdup(c->input.run, why->message);
  }
  arena_destroy(own);
  return out;
}

static bool run_sweep(footprint_command *c, size_t launch, tile_program *p) {
  arena *run = c->input.run;
  size_t n = model_sweep_count(&c->sweep), found = 0;
  footprint_point *points = ARENA_ARRAY(run, footprint_point, n);
  trouble why = {.message = "no launch has these values"};
  strbuf out = strbuf_make(run);
  for (size_t i = 0; i < n; i++) {
    points[i] = sweep_one(c, launch, i, &why);
    found += points[i].found;
  }
  if (found == 0) {
    model_complain(&c->input, &why);
    return false;
  }
  launch_head head = model_head(run, p);
  if (c->input.json)
    traffic_json_footprint_sweep(c->input.json, &head, c->sweep.name, points,
                                 n);
  else
    report_footprint_sweep(head.title, c->sweep.name, points, n, &out);
  fputs(out.text, stdout);
  return true;
}

static int run_all(footprint_command *c) {
  program_vec programs = {0};
  model_sets sets = {0};
  int status = TC_STATUS_CLEAN;
  if (c->sweep.name)
    sets = model_sweep_sets(&c->sweep, c->input.run, 0);
  if (!model_programs(&c->input, c->input.run, &sets, &programs))
    return TC_STATUS_INPUT;
  if (c->svg && programs.count > 1)
    return options_usage("--svg draws one launch and there are several: choose "
                         "with --kernel or --set");
  for (size_t i = 0; i < programs.count; i++)
    if (c->sweep.name ? !run_sweep(c, i, programs.at[i])
                      : !run_once(c, i, programs.at[i]))
      status = TC_STATUS_INPUT;
  return status;
}

int cmd_footprint(const options *o) {
  footprint_command c = {0};
  int status = model_open(o, "footprint", &c.input);
  if (status == TC_STATUS_CLEAN)
    status = read_command(&c) ? model_finish(&c.input, run_all(&c))
                              : TC_STATUS_INPUT;
  model_close(&c.input);
  return status;
}
