/* cli/options.h: the command line, read into plain data.
 *
 * Reading knows commands, options and their spelling; what a value means is
 * the checker's business (tc_checker_option). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum command {
#define COMMAND(name, arguments, text) COMMAND_##name,
#define OPTION(name, letter, argument, commands, text)
#include "cli/options.def"
#undef COMMAND
#undef OPTION
  COMMAND_COUNT
} command;

/* An option as given: "set" = "M=4". Switches have the value "". */
typedef struct option_given {
  const char *name, *value;
} option_given;

typedef struct options {
  command command;
  bool command_given; /* else it is the default */
  const option_given *given;
  size_t given_count;
  const char *const *arguments; /* paths, codes, ... */
  size_t argument_count;
  const char *error; /* why it cannot be run, null if it can */
  struct arena *arena;
} options;

/* Never fails: trouble is in `error`. Strings point into argv or live until
 * options_destroy. */
options options_parse(int argc, char **argv);
void options_destroy(options *self);
/* Value of the last option of that name; null if it was not given. */
const char *options_value(const options *self, const char *name);
/* Help in general, or on one command. To standard output. */
void options_help(bool on_command, command which);
/* Prints `tilecheck: MESSAGE` with a hint at help to standard error; returns
 * the exit status of a usage error. */
int options_usage(const char *message);
/* The candidate nearest to what was typed, null when none is near. */
const char *nearest(const char *typed, const char *const *candidates,
                    size_t count);

/* One for each command, in cmd_*.c. They return the exit status. */
int cmd_check(const options *o);
int cmd_explain(const options *o);
int cmd_list(const options *o);
int cmd_footprint(const options *o);
int cmd_cache(const options *o);
int cmd_coalesce(const options *o);
int cmd_knobs(const options *o);
int cmd_dump(const options *o);
int cmd_io(const options *o);
int cmd_replay(const options *o);
int cmd_run(const options *o);
int cmd_trace(const options *o);
int cmd_version(const options *o);
int cmd_help(const options *o);

#endif
