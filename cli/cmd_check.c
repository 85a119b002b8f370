/* cli/cmd_check.c: `tilecheck check`: verify files and folders. */
#include "cli/options.h"
#include "include/tilecheck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wants_color(const char *when) {
  if (when && strcmp(when, "auto") != 0)
    return strcmp(when, "always") == 0;
  const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if ((no_color && *no_color) || !terminal || strcmp(terminal, "dumb") == 0)
    return false;
  return isatty(STDOUT_FILENO);
}

/* Hands options over; false after a message. */
static bool configure(tc_checker *checker, const options *o) {
  for (size_t i = 0; i < o->given_count; i++) {
    const option_given *given = &o->given[i];
    if (strcmp(given->name, "format") == 0)
      continue;
    if (!tc_checker_option(checker, given->name, given->value)) {
      options_usage(tc_checker_error(checker));
      return false;
    }
  }
  bool color = wants_color(options_value(o, "color"));
  return tc_checker_option(checker, "color", color ? "always" : "never");
}

static int check(tc_checker *checker, const options *o, const char *format) {
  /* A path that cannot be used is part of the results. */
  for (size_t i = 0; i < o->argument_count; i++)
    tc_checker_add_path(checker, o->arguments[i]);
  int status = tc_checker_run(checker);
  fputs(tc_checker_output(checker, format), stdout);
  if (*tc_checker_error(checker))
    fprintf(stderr, "tilecheck: %s\n", tc_checker_error(checker));
  bool quiet = options_value(o, "quiet") != NULL;
  bool verbose = options_value(o, "verbose") != NULL;
  if (verbose || (!quiet && isatty(STDERR_FILENO)))
    fprintf(stderr, "%s\n", tc_checker_summary(checker));
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "tilecheck: cannot write the results\n");
    return TC_STATUS_INPUT;
  }
  return status;
}

int cmd_check(const options *o) {
  const char *format = options_value(o, "format");
  if (!format)
    format = "text";
  if (strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
    return options_usage("--format is text or json");
  if (o->argument_count == 0)
    return options_usage("nothing to check: name a file or a folder");
  tc_checker *checker = tc_checker_create();
  int status = TC_STATUS_INPUT;
  if (configure(checker, o))
    status = check(checker, o, format);
  tc_checker_destroy(checker);
  return status;
}
