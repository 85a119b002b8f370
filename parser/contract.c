/* parser/contract.c: finds contract comments, splits them into clauses, and
 * decides which function each belongs to.
 *
 * A mistake costs one clause: reading goes on after the next `;`. */
#include "parser/contract.h"
#include "parser/contract_parse.h"

#include "base/panic.h"

#include <string.h>

/* Lines of a function, decorators included. */
typedef struct owner {
  uint32_t from, def, to;
  uint32_t column;   /* of the def or its first decorator */
  bool plain_nested; /* inside another function and without decorators */
} owner;

typedef struct reader {
  arena *arena;
  const file_names *names;
  const source *source;
  notice_vec *notices;
  contract *out;
  VEC(owner) owners;         /* in text order */
  uint32_t first_definition; /* line of the first def or class */
} reader;

static void collect_owner(reader *r, const file_function *f) {
  const syntax *s = r->names->syntax;
  bool decorated = node_is(f->decorated);
  span def = node_span(s, f->definition);
  span all = decorated ? node_span(s, f->decorated) : def;
  owner o = {.from = all.line,
             .def = def.line,
             .to = all.end_line,
             .column = all.column,
             .plain_nested = f->nested && !decorated};
  VEC_PUSH(r->arena, &r->owners, o);
}

static void collect_owners(reader *r) {
  const syntax *s = r->names->syntax;
  node root = syntax_root(s);
  r->first_definition = UINT32_MAX;
  for (size_t i = 0; i < r->names->functions.count; i++)
    collect_owner(r, &r->names->functions.at[i]);
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    syn kind = syntax_kind(s, n);
    uint32_t line = node_span(s, n).line;
    if ((kind == SYN_function_definition || kind == SYN_class_definition ||
         kind == SYN_decorated_definition) &&
        line < r->first_definition)
      r->first_definition = line;
  }
}

/* The innermost function around a line; plain functions inside a function
 * (`def grid(meta)`) leave their comments to the one around them. */
static const owner *owner_around(const reader *r, uint32_t line) {
  const owner *best = NULL;
  for (size_t i = 0; i < r->owners.count; i++) {
    const owner *o = &r->owners.at[i];
    if (o->from <= line && line <= o->to && !o->plain_nested &&
        (!best || o->from >= best->from))
      best = o;
  }
  return best;
}

static bool is_blank_or_comment(const reader *r, uint32_t line) {
  size_t length;
  const char *text = source_line(r->source, line, &length);
  for (size_t i = 0; i < length; i++)
    if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\f')
      return text[i] == '#';
  return true;
}

/* The function whose def or decorator comes next after blank lines and
 * comments. */
static const owner *owner_below(const reader *r, uint32_t line) {
  uint32_t next = line + 1;
  while (next <= r->source->line_count && is_blank_or_comment(r, next))
    next++;
  for (size_t i = 0; i < r->owners.count; i++)
    if (r->owners.at[i].from == next)
      return r->owners.at[i].plain_nested ? owner_around(r, next)
                                          : &r->owners.at[i];
  return NULL;
}

/* The function that a comment after its last statement still belongs to: the
 * comment is indented deeper than the def and only blank lines and comments
 * lie between. */
static const owner *owner_above(const reader *r, span at) {
  uint32_t previous = at.line - 1;
  while (previous > 0 && is_blank_or_comment(r, previous))
    previous--;
  const owner *o = owner_around(r, previous);
  return o && at.column > o->column ? o : NULL;
}

static bool find_owner(const reader *r, const comment *c, uint32_t *from,
                       uint32_t *to) {
  const owner *o = owner_around(r, c->at.line);
  if (!o && c->alone)
    o = owner_above(r, c->at);
  const owner *below = c->alone ? owner_below(r, c->at.line) : NULL;
  /* Above a nested def: deeper inside than the function around it. */
  if (below && (!o || below->from > o->from))
    o = below;
  *from = o ? o->from : 0;
  *to = o ? o->to : 0;
  return o || c->at.line < r->first_definition;
}

static void add_notice(reader *r, span at, const char *message) {
  notice n = {.kind = NOTICE_CONTRACT, .at = at, .message = message};
  VEC_PUSH(r->arena, r->notices, n);
}

/* ----------------------------------------------------------------- ignore */

static bool is_code(const char *text, uint32_t length) {
  if (length != 5 || strncmp(text, "TC", 2) != 0)
    return false;
  for (int i = 2; i < 5; i++)
    if (text[i] < '0' || text[i] > '9')
      return false;
  return true;
}

