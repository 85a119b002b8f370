/* base/strbuf.c: see strbuf.h. `room` counts the terminating zero. */
#include "base/strbuf.h"
#include "base/panic.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FIRST_ROOM 64

strbuf strbuf_make(arena *arena) {
  return (strbuf){.arena = arena,
                  .text = arena_alloc(arena, FIRST_ROOM),
                  .room = FIRST_ROOM};
}

/* Makes room for n more bytes and the terminating zero. */
static void reserve(strbuf *self, size_t n) {
  size_t needed = self->length + n + 1;
  if (needed <= self->room)
    return;
  size_t room = self->room * 2;
  if (room < needed)
    room = needed;
  char *fresh = arena_alloc(self->arena, room);
  memcpy(fresh, self->text, self->length);
  self->text = fresh;
  self->room = room;
}

void strbuf_put(strbuf *self, const char *text) {
  strbuf_put_n(self, text, strlen(text));
}

void strbuf_put_n(strbuf *self, const char *text, size_t n) {
  reserve(self, n);
  if (n)
    memcpy(self->text + self->length, text, n);
  self->length += n;
  self->text[self->length] = '\0';
}

void strbuf_putc(strbuf *self, char c) {
  strbuf_put_n(self, &c, 1);
}

void strbuf_printf(strbuf *self, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0)
    panic("cannot format \"%s\"", format);
  reserve(self, (size_t)n);
  vsnprintf(self->text + self->length, (size_t)n + 1, format, again);
  va_end(again);
  self->length += (size_t)n;
}
