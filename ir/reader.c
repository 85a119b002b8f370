/* ir/reader.c: the words of the text form of a tile program. */
#include "ir/reader.h"
#include "base/checked.h"
#include "base/panic.h"
#include "ir/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool reader_fail_at(reader *r, size_t at, const char *why) {
  if (!r->error) {
    r->error = why;
    r->error_at = at;
  }
  return false;
}

bool reader_fail(reader *r, const char *why) {
  return reader_fail_at(r, r->at, why);
}

/* ------------------------------------------------------------ the cursor */

static char current(const reader *r) {
  return r->text[r->at];
}

void reader_skip(reader *r) {
  while (current(r) == ' ' || current(r) == '\t' || current(r) == '\r')
    r->at++;
  if (current(r) == '#')
    while (current(r) && current(r) != '\n')
      r->at++;
}

void reader_skip_lines(reader *r) {
  reader_skip(r);
  while (current(r) == '\n') {
    r->at++;
    reader_skip(r);
  }
}

bool reader_take(reader *r, const char *punctuation) {
  size_t n = strlen(punctuation);
  reader_skip(r);
  if (strncmp(r->text + r->at, punctuation, n) != 0)
    return false;
  r->at += n;
  return true;
}

static bool expected(reader *r, const char *what) {
  if (r->error)
    return false;
  return reader_fail(r, arena_printf(r->arena, "expected `%s`", what));
}

bool reader_need(reader *r, const char *punctuation) {
  return reader_take(r, punctuation) || expected(r, punctuation);
}

size_t reader_peek_word(reader *r, const char **word) {
  size_t n = 0;
  reader_skip(r);
  *word = r->text + r->at;
  if (text_starts_name(**word))
    while (text_in_name((*word)[n]))
      n++;
  return n;
}

bool reader_take_word(reader *r, const char *word) {
  const char *found;
  size_t n = reader_peek_word(r, &found);
  if (n != strlen(word) || memcmp(found, word, n) != 0)
    return false;
  r->at += n;
  return true;
}

bool reader_need_word(reader *r, const char *word) {
  return reader_take_word(r, word) || expected(r, word);
}

bool reader_end_line(reader *r) {
  reader_skip(r);
  if (r->at == r->length)
    return true;
  if (current(r) != '\n')
    return reader_fail(r, "expected the end of the line");
  r->at++;
  return true;
}

/* --------------------------------------------------- numbers, names, spans */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool reader_i64(reader *r, int64_t *out) {
  bool negative = reader_take(r, "-");
  reader_skip(r);
  if (!is_digit(current(r)))
    return reader_fail(r, "expected a whole number");
  for (*out = 0; is_digit(current(r)); r->at++) {
    int64_t digit = current(r) - '0';
    if (!mul_ok(*out, 10, out) || !add_ok(*out, negative ? -digit : digit, out))
      return reader_fail(r, "the number does not fit 64 bits");
  }
  return true;
}

bool reader_u32(reader *r, uint32_t *out) {
  int64_t wide;
  reader_skip(r);
  size_t start = r->at;
  if (!reader_i64(r, &wide))
    return false;
  if (wide < 0 || wide > UINT32_MAX)
    return reader_fail_at(r, start, "expected a number from 0 to 4294967295");
  *out = (uint32_t)wide;
  return true;
}

bool reader_number(reader *r, double *out) {
  char *end;
  bool negative = reader_take(r, "-");
  if (reader_take_word(r, "inf")) {
    *out = negative ? -INFINITY : INFINITY;
    return true;
  }
  if (!negative && reader_take_word(r, "nan")) {
    *out = NAN;
    return true;
  }
  reader_skip(r);
  if (!is_digit(current(r)))
    return reader_fail(r, "expected a number");
  *out = strtod(r->text + r->at, &end);
  *out = negative ? -*out : *out;
  r->at = (size_t)(end - r->text);
  return true;
}

bool reader_name(reader *r, const char **out) {
  strbuf name = strbuf_make(r->arena);
  reader_skip(r);
  const char *why = text_take_name(r->text, &r->at, &name);
  *out = name.text;
  return why ? reader_fail(r, why) : true;
}

bool reader_string(reader *r, const char **out) {
  strbuf text = strbuf_make(r->arena);
  reader_skip(r);
  const char *why = text_take_string(r->text, &r->at, &text);
  *out = text.text;
  return why ? reader_fail(r, why) : true;
}

