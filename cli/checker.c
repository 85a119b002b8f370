/* cli/checker.c: the library's interface: a checker's life. */
#include "cli/checker.h"
#include "base/panic.h"
#include "checks/check.h"
#include "checks/pages.h"

#include <string.h>
#include <unistd.h>

tc_checker *tc_checker_create(void) {
  arena *run = arena_create();
  tc_checker *self = ARENA_NEW(run, tc_checker);
  self->run = run;
  self->error = "";
  return self;
}

void tc_checker_destroy(tc_checker *self) {
  if (self)
    arena_destroy(self->run);
}

const char *tc_checker_error(const tc_checker *self) {
  return self->error;
}

bool tc_checker_add_path(tc_checker *self, const char *path) {
  const char *trouble = paths_find(self->run, path, &self->inputs);
  if (!trouble)
    return true;
  self->error = arena_printf(self->run, "%s: %s", path, trouble);
  return false;
}

static size_t job_count(const tc_checker *self) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (self->settings.jobs)
    return self->settings.jobs;
  return cores > 1 ? (size_t)cores : 1;
}

static bool holds_kernel(const report *r, const char *name) {
  for (size_t i = 0; i < r->file_count; i++)
    for (size_t j = 0; j < r->files[i].kernel_count; j++)
      if (strcmp(r->files[i].kernels[j].name, name) == 0)
        return true;
  return false;
}

int tc_checker_run(tc_checker *self) {
  size_t count = self->inputs.count;
  file_report *files = ARENA_ARRAY(self->run, file_report, count);
  self->error = "";
  if (count == 1 && self->settings.jobs == 1) {
    const source *source =
        pipeline_read(self->run, &self->inputs.at[0], &files[0]);
    if (source)
      files[0] = pipeline_check(self->run, source, &self->settings, NULL);
  } else {
    workers_run(self->run, &self->settings, &self->inputs, job_count(self),
                pipeline_check, files);
  }
  self->report = (report){.version = tc_version(),
                          .z3_version = tc_z3_version(self),
                          .files = files,
                          .file_count = count};
  if (self->settings.kernel &&
      !holds_kernel(&self->report, self->settings.kernel)) {
    self->error = arena_printf(self->run, "no kernel is called '%s' here",
                               self->settings.kernel);
    return TC_STATUS_INPUT;
  }
  return report_exit_status(&self->report, self->settings.strict);
}

const char *tc_checker_output(tc_checker *self, const char *format) {
  strbuf out = strbuf_make(self->run);
  if (strcmp(format, "text") == 0)
    report_text(&self->report, self->settings.style, &out);
  else if (strcmp(format, "json") == 0)
    report_json(&self->report, &out);
  else
    return NULL;
  return out.text;
}

const char *tc_checker_summary(tc_checker *self) {
  strbuf out = strbuf_make(self->run);
  report_summary_line(&self->report, &out);
  return out.text;
}

const char *tc_version(void) {
  return TILECHECK_VERSION;
}

const char *tc_z3_version(tc_checker *self) {
  return prover_z3_version(self->run);
}

const char *tc_explain(const char *check) {
  const check_info *info = check_by_name(check);
  for (size_t i = 0; info && i < check_page_count; i++)
    if (strcmp(check_pages[i].code, info->code) == 0)
      return check_pages[i].text;
  return NULL;
}

const char *tc_checks(tc_checker *self) {
  strbuf out = strbuf_make(self->run);
  size_t count;
  const check_info *table = check_table(&count);
  for (size_t i = 0; i < count; i++)
    strbuf_printf(&out, "%s  %-14s %s\n", table[i].code, table[i].slug,
                  table[i].title);
  return out.text;
}
