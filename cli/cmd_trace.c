/* cli/cmd_trace.c: `tilecheck trace`: the operations of kernels on blocks. */
#include "cli/checker.h"
#include "cli/options.h"
#include "report/trace.h"

#include <stdio.h>
#include <string.h>

/* The words of the lecture that the list is known from. */
static const trace_words lecture_words = {"带掩码", "标量"};
static const trace_words english_words = {"masked", "scalar"};

typedef struct tracing {
  tc_checker *checker;
  arena *arena;
  trace_words words;
} tracing;

/* One list, and whose it is. */
typedef struct trace {
  const tile_program *program;
  const char *text;
} trace;
typedef VEC(trace) trace_vec;

static bool is_known(const trace_vec *all, const tile_program *p,
                     const char *text) {
  for (size_t i = 0; i < all->count; i++)
    if (strcmp(all->at[i].program->kernel, p->kernel) == 0 &&
        strcmp(all->at[i].text, text) == 0)
      return true;
  return false;
}

static void add_unit(const tracing *t, const kernel_unit *unit,
                     trace_vec *out) {
  const char *wanted = t->checker->settings.kernel;
  if (wanted ? strcmp(wanted, unit->name) != 0 : unit->helper)
    return;
  for (size_t i = 0; i < unit->programs.count; i++) {
    strbuf text = strbuf_make(t->arena);
    trace_print(unit->programs.at[i], t->words, &text);
    trace one = {unit->programs.at[i], text.text};
    if (!is_known(out, one.program, one.text))
      VEC_PUSH(t->arena, out, one);
  }
}

/* Whose list it is, with the values of the switches. */
static void print_title(const char *path, const tile_program *p) {
  printf("%s:%u: kernel %s", path, p->at.line, p->kernel);
  if (p->launch_line)
    printf(", launched on line %u", p->launch_line);
  for (size_t i = 0; i < p->params.count; i++)
    if (p->params.at[i].kind == PARAM_STATIC && p->params.at[i].text)
      printf(", %s = %s", p->params.at[i].name, p->params.at[i].text);
  putchar('\n');
}

static void print(const char *path, const trace_vec *all) {
  for (size_t i = 0; i < all->count; i++) {
    if (i)
      putchar('\n');
    if (all->count > 1)
      print_title(path, all->at[i].program);
    fputs(all->at[i].text, stdout);
  }
}

static int complain(const char *path, const char *what) {
  fprintf(stderr, "tilecheck: %s: %s\n", path, what);
  return TC_STATUS_INPUT;
}

static int trace_file(const tracing *t, const char *path) {
  input in = {.path = path};
  file_report report;
  trace_vec all = {0};
  const source *text = pipeline_read(t->arena, &in, &report);
  if (!text)
    return complain(path, report.unreadable);
  const parsed_file *file =
      parse_file(t->arena, text, settings_parse(&t->checker->settings));
  for (size_t i = 0; i < file->notices.count; i++)
    if (file->notices.at[i].kind == NOTICE_SYNTAX ||
        file->notices.at[i].kind == NOTICE_CONTRACT ||
        file->notices.at[i].at.line == 0)
      return complain(path, file->notices.at[i].message);
  for (size_t i = 0; i < file->kernels.count; i++)
    add_unit(t, &file->kernels.at[i], &all);
  if (all.count == 0)
    return complain(path, t->checker->settings.kernel ? "no such kernel"
                                                      : "there is no kernel");
  for (size_t i = 0; i < all.count; i++) {
    int64_t extent;
    const span *at = trace_misshapen(all.at[i].program, &extent);
    if (at)
      return complain(
          path,
          arena_printf(t->arena,
                       "line %u: %s does not compile: a tile has an "
                       "extent of %lld, which is no power of two",
                       at->line, all.at[i].program->kernel, (long long)extent));
  }
  print(path, &all);
  return TC_STATUS_CLEAN;
}

static int trace_checked(tracing *t, const options *o) {
  for (size_t i = 0; i < o->given_count; i++) {
    const option_given *given = &o->given[i];
    if (strcmp(given->name, "english") == 0)
      t->words = english_words;
    else if (!tc_checker_option(t->checker, given->name, given->value))
      return options_usage(tc_checker_error(t->checker));
  }
  int status = trace_file(t, o->arguments[0]);
  if (fflush(stdout) != 0)
    return complain(o->arguments[0], "cannot write the list");
  return status;
}

int cmd_trace(const options *o) {
  if (o->argument_count != 1)
    return options_usage("trace needs one file");
  tracing t = {.checker = tc_checker_create(),
               .arena = arena_create(),
               .words = lecture_words};
  int status = trace_checked(&t, o);
  arena_destroy(t.arena);
  tc_checker_destroy(t.checker);
  return status;
}
