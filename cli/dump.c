/* cli/dump.c: the stages between source and report, as text. */
#include "checks/analyse.h"
#include "checks/check.h"
#include "cli/checker.h"

#include <string.h>

/* Appends one file's text of a stage. */
typedef void (*stage_printer)(tc_checker *c, const source *source, strbuf *out);

static void dump_syntax(tc_checker *c, const source *source, strbuf *out) {
  parse_dump_syntax(source, c->run, out);
}

static bool is_wanted(const tc_checker *c, const kernel_unit *unit) {
  return !c->settings.kernel || strcmp(c->settings.kernel, unit->name) == 0;
}

static void dump_tile(tc_checker *c, const source *source, strbuf *out) {
  const parsed_file *file =
      parse_file(c->run, source, settings_parse_check(&c->settings));
  size_t printed = 0;
  for (size_t i = 0; i < file->kernels.count; i++) {
    const kernel_unit *unit = &file->kernels.at[i];
    for (size_t j = 0; is_wanted(c, unit) && j < unit->programs.count; j++) {
      if (printed++)
        strbuf_putc(out, '\n');
      program_print(unit->programs.at[j], out);
    }
  }
}

static void put_moved(const exprs *t, const char *word, const moved_vec *all,
                      strbuf *out) {
  for (size_t i = 0; i < all->count; i++) {
    const moved *m = &all->at[i];
    strbuf_printf(out, "    %s %s: ", word, m->name);
    expr_print(t, m->elements, out);
    strbuf_printf(out, " of %s%s%s\n", scalar_name(m->dtype),
                  m->type_of ? ", that of " : "", m->type_of ? m->type_of : "");
  }
}

static void put_step(const exprs *t, const host_step *s, strbuf *out) {
  strbuf_printf(out, "  %u:%u %s %s", s->at.line, s->at.column,
                s->kind == STEP_LAUNCH ? "launch" : "operator", s->name);
  if (s->why) {
    strbuf_printf(out, ": unknown, %s\n", s->why);
    return;
  }
  strbuf_put(out, ", times ");
  expr_print(t, s->times, out);
  strbuf_putc(out, '\n');
  put_moved(t, "reads", &s->reads, out);
  put_moved(t, "writes", &s->writes, out);
}

static void dump_functions(tc_checker *c, const source *source, strbuf *out) {
  parse_options options = settings_parse(&c->settings);
  options.functions = true;
  const parsed_file *file = parse_file(c->run, source, options);
  for (size_t i = 0; i < file->functions.count; i++) {
    const host_unit *u = &file->functions.at[i];
    strbuf_printf(out, "# %s: function %s%s%s\n", source->path, u->name,
                  *u->choice ? ", with " : "", u->choice);
    for (size_t k = 0; k < u->assumptions.count; k++)
      strbuf_printf(out, "  assumes %s\n", u->assumptions.at[k]);
    for (size_t k = 0; k < u->steps.count; k++)
      put_step(u->program->exprs, &u->steps.at[k], out);
  }
}

static void put_title(const tile_program *p, strbuf *out) {
  strbuf_printf(out, "# %s: kernel %s", p->path, p->kernel);
  if (p->launch_line)
    strbuf_printf(out, ", launched on line %u", p->launch_line);
  strbuf_putc(out, '\n');
}

/* Analyses every program with the dump that `choose` makes of the buffer. */
static void dump_analysis(tc_checker *c, const source *source, strbuf *out,
                          analysis_dump dump) {
  const parsed_file *file =
      parse_file(c->run, source, settings_parse_check(&c->settings));
  for (size_t i = 0; i < file->kernels.count; i++) {
    const kernel_unit *unit = &file->kernels.at[i];
    for (size_t j = 0; is_wanted(c, unit) && j < unit->programs.count; j++) {
      tile_program *p = unit->programs.at[j];
      verdict_vec ignored = {0};
      prover_stats stats = {0};
      put_title(p, out);
      if (!program_verify(p, c->run))
        analyse(p, settings_analysis(&c->settings), &dump, &ignored, NULL,
                &stats);
    }
  }
}

static void dump_facts(tc_checker *c, const source *source, strbuf *out) {
  dump_analysis(c, source, out, (analysis_dump){.facts = out});
}

static void dump_access(tc_checker *c, const source *source, strbuf *out) {
  dump_analysis(c, source, out, (analysis_dump){.access = out});
}

static void dump_obligations(tc_checker *c, const source *source, strbuf *out) {
  dump_analysis(c, source, out, (analysis_dump){.obligations = out});
}

static void dump_smt2(tc_checker *c, const source *source, strbuf *out) {
  dump_analysis(c, source, out, (analysis_dump){.smt2 = out});
}

static void put_verdict(const char *path, const verdict *v, strbuf *out) {
  strbuf_printf(out, "%s:%u:%u %s %s", path, v->at.line, v->at.column,
                check_by_id(v->code)->code, verdict_kind_name(v->kind));
  if (v->buffer)
    strbuf_printf(out, " `%s`", v->buffer);
  if (v->kind == VERDICT_UNKNOWN)
    strbuf_printf(out, " %s", reason_name(v->why));
  for (size_t i = 0; i < v->requires.count; i++)
    strbuf_printf(out, "%s%s", i ? " and " : " if ", v->requires.at[i]);
  if (v->method)
    strbuf_printf(out, " by %s", v->method);
  strbuf_put(out, v->suppressed ? " (ignored)\n" : "\n");
}

static void dump_verdicts(tc_checker *c, const source *source, strbuf *out) {
  file_report file = pipeline_check(c->run, source, &c->settings, NULL);
  for (size_t i = 0; i < file.kernel_count; i++)
    for (size_t j = 0; j < file.kernels[i].verdict_count; j++)
      put_verdict(file.path, &file.kernels[i].verdicts[j], out);
}

typedef struct stage_row {
  const char *name;
  stage_printer print;
} stage_row;

static const stage_row stage_rows[] = {
    {"syntax", dump_syntax}, {"functions", dump_functions},
    {"tile", dump_tile},     {"facts", dump_facts},
    {"access", dump_access}, {"obligations", dump_obligations},
    {"smt2", dump_smt2},     {"verdicts", dump_verdicts},
};

const char *tc_checker_dump(tc_checker *self, const char *stage) {
  stage_printer print = NULL;
  for (size_t i = 0; i < sizeof stage_rows / sizeof stage_rows[0]; i++)
    if (strcmp(stage_rows[i].name, stage) == 0)
      print = stage_rows[i].print;
  if (!print)
    return NULL;
  strbuf out = strbuf_make(self->run);
  self->error = "";
  for (size_t i = 0; i < self->inputs.count; i++) {
    file_report file;
    const source *source = pipeline_read(self->run, &self->inputs.at[i], &file);
    if (source)
      print(self, source, &out);
    else
      self->error =
          arena_printf(self->run, "%s: %s", file.path, file.unreadable);
  }
  return out.text;
}
