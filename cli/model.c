/* cli/model.c: from the command line to walks. */
#include "cli/model.h"
#include "cli/spread.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void model_complain(model_input *self, const trouble *why) {
  const char *path = self->source ? self->source->path : NULL;
  if (self->said && strcmp(self->said, why->message) == 0)
    return;
  self->said = arena_strdup(self->run, why->message);
  if (path && why->at.line)
    fprintf(stderr, "tilecheck: %s:%u: %s\n", path, why->at.line, why->message);
  else if (path)
    fprintf(stderr, "tilecheck: %s: %s\n", path, why->message);
  else
    fprintf(stderr, "tilecheck: %s\n", why->message);
}

static bool complain(model_input *self, const char *message) {
  trouble why = {.message = message};
  model_complain(self, &why);
  return false;
}

/* ---------------------------------------------------------------- options */

bool model_number(const options *o, const char *name, int64_t least,
                  int64_t otherwise, int64_t *out) {
  const char *text = options_value(o, name);
  char message[160];
  *out = otherwise;
  if (!text || (settings_number(text, out) && *out >= least))
    return true;
  snprintf(message, sizeof message, "--%s '%.60s': it is a number from %lld on",
           name, text, (long long)least);
  options_usage(message);
  return false;
}

static bool usage(const model_input *self, const char *option, const char *text,
                  const char *what) {
  options_usage(
      arena_printf(self->run, "--%s '%s': it is %s", option, text, what));
  return false;
}

static bool read_sweep(const model_input *self, const char *text,
                       model_sweep *out) {
  const char *equals = strchr(text, '=');
  const char *dots = equals ? strstr(equals, "..") : NULL;
  if (!dots || equals == text)
    return false;
  size_t digits = (size_t)(dots - equals - 1);
  const char *low = arena_strndup(self->run, equals + 1, digits);
  out->name = arena_strndup(self->run, text, (size_t)(equals - text));
  return settings_number(low, &out->low) &&
         settings_number(dots + 2, &out->high) && out->low <= out->high &&
         out->high - out->low < 100000;
}

bool model_read_sweep(model_input *self, model_sweep *out) {
  const char *text = options_value(self->options, "sweep");
  *out = (model_sweep){0};
  if (!text || read_sweep(self, text, out))
    return true;
  return usage(self, "sweep", text,
               "NAME=LO..HI with LO <= HI, such as GROUP_M=1..64");
}

static bool read_one_set(const model_input *self, const char *text,
                         model_sets *out) {
  const char *equals = strchr(text, '=');
  model_set one;
  if (!equals || equals == text || !settings_number(equals + 1, &one.value))
    return false;
  one.name = arena_strndup(self->run, text, (size_t)(equals - text));
  VEC_PUSH(self->run, out, one);
  return true;
}

bool model_read_sets(const model_input *self, const char *option,
                     const char *text, model_sets *out) {
  for (const char *at = text;; at++) {
    size_t length = strcspn(at, ",");
    if (!read_one_set(self, arena_strndup(self->run, at, length), out))
      return usage(self, option, text, "NAME=INT, or several with commas");
    at += length;
    if (!*at)
      return true;
  }
}

bool model_read_jobs(const model_input *self, size_t *out) {
  int64_t jobs;
  if (!model_number(self->options, "jobs", 1, (int64_t)spread_jobs(), &jobs))
    return false;
  *out = (size_t)jobs;
  return true;
}

static bool read_gpu(const model_input *self, const gpu **out) {
  const char *text = options_value(self->options, "gpu"), *error;
  if (!text)
    text = "h100";
  *out = gpu_find(self->run, text, &error);
  if (*out)
    return true;
  options_usage(arena_printf(self->run, "--gpu '%s': %s", text, error));
  return false;
}

static bool is_known(const model_input *self, const char *option,
                     int64_t value) {
  if (value > 0)
    return true;
  options_usage(
      arena_printf(self->run, "this GPU is not known: give --%s", option));
  return false;
}

bool model_read_machine(const model_input *self, const gpu **gpu, int64_t *l2,
                        int64_t *wave) {
  const options *o = self->options;
  return read_gpu(self, gpu) && model_number(o, "l2", 1, (*gpu)->l2, l2) &&
         is_known(self, "l2", *l2) &&
         model_number(o, "wave", 1, (*gpu)->processors, wave) &&
         is_known(self, "wave", *wave);
}

