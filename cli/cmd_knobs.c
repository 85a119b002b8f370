/* cli/cmd_knobs.c: `tilecheck knobs`: configurations compared. */
#include "cli/model.h"
#include "cli/spread.h"
#include "report/traffic.h"
#include "traffic/knobs.h"

#include <stdio.h>
#include <string.h>

typedef VEC(model_sets) given_sets;

typedef struct knobs_command {
  model_input input;
  const gpu *gpu;
  int64_t l2, wave;
  size_t jobs;
  given_sets given; /* --with */
} knobs_command;

static bool same_names(const model_sets *a, const model_sets *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++)
    same = strcmp(a->at[i].name, b->at[i].name) == 0;
  return same;
}

static bool read_given(knobs_command *c) {
  const options *o = c->input.options;
  for (size_t i = 0; i < o->given_count; i++) {
    model_sets one = {0};
    if (strcmp(o->given[i].name, "with") != 0)
      continue;
    if (!model_read_sets(&c->input, "with", o->given[i].value, &one))
      return false;
    VEC_PUSH(c->input.run, &c->given, one);
    if (same_names(&c->given.at[0], &one))
      continue;
    options_usage("each --with names the same constexprs, in the same order");
    return false;
  }
  return true;
}

static bool read_command(knobs_command *c) {
  return model_read_machine(&c->input, &c->gpu, &c->l2, &c->wave) &&
         model_read_jobs(&c->input, &c->jobs) && read_given(c);
}

/* The sets to compare: those given, else the autotuner's. */
static given_sets sets_for(knobs_command *c, const tile_program *p) {
  given_sets out = {0};
  if (c->given.count)
    return c->given;
  knob_sets found = knobs_configurations(p, c->input.run);
  for (size_t i = 0; i < found.count; i++) {
    model_sets one = {0};
    for (size_t k = 0; k < found.at[i].count; k++) {
      const knob *x = &found.at[i].at[k];
      VEC_PUSH(c->input.run, &one, ((model_set){x->name, x->value}));
    }
    VEC_PUSH(c->input.run, &out, one);
  }
  return out;
}

typedef struct knobs_work {
  knobs_command *command;
  const given_sets *sets;
  size_t launch;
} knobs_work;

typedef struct knobs_record {
  bool found;
  knob_costs costs;
  char why[240]; /* when it is not found */
} knobs_record;

static void measure_one(void *context, size_t i, void *record) {
  const knobs_work *w = context;
  knobs_command *c = w->command;
  knobs_record *out = record;
  arena *own = arena_create();
  trouble why = {.message = "no launch has these values"};
  tile_program *p =
      model_program_with(&c->input, own, &w->sets->at[i], w->launch);
  launch_model m;
  *out = (knobs_record){0};
  out->found = p && model_make(&c->input, p, &m, &why) &&
               knobs_measure(m.walk, c->l2, c->wave, &out->costs, &why);
  if (!out->found)
    snprintf(out->why, sizeof out->why, "%s", why.message);
  arena_destroy(own);
}

static knob_row row_of(arena *arena, const model_sets *set,
                       const knobs_record *r) {
  knob_row row = {.found = r->found, .why = r->why, .costs = r->costs};
  for (size_t k = 0; k < set->count; k++)
    VEC_PUSH(arena, &row.knobs, ((knob){set->at[k].name, set->at[k].value}));
  return row;
}

static bool compare(knobs_command *c, size_t launch, tile_program *p) {
  arena *arena = c->input.run;
  given_sets sets = sets_for(c, p);
  knobs_work work = {c, &sets, launch};
  strbuf out = strbuf_make(arena);
  trouble none = {
      .message = arena_printf(arena,
                              "%s: nothing to compare: the launch has no "
                              "autotune configurations; give --with A=1,B=2 "
                              "for each choice",
                              p->kernel)};
  if (sets.count == 0) {
    model_complain(&c->input, &none);
    return false;
  }
  knobs_record *records = ARENA_ARRAY(arena, knobs_record, sets.count);
  knob_row *rows = ARENA_ARRAY(arena, knob_row, sets.count);
  if (!spread_run(measure_one, &work, records, sizeof *records, sets.count,
                  c->jobs))
    return false;
  size_t found = 0;
  for (size_t i = 0; i < sets.count; i++) {
    rows[i] = row_of(arena, &sets.at[i], &records[i]);
    found += rows[i].found;
  }
  if (found == 0) {
    model_complain(&c->input, &(trouble){.message = rows[0].why});
    return false;
  }
  launch_head head = model_head(arena, p);
  cache_view view = {head.title, c->gpu, c->l2, c->wave};
  if (c->input.json)
    traffic_json_knobs(c->input.json, &head, &view, rows, sets.count);
  else
    report_knobs(&view, rows, sets.count, &out);
  fputs(out.text, stdout);
  return true;
}

static int run_all(knobs_command *c) {
  program_vec programs = {0};
  model_sets none = {0};
  int status = TC_STATUS_CLEAN;
  if (!model_programs(&c->input, c->input.run,
                      c->given.count ? &c->given.at[0] : &none, &programs))
    return TC_STATUS_INPUT;
  for (size_t i = 0; i < programs.count; i++)
    if (!compare(c, i, programs.at[i]))
      status = TC_STATUS_INPUT;
  return status;
}

int cmd_knobs(const options *o) {
  knobs_command c = {0};
  int status = model_open(o, "knobs", &c.input);
  if (status == TC_STATUS_CLEAN)
    status = read_command(&c) ? model_finish(&c.input, run_all(&c))
                              : TC_STATUS_INPUT;
  model_close(&c.input);
  return status;
}