bool reader_span(reader *r, span *out) {
  return reader_u32(r, &out->line) && reader_need(r, ":") &&
         reader_u32(r, &out->column) && reader_need(r, "-") &&
         reader_u32(r, &out->end_line) && reader_need(r, ":") &&
         reader_u32(r, &out->end_column);
}

/* ------------------------------------------------- expressions and types */

bool reader_expr(reader *r, expr *out) {
  size_t end = 0;
  const char *why = NULL;
  *out = EXPR_NONE;
  if (reader_take(r, "?"))
    return true;
  *out = expr_parse(r->p->exprs, r->text + r->at, &end, &why);
  r->at += end;
  return *out ? true : reader_fail(r, why);
}

bool reader_scalar(reader *r, scalar *out) {
  const char *word;
  size_t n = reader_peek_word(r, &word);
  *out = n ? scalar_from_name(word, n) : SC_NONE;
  if (*out == SC_NONE)
    return reader_fail(r, "expected a scalar type (i32, f16, bool, any, ...)");
  r->at += n;
  return true;
}

/* `^n^m`: the parameters by whose values the width goes. */
static bool read_wide(reader *r, uint64_t *wide) {
  const char *name;
  while (reader_take(r, "^")) {
    size_t start = r->at, i = 0;
    if (!reader_name(r, &name))
      return false;
    while (i < r->p->params.count && strcmp(r->p->params.at[i].name, name) != 0)
      i++;
    if (i == r->p->params.count)
      return reader_fail_at(r, start, "there is no parameter of this name");
    if (i >= 64)
      return reader_fail_at(r, start, "only the first 64 parameters can widen");
    *wide |= (uint64_t)1 << i;
  }
  return true;
}

/* What the tile or the pointer is made of. */
static bool read_element(reader *r, type *out) {
  out->pointer = reader_take(r, "ptr<");
  if (!reader_scalar(r, &out->elem) || !read_wide(r, &out->wide))
    return false;
  return !out->pointer || reader_need(r, ">");
}

/* An element, not an extent, stands at the cursor. */
static bool at_element(reader *r) {
  const char *word;
  size_t n = reader_peek_word(r, &word);
  if (n == 3 && memcmp(word, "ptr", 3) == 0 && word[3] == '<')
    return true;
  return n && scalar_from_name(word, n) != SC_NONE &&
         (word[n] == '>' || word[n] == '^');
}

bool reader_type(reader *r, type *out) {
  memset(out, 0, sizeof *out);
  if (!reader_take(r, "tile<"))
    return read_element(r, out);
  while (!at_element(r)) {
    if (out->rank == TYPE_MAX_RANK)
      return reader_fail(r, "a tile has at most 6 axes");
    if (!reader_expr(r, &out->dim[out->rank++]) || !reader_need_word(r, "x"))
      return false;
  }
  if (out->rank == 0)
    return reader_fail(r, "a tile has at least one axis");
  return read_element(r, out) && reader_need(r, ">");
}

/* ---------------------------------------------------------------- values */

/* Each value takes a few bytes to declare, so a number beyond the length of
 * the text is a mistake. */
static bool read_value_id(reader *r, value_id *out) {
  reader_skip(r);
  size_t start = r->at;
  if (!reader_need(r, "%") || !reader_u32(r, out))
    return false;
  if (*out == VALUE_NONE || *out > r->length)
    return reader_fail_at(r, start, "this number of a value is out of range");
  return true;
}

bool reader_value(reader *r, value_id *out) {
  reader_skip(r);
  size_t start = r->at;
  if (!read_value_id(r, out))
    return false;
  if (*out >= r->defined.count || !r->defined.at[*out])
    return reader_fail_at(r, start, "this value is not defined before");
  return true;
}

bool reader_declared(reader *r, declared *out) {
  reader_skip(r);
  out->at = r->at;
  out->name = NULL;
  if (!read_value_id(r, &out->id))
    return false;
  if (!reader_take(r, ":") &&
      (!reader_name(r, &out->name) || !reader_need(r, ":")))
    return false;
  return reader_type(r, &out->type);
}

bool reader_define(reader *r, const declared *d) {
  while (r->defined.count <= d->id)
    VEC_PUSH(r->arena, &r->defined, false);
  if (r->defined.at[d->id])
    return reader_fail_at(r, d->at, "this value is defined twice");
  r->defined.at[d->id] = true;
  while (r->p->values.count <= d->id)
    program_value(r->p, type_scalar(SC_NONE), NULL);
  r->p->values.at[d->id].type = d->type;
  r->p->values.at[d->id].name = d->name;
  return true;
}
