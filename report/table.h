/* report/table.h: text in columns. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/strbuf.h"
#include "base/vec.h"

#include <stdint.h>

typedef struct table {
  arena *arena;
  const char *align; /* a letter for each column: 'l' or 'r' */
  VEC(const char *) cells;
} table;

table table_make(arena *arena, const char *align);
/* The next cell, from the left, row by row. */
void table_cell(table *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same with text of any length. */
void table_text(table *self, const char *text);
/* A whole number with commas: 4,363,141,120. */
void table_number(table *self, int64_t value);
/* Two blanks before each column but the first, `indent` before that; no blank
 * at the end of a line. Unfinished rows are filled up. */
void table_put(const table *self, unsigned indent, strbuf *out);
/* The number with commas, as text. */
const char *number_text(arena *arena, int64_t value);

#endif
