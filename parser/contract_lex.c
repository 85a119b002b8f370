/* parser/contract_lex.c: tokens of contract comments. */
#include "base/panic.h"
#include "parser/contract_parse.h"

#include <string.h>

/* Constants of the grammar are at most 2^62. */
#define INT_LIMIT (INT64_C(1) << 62)

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c);
}

span parser_span(const clause_parser *p, token t) {
  uint32_t column = p->column + t.start;
  return (span){p->line, column, p->line, column + t.length};
}

char *parser_text(const clause_parser *p, token t) {
  return arena_strndup(p->arena, p->text + t.start, t.length);
}

void parser_fail(clause_parser *p, span at, const char *message) {
  if (p->error)
    return;
  p->error = message;
  p->error_at = at;
}

/* How a message calls the token not yet taken. */
static const char *token_called(const clause_parser *p) {
  if (p->now.kind == TOKEN_END)
    return "the end of the clause";
  return arena_printf(p->arena, "`%s`", parser_text(p, p->now));
}

void parser_fail_expected(clause_parser *p, const char *what) {
  if (p->error)
    return;
  parser_fail(
      p, parser_span(p, p->now),
      arena_printf(p->arena, "expected %s, found %s", what, token_called(p)));
}

/* Length of the operator or punctuation at `s`, 0 if there is none. */
static uint32_t mark_length(const char *s) {
  static const char *const marks[] = {
      "...", "//", "**", "<=", ">=", "==", "!=", ";", ":", ",", "(", ")",
      "[",   "]",  "{",  "}",  "+",  "-",  "*",  "%", "<", ">", "."};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (strncmp(s, marks[i], strlen(marks[i])) == 0)
      return (uint32_t)strlen(marks[i]);
  return 0;
}

/* Bytes of the UTF-8 character at s, so that messages do not cut it. */
static uint32_t character_length(const char *s) {
  uint32_t n = 1;
  while (((unsigned char)s[n] & 0xc0) == 0x80)
    n++;
  return n;
}

static token read_int(clause_parser *p, uint32_t start) {
  token t = {.kind = TOKEN_INT, .start = start};
  const char *s = p->text + start;
  bool large = false;
  for (; is_digit(s[t.length]) || s[t.length] == '_'; t.length++) {
    if (s[t.length] == '_')
      continue;
    int64_t digit = s[t.length] - '0';
    large = large || t.number > (INT_LIMIT - digit) / 10;
    t.number = large ? INT_LIMIT : t.number * 10 + digit;
  }
  if (is_name_start(s[t.length])) {
    t.kind = TOKEN_BAD;
    while (is_name_char(s[t.length]))
      t.length++;
  } else if (large) {
    parser_fail(p, parser_span(p, t), "a constant is at most 2**62");
  }
  return t;
}

void parser_next(clause_parser *p) {
  uint32_t at = p->now.start + p->now.length;
  while (p->text[at] == ' ' || p->text[at] == '\t' || p->text[at] == '\r')
    at++;
  const char *s = p->text + at;
  token t = {.kind = TOKEN_END, .start = at};
  if (*s == '\0' || strncmp(s, "--", 2) == 0) {
    t.length = 0;
  } else if (is_digit(*s)) {
    t = read_int(p, at);
  } else if (is_name_start(*s)) {
    t.kind = TOKEN_NAME;
    while (is_name_char(s[t.length]))
      t.length++;
  } else {
    t.length = mark_length(s);
    t.kind = t.length ? TOKEN_MARK : TOKEN_BAD;
    if (!t.length)
      t.length = character_length(s);
  }
  p->now = t;
}

clause_parser parser_start(arena *arena, const char *text, uint32_t from,
                           uint32_t line, uint32_t column) {
  clause_parser p = {.arena = arena,
                     .text = text,
                     .line = line,
                     .column = column,
                     .now = {.start = from}};
  parser_next(&p);
  return p;
}

bool parser_at(const clause_parser *p, const char *text) {
  size_t length = strlen(text);
  return !p->error &&
         (p->now.kind == TOKEN_NAME || p->now.kind == TOKEN_MARK) &&
         p->now.length == length &&
         memcmp(p->text + p->now.start, text, length) == 0;
}

bool parser_take(clause_parser *p, const char *text) {
  if (!parser_at(p, text))
    return false;
  parser_next(p);
  return true;
}

void parser_expect(clause_parser *p, const char *text) {
  if (p->error || parser_take(p, text))
    return;
  parser_fail_expected(p, arena_printf(p->arena, "`%s`", text));
}

const char *parser_name(clause_parser *p, const char *what, span *at) {
  if (p->error)
    return "";
  if (p->now.kind != TOKEN_NAME) {
    parser_fail_expected(p, what);
    return "";
  }
  const char *name = parser_text(p, p->now);
  if (at)
    *at = parser_span(p, p->now);
  parser_next(p);
  return name;
}
