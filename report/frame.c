/* report/frame.c: the source line is turned into cells, one for each code
 * point, with the columns that each fills; carets and cuts count columns. */
#include "report/frame.h"
#include "base/panic.h"
#include "base/vec.h"
#include "report/utf8.h"

#include <string.h>

enum { MOST_COLUMNS = 160, LEAD_COLUMNS = 40 };

const char *ink_text(text_style style, ink which) {
  static const char *const codes[] = {
      [INK_OFF] = "\x1b[0m",      [INK_ERROR] = "\x1b[1;31m",
      [INK_WARNING] = "\x1b[33m", [INK_NOTE] = "\x1b[36m",
      [INK_GOOD] = "\x1b[32m",    [INK_GUTTER] = "\x1b[34m",
      [INK_BOLD] = "\x1b[1m",
  };
  return style.color ? codes[which] : "";
}

unsigned frame_gutter(span at) {
  unsigned digits = 1;
  for (uint32_t line = at.line; line >= 10; line /= 10)
    digits++;
  return digits;
}

typedef struct cell {
  size_t text, text_length; /* in the shown line */
  size_t columns;
  bool marked;
} cell;

typedef struct shown_line {
  strbuf text;
  VEC(cell) cells;
} shown_line;

/* Offset one past the last marked byte of the line. */
static size_t mark_end(span at, size_t length) {
  if (at.end_line > at.line)
    return length;
  size_t end = at.end_column ? at.end_column - 1 : 0;
  size_t least = at.column;
  return end > least ? end : least;
}

static shown_line show_line(arena *arena, const char *line, size_t length,
                            span at) {
  shown_line shown = {.text = strbuf_make(arena)};
  size_t from = at.column ? at.column - 1 : 0, to = mark_end(at, length), took;
  for (size_t i = 0; i < length; i += took) {
    size_t start = shown.text.length;
    size_t columns = utf8_put_shown(&shown.text, line + i, length - i, &took);
    cell c = {.text = start,
              .text_length = shown.text.length - start,
              .columns = columns,
              .marked = i >= from && i < to};
    VEC_PUSH(arena, &shown.cells, c);
  }
  return shown;
}

/* The cells to show: all, or a window around the first marked one. */
static void choose_window(const shown_line *shown, size_t *first,
                          size_t *last) {
  size_t n = shown->cells.count, columns = 0, mark = 0;
  while (mark < n && !shown->cells.at[mark].marked)
    mark++;
  for (size_t i = 0; i < n; i++)
    columns += shown->cells.at[i].columns;
  *first = 0;
  *last = n;
  if (columns <= MOST_COLUMNS)
    return;
  size_t lead = 0;
  if (mark == n)
    mark = 0;
  *first = mark;
  while (*first > 0 && lead < LEAD_COLUMNS)
    lead += shown->cells.at[--*first].columns;
  columns = 0;
  *last = *first;
  while (*last < n && columns < MOST_COLUMNS)
    columns += shown->cells.at[(*last)++].columns;
}

static void put_repeated(strbuf *out, char c, size_t n) {
  for (size_t i = 0; i < n; i++)
    strbuf_putc(out, c);
}

static void put_carets(strbuf *out, const shown_line *shown, size_t first,
                       size_t last, const char *label, text_style style,
                       ink caret) {
  size_t before = first ? strlen("...") : 0, under = 0;
  for (size_t i = first; i < last; i++) {
    if (shown->cells.at[i].marked)
      under += shown->cells.at[i].columns;
    else if (under == 0)
      before += shown->cells.at[i].columns;
  }
  put_repeated(out, ' ', before);
  strbuf_put(out, ink_text(style, caret));
  put_repeated(out, '^', under ? under : 1);
  if (label) {
    strbuf_putc(out, ' ');
    utf8_put_all_shown(out, label);
  }
  strbuf_put(out, ink_text(style, INK_OFF));
}

static void put_bar(strbuf *out, unsigned gutter, text_style style) {
  strbuf_printf(out, "%s%*s |%s", ink_text(style, INK_GUTTER), (int)gutter, "",
                ink_text(style, INK_OFF));
}

void frame_put(strbuf *out, const source *source, span at, const char *label,
               text_style style, ink caret) {
  assert(at.line > 0);
  size_t length, first, last;
  const char *line = source_line(source, at.line, &length);
  if (at.line > source->line_count)
    return;
  unsigned gutter = frame_gutter(at);
  shown_line shown = show_line(out->arena, line, length, at);
  choose_window(&shown, &first, &last);
  put_bar(out, gutter, style);
  strbuf_printf(out, "\n%s%u |%s ", ink_text(style, INK_GUTTER), at.line,
                ink_text(style, INK_OFF));
  if (first > 0)
    strbuf_put(out, "...");
  for (size_t i = first; i < last; i++)
    strbuf_put_n(out, shown.text.text + shown.cells.at[i].text,
                 shown.cells.at[i].text_length);
  if (last < shown.cells.count)
    strbuf_put(out, "...");
  strbuf_putc(out, '\n');
  put_bar(out, gutter, style);
  strbuf_putc(out, ' ');
  put_carets(out, &shown, first, last, label, style, caret);
  strbuf_putc(out, '\n');
  put_bar(out, gutter, style);
  strbuf_putc(out, '\n');
}
