/* base/panic.c: see panic.h. */
#include "base/panic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void panic(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("tilecheck: internal error: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  abort();
}