static bool read_dtype(model_input *self, const char *text) {
  const char *equals = strchr(text, '=');
  const char *type = equals ? equals + 1 : text;
  dtype_given given = {.dtype = scalar_from_name(type, strlen(type))};
  if (equals)
    given.tensor = arena_strndup(self->run, text, (size_t)(equals - text));
  if (scalar_bytes(given.dtype) == 0)
    return usage(self, "dtype", text,
                 "a type such as f16, or NAME=f16 for one tensor");
  VEC_PUSH(self->run, &self->dtypes, given);
  return true;
}

/* Options that mean something to the reading of the file. */
static bool is_setting(const char *name) {
  static const char *const names[] = {"kernel", "set", "assume", "max-numel"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

static bool read_options(model_input *self) {
  for (size_t i = 0; i < self->options->given_count; i++) {
    const option_given *given = &self->options->given[i];
    if (strcmp(given->name, "dtype") == 0 && !read_dtype(self, given->value))
      return false;
    if (is_setting(given->name) &&
        !tc_checker_option(self->checker, given->name, given->value)) {
      options_usage(tc_checker_error(self->checker));
      return false;
    }
  }
  return true;
}

static bool read_file(model_input *self) {
  file_report file;
  input in = {.path = self->options->arguments[0]};
  self->source = pipeline_read(self->run, &in, &file);
  if (!self->source)
    complain(self, arena_printf(self->run, "%s: %s", in.path, file.unreadable));
  return self->source != NULL;
}

static bool read_format(model_input *self, bool *json) {
  const char *format = options_value(self->options, "format");
  *json = format && strcmp(format, "json") == 0;
  return !format || *json || strcmp(format, "text") == 0;
}

int model_open(const options *o, const char *command, model_input *out) {
  bool json = false;
  *out = (model_input){.options = o, .checker = tc_checker_create()};
  out->run = out->checker->run;
  if (!read_format(out, &json))
    return options_usage("--format is text or json");
  if (o->argument_count != 1)
    return options_usage("name one file with the kernel");
  bool opened = read_options(out) && read_file(out);
  if (opened && json)
    out->json = traffic_json_begin(out->run, command, out->source->path);
  return opened ? TC_STATUS_CLEAN : TC_STATUS_INPUT;
}

int model_finish(model_input *self, int status) {
  if (!self->json)
    return status;
  strbuf out = strbuf_make(self->run);
  traffic_json_write(self->json, &out);
  fputs(out.text, stdout);
  return status;
}

void model_close(model_input *self) {
  tc_checker_destroy(self->checker);
}

/* --------------------------------------------------------------- programs */

/* The command line's settings with more names set. */
static settings settings_with(const model_input *self, arena *arena,
                              const model_sets *more) {
  const settings *own = &self->checker->settings;
  settings out = *own;
  memset(&out.set_names, 0, sizeof out.set_names);
  memset(&out.set_values, 0, sizeof out.set_values);
  for (size_t i = 0; i < own->set_names.count; i++)
    settings_set(&out, arena, own->set_names.at[i], own->set_values.at[i]);
  for (size_t i = 0; i < more->count; i++)
    settings_set(&out, arena, more->at[i].name, more->at[i].value);
  return out;
}

/* Notices that leave the numbers without a meaning. */
static bool has_errors(model_input *self, const parsed_file *file) {
  bool any = false;
  for (size_t i = 0; i < file->notices.count; i++) {
    const notice *n = &file->notices.at[i];
    bool option = n->kind == NOTICE_UNUSED && n->at.line == 0;
    if (n->kind != NOTICE_SYNTAX && n->kind != NOTICE_CONTRACT && !option)
      continue;
    model_complain(self, &(trouble){n->message, n->at});
    any = true;
  }
  return any;
}

/* The switch's text, without quotes. */
static bool switch_is(const char *text, const char *value) {
  size_t n = strlen(text);
  if (n >= 2 && (*text == '"' || *text == '\'') && text[n - 1] == *text)
    return strlen(value) == n - 2 && strncmp(text + 1, value, n - 2) == 0;
  return strcmp(text, value) == 0;
}

/* The program has each --only switch with this value. */
static bool has_switches(const model_input *self, const tile_program *p) {
  for (size_t i = 0; i < self->options->given_count; i++) {
    const option_given *given = &self->options->given[i];
    const char *equals = strchr(given->value, '=');
    bool found = strcmp(given->name, "only") != 0;
    for (size_t k = 0; !found && equals && k < p->params.count; k++) {
      const param *x = &p->params.at[k];
      size_t n = (size_t)(equals - given->value);
      found = x->kind == PARAM_STATIC && x->text && strlen(x->name) == n &&
              strncmp(x->name, given->value, n) == 0 &&
              switch_is(x->text, equals + 1);
    }
    if (!found)
      return false;
  }
  return true;
}

static bool is_wanted(const model_input *self, const kernel_unit *unit) {
  const char *kernel = self->checker->settings.kernel;
  return kernel ? strcmp(kernel, unit->name) == 0 : !unit->helper;
}

static bool no_program(model_input *self, const parsed_file *file) {
  const char *kernel = self->checker->settings.kernel;
  if (kernel)
    return complain(
        self, arena_printf(self->run, "no kernel is called '%s' here", kernel));
  if (options_value(self->options, "only"))
    return complain(self, "no launch has the switches of --only");
  return complain(self, file->kernels.count
                            ? "no kernel here could be read"
                            : "there is no kernel in this file");
}

static void choose_programs(const model_input *self, arena *arena,
                            const parsed_file *file, program_vec *out) {
  for (size_t i = 0; i < file->kernels.count; i++) {
    const kernel_unit *unit = &file->kernels.at[i];
    for (size_t k = 0; is_wanted(self, unit) && k < unit->programs.count; k++)
      if (has_switches(self, unit->programs.at[k]))
        VEC_PUSH(arena, out, unit->programs.at[k]);
  }
}

bool model_programs(model_input *self, arena *arena, const model_sets *more,
                    program_vec *out) {
  settings set = settings_with(self, arena, more);
  parsed_file *file = parse_file(arena, self->source, settings_parse(&set));
  if (has_errors(self, file))
    return false;
  choose_programs(self, arena, file, out);
  return out->count > 0 || no_program(self, file);
}

tile_program *model_free_program(model_input *self, arena *arena,
                                 size_t index) {
  parse_options options = settings_parse(&self->checker->settings);
  program_vec programs = {0};
  options.set_count = 0;
  choose_programs(self, arena, parse_file(arena, self->source, options),
                  &programs);
  return index < programs.count ? programs.at[index] : NULL;
}

bool model_make(const model_input *self, tile_program *p, launch_model *out,
                trouble *why) {
  analysis_options options = settings_analysis(&self->checker->settings);
  *out = (launch_model){.program = p};
  *why = (trouble){.message = program_verify(p, p->arena)};
  if (!why->message) {
    out->judge = judge_create(p->arena, p, true, options);
    if (sizes_resolve(out->judge, &self->dtypes, &out->sizes, why))
      out->walk = walk_create(out->judge, &out->sizes, why);
  }
  if (!out->walk)
    why->message = arena_printf(p->arena, "%s: %s", p->kernel, why->message);
  return out->walk != NULL;
}

size_t model_sweep_count(const model_sweep *self) {
  return (size_t)(self->high - self->low + 1);
}

model_sets model_sweep_sets(const model_sweep *self, arena *arena, size_t i) {
  model_sets out = {0};
  model_set one = {self->name, self->low + (int64_t)i};
  VEC_PUSH(arena, &out, one);
  return out;
}

tile_program *model_program_with(model_input *self, arena *arena,
                                 const model_sets *more, size_t index) {
  program_vec programs = {0};
  if (!model_programs(self, arena, more, &programs) || index >= programs.count)
    return NULL;
  return programs.at[index];
}

const char *model_title(arena *arena, const tile_program *p) {
  strbuf out = strbuf_make(arena);
  strbuf_put(&out, p->kernel);
  if (p->launch_line)
    strbuf_printf(&out, ", launched on line %u", p->launch_line);
  for (size_t i = 0; i < p->params.count; i++)
    if (p->params.at[i].kind == PARAM_STATIC && p->params.at[i].text)
      strbuf_printf(&out, ", %s = %s", p->params.at[i].name,
                    p->params.at[i].text);
  return out.text;
}

launch_head model_head(arena *arena, const tile_program *p) {
  return (launch_head){.title = model_title(arena, p),
                       .kernel = p->kernel,
                       .line = p->launch_line};
}

launch_head model_notes(arena *arena, const launch_model *m) {
  launch_head out = model_head(arena, m->program);
  size_t n = walk_refused_count(m->walk);
  left_out *all = ARENA_ARRAY(arena, left_out, n + 1);
  for (size_t i = 0; i < n; i++) {
    trouble why;
    walk_refused(m->walk, i, &why);
    all[i] = (left_out){why.at.line, why.message};
  }
  out.contiguous = m->sizes.contiguous.at;
  out.contiguous_count = m->sizes.contiguous.count;
  out.left_out = all;
  out.left_out_count = n;
  return out;
}
