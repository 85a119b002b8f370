/* report/table.c: columns as wide as their widest cell. */
#include "report/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

table table_make(arena *arena, const char *align) {
  return (table){.arena = arena, .align = align};
}

void table_cell(table *self, const char *format, ...) {
  va_list args;
  char text[256];
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  table_text(self, text);
}

void table_text(table *self, const char *text) {
  const char *cell = arena_strdup(self->arena, text);
  VEC_PUSH(self->arena, &self->cells, cell);
}

const char *number_text(arena *arena, int64_t value) {
  char digits[32], out[48];
  int n = snprintf(digits, sizeof digits, "%" PRId64, value), k = 0;
  int lead = digits[0] == '-';
  for (int i = 0; i < n; i++) {
    if (i > lead && (n - i) % 3 == 0)
      out[k++] = ',';
    out[k++] = digits[i];
  }
  return arena_strndup(arena, out, (size_t)k);
}

void table_number(table *self, int64_t value) {
  table_text(self, number_text(self->arena, value));
}

static size_t width_of(const table *self, size_t column, size_t columns) {
  size_t width = 0;
  for (size_t i = column; i < self->cells.count; i += columns) {
    size_t n = strlen(self->cells.at[i]);
    width = n > width ? n : width;
  }
  return width;
}

static void put_blanks(strbuf *out, size_t n) {
  while (n-- > 0)
    strbuf_putc(out, ' ');
}

static void put_row(const table *self, size_t first, const size_t *widths,
                    unsigned indent, strbuf *out) {
  size_t columns = strlen(self->align), blanks = indent;
  for (size_t c = 0; c < columns && first + c < self->cells.count; c++) {
    const char *cell = self->cells.at[first + c];
    size_t pad = widths[c] - strlen(cell);
    if (*cell) {
      put_blanks(out, blanks + (self->align[c] == 'r' ? pad : 0));
      strbuf_put(out, cell);
      blanks = self->align[c] == 'r' ? 0 : pad;
    } else {
      blanks += pad;
    }
    blanks += 2;
  }
  while (out->length && out->text[out->length - 1] == ' ')
    out->text[--out->length] = 0;
  strbuf_putc(out, '\n');
}

void table_put(const table *self, unsigned indent, strbuf *out) {
  size_t columns = strlen(self->align);
  size_t *widths = ARENA_ARRAY(self->arena, size_t, columns);
  for (size_t c = 0; c < columns; c++)
    widths[c] = width_of(self, c, columns);
  for (size_t i = 0; i < self->cells.count; i += columns)
    put_row(self, i, widths, indent, out);
}
