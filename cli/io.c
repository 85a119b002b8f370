/* cli/io.c: the kernels and host functions of all files, counted, chosen and
 * compared. */
#include "cli/checker.h"
#include "cli/io_view.h"
#include "cli/options.h"
#include "traffic/gpu.h"

#include <string.h>

typedef struct counting {
  tc_checker *checker;
  arena *arena;
  const settings *settings;
  io_view view;
  io_values values;
  bool found;            /* a function or kernel of a name asked for */
  io_names names;        /* that --at may give values for */
  io_function_vec fixed; /* kernels as their launches fix them, once asked */
  /* Host functions, to be compared. */
  io_function_vec hosts;
  text_vec host_paths;
} counting;

typedef VEC(io_function_row) row_vec;

static bool contains(const text_vec *all, const char *name) {
  for (size_t i = 0; i < all->count; i++)
    if (strcmp(all->at[i], name) == 0)
      return true;
  return false;
}

/* ------------------------------------------------------------------- choice */

static bool same_quantity(const io_function *a, io_quantity x,
                          const io_function *b, io_quantity y, arena *arena) {
  if (!x.formula || !y.formula)
    return !x.formula && !y.formula;
  return strcmp(sym_text(a->syms, x.formula, arena),
                sym_text(b->syms, y.formula, arena)) == 0;
}

/* Specialisations of one launch that move the same are told once. */
static bool is_known(const counting *c, const io_function_vec *all,
                     const io_function *f) {
  for (size_t i = 0; i < all->count; i++) {
    const io_function *g = all->at[i];
    if (g->launch_line == f->launch_line && strcmp(g->choice, f->choice) == 0 &&
        strcmp(g->name, f->name) == 0 &&
        same_quantity(f, f->reads.bytes, g, g->reads.bytes, c->arena) &&
        same_quantity(f, f->writes.bytes, g, g->writes.bytes, c->arena))
      return true;
  }
  return false;
}

/* By default what runs: no kernels that only others call. */
static bool wants_kernel(const counting *c, const kernel_unit *u) {
  const settings *s = c->settings;
  if (s->kernel)
    return strcmp(s->kernel, u->name) == 0;
  return s->functions.count ? contains(&s->functions, u->name) : !u->helper;
}

/* By default functions that do something to arrays for sure. */
static bool wants_host(const counting *c, const host_unit *u) {
  if (c->settings->functions.count)
    return contains(&c->settings->functions, u->name);
  if (c->settings->kernel)
    return false;
  for (size_t i = 0; i < u->steps.count; i++)
    if (!u->steps.at[i].vague)
      return true;
  return false;
}

/* ------------------------------------------------------------------ counting
 */

static void count_kernels(const counting *c, const kernel_unit *u,
                          io_function_vec *out) {
  analysis_options options = settings_analysis(c->settings);
  if (u->programs.count > 1) /* much alike: answers are remembered */
    options.prover.memo = memo_create(c->arena);
  for (size_t i = 0; i < u->programs.count; i++) {
    io_function *f = io_kernel(c->arena, u->programs.at[i], options);
    if (!is_known(c, out, f))
      VEC_PUSH(c->arena, out, f);
  }
}

static tile_program *program_of(const io_function *f) {
  return (tile_program *)f->program;
}

/* The kernel as its launch fixes it. */
static io_function *fix(counting *c, const io_function *f) {
  for (size_t i = 0; i < c->fixed.count; i++)
    if (c->fixed.at[i]->program == f->program)
      return c->fixed.at[i];
  io_function *out =
      io_kernel_pinned(c->arena, program_of(f), settings_analysis(c->settings));
  VEC_PUSH(c->arena, &c->fixed, out);
  return out;
}

static io_function_vec fix_all(counting *c, const io_function_vec *all) {
  io_function_vec out = {0};
  for (size_t i = 0; i < all->count; i++)
    VEC_PUSH(c->arena, &out, fix(c, all->at[i]));
  return out;
}

static bool needs_fixed(const counting *c, const io_function *f) {
  return f->pins.count && !*f->only && io_view_is_long(&c->view, f);
}

