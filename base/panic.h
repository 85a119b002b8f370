/* base/panic.h: the only way tilecheck stops on a mistake of its own.
 *
 * assert() states invariants and stays on in every build type that the
 * project defines; panic() is for "cannot happen" branches. Trouble that a
 * user can cause (a bad file, a wrong flag) never ends here. */
#ifndef BASE_PANIC_H
#define BASE_PANIC_H

#include <assert.h>

/* Prints "tilecheck: internal error: ..." to standard error and aborts. */
_Noreturn void panic(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif
