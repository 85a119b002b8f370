/* tilecheck.h: the library's interface.
 *
 * A checker is configured, given files, run once and asked for its results:
 *
 *   tc_checker *c = tc_checker_create();
 *   tc_checker_add_path(c, "kernel.py");
 *   int status = tc_checker_run(c);
 *   fputs(tc_checker_output(c, "text"), stdout);
 *   tc_checker_destroy(c);
 *
 * Nothing is global: checkers in different threads do not disturb each other.
 * Strings that are returned live as long as the checker. */
#ifndef TILECHECK_H
#define TILECHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TC_API __attribute__((visibility("default")))
#else
#define TC_API
#endif

typedef struct tc_checker tc_checker;

/* Exit statuses, as the program's. */
enum {
  TC_STATUS_CLEAN = 0,
  TC_STATUS_REFUTED = 1,
  TC_STATUS_INPUT = 2,
  TC_STATUS_UNKNOWN = 3, /* with strict only */
};

TC_API tc_checker *tc_checker_create(void);
TC_API void tc_checker_destroy(tc_checker *self);

/* Options, by the long names of the command line without dashes ("max-numel",
 * "set", "assume", "dtype", "kernel", "strict", "rlimit", "jobs", "select",
 * "ignore", "color", "verbose", "quiet", "timing"); switches have the value
 * "". Repeated options accumulate. False, with a sentence in tc_checker_error,
 * when the name or the value is not valid. */
TC_API bool tc_checker_option(tc_checker *self, const char *name,
                              const char *value);
/* A file, or a folder that is searched for *.py files. False, with a sentence
 * in tc_checker_error, when it does not exist or a folder holds none; results
 * then tell of it too, as an input that could not be read. */
TC_API bool tc_checker_add_path(tc_checker *self, const char *path);
/* The last error, "" if none. */
TC_API const char *tc_checker_error(const tc_checker *self);

/* Checks everything that was added, each file in a process of its own (a
 * single one with "jobs" = "1" in this process). Returns one of the statuses
 * above. */
TC_API int tc_checker_run(tc_checker *self);
/* Results as "text" or "json"; null for an unknown format. */
TC_API const char *tc_checker_output(tc_checker *self, const char *format);
TC_API const char *tc_checker_summary(tc_checker *self);
/* The text of an inner stage for all files: syntax, functions, tile, facts,
 * access, obligations, smt2, verdicts. Null for an unknown stage. */
TC_API const char *tc_checker_dump(tc_checker *self, const char *stage);
/* What the kernels and host functions of all files move, as formulas: "text",
 * "json", "latex" or "markdown". Options "at", "function" and "gpu" belong to
 * it. What is wrong with the input is in tc_checker_error. */
TC_API const char *tc_checker_io(tc_checker *self, const char *format);
/* Runs every counterexample of a JSON report again, from the report alone. A
 * line for each goes to *text. 0 when all show their fault, 1 when one does
 * not, 2 when the report cannot be read. */
TC_API int tc_replay(tc_checker *self, const char *json_path,
                     const char **text);

TC_API const char *tc_version(void);
TC_API const char *tc_z3_version(tc_checker *self);
/* The page of a check by code or slug, null if there is none. */
TC_API const char *tc_explain(const char *check);
/* A line for each check: code, slug, title. */
TC_API const char *tc_checks(tc_checker *self);

#endif