static void note(counting *c, const io_function *f) {
  c->found = true;
  io_list_names(c->arena, f, &c->names);
}

static void add_kernel_rows(counting *c, const io_function_vec *kernels,
                            const kernel_unit *u, row_vec *rows) {
  for (size_t i = 0; i < kernels->count; i++) {
    io_function *f = kernels->at[i];
    const io_function *fixed = NULL;
    if (strcmp(f->name, u->name) != 0)
      continue;
    io_kernel_details(c->arena, f);
    note(c, f);
    if (needs_fixed(c, f))
      fixed = fix(c, f);
    io_function_row row = io_view_function(&c->view, f, fixed);
    VEC_PUSH(c->arena, rows, row);
  }
}

static void add_host_row(counting *c, const char *path,
                         const io_function_vec *kernels, const host_unit *u,
                         const char *choice, row_vec *rows) {
  analysis_options options = settings_analysis(c->settings);
  io_function *f = io_host(c->arena, u, kernels, choice, options);
  const io_function *fixed = NULL;
  note(c, f);
  if (needs_fixed(c, f)) {
    io_function_vec all = fix_all(c, kernels);
    fixed = io_host(c->arena, u, &all, choice, options);
  }
  io_function_row row = io_view_function(&c->view, f, fixed);
  VEC_PUSH(c->arena, rows, row);
  VEC_PUSH(c->arena, &c->hosts, f);
  VEC_PUSH(c->arena, &c->host_paths, path);
}

static void add_host_rows(counting *c, const char *path,
                          const io_function_vec *kernels, const host_unit *u,
                          row_vec *rows) {
  io_choices choices = {0};
  io_host_choices(c->arena, u, kernels, &choices);
  for (size_t i = 0; i < choices.count; i++)
    add_host_row(c, path, kernels, u, choices.at[i], rows);
}

/* In the order of the text. */
static void order_rows(row_vec *rows) {
  for (size_t i = 1; i < rows->count; i++)
    for (size_t k = i; k > 0 && rows->at[k].line < rows->at[k - 1].line; k--) {
      io_function_row swap = rows->at[k];
      rows->at[k] = rows->at[k - 1];
      rows->at[k - 1] = swap;
    }
}

static io_file_row count_file(counting *c, const input *in) {
  file_report read;
  const source *source = pipeline_read(c->arena, in, &read);
  io_file_row out = {.path = in->path, .unreadable = read.unreadable};
  if (!source)
    return out;
  parse_options options = settings_parse(c->settings);
  options.functions = true;
  options.kernel = NULL;
  const parsed_file *file = parse_file(c->arena, source, options);
  io_function_vec kernels = {0};
  row_vec rows = {0};
  for (size_t i = 0; i < file->notices.count; i++)
    if (file->notices.at[i].kind == NOTICE_SYNTAX ||
        file->notices.at[i].kind == NOTICE_CONTRACT)
      out.unreadable =
          arena_printf(c->arena, "line %u: %s", file->notices.at[i].at.line,
                       file->notices.at[i].message);
  /* Launches of host functions may need any kernel. */
  for (size_t i = 0; i < file->kernels.count; i++)
    if (!c->settings->kernel || wants_kernel(c, &file->kernels.at[i]))
      count_kernels(c, &file->kernels.at[i], &kernels);
  for (size_t i = 0; i < file->kernels.count; i++)
    if (wants_kernel(c, &file->kernels.at[i]))
      add_kernel_rows(c, &kernels, &file->kernels.at[i], &rows);
  for (size_t i = 0; i < file->functions.count; i++)
    if (wants_host(c, &file->functions.at[i]))
      add_host_rows(c, in->path, &kernels, &file->functions.at[i], &rows);
  order_rows(&rows);
  out.functions = rows.at;
  out.function_count = rows.count;
  return out;
}

/* ------------------------------------------------------------------- results
 */

static const char *full_name(const counting *c, size_t i) {
  const io_function *f = c->hosts.at[i];
  bool choice = *f->choice;
  return arena_printf(c->arena, "%s (%s%s%s)", f->name, c->host_paths.at[i],
                      choice ? ", " : "", choice ? f->choice : "");
}

