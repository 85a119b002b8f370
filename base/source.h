/* base/source.h: a file's text, its lines, and spans in it. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

/* Lines and columns count from 1; columns count bytes. end_column is one past
 * the last byte. line == 0 means "nowhere". */
typedef struct span {
  uint32_t line, column, end_line, end_column;
} span;

typedef struct source {
  const char *path; /* as the user wrote it */
  const char *text; /* length bytes and a terminating zero */
  size_t length;
  uint32_t line_count;
  const uint32_t *line_start; /* byte offset of each line, line_count of them */
} source;

/* Reads a whole file. On failure returns null and sets *why to a sentence
 * without the path ("No such file or directory", "is a directory", "larger
 * than 64 MiB", ...). */
source *source_read(arena *arena, const char *path, const char **why);
/* A source from text in memory (copied). */
source *source_from_text(arena *arena, const char *path, const char *text,
                         size_t length);
/* Line number (from 1) without its newline; empty past the end. */
const char *source_line(const source *self, uint32_t line, size_t *length);
/* The text of a span, copied into the arena. */
char *source_slice(const source *self, arena *arena, span where);

#endif
