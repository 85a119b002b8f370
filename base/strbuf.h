/* base/strbuf.h: building text. Storage lives in an arena. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include "base/arena.h"

typedef struct strbuf {
  arena *arena;
  char *text; /* always terminated; "" at first */
  size_t length, room;
} strbuf;

strbuf strbuf_make(arena *arena);
void strbuf_put(strbuf *self, const char *text);
void strbuf_put_n(strbuf *self, const char *text, size_t n);
void strbuf_putc(strbuf *self, char c);
void strbuf_printf(strbuf *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
