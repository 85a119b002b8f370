/* cli/checker.h: what is behind the library's interface.
 *
 * paths.c finds the inputs, settings.c reads options, pipeline.c turns one
 * source into one file_report, workers.c spreads files over processes. */
#ifndef CLI_CHECKER_H
#define CLI_CHECKER_H

#include "analysis/analysis.h"
#include "include/tilecheck.h"
#include "parser/parser.h"
#include "report/report.h"

/* One file to check, or a path that is none. Run arena. */
typedef struct input {
  const char *path;
  const char *trouble; /* why it cannot be read; null while nobody tried */
} input;

typedef VEC(input) input_vec;
typedef VEC(const char *) text_vec;
typedef VEC(finding) finding_vec;

/* Options, as tc_checker_option left them. Run arena. */
typedef struct settings {
  int64_t max_numel; /* 0: the default */
  text_vec set_names;
  VEC(int64_t) set_values;
  text_vec assumptions;
  text_vec dtype_names;
  VEC(scalar) dtypes;
  const char *kernel; /* null: all */
  text_vec functions; /* host functions; empty: all */
  text_vec at_names;  /* --at NAME=INT */
  VEC(int64_t) at_values;
  const char *gpu;         /* null: none */
  uint64_t rlimit;         /* 0: the default */
  unsigned jobs;           /* 0: as many as there are cores */
  text_vec select, ignore; /* codes or prefixes, "TC1"; empty: all, none */
  bool strict;
  bool timing; /* tell the time of each file */
  text_style style;
} settings;

struct tc_checker {
  arena *run;
  settings settings;
  input_vec inputs;
  const char *error;
  report report;
};

/* --- settings.c */
bool settings_selects(const settings *s, check_id code);
/* --set NAME=value; the last one of a name counts. */
void settings_set(settings *s, arena *arena, const char *name, int64_t value);
parse_options settings_parse(const settings *s);
/* ... for verdicts: one program may stand for many values of switches. */
parse_options settings_parse_check(const settings *s);
/* INT, INT**INT or INTeINT, such as -3, 2**20, 50e6; false for anything else
 * and beyond 64 bits. */
bool settings_number(const char *text, int64_t *out);
analysis_options settings_analysis(const settings *s);

/* --- paths.c: appends the inputs of a path; returns null or what is wrong
 * with it, in which case one input that carries the trouble is appended. */
const char *paths_find(arena *run, const char *path, input_vec *out);

/* --- pipeline.c */
/* Reads an input. Null for one that cannot be read or is no text; then
 * out->unreadable says why. */
const source *pipeline_read(arena *arena, const input *in, file_report *out);
/* False when the text cannot hold a kernel. */
bool pipeline_concerns(const source *source);
/* How an analysis ended that did not end well. */
typedef struct loss {
  reason why; /* RESOURCE, DEADLINE */
  const char *how;
} loss;
/* Everything from source to verdicts. After a loss (else null) the analysis is
 * left out and every access is unknown for that reason. */
file_report pipeline_check(arena *arena, const source *source,
                           const settings *s, const loss *after);

/* --- merge.c: several launches of a kernel become one list of verdicts */
/* Adds verdicts of another launch: for each code, place and buffer the worst
 * stays. */
void merge_verdicts(arena *arena, verdict_vec *into, const verdict_vec *more);
/* Leaves the codes that are wanted, in order of line, column, code, buffer. */
void merge_finish(const settings *s, verdict_vec *verdicts);
/* The same for findings; equal ones become one. */
void merge_findings(const settings *s, finding_vec *findings);

/* --- suppress.c: ignore clauses */
/* Marks what a clause covers; used[i] is set when clause i covered something
 * that is not proved. */
void suppress_verdicts(const parsed_file *file, const kernel_unit *unit,
                       verdict_vec *verdicts, bool *used);
/* Takes out the hints that a clause covers. */
void suppress_hints(const parsed_file *file, const kernel_unit *unit,
                    hint_vec *hints, bool *used);
/* TC903 for each clause that covered nothing, as far as that is known. */
void suppress_unused(arena *arena, const parsed_file *file, const settings *s,
                     const bool *used, finding_vec *out);

/* --- undecided.c: accesses of a program that was not analysed */
void undecided_accesses(const tile_program *p, reason why, const char *detail,
                        verdict_vec *out);

/* --- workers.c: runs `check` (pipeline_check) on each input in a process of
 * its own, `jobs` at a time; out[i] is about inputs[i]. A process that dies
 * costs one file. */
typedef file_report (*file_checker)(arena *arena, const source *source,
                                    const settings *s, const loss *after);
void workers_run(arena *run, const settings *s, const input_vec *inputs,
                 size_t jobs, file_checker check, file_report *out);

/* --- wire.c: a file_report as bytes and back. Path and source do not travel.
 * Null when the bytes are not complete. */
void wire_write(const file_report *file, strbuf *out);
const file_report *wire_read(arena *arena, const char *bytes, size_t length);

#endif
