/* cli/cmd_io.c: `tilecheck io`: what kernels and host functions move. */
#include "cli/options.h"
#include "include/tilecheck.h"

#include <stdio.h>
#include <string.h>

static bool configure(tc_checker *checker, const options *o) {
  for (size_t i = 0; i < o->given_count; i++) {
    const option_given *given = &o->given[i];
    if (strcmp(given->name, "format") != 0 &&
        !tc_checker_option(checker, given->name, given->value))
      return false;
  }
  return true;
}

static int run(tc_checker *checker, const options *o, const char *format) {
  int status = TC_STATUS_CLEAN;
  /* A path that cannot be used is part of the results. */
  for (size_t i = 0; i < o->argument_count; i++)
    tc_checker_add_path(checker, o->arguments[i]);
  const char *text = tc_checker_io(checker, format);
  fputs(text, stdout);
  if (*tc_checker_error(checker)) {
    fprintf(stderr, "tilecheck: %s\n", tc_checker_error(checker));
    status = TC_STATUS_INPUT;
  }
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "tilecheck: cannot write the results\n");
    return TC_STATUS_INPUT;
  }
  return status;
}

static bool is_format(const char *format) {
  static const char *const all[] = {"text", "json", "latex", "markdown"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(format, all[i]) == 0)
      return true;
  return false;
}

int cmd_io(const options *o) {
  const char *format = options_value(o, "format");
  if (!format)
    format = "text";
  if (!is_format(format))
    return options_usage("--format is text, json, latex or markdown");
  if (o->argument_count == 0)
    return options_usage("nothing to count: name a file or a folder");
  tc_checker *checker = tc_checker_create();
  int status;
  if (configure(checker, o))
    status = run(checker, o, format);
  else
    status = options_usage(tc_checker_error(checker));
  tc_checker_destroy(checker);
  return status;
}
