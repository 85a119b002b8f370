/* cli/cmd_dump.c: `tilecheck dump`: inner stages as text. */
#include "cli/options.h"
#include "include/tilecheck.h"

#include <stdio.h>
#include <string.h>

static bool configure(tc_checker *checker, const options *o) {
  for (size_t i = 0; i < o->given_count; i++) {
    const option_given *given = &o->given[i];
    if (strcmp(given->name, "stage") != 0 &&
        !tc_checker_option(checker, given->name, given->value))
      return false;
  }
  return true;
}

static int dump(tc_checker *checker, const options *o, const char *stage) {
  int status = TC_STATUS_CLEAN;
  if (!configure(checker, o))
    return options_usage(tc_checker_error(checker));
  for (size_t i = 0; i < o->argument_count; i++) {
    if (tc_checker_add_path(checker, o->arguments[i]))
      continue;
    fprintf(stderr, "tilecheck: %s\n", tc_checker_error(checker));
    status = TC_STATUS_INPUT;
  }
  const char *text = tc_checker_dump(checker, stage);
  if (!text)
    return options_usage("--stage is syntax, functions, tile, facts, access, "
                         "obligations, smt2 or verdicts");
  fputs(text, stdout);
  if (*tc_checker_error(checker) && status == TC_STATUS_CLEAN) {
    fprintf(stderr, "tilecheck: %s\n", tc_checker_error(checker));
    status = TC_STATUS_INPUT;
  }
  return status;
}

int cmd_dump(const options *o) {
  const char *stage = options_value(o, "stage");
  if (!stage)
    return options_usage("dump needs --stage=STAGE");
  if (o->argument_count == 0)
    return options_usage("nothing to dump: name a file");
  tc_checker *checker = tc_checker_create();
  int status = dump(checker, o, stage);
  tc_checker_destroy(checker);
  return status;
}
