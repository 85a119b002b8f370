/* cli/cmd_replay.c: `tilecheck replay`: counterexamples from JSON alone. */
#include "cli/options.h"
#include "include/tilecheck.h"

#include <stdio.h>

int cmd_replay(const options *o) {
  if (o->argument_count != 1)
    return options_usage("replay needs one JSON report");
  tc_checker *checker = tc_checker_create();
  const char *text = "";
  int status = tc_replay(checker, o->arguments[0], &text);
  fputs(text, stdout);
  if (*tc_checker_error(checker))
    fprintf(stderr, "tilecheck: %s\n", tc_checker_error(checker));
  tc_checker_destroy(checker);
  return status;
}
