/* cli/replay.c: counterexamples of a JSON report, run again.
 *
 * Only the report is read. The tile program comes from its text, the numbers
 * of the symbols from `sizes` and `constexprs`, and the concrete interpreter
 * must show the very event that the report tells of. Digests catch changes to
 * numbers that no event depends on. */
#include "base/map.h"
#include "base/panic.h"
#include "checks/check.h"
#include "cli/checker.h"
#include "exec/exec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

typedef struct replay {
  arena *arena;
  strbuf *out;
  const char *broken; /* why the report cannot be read; null if it can */
  const char *path;   /* of the source file, for messages */
  const char *kernel;
  yyjson_val *tiles;
  size_t shown, failed;
} replay;

/* --- reading JSON: trouble is remembered, the value is then harmless */

static void is_broken(replay *r, const char *key, const char *what) {
  if (!r->broken)
    r->broken = arena_printf(r->arena, "'%s' is not %s", key, what);
}

static int64_t read_int(replay *r, yyjson_val *value, const char *key) {
  bool fits = yyjson_is_sint(value) ||
              (yyjson_is_uint(value) && yyjson_get_uint(value) <= INT64_MAX);
  if (!fits)
    is_broken(r, key, "an integer of 64 bits");
  return fits ? yyjson_get_sint(value) : 0;
}

static int64_t get_int(replay *r, yyjson_val *object, const char *key) {
  return read_int(r, yyjson_obj_get(object, key), key);
}

static uint32_t get_small(replay *r, yyjson_val *object, const char *key) {
  int64_t n = get_int(r, object, key);
  if (n < 0 || n > UINT32_MAX)
    is_broken(r, key, "a small number");
  return (uint32_t)n;
}

/* Null where the report says null. */
static const char *get_text(replay *r, yyjson_val *object, const char *key) {
  yyjson_val *value = yyjson_obj_get(object, key);
  if (yyjson_is_null(value))
    return NULL;
  if (!yyjson_is_str(value))
    is_broken(r, key, "a string");
  return yyjson_get_str(value);
}

static uint32_t get_row(replay *r, yyjson_val *object, const char *key,
                        int64_t *at, size_t room) {
  yyjson_val *array = yyjson_obj_get(object, key), *item;
  size_t i, count;
  if (!yyjson_is_arr(array) || yyjson_arr_size(array) > room) {
    is_broken(r, key, "a list of indices");
    return 0;
  }
  yyjson_arr_foreach(array, i, count, item) {
    at[i] = read_int(r, item, key);
  }
  return (uint32_t)count;
}

static const named_number *get_named(replay *r, yyjson_val *object,
                                     const char *key, size_t *count) {
  yyjson_val *named = yyjson_obj_get(object, key), *name, *value;
  size_t i, n;
  if (!yyjson_is_obj(named))
    is_broken(r, key, "an object of numbers");
  *count = yyjson_obj_size(named);
  named_number *out = ARENA_ARRAY(r->arena, named_number, *count);
  yyjson_obj_foreach(named, i, n, name, value) {
    out[i] = (named_number){.name = yyjson_get_str(name),
                            .value = read_int(r, value, key)};
  }
  return out;
}

static const char *get_tile(replay *r, yyjson_val *object) {
  uint32_t row = get_small(r, object, "tile");
  const char *text = yyjson_get_str(yyjson_arr_get(r->tiles, row));
  if (!text)
    is_broken(r, "tile", "a row of the kernel's tiles");
  return text ? text : "";
}

static void get_other(replay *r, yyjson_val *event, witness *w) {
  yyjson_val *other = yyjson_obj_get(event, "other");
  if (yyjson_is_null(other))
    return;
  if (!yyjson_is_obj(other))
    is_broken(r, "other", "an object");
  w->other = get_small(r, other, "inst");
  get_row(r, other, "program", w->other_program, 3);
}