static const char *trimmed(arena *arena, const char *text) {
  while (*text == ' ' || *text == '\t')
    text++;
  size_t n = strlen(text);
  while (n &&
         (text[n - 1] == ' ' || text[n - 1] == '\t' || text[n - 1] == '\r'))
    n--;
  return arena_strndup(arena, text, n);
}

typedef VEC(suppression) suppression_vec;

/* CODE { "," CODE } "--" reason; the word `ignore` is taken already. */
static void read_ignore(clause_parser *p, suppression_vec *out) {
  do {
    if (p->error)
      return;
    if (p->now.kind != TOKEN_NAME ||
        !is_code(p->text + p->now.start, p->now.length)) {
      parser_fail_expected(p, "the code of a check, such as TC101");
      return;
    }
    suppression s = {.code = parser_text(p, p->now),
                     .at = parser_span(p, p->now)};
    VEC_PUSH(p->arena, out, s);
    parser_next(p);
  } while (parser_take(p, ","));
  const char *rest = p->text + p->now.start;
  bool dashes = p->now.kind == TOKEN_END && strncmp(rest, "--", 2) == 0;
  const char *reason = dashes ? trimmed(p->arena, rest + 2) : "";
  if (!dashes)
    parser_fail_expected(p, "`--` and a reason");
  else if (!*reason)
    parser_fail(p, parser_span(p, p->now), "expected a reason after `--`");
  for (size_t i = 0; i < out->count; i++)
    out->at[i].reason = reason;
}

static void add_suppressions(reader *r, suppression_vec found, const comment *c,
                             uint32_t from, uint32_t to) {
  for (size_t i = 0; i < found.count; i++) {
    suppression s = found.at[i];
    s.line = c->alone ? 0 : c->at.line;
    s.from = from;
    s.to = to;
    VEC_PUSH(r->arena, &r->out->suppressions, s);
  }
}

/* ---------------------------------------------------------------- comment */

/* Byte after "# tilecheck:", 0 if the comment is no contract. */
static uint32_t contract_start(const char *text) {
  static const char word[] = "tilecheck:";
  uint32_t i = 1;
  while (text[i] == ' ' || text[i] == '\t')
    i++;
  size_t length = sizeof word - 1;
  return strncmp(text + i, word, length) == 0 ? i + (uint32_t)length : 0;
}

static void read_one(reader *r, clause_parser *p, const comment *c,
                     uint32_t from, uint32_t to) {
  suppression_vec found = {0};
  clause fresh = {.owner_from = from, .owner_to = to};
  clause_parser ahead = *p;
  parser_next(&ahead);
  bool ignore = parser_at(p, "ignore") && !parser_at(&ahead, ":");
  if (ignore) {
    parser_next(p);
    read_ignore(p, &found);
  } else {
    parser_clause(p, &fresh);
  }
  if (p->error) {
    add_notice(r, p->error_at, p->error);
  } else if (ignore) {
    add_suppressions(r, found, c, from, to);
  } else {
    fresh.used = ARENA_NEW(r->arena, bool);
    VEC_PUSH(r->arena, &r->out->clauses, fresh);
  }
}

/* Goes to the `;` or the end after a clause that was not understood. */
static void skip_clause(clause_parser *p) {
  p->error = NULL;
  while (p->now.kind != TOKEN_END && !parser_at(p, ";")) {
    parser_next(p);
    p->error = NULL; /* a constant that is too large */
  }
}

static void read_comment(reader *r, const comment *c) {
  uint32_t start = contract_start(c->text), from, to;
  if (!start)
    return;
  if (!find_owner(r, c, &from, &to)) {
    add_notice(r, c->at,
               "this contract comment stands neither above a def nor inside "
               "one, nor before the first def of the file");
    return;
  }
  clause_parser p =
      parser_start(r->arena, c->text, start, c->at.line, c->at.column);
  do {
    read_one(r, &p, c, from, to);
    if (p.error)
      skip_clause(&p);
    p.depth = p.powers = 0;
  } while (parser_take(&p, ";"));
}

contract *contract_read(arena *arena, const file_names *names,
                        notice_vec *notices) {
  reader r = {.arena = arena,
              .names = names,
              .source = syntax_source(names->syntax),
              .notices = notices,
              .out = ARENA_NEW(arena, contract)};
  collect_owners(&r);
  const comment *comments;
  size_t count = syntax_comments(names->syntax, &comments);
  for (size_t i = 0; i < count; i++)
    read_comment(&r, &comments[i]);
  return r.out;
}
