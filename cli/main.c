/* cli/main.c: the program: reads the command line and runs one command. */
#include "cli/options.h"

typedef int (*command_runner)(const options *o);

static const command_runner runners[] = {
#define COMMAND(name, arguments, text) cmd_##name,
#define OPTION(name, letter, argument, commands, text)
#include "cli/options.def"
#undef COMMAND
#undef OPTION
};

static int run(options *o) {
  if (o->error)
    return options_usage(o->error);
  if (options_value(o, "help"))
    return cmd_help(o);
  if (options_value(o, "version"))
    return cmd_version(o);
  return runners[o->command](o);
}

int main(int argc, char **argv) {
  options o = options_parse(argc, argv);
  int status = run(&o);
  options_destroy(&o);
  return status;
}