static witness get_witness(replay *r, yyjson_val *object) {
  yyjson_val *event = yyjson_obj_get(object, "event");
  witness w = {.replayed = yyjson_is_true(yyjson_obj_get(object, "replayed")),
               .event = get_text(r, event, "kind"),
               .detail = get_text(r, event, "detail"),
               .inst = get_small(r, event, "inst"),
               .offset = get_int(r, event, "offset"),
               .value = get_int(r, event, "value"),
               .tile = get_tile(r, object)};
  get_other(r, event, &w);
  w.sizes = get_named(r, object, "sizes", &w.size_count);
  w.constexprs = get_named(r, object, "constexprs", &w.constexpr_count);
  w.program_rank = get_row(r, object, "program", w.program, 3);
  w.turn_count = get_row(r, object, "loops", w.turns, 8);
  w.lane_count = get_row(r, object, "lane", w.lane, 6);
  return w;
}

static verdict get_verdict(replay *r, yyjson_val *object) {
  const char *code = get_text(r, object, "code");
  const check_info *check = code ? check_by_name(code) : NULL;
  if (!check)
    is_broken(r, "code", "the code of a check");
  return (verdict){.code = check ? check->id : CHECK_101,
                   .kernel = r->kernel,
                   .buffer = get_text(r, object, "buffer"),
                   .at = {.line = get_small(r, object, "line"),
                          .column = get_small(r, object, "column"),
                          .end_line = get_small(r, object, "end_line"),
                          .end_column = get_small(r, object, "end_column")}};
}

/* --- running */

static bool put_size(assignment *numbers, tile_program *p, named_number n) {
  for (size_t i = 0; i < numbers->count; i++) {
    if (strcmp(exprs_symbol_at(p->exprs, i)->name, n.name) != 0)
      continue;
    numbers->value[i] = n.value;
    numbers->known[i] = true;
    return true;
  }
  return false;
}

/* Null, or why the numbers do not fit the program. */
static const char *assign(arena *arena, tile_program *p, const witness *w,
                          assignment *numbers) {
  numbers->count = exprs_symbol_count(p->exprs);
  numbers->value = ARENA_ARRAY(arena, int64_t, numbers->count);
  numbers->known = ARENA_ARRAY(arena, bool, numbers->count);
  for (size_t i = 0; i < w->size_count + w->constexpr_count; i++) {
    named_number n =
        i < w->size_count ? w->sizes[i] : w->constexprs[i - w->size_count];
    if (!put_size(numbers, p, n))
      return arena_printf(arena, "the program has no symbol %s", n.name);
  }
  for (size_t i = 0; i < numbers->count; i++)
    if (!numbers->known[i])
      return arena_printf(arena, "no number for %s",
                          exprs_symbol_at(p->exprs, i)->name);
  return NULL;
}

static bool event_by_name(const char *name, event_kind *out) {
  for (int kind = EVENT_NONE; name && kind <= EVENT_OPAQUE; kind++) {
    *out = (event_kind)kind;
    if (strcmp(event_kind_name(*out), name) == 0)
      return true;
  }
  return false;
}

/* How a run is tried: where loops begin and when it is given up. */
typedef struct attempt {
  bool enter_at_turn;
  uint64_t step_limit;
} attempt;

static exec_options run_options(const witness *w, event_kind kind,
                                attempt how) {
  /* Lanes conflict through their values: these must not all be 0. */
  exec_options o = {.fill = kind == EVENT_LANE ? FILL_RANDOM : FILL_ZERO,
                    .stop_at_first = true,
                    .watch_races = w->other != 0,
                    .only_inst = w->inst,
                    .only_kind = kind,
                    .step_limit = how.step_limit,
                    .enter_at_turn = how.enter_at_turn};
  for (size_t i = 0; i < 8; i++)
    o.turn[i] = i < w->turn_count ? w->turns[i] : -1;
  return o;
}

static bool same_row(const int64_t *a, size_t n, const int64_t *b, size_t m) {
  return n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0);
}

