/* cli/cmd_help.c: `tilecheck help` and `tilecheck version`. */
#include "cli/options.h"
#include "include/tilecheck.h"

#include <stdio.h>

int cmd_version(const options *o) {
  (void)o;
  tc_checker *checker = tc_checker_create();
  printf("tilecheck %s (Z3 %s)\n", tc_version(), tc_z3_version(checker));
  tc_checker_destroy(checker);
  return TC_STATUS_CLEAN;
}

/* `help COMMAND` is read again as if COMMAND had been typed first. */
int cmd_help(const options *o) {
  if (o->command != COMMAND_help) {
    options_help(o->command_given, o->command);
    return TC_STATUS_CLEAN;
  }
  if (o->argument_count == 0) {
    options_help(false, COMMAND_help);
    return TC_STATUS_CLEAN;
  }
  char *words[] = {"tilecheck", (char *)o->arguments[0], NULL};
  options about = options_parse(2, words);
  int status = TC_STATUS_CLEAN;
  if (about.command_given)
    options_help(true, about.command);
  else
    status = options_usage(about.error ? about.error : "no such command");
  options_destroy(&about);
  return status;
}
