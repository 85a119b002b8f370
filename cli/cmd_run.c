/* cli/cmd_run.c: `tilecheck run`: runs the launches of a host function on
 * arrays, in the interpreter. */
#include "base/map.h"
#include "base/panic.h"
#include "cli/options.h"
#include "cli/run.h"
#include "report/frame.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_STUCK = 3 }; /* something is not understood */

bool run_fail(run *r, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!r->error)
    r->error = arena_strdup(r->arena, text);
  return false;
}

void run_note(run *r, const char *text) {
  for (size_t i = 0; i < r->notes.count; i++)
    if (strcmp(r->notes.at[i], text) == 0)
      return;
  VEC_PUSH(r->arena, &r->notes, text);
}

/* ----------------------------------------------------------------- options */

/* NAME=REST. */
static const char *split(run *r, const char *value, const char **name) {
  const char *equals = strchr(value, '=');
  if (!equals || equals == value || !equals[1])
    return NULL;
  *name = arena_strndup(r->arena, value, (size_t)(equals - value));
  return equals + 1;
}

static bool read_file_option(run *r, const char *option, const char *value,
                             run_file_vec *out) {
  run_file f = {.dtype = SC_NONE};
  f.path = split(r, value, &f.name);
  if (!f.path)
    return run_fail(r, "--%s '%s': it is NAME=FILE", option, value);
  char *colon = strchr(f.name, ':');
  if (colon && out == &r->in) {
    f.dtype = scalar_from_name(colon + 1, strlen(colon + 1));
    if (f.dtype == SC_NONE || f.dtype == SC_ANY)
      return run_fail(r,
                      "--in '%s': '%s' is no element type (f16, bf16, i32, "
                      "...)",
                      value, colon + 1);
    *colon = 0;
  }
  for (size_t i = 0; i < out->count; i++)
    if (strcmp(out->at[i].name, f.name) == 0)
      return run_fail(r, "--%s is given twice for `%s`", option, f.name);
  VEC_PUSH(r->arena, out, f);
  return true;
}

static bool read_one_set(run *r, const char *value) {
  run_set s = {0};
  char *end;
  s.text = split(r, value, &s.name);
  if (!s.text)
    return run_fail(r, "--set '%s': it is NAME=VALUE, or several with commas",
                    value);
  errno = 0;
  s.whole = strtoll(s.text, &end, 10);
  s.is_int = *end == 0 && errno == 0;
  s.number = strtod(s.text, &end);
  s.is_number = *end == 0;
  VEC_PUSH(r->arena, &r->sets, s);
  return true;
}

static bool read_set(run *r, const char *value) {
  for (;; value++) {
    size_t length = strcspn(value, ",");
    if (!read_one_set(r, arena_strndup(r->arena, value, length)))
      return false;
    value += length;
    if (!*value)
      return true;
  }
}

static bool read_type(run *r, const char *value) {
  run_type t = {0};
  const char *text = split(r, value, &t.name);
  t.dtype = text ? scalar_from_name(text, strlen(text)) : SC_NONE;
  if (t.dtype == SC_NONE || t.dtype == SC_ANY)
    return run_fail(r, "--dtype '%s': it is NAME=TYPE, such as x=f32", value);
  VEC_PUSH(r->arena, &r->types, t);
  return true;
}

static bool read_seed(run *r, const char *value) {
  char *end;
  errno = 0;
  r->seed = strtoull(value, &end, 10);
  r->seeded = true;
  return (*end == 0 && end != value && errno == 0 && *value != '-') ||
         run_fail(r, "--seed '%s': it is a number from 0 to 2**64 - 1", value);
}

static bool read_option(run *r, const char *name, const char *value) {
  if (strcmp(name, "in") == 0)
    return read_file_option(r, name, value, &r->in);
  if (strcmp(name, "out") == 0)
    return read_file_option(r, name, value, &r->out);
  if (strcmp(name, "set") == 0)
    return read_set(r, value);
  if (strcmp(name, "dtype") == 0)
    return read_type(r, value);
  if (strcmp(name, "seed") == 0)
    return read_seed(r, value);
  if (strcmp(name, "target") == 0 && strcmp(value, "interp") != 0)
    return run_fail(r, "--target '%s': there is interp only", value);
  if (strcmp(name, "kernel") == 0)
    r->kernel = value;
  if (strcmp(name, "function") == 0)
    r->function = value;
  r->record = r->record || strcmp(name, "record") == 0;
  return true;
}

static bool read_options(run *r, const options *o) {
  for (size_t i = 0; i < o->given_count; i++)
    if (!read_option(r, o->given[i].name, o->given[i].value))
      return false;
  if (o->argument_count != 1)
    return run_fail(r, o->argument_count ? "run takes one file"
                                         : "nothing to run: name a file");
  r->path = o->arguments[0];
  return true;
}