/* Null when the event is the one that the witness tells of. */
static const char *compare(arena *arena, const witness *w, event_kind kind,
                           const exec_event *e) {
  if (e->kind != kind)
    return arena_printf(arena, "the run showed '%s', not '%s'",
                        event_kind_name(e->kind), event_kind_name(kind));
  if (e->inst != w->inst)
    return "another instruction is at fault";
  if (kind == EVENT_LAUNCH)
    return NULL;
  if (!same_row(w->program, 3, e->program, 3))
    return "another program is at fault";
  if (!same_row(w->turns, w->turn_count, e->turns, e->turn_count))
    return "another turn of a loop is at fault";
  if (!same_row(w->lane, w->lane_count, e->lane, e->lane_count))
    return "another lane is at fault";
  if (e->offset != w->offset || e->value != w->value)
    return "the offset or value differs";
  if (e->other != w->other ||
      !same_row(w->other_program, 3, e->other_program, 3))
    return "the other access differs";
  return NULL;
}

/* One run of the witness's program; null when it shows the event. */
static const char *run_once(arena *arena, const tile_program *p,
                            const assignment *numbers, const witness *w,
                            event_kind kind, attempt how) {
  exec_event event = {0};
  exec_options options = run_options(w, kind, how);
  exec_machine *m = exec_create(arena, p, numbers, options, &event);
  if (m) {
    int64_t grid[3];
    exec_grid(m, grid);
    for (size_t i = 0; i < 3; i++)
      if (w->program[i] < 0 || w->program[i] >= grid[i] ||
          (w->other &&
           (w->other_program[i] < 0 || w->other_program[i] >= grid[i])))
        return "the grid holds no such program";
    event = (exec_event){0};
    if (w->other)
      exec_run(m, w->other_program, &event);
    if (event.kind == EVENT_NONE)
      exec_run(m, w->program, &event);
  }
  return compare(arena, w, kind, &event);
}

static const char *run_witness(arena *arena, const witness *w) {
  read_error wrong = {0};
  assignment numbers = {0};
  event_kind kind;
  if (!event_by_name(w->event, &kind) || kind == EVENT_NONE)
    return "there is no such event";
  tile_program *p = program_read(arena, w->tile, strlen(w->tile), &wrong);
  if (!p)
    return arena_printf(arena, "tile program, %u:%u: %s", wrong.line,
                        wrong.column, wrong.message);
  const char *broken = program_verify(p, arena);
  if (broken)
    return arena_printf(arena, "tile program: %s", broken);
  const char *misfit = assign(arena, p, w, &numbers);
  if (misfit)
    return misfit;
  /* From the start; where that is too long, from the turn on. */
  const attempt attempts[] = {
      {false, (uint64_t)1 << 24}, {w->turn_count > 0, 0}, {false, 0}};
  const char *trouble = NULL;
  for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
    trouble = run_once(arena, p, &numbers, w, kind, attempts[i]);
    if (!trouble)
      return NULL;
  }
  return trouble;
}

/* Null when the counterexample shows its fault and is as it was written. */
static const char *fault_shown(replay *r, const verdict *v,
                               const char *digest) {
  if (!digest || strcmp(digest, witness_digest(r->arena, r->kernel, v)) != 0)
    return "it was changed after it was written (digest)";
  if (!v->witness->replayed)
    return "it never did";
  return run_witness(r->arena, v->witness);
}

static void replay_verdict(replay *r, yyjson_val *object) {
  yyjson_val *example = yyjson_obj_get(object, "counterexample");
  if (!example || yyjson_is_null(example))
    return;
  witness w = get_witness(r, example);
  verdict v = get_verdict(r, object);
  const char *digest = get_text(r, example, "digest");
  v.witness = &w;
  if (r->broken)
    return;
  const char *trouble = fault_shown(r, &v, digest);
  strbuf_printf(r->out, "%s:%u:%u: TC%d in %s: ", r->path, v.at.line,
                v.at.column, (int)v.code, r->kernel);
  if (trouble)
    strbuf_printf(r->out, "does not show its fault: %s\n", trouble);
  else
    strbuf_printf(r->out, "shows its fault (%s)\n", w.event);
  r->shown += !trouble;
  r->failed += trouble != NULL;
}

