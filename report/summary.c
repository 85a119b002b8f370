/* report/summary.c: counts, the summary line and the exit status. */
#include "base/panic.h"
#include "checks/check.h"
#include "report/report.h"

#include <inttypes.h>

/* What is worse has the larger number. */
int verdict_rank(verdict_kind kind) {
  switch (kind) {
  case VERDICT_PROVED:
    return 0;
  case VERDICT_PROVED_IF:
    return 1;
  case VERDICT_UNKNOWN:
    return 2;
  case VERDICT_REFUTED:
    return 3;
  }
  panic("no verdict has the number %d", (int)kind);
}

static bool is_bounds(check_id code) {
  return (int)code >= 101 && (int)code <= 104;
}

static bool same_access(const verdict *a, const verdict *b) {
  return a->at.line == b->at.line && a->at.column == b->at.column;
}

static void count_kind(verdict_kind kind, report_summary *s) {
  switch (kind) {
  case VERDICT_PROVED:
    s->proved++;
    break;
  case VERDICT_PROVED_IF:
    s->proved_if++;
    break;
  case VERDICT_REFUTED:
    s->refuted++;
    break;
  case VERDICT_UNKNOWN:
    s->unknown++;
    break;
  }
}

/* The verdicts are ordered by position, so those of one access are adjacent. */
static void count_accesses(const kernel_report *k, report_summary *s) {
  const verdict *worst = NULL;
  for (size_t i = 0; i < k->verdict_count; i++) {
    const verdict *v = &k->verdicts[i];
    if (v->suppressed || !is_bounds(v->code))
      continue;
    if (worst && same_access(worst, v)) {
      if (verdict_rank(v->kind) > verdict_rank(worst->kind))
        worst = v;
      continue;
    }
    if (worst)
      count_kind(worst->kind, s);
    s->accesses++;
    worst = v;
  }
  if (worst)
    count_kind(worst->kind, s);
}

static void count_others(const kernel_report *k, report_summary *s) {
  for (size_t i = 0; i < k->verdict_count; i++) {
    const verdict *v = &k->verdicts[i];
    if (v->suppressed || is_bounds(v->code))
      continue;
    s->other_refuted += v->kind == VERDICT_REFUTED;
    s->other_unknown += v->kind == VERDICT_UNKNOWN;
  }
}

report_summary report_summarise(const report *r) {
  report_summary s = {.files = r->file_count};
  for (size_t i = 0; i < r->file_count; i++) {
    const file_report *f = &r->files[i];
    s.unreadable += f->unreadable != NULL;
    for (size_t j = 0; j < f->kernel_count; j++) {
      const kernel_report *k = &f->kernels[j];
      s.kernels++;
      s.launches += k->launch_count;
      s.never_launched += k->launch_count == 0 && !k->helper;
      count_accesses(k, &s);
      count_others(k, &s);
    }
  }
  assert(s.accesses == s.proved + s.proved_if + s.refuted + s.unknown);
  return s;
}

static void put_count(strbuf *out, size_t n, const char *one,
                      const char *many) {
  strbuf_printf(out, "%zu %s", n, n == 1 ? one : many);
}

void report_summary_line(const report *r, strbuf *out) {
  report_summary s = report_summarise(r);
  if (s.files != 1) {
    put_count(out, s.files, "file", "files");
    strbuf_put(out, ", ");
  }
  put_count(out, s.kernels, "kernel", "kernels");
  strbuf_put(out, ", ");
  put_count(out, s.launches, "launch", "launches");
  strbuf_put(out, ", ");
  put_count(out, s.accesses, "access", "accesses");
  strbuf_printf(out, ": %zu proved, %zu proved-if, %zu refuted, %zu unknown",
                s.proved, s.proved_if, s.refuted, s.unknown);
  if (s.other_refuted || s.other_unknown)
    strbuf_printf(out, "; other properties: %zu refuted, %zu unknown",
                  s.other_refuted, s.other_unknown);
  if (s.never_launched) {
    strbuf_put(out, "; ");
    put_count(out, s.never_launched, "kernel", "kernels");
    strbuf_put(out, " never launched here");
  }
  if (s.unreadable) {
    strbuf_put(out, "; ");
    put_count(out, s.unreadable, "input", "inputs");
    strbuf_put(out, " could not be read");
  }
}

static bool has_input_error(const file_report *f) {
  if (f->unreadable)
    return true;
  for (size_t i = 0; i < f->finding_count; i++) {
    const check_info *check = check_by_id(f->findings[i].code);
    if (check && check->severity == SEVERITY_INPUT)
      return true;
  }
  return false;
}

static bool has_verdict(const file_report *f, verdict_kind kind) {
  for (size_t i = 0; i < f->kernel_count; i++) {
    const kernel_report *k = &f->kernels[i];
    for (size_t j = 0; j < k->verdict_count; j++)
      if (k->verdicts[j].kind == kind && !k->verdicts[j].suppressed)
        return true;
  }
  return false;
}

int report_exit_status(const report *r, bool strict) {
  bool input = false, refuted = false, unknown = false;
  for (size_t i = 0; i < r->file_count; i++) {
    const file_report *f = &r->files[i];
    input = input || has_input_error(f);
    refuted = refuted || has_verdict(f, VERDICT_REFUTED);
    unknown = unknown || has_verdict(f, VERDICT_UNKNOWN);
  }
  if (input)
    return 2;
  if (refuted)
    return 1;
  return unknown && strict ? 3 : 0;
}
