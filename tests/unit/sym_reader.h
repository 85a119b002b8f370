/* tests/unit/sym_reader.h: expressions from text, for tests.
 *
 * Reads what sym_print writes: sums, products, //, %, tdiv, tmod, min, max,
 * cdiv, next_pow2, is_pow2, comparisons (chains too), and, or, not,
 * `a if c else b`. Variables are declared by role before use, as in
 * "size M N; const B; program p; lane i". */
#ifndef TESTS_SYM_READER_H
#define TESTS_SYM_READER_H

#include "analysis/sym.h"
#include "base/panic.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READER_NAMES = 128 };

typedef struct reader {
  symtab *t;
  const char *at;
  char names[READER_NAMES][24];
  sym variables[READER_NAMES];
  size_t count;
} reader;

static inline void reader_blank(reader *r) {
  while (isspace((unsigned char)*r->at))
    r->at++;
}

static inline bool reader_take(reader *r, const char *token) {
  size_t n = strlen(token);
  reader_blank(r);
  if (strncmp(r->at, token, n) != 0)
    return false;
  if (isalpha((unsigned char)token[0]) &&
      (isalnum((unsigned char)r->at[n]) || r->at[n] == '_'))
    return false;
  r->at += n;
  return true;
}

static inline void reader_need(reader *r, const char *token) {
  if (!reader_take(r, token))
    panic("expected '%s' at '%s'", token, r->at);
}

static inline size_t reader_word(reader *r, char *out, size_t room) {
  size_t n = 0;
  reader_blank(r);
  while ((isalnum((unsigned char)*r->at) || *r->at == '_') && n + 1 < room)
    out[n++] = *r->at++;
  out[n] = 0;
  return n;
}

/* "role name name; role name ..." */
static inline void reader_declare(reader *r, const char *text) {
  static const char *const roles[] = {"size",    "stride", "const", "grid",
                                      "program", "turn",   "lane",  "unknown"};
  char word[24];
  r->at = text;
  while (reader_word(r, word, sizeof word)) {
    int role = 0;
    while (strcmp(roles[role], word) != 0)
      assert(++role < 8);
    while (reader_word(r, word, sizeof word)) {
      assert(r->count < READER_NAMES);
      strcpy(r->names[r->count], word);
      r->variables[r->count++] = sym_var(r->t, (sym_role)role, word);
    }
    reader_take(r, ";");
  }
}

static sym reader_choice(reader *r);

static inline sym reader_call(reader *r, const char *name) {
  sym a = reader_choice(r), b = SYM_NONE;
  symtab *t = r->t;
  if (reader_take(r, ","))
    b = reader_choice(r);
  reader_need(r, ")");
  if (strcmp(name, "min") == 0)
    return sym_min(t, a, b);
  if (strcmp(name, "max") == 0)
    return sym_max(t, a, b);
  if (strcmp(name, "cdiv") == 0)
    return sym_cdiv(t, a, b);
  if (strcmp(name, "tdiv") == 0)
    return sym_tdiv(t, a, b);
  if (strcmp(name, "tmod") == 0)
    return sym_tmod(t, a, b);
  if (strcmp(name, "next_pow2") == 0)
    return sym_pow2ceil(t, a);
  if (strcmp(name, "is_pow2") == 0)
    return sym_ispow2(t, a);
  panic("no function %s", name);
}

static inline sym reader_atom(reader *r) {
  char word[24];
  reader_blank(r);
  if (reader_take(r, "(")) {
    sym e = reader_choice(r);
    reader_need(r, ")");
    return e;
  }
  if (reader_take(r, "-"))
    return sym_neg(r->t, reader_atom(r));
  if (isdigit((unsigned char)*r->at)) {
    char *end;
    long long value = strtoll(r->at, &end, 10);
    r->at = end;
    return sym_int(r->t, value);
  }
  if (!reader_word(r, word, sizeof word))
    panic("expected an expression at '%s'", r->at);
  if (strcmp(word, "True") == 0 || strcmp(word, "False") == 0)
    return sym_bool(r->t, word[0] == 'T');
  if (reader_take(r, "("))
    return reader_call(r, word);
  for (size_t i = 0; i < r->count; i++)
    if (strcmp(r->names[i], word) == 0)
      return r->variables[i];
  panic("no variable %s", word);
}

static inline sym reader_product(reader *r) {
  sym e = reader_atom(r);
  for (;;) {
    if (reader_take(r, "//"))
      e = sym_fdiv(r->t, e, reader_atom(r));
    else if (reader_take(r, "%"))
      e = sym_fmod(r->t, e, reader_atom(r));
    else if (reader_take(r, "*"))
      e = sym_mul(r->t, e, reader_atom(r));
    else
      return e;
  }
}

static inline sym reader_sum(reader *r) {
  sym e = reader_product(r);
  for (;;) {
    if (reader_take(r, "+"))
      e = sym_add(r->t, e, reader_product(r));
    else if (reader_take(r, "-"))
      e = sym_sub(r->t, e, reader_product(r));
    else
      return e;
  }
}

static inline sym reader_comparison(reader *r) {
  sym left = reader_sum(r), all = SYM_NONE;
  symtab *t = r->t;
  for (;;) {
    sym right, part;
    if (reader_take(r, "<="))
      part = sym_le(t, left, right = reader_sum(r));
    else if (reader_take(r, ">="))
      part = sym_ge(t, left, right = reader_sum(r));
    else if (reader_take(r, "=="))
      part = sym_eq(t, left, right = reader_sum(r));
    else if (reader_take(r, "!="))
      part = sym_ne(t, left, right = reader_sum(r));
    else if (reader_take(r, "<"))
      part = sym_lt(t, left, right = reader_sum(r));
    else if (reader_take(r, ">"))
      part = sym_gt(t, left, right = reader_sum(r));
    else
      return all == SYM_NONE ? left : all;
    all = all == SYM_NONE ? part : sym_and(t, all, part);
    left = right;
  }
}

static inline sym reader_not(reader *r) {
  if (reader_take(r, "not"))
    return sym_not(r->t, reader_not(r));
  return reader_comparison(r);
}

static inline sym reader_and(reader *r) {
  sym e = reader_not(r);
  while (reader_take(r, "and"))
    e = sym_and(r->t, e, reader_not(r));
  return e;
}

static inline sym reader_or(reader *r) {
  sym e = reader_and(r);
  while (reader_take(r, "or"))
    e = sym_or(r->t, e, reader_and(r));
  return e;
}

static inline sym reader_choice(reader *r) {
  sym e = reader_or(r);
  if (!reader_take(r, "if"))
    return e;
  sym cond = reader_or(r);
  reader_need(r, "else");
  return sym_select(r->t, cond, e, reader_choice(r));
}

static inline sym reader_read(reader *r, const char *text) {
  r->at = text;
  sym e = reader_choice(r);
  reader_blank(r);
  if (*r->at)
    panic("left over: '%s'", r->at);
  return e;
}

/* "let name = expression": later texts may use the name. */
static inline void reader_let(reader *r, const char *text) {
  char word[24];
  r->at = text;
  reader_word(r, word, sizeof word);
  reader_need(r, "=");
  sym e = reader_choice(r);
  assert(r->count < READER_NAMES);
  strcpy(r->names[r->count], word);
  r->variables[r->count++] = e;
}

#endif