/* --- the report */

static yyjson_val *get_list(replay *r, yyjson_val *object, const char *key) {
  yyjson_val *list = yyjson_obj_get(object, key);
  if (!yyjson_is_arr(list))
    is_broken(r, key, "a list");
  return list;
}

static void replay_kernel(replay *r, yyjson_val *kernel) {
  yyjson_val *verdicts = get_list(r, kernel, "verdicts"), *item;
  size_t i, count;
  r->kernel = get_text(r, kernel, "name");
  r->tiles = get_list(r, kernel, "tiles");
  if (!r->kernel)
    is_broken(r, "name", "a string");
  yyjson_arr_foreach(verdicts, i, count, item) {
    if (!r->broken)
      replay_verdict(r, item);
  }
}

static void replay_file(replay *r, yyjson_val *file) {
  yyjson_val *kernels = get_list(r, file, "kernels"), *item;
  size_t i, count;
  r->path = get_text(r, file, "path");
  if (!r->path)
    is_broken(r, "path", "a string");
  yyjson_arr_foreach(kernels, i, count, item) {
    if (!r->broken)
      replay_kernel(r, item);
  }
}

/* The seal over all of the report, as report/json.c makes it. */
static bool is_sealed(replay *r, yyjson_val *root) {
  const char *digest = get_text(r, root, "digest");
  const char *const keys[] = {"files", "summary"};
  uint64_t hash = 0;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    size_t length = 0;
    char *text = yyjson_val_write(yyjson_obj_get(root, keys[i]),
                                  YYJSON_WRITE_NOFLAG, &length);
    hash = hash_mix(hash, text ? hash_bytes(text, length) : 0);
    free(text);
  }
  return digest &&
         strcmp(digest, arena_printf(r->arena, "%016" PRIx64, hash)) == 0;
}

static void replay_report(replay *r, yyjson_val *root) {
  if (get_int(r, root, "version") != 1)
    is_broken(r, "version", "1");
  yyjson_val *files = get_list(r, root, "files"), *item;
  size_t i, count;
  yyjson_arr_foreach(files, i, count, item) {
    if (!r->broken)
      replay_file(r, item);
  }
  if (!r->broken && !is_sealed(r, root)) {
    strbuf_put(r->out, "the report was changed after it was written\n");
    r->failed++;
  }
}

static yyjson_doc *parse_json(replay *r, const source *file) {
  yyjson_read_err trouble;
  yyjson_doc *doc =
      yyjson_read_opts((char *)(uintptr_t)file->text, file->length,
                       YYJSON_READ_NOFLAG, NULL, &trouble);
  if (!doc)
    r->broken = arena_printf(r->arena, "not JSON: %s at byte %zu", trouble.msg,
                             trouble.pos);
  return doc;
}

int tc_replay(tc_checker *self, const char *json_path, const char **text) {
  strbuf out = strbuf_make(self->run);
  replay r = {.arena = self->run, .out = &out};
  const source *file = source_read(self->run, json_path, &r.broken);
  yyjson_doc *doc = file ? parse_json(&r, file) : NULL;
  self->error = "";
  if (doc)
    replay_report(&r, yyjson_doc_get_root(doc));
  yyjson_doc_free(doc);
  *text = "";
  if (r.broken) {
    self->error = arena_printf(self->run, "%s: %s", json_path, r.broken);
    return TC_STATUS_INPUT;
  }
  strbuf_printf(&out, "%zu of %zu counterexamples show their faults\n", r.shown,
                r.shown + r.failed);
  *text = out.text;
  return r.failed ? TC_STATUS_REFUTED : TC_STATUS_CLEAN;
}
