/* report/utf8.c: a strict decoder (no overlong forms, no surrogates) and the
 * two ways out of it. */
#include "report/utf8.h"
#include "base/panic.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TAB_COLUMNS = 4 };

static size_t sequence_length(unsigned char first) {
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return 2;
  if (first >= 0xE0 && first <= 0xEF)
    return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

static bool allowed(int32_t point, size_t length) {
  if (length == 3)
    return point >= 0x800 && (point < 0xD800 || point > 0xDFFF);
  return length != 4 || (point >= 0x10000 && point <= 0x10FFFF);
}

int32_t utf8_decode(const char *text, size_t n, size_t *length) {
  assert(n > 0);
  unsigned char first = (unsigned char)text[0];
  size_t size = sequence_length(first);
  *length = 1;
  if (size == 0 || size > n)
    return UTF8_INVALID;
  if (size == 1)
    return first;
  int32_t point = first & (0x7F >> size);
  for (size_t i = 1; i < size; i++) {
    unsigned char next = (unsigned char)text[i];
    if ((next & 0xC0) != 0x80)
      return UTF8_INVALID;
    point = point << 6 | (next & 0x3F);
  }
  if (!allowed(point, size))
    return UTF8_INVALID;
  *length = size;
  return point;
}

void utf8_put_valid(strbuf *out, const char *text, size_t n) {
  size_t length;
  for (size_t i = 0; i < n; i += length) {
    int32_t point = utf8_decode(text + i, n - i, &length);
    if (point == UTF8_INVALID)
      strbuf_put(out, "\xEF\xBF\xBD");
    else
      strbuf_put_n(out, text + i, length);
  }
}

/* Marks that change the order in which the rest of the line is shown, and
 * characters without any width. */
static bool misleads(int32_t point) {
  return (point >= 0x200B && point <= 0x200F) ||
         (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF;
}

size_t utf8_put_shown(strbuf *out, const char *text, size_t n, size_t *length) {
  int32_t point = utf8_decode(text, n, length);
  if (point == '\t') {
    strbuf_printf(out, "%*s", TAB_COLUMNS, "");
    return TAB_COLUMNS;
  }
  char escape[16] = "";
  if (point == UTF8_INVALID || point < 0x20 || point == 0x7F)
    snprintf(escape, sizeof escape, "\\x%02x", (unsigned char)text[0]);
  else if ((point >= 0x80 && point < 0xA0) || misleads(point))
    snprintf(escape, sizeof escape, "\\u{%x}", (unsigned)point);
  if (*escape) {
    strbuf_put(out, escape);
    return strlen(escape);
  }
  strbuf_put_n(out, text, *length);
  return 1;
}

void utf8_put_all_shown(strbuf *out, const char *text) {
  size_t n = strlen(text), length;
  for (size_t i = 0; i < n; i += length)
    utf8_put_shown(out, text + i, n - i, &length);
}
