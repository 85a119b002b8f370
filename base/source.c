/* base/source.c: reads files and finds lines.
 *
 * A line ends with "\n" or "\r\n"; a newline at the very end starts no further
 * line. Text is bytes: zeros may occur in it, so `length` rules. */
#include "base/source.h"
#include "base/panic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_BYTES ((size_t)64 << 20)
#define FIRST_ROOM ((size_t)64 << 10)

static void find_lines(arena *arena, source *self) {
  const char *end = self->text + self->length;
  uint32_t count = 0;
  for (const char *p = self->text; p < end; count++) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    p = newline ? newline + 1 : end;
  }
  uint32_t *starts = ARENA_ARRAY(arena, uint32_t, count);
  const char *p = self->text;
  for (uint32_t i = 0; i < count; i++) {
    starts[i] = (uint32_t)(p - self->text);
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    p = newline ? newline + 1 : end;
  }
  self->line_count = count;
  self->line_start = starts;
}

source *source_from_text(arena *arena, const char *path, const char *text,
                         size_t length) {
  assert(length <= UINT32_MAX);
  source *self = ARENA_NEW(arena, source);
  self->path = arena_strdup(arena, path);
  self->text = arena_strndup(arena, text, length);
  self->length = length;
  find_lines(arena, self);
  return self;
}

/* Reads to the end of the file into *bytes, which the caller frees. Returns
 * false, with errno (0: too large), when that fails. */
static bool read_all(FILE *file, char **bytes, size_t *length) {
  size_t room = FIRST_ROOM;
  *length = 0;
  *bytes = malloc(room);
  if (!*bytes)
    panic("out of memory (%zu bytes)", room);
  errno = 0;
  for (;;) {
    *length += fread(*bytes + *length, 1, room - *length, file);
    if (ferror(file))
      return false;
    if (*length > MOST_BYTES) {
      errno = 0;
      return false;
    }
    if (*length < room)
      return true;
    room *= 2;
    *bytes = realloc(*bytes, room);
    if (!*bytes)
      panic("out of memory (%zu bytes)", room);
  }
}

source *source_read(arena *arena, const char *path, const char **why) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    *why = arena_strdup(arena, strerror(errno));
    return NULL;
  }
  source *self = NULL;
  char *bytes = NULL;
  size_t length = 0;
  struct stat info;
  if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode))
    *why = "is a directory";
  else if (read_all(file, &bytes, &length))
    self = source_from_text(arena, path, bytes, length);
  else
    *why = errno ? arena_strdup(arena, strerror(errno)) : "larger than 64 MiB";
  free(bytes);
  fclose(file);
  return self;
}

const char *source_line(const source *self, uint32_t line, size_t *length) {
  *length = 0;
  if (line == 0 || line > self->line_count)
    return "";
  size_t start = self->line_start[line - 1];
  size_t end = line < self->line_count ? self->line_start[line] : self->length;
  const char *text = self->text;
  if (end > start && text[end - 1] == '\n') {
    end--;
    if (end > start && text[end - 1] == '\r')
      end--;
  }
  *length = end - start;
  return text + start;
}

/* The byte offset of a position; positions past the end give the end. */
static size_t offset_of(const source *self, uint32_t line, uint32_t column) {
  if (line > self->line_count)
    return self->length;
  size_t offset =
      (size_t)self->line_start[line - 1] + (column ? column - 1 : 0);
  return offset < self->length ? offset : self->length;
}

char *source_slice(const source *self, arena *arena, span where) {
  if (where.line == 0 || where.end_line == 0)
    return arena_strdup(arena, "");
  size_t start = offset_of(self, where.line, where.column);
  size_t end = offset_of(self, where.end_line, where.end_column);
  if (end < start)
    end = start;
  return arena_strndup(arena, self->text + start, end - start);
}