static void compare_hosts(const counting *c, io_report *r) {
  size_t n = c->hosts.count;
  bool asked = c->settings->functions.count > 1 || r->file_count > 1;
  if (!asked || n < 2)
    return;
  io_comparison *all = ARENA_ARRAY(c->arena, io_comparison, n);
  for (size_t i = 1; i < n; i++)
    all[i - 1] = io_view_comparison(&c->view, c->hosts.at[0], c->hosts.at[i],
                                    full_name(c, 0), full_name(c, i));
  r->comparisons = all;
  r->comparison_count = n - 1;
}

/* A name of --at that nothing has, and what there is. */
static const char *unknown_name(const counting *c) {
  for (size_t i = 0; i < c->values.count; i++) {
    const char *name = c->values.names[i];
    bool known = false;
    for (size_t k = 0; k < c->names.count; k++)
      known = known || strcmp(c->names.at[k], name) == 0;
    if (known)
      continue;
    const char *near = nearest(name, c->names.at, c->names.count);
    strbuf all = strbuf_make(c->arena);
    for (size_t k = 0; k < c->names.count && k < 12; k++)
      strbuf_printf(&all, "%s%s", k ? ", " : "", c->names.at[k]);
    return near ? arena_printf(c->arena,
                               "--at: no size is called '%s' here; "
                               "did you mean '%s'?",
                               name, near)
                : arena_printf(c->arena,
                               "--at: no size is called '%s' here; there are "
                               "%s",
                               name, all.text);
  }
  return NULL;
}

/* What keeps all functions from having values. */
static const char *no_values(const counting *c, const io_report *r) {
  const char *why = NULL;
  for (size_t i = 0; i < r->file_count; i++)
    for (size_t k = 0; k < r->files[i].function_count; k++) {
      const io_function_row *f = &r->files[i].functions[k];
      if (!f->no_value)
        return NULL;
      if (!why)
        why = arena_printf(c->arena, "%s: %s", f->name, f->no_value);
    }
  return why;
}

static const char *trouble(const counting *c, const io_report *r) {
  for (size_t i = 0; i < r->file_count; i++)
    if (r->files[i].unreadable)
      return arena_printf(c->arena, "%s: %s", r->files[i].path,
                          r->files[i].unreadable);
  if (!c->found && c->settings->kernel)
    return arena_printf(c->arena, "no kernel is called '%s' here",
                        c->settings->kernel);
  if (!c->found && c->settings->functions.count)
    return arena_printf(c->arena,
                        "no function called '%s' here does anything to arrays",
                        c->settings->functions.at[0]);
  if (!c->found)
    return "no kernel or function here moves any array";
  const char *name = unknown_name(c);
  return name ? name : no_values(c, r);
}

const char *tc_checker_io(tc_checker *self, const char *format) {
  const settings *s = &self->settings;
  counting c = {.checker = self, .arena = self->run, .settings = s};
  const char *error = NULL;
  const gpu *device = s->gpu ? gpu_find(self->run, s->gpu, &error) : NULL;
  c.values = (io_values){s->at_names.at, s->at_values.at, s->at_names.count};
  c.view = (io_view){.arena = self->run,
                     .values = c.values.count ? &c.values : NULL,
                     .gpu_name = device ? device->title : NULL,
                     .bandwidth = device ? device->bandwidth : 0};
  size_t n = self->inputs.count;
  io_file_row *files = ARENA_ARRAY(self->run, io_file_row, n + 1);
  for (size_t i = 0; i < n; i++)
    files[i] = count_file(&c, &self->inputs.at[i]);
  io_report r = {.files = files, .file_count = n};
  compare_hosts(&c, &r);
  strbuf out = strbuf_make(self->run);
  const char *wrong = trouble(&c, &r);
  self->error = wrong ? wrong : "";
  if (strcmp(format, "json") == 0)
    io_json(&r, &out);
  else if (strcmp(format, "latex") == 0)
    io_latex(&r, &out);
  else if (strcmp(format, "markdown") == 0)
    io_markdown(&r, &out);
  else
    io_text(&r, &out);
  return out.text;
}
