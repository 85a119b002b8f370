/* ir/text.c: names and strings of the text form. */
#include "ir/text.h"

#include <string.h>

bool text_starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (unsigned char)c >= 0x80;
}

bool text_in_name(char c) {
  return text_starts_name(c) || (c >= '0' && c <= '9') || c == '.';
}

bool text_is_reserved(const char *name) {
  static const char *const words[] = {
      "and", "cdiv", "else", "if",   "max",
      "min", "not",  "or",   "pow2", "next_power_of_2"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(words[i], name) == 0)
      return true;
  return false;
}

static void put_quoted(strbuf *out, const char *text, char quote) {
  strbuf_putc(out, quote);
  for (const char *c = text; *c; c++) {
    if (*c == quote || *c == '\\')
      strbuf_printf(out, "\\%c", *c);
    else if (*c == '\n')
      strbuf_put(out, "\\n");
    else if (*c == '\t')
      strbuf_put(out, "\\t");
    else if ((unsigned char)*c < ' ' || *c == 0x7f)
      strbuf_printf(out, "\\x%02x", (unsigned)(unsigned char)*c);
    else
      strbuf_putc(out, *c);
  }
  strbuf_putc(out, quote);
}

static bool is_plain_name(const char *name) {
  if (!text_starts_name(name[0]) || text_is_reserved(name))
    return false;
  for (const char *c = name; *c; c++)
    if (!text_in_name(*c))
      return false;
  return true;
}

void text_put_name(strbuf *out, const char *name) {
  if (is_plain_name(name))
    strbuf_put(out, name);
  else
    put_quoted(out, name, '`');
}

void text_put_string(strbuf *out, const char *text) {
  put_quoted(out, text, '"');
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

/* What stands behind a backslash; *at is on it. Returns false when it is no
 * escape of the form. */
static bool take_escape(const char *text, size_t *at, strbuf *out) {
  char c = text[*at];
  if (c == 'x') {
    int high = hex_digit(text[*at + 1]);
    int low = high < 0 ? -1 : hex_digit(text[*at + 2]);
    if (low < 0 || high * 16 + low == 0)
      return false;
    strbuf_putc(out, (char)(high * 16 + low));
    *at += 3;
    return true;
  }
  if (c != '\\' && c != '"' && c != '`' && c != 'n' && c != 't')
    return false;
  strbuf_putc(out, (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c));
  *at += 1;
  return true;
}

static const char *take_quoted(const char *text, size_t *at, strbuf *out,
                               char quote) {
  size_t i = *at + 1;
  while (text[i] != quote) {
    if (text[i] == '\0' || text[i] == '\n')
      return "this quote is never closed";
    if (text[i] != '\\') {
      strbuf_putc(out, text[i++]);
      continue;
    }
    i++;
    if (!take_escape(text, &i, out)) {
      *at = i - 1;
      return "unknown escape";
    }
  }
  *at = i + 1;
  return NULL;
}

const char *text_take_name(const char *text, size_t *at, strbuf *out) {
  if (text[*at] == '`')
    return take_quoted(text, at, out, '`');
  if (!text_starts_name(text[*at]))
    return "expected a name";
  size_t end = *at;
  while (text_in_name(text[end]))
    end++;
  strbuf_put_n(out, text + *at, end - *at);
  *at = end;
  return NULL;
}

const char *text_take_string(const char *text, size_t *at, strbuf *out) {
  if (text[*at] != '"')
    return "expected a string in double quotes";
  return take_quoted(text, at, out, '"');
}
