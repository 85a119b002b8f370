/* cli/cmd_cache.c: `tilecheck cache`: L2 traffic of a launch. */
#include "cli/model.h"
#include "cli/spread.h"
#include "report/traffic.h"
#include "traffic/cache.h"

#include <stdio.h>

typedef struct cache_command {
  model_input input;
  const gpu *gpu;
  int64_t l2, wave;
  model_sweep sweep;
  size_t jobs;
} cache_command;

static bool read_command(cache_command *c) {
  return model_read_machine(&c->input, &c->gpu, &c->l2, &c->wave) &&
         model_read_sweep(&c->input, &c->sweep) &&
         model_read_jobs(&c->input, &c->jobs);
}

static bool simulate(const cache_command *c, tile_program *p, cache_result *out,
                     trouble *why) {
  launch_model m;
  return model_make(&c->input, p, &m, why) &&
         cache_simulate(m.walk, c->l2, c->wave, out, why);
}

static cache_view view_of(const cache_command *c, const char *title) {
  return (cache_view){
      .title = title, .gpu = c->gpu, .l2 = c->l2, .wave = c->wave};
}

static bool run_once(cache_command *c, tile_program *p) {
  trouble why;
  cache_result found;
  strbuf out = strbuf_make(c->input.run);
  if (!simulate(c, p, &found, &why)) {
    model_complain(&c->input, &why);
    return false;
  }
  launch_head head = model_head(c->input.run, p);
  cache_view view = view_of(c, head.title);
  if (c->input.json)
    traffic_json_cache(c->input.json, &head, &view, &found);
  else
    report_cache(&view, &found, &out);
  fputs(out.text, stdout);
  return true;
}

/* ------------------------------------------------------------------ sweep */

typedef struct sweep_work {
  cache_command *command;
  size_t launch;
} sweep_work;

typedef struct sweep_record {
  cache_point point;
  char why[240]; /* when it is not found */
} sweep_record;

static void sweep_one(void *context, size_t i, void *record) {
  const sweep_work *w = context;
  cache_command *c = w->command;
  sweep_record *out = record;
  arena *own = arena_create();
  trouble why = {.message = "no launch has this value"};
  model_sets sets = model_sweep_sets(&c->sweep, own, i);
  tile_program *p = model_program_with(&c->input, own, &sets, w->launch);
  *out = (sweep_record){.point.value = c->sweep.low + (int64_t)i};
  out->point.found = p && simulate(c, p, &out->point.result, &why);
  if (!out->point.found)
    snprintf(out->why, sizeof out->why, "%s", why.message);
  arena_destroy(own);
}

static bool run_sweep(cache_command *c, size_t launch, tile_program *p) {
  size_t n = model_sweep_count(&c->sweep), found = 0;
  arena *run = c->input.run;
  sweep_record *records = ARENA_ARRAY(run, sweep_record, n);
  cache_point *points = ARENA_ARRAY(run, cache_point, n);
  sweep_work work = {c, launch};
  strbuf out = strbuf_make(run);
  if (!spread_run(sweep_one, &work, records, sizeof *records, n, c->jobs))
    return false;
  for (size_t i = 0; i < n; i++) {
    points[i] = records[i].point;
    found += points[i].found;
  }
  if (found == 0) {
    model_complain(&c->input, &(trouble){.message = records[0].why});
    return false;
  }
  launch_head head = model_head(run, p);
  cache_view view = view_of(c, head.title);
  if (c->input.json)
    traffic_json_cache_sweep(c->input.json, &head, &view, c->sweep.name, points,
                             n);
  else
    report_cache_sweep(&view, c->sweep.name, points, n, &out);
  fputs(out.text, stdout);
  return true;
}

static int run_all(cache_command *c) {
  program_vec programs = {0};
  model_sets sets = {0};
  int status = TC_STATUS_CLEAN;
  if (c->sweep.name)
    sets = model_sweep_sets(&c->sweep, c->input.run, 0);
  if (!model_programs(&c->input, c->input.run, &sets, &programs))
    return TC_STATUS_INPUT;
  for (size_t i = 0; i < programs.count; i++)
    if (c->sweep.name ? !run_sweep(c, i, programs.at[i])
                      : !run_once(c, programs.at[i]))
      status = TC_STATUS_INPUT;
  return status;
}

int cmd_cache(const options *o) {
  cache_command c = {0};
  int status = model_open(o, "cache", &c.input);
  if (status == TC_STATUS_CLEAN)
    status = read_command(&c) ? model_finish(&c.input, run_all(&c))
                              : TC_STATUS_INPUT;
  model_close(&c.input);
  return status;
}
