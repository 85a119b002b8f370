/* report/report.h: one set of results, several writers.
 *
 * Every format is written from the same structures, so they cannot disagree. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "analysis/verdict.h"
#include "base/strbuf.h"

/* A finding without a verdict: TC901 to TC904, and hints (TC7xx). */
typedef struct finding {
  check_id code;
  span at;
  const char *message;
  const char *effect; /* what a construct takes with it; may be null */
  const char *kernel; /* may be null */
} finding;

typedef struct kernel_report {
  const char *name;
  uint32_t line;
  bool helper;
  const uint32_t *launches; /* lines */
  size_t launch_count;
  const verdict *verdicts; /* ordered by line, column, code */
  size_t verdict_count;
} kernel_report;

typedef struct file_report {
  const char *path;
  const char *unreadable;      /* why the file could not be read, or null */
  const struct source *source; /* null when unreadable */
  const finding *findings;
  size_t finding_count;
  const kernel_report *kernels; /* in text order */
  size_t kernel_count;
} file_report;

typedef struct report {
  const char *version, *z3_version;
  const file_report *files; /* in the order given or found */
  size_t file_count;
} report;

typedef struct report_summary {
  size_t files, kernels, launches, never_launched, accesses;
  size_t proved, proved_if, refuted, unknown;
  size_t other_refuted, other_unknown; /* verdicts of codes beyond bounds */
  size_t unreadable;                   /* files */
} report_summary;

typedef struct text_style {
  bool color;
  bool verbose; /* proved verdicts and assumptions too */
  bool quiet;   /* only refutations and input errors */
} text_style;

/* Verdicts that an ignore clause covers are left out of counts and text and
 * marked in JSON. An access counts once, by its worst bounds verdict. */
report_summary report_summarise(const report *r);
void report_text(const report *r, text_style style, strbuf *out);
/* `12 kernels, 9 launches, 71 accesses: 66 proved, ...` */
void report_summary_line(const report *r, strbuf *out);
void report_json(const report *r, strbuf *out);
/* 2 input errors, else 1 refuted, else 3 unknown and strict, else 0. */
int report_exit_status(const report *r, bool strict);

/* Order of badness: proved 0, proved-if, unknown, refuted 3. */
int verdict_rank(verdict_kind kind);
/* 16 hexadecimal digits over everything that a replay of the witness reads and
 * over the place of the verdict, so that no digit of them can change unseen. */
const char *witness_digest(arena *arena, const char *kernel, const verdict *v);

#endif
