/* cli/cmd_explain.c: `tilecheck explain` and `tilecheck list`. */
#include "cli/options.h"
#include "include/tilecheck.h"

#include <stdio.h>

int cmd_explain(const options *o) {
  if (o->argument_count == 0)
    return options_usage("explain needs a code or slug; 'tilecheck list' "
                         "prints them");
  for (size_t i = 0; i < o->argument_count; i++) {
    const char *page = tc_explain(o->arguments[i]);
    if (!page) {
      fprintf(stderr,
              "tilecheck: there is no check '%s'; 'tilecheck list' prints "
              "them\n",
              o->arguments[i]);
      return TC_STATUS_INPUT;
    }
    printf("%s%s", i ? "\n" : "", page);
  }
  return TC_STATUS_CLEAN;
}

int cmd_list(const options *o) {
  if (o->argument_count > 0)
    return options_usage("list takes no arguments");
  tc_checker *checker = tc_checker_create();
  fputs(tc_checks(checker), stdout);
  tc_checker_destroy(checker);
  return TC_STATUS_CLEAN;
}
