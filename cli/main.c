/* cli/main.c: the program: reads the command line and runs one command. */
#include "cli/options.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

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

/* The solver's contexts come and go; giving their memory back each time costs
 * more than they do. */
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

int main(int argc, char **argv) {
  keep_memory();
  options o = options_parse(argc, argv);
  int status = run(&o);
  options_destroy(&o);
  return status;
}
