/* cli/dump.c: the stages between source and report, as text. */
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
      parse_file(c->run, source, settings_parse(&c->settings));
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
      parse_file(c->run, source, settings_parse(&c->settings));
  for (size_t i = 0; i < file->kernels.count; i++) {
    const kernel_unit *unit = &file->kernels.at[i];
    for (size_t j = 0; is_wanted(c, unit) && j < unit->programs.count; j++) {
      tile_program *p = unit->programs.at[j];
      verdict_vec ignored = {0};
      prover_stats stats = {0};
      put_title(p, out);
      if (!program_verify(p, c->run))
        analyse(p, settings_analysis(&c->settings), &dump, &ignored, &stats);
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
    {"syntax", dump_syntax},
    {"tile", dump_tile},
    {"facts", dump_facts},
    {"access", dump_access},
    {"obligations", dump_obligations},
    {"smt2", dump_smt2},
    {"verdicts", dump_verdicts},
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