static bool read_arrays(run *r) {
  for (size_t i = 0; i < r->in.count; i++) {
    run_file *f = &r->in.at[i];
    const char *why;
    if (!npy_read(r->arena, f->path, &f->array, &why))
      return run_fail(r, "%s: %s", f->path, why);
    if (f->dtype != SC_NONE && scalar_bytes(f->dtype) != f->array.bytes)
      return run_fail(r, "%s: its elements have %u bytes, those of %s have %u",
                      f->path, f->array.bytes, scalar_name(f->dtype),
                      scalar_bytes(f->dtype));
    if (run_dtype(f) == SC_NONE)
      return run_fail(r,
                      "%s: elements of raw bytes: say what they are, as in "
                      "--in %s:f8e4m3=FILE",
                      f->path, f->name);
  }
  return true;
}

/* ------------------------------------------------------------------- file */

static parse_options parsing(const run *r) {
  size_t n = 0;
  const char **names = ARENA_ARRAY(r->arena, const char *, r->sets.count + 1);
  int64_t *values = ARENA_ARRAY(r->arena, int64_t, r->sets.count + 1);
  for (size_t i = 0; i < r->sets.count; i++)
    if (r->sets.at[i].is_int) {
      names[n] = r->sets.at[i].name;
      values[n++] = r->sets.at[i].whole;
    }
  return (parse_options){.set_names = names,
                         .set_values = values,
                         .set_count = n,
                         .kernel = r->kernel};
}

static bool is_readable(run *r, const parsed_file *file) {
  for (size_t i = 0; i < file->notices.count; i++) {
    const notice *n = &file->notices.at[i];
    if (n->kind == NOTICE_SYNTAX || n->kind == NOTICE_CONTRACT)
      return run_fail(r, "%s:%u:%u: %s", r->path, n->at.line, n->at.column,
                      n->message);
  }
  return true;
}

/* --------------------------------------------------------------------- run */

static void remember(run *r, const run_launch *l) {
  for (size_t i = 0; i < l->program->tensors.count; i++)
    VEC_PUSH(r->arena, &r->seen, l->tensors[i]);
  for (size_t i = 0; i < l->own.count; i++)
    VEC_PUSH(r->arena, &r->known, l->own.at[i]);
}

static bool run_step_of(run *r, const run_step *step, bool *made) {
  run_launch *l = ARENA_NEW(r->arena, run_launch);
  run_outcome found = run_choose(r, step, l);
  if (found != RUN_CHOSEN)
    return found == RUN_SKIPPED;
  *made = true;
  if (!run_attach(r, l))
    return false;
  if (!run_execute(r, l))
    return false;
  run_print_counts(r, l);
  remember(r, l);
  return true;
}

static bool run_steps(run *r, const run_plan *plan) {
  bool made = false;
  for (size_t i = 0; i < plan->count; i++)
    if (!run_step_of(r, &plan->at[i], &made))
      return false;
  if (!made)
    return run_fail(r, "the host code makes no launch with these numbers");
  if (plan->count > 1)
    run_print_total(r);
  return run_write_outputs(r);
}

/* Types of elements decide how the kernel is lowered, so the file is parsed
 * again once they are known. */
static bool run_source(run *r, const source *text) {
  parse_options options = parsing(r);
  parsed_file *file = parse_file(r->arena, text, options);
  if (!is_readable(r, file))
    return false;
  run_plan plan = run_make_plan(r, file);
  if (r->error || !run_check_names(r, &plan))
    return false;
  run_type_tensors(r, &plan, &options);
  r->notes.count = 0;
  plan = run_make_plan(r, parse_file(r->arena, text, options));
  return !r->error && run_steps(r, &plan);
}

static int tell_end(const run *r, const source *text) {
  for (size_t i = 0; i < r->notes.count; i++)
    fprintf(stderr, "tilecheck: note: %s\n", r->notes.at[i]);
  if (r->error) {
    fprintf(stderr, "tilecheck: %s\n", r->error);
    return TC_STATUS_INPUT;
  }
  if (!r->fault.found)
    return TC_STATUS_CLEAN;
  strbuf out = strbuf_make(r->arena);
  strbuf_printf(&out, "%s: %s\n --> %s:%u:%u\n",
                r->fault.decided ? "error" : "unknown", r->fault.text, r->path,
                r->fault.at.line, r->fault.at.column);
  frame_put(&out, text, r->fault.at, NULL, (text_style){0}, INK_OFF);
  fputs(out.text, stdout);
  return r->fault.decided ? TC_STATUS_REFUTED : STATUS_STUCK;
}

int cmd_run(const options *o) {
  run r = {.arena = arena_create()};
  r.text = strbuf_make(r.arena);
  const source *text = NULL;
  if (read_options(&r, o) && read_arrays(&r)) {
    input in = {.path = r.path};
    file_report file;
    text = pipeline_read(r.arena, &in, &file);
    if (!text)
      run_fail(&r, "%s: %s", r.path, file.unreadable);
    else
      run_source(&r, text);
  }
  fputs(r.text.text, stdout);
  int status = tell_end(&r, text);
  if (fflush(stdout) != 0) {
    fprintf(stderr, "tilecheck: cannot write the results\n");
    status = TC_STATUS_INPUT;
  }
  arena_destroy(r.arena);
  return status;
}
