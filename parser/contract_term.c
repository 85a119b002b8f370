/* parser/contract_term.c: arithmetic and conditions of contract comments.
 *
 * Terms keep the names as text: what a name means depends on the function and
 * on the launch (term_resolve). */
#include "parser/contract_parse.h"

#include "base/checked.h"
#include "base/panic.h"

#include <string.h>

enum { DEPTH_LIMIT = 24, LIST_LIMIT = 64, POWER_LIMIT = 62 };
#define INT_LIMIT (INT64_C(1) << 62)

static const term *term_make(arena *arena, term t) {
  term *fresh = ARENA_NEW(arena, term);
  *fresh = t;
  return fresh;
}

const term *term_int(arena *arena, int64_t value, span at) {
  return term_make(arena, (term){.kind = TERM_INT, .number = value, .at = at});
}

const term *term_binary(arena *arena, term_kind kind, const term *a,
                        const term *b, span at) {
  return term_make(arena, (term){.kind = kind, .a = a, .b = b, .at = at});
}

static span span_over(span a, span b) {
  return (span){a.line, a.column, b.end_line, b.end_column};
}

static const term *read_binary(clause_parser *p, term_kind kind, const term *a,
                               const term *b) {
  return term_binary(p->arena, kind, a, b, span_over(a->at, b->at));
}

/* Stands for a term after a failure. */
static const term *no_term(clause_parser *p) {
  return term_int(p->arena, 0, parser_span(p, p->now));
}

/* `.shape[i]`, `.stride(i)`, `.numel()` after a name: such a name is the one
 * that messages print. */
static const char *read_attribute(clause_parser *p, const char *name) {
  span at;
  const char *what =
      parser_name(p, "`shape`, `stride` or `numel` after the point", &at);
  bool shape = strcmp(what, "shape") == 0;
  bool numel = strcmp(what, "numel") == 0;
  if (!shape && !numel && strcmp(what, "stride") != 0) {
    parser_fail(p, at, "expected `shape`, `stride` or `numel` after the point");
    return name;
  }
  parser_expect(p, shape ? "[" : "(");
  int64_t axis = p->now.number;
  if (!numel && p->now.kind == TOKEN_INT && !p->error)
    parser_next(p);
  else if (!numel)
    parser_fail_expected(p, "the number of an axis");
  parser_expect(p, shape ? "]" : ")");
  if (numel)
    return arena_printf(p->arena, "%s.numel()", name);
  return arena_printf(p->arena, shape ? "%s.shape[%d]" : "%s.stride(%d)", name,
                      (int)axis);
}

/* min, max, cdiv: two arguments. The parenthesis is not taken yet. */
static const term *read_call(clause_parser *p, term_kind kind, span at) {
  parser_expect(p, "(");
  const term *a = parser_term(p);
  parser_expect(p, ",");
  const term *b = parser_term(p);
  span close = parser_span(p, p->now);
  parser_expect(p, ")");
  return term_binary(p->arena, kind, a, b, span_over(at, close));
}

static const term *read_name(clause_parser *p) {
  static const struct {
    const char *name;
    term_kind kind;
  } calls[] = {{"min", TERM_MIN}, {"max", TERM_MAX}, {"cdiv", TERM_CDIV}};
  span at;
  const char *name = parser_name(p, "a name", &at);
  if (parser_at(p, "("))
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
      if (strcmp(name, calls[i].name) == 0)
        return read_call(p, calls[i].kind, at);
  if (parser_at(p, "(")) {
    parser_fail(p, at,
                arena_printf(p->arena,
                             "unknown function `%s`; min, max and cdiv exist",
                             name));
    return no_term(p);
  }
  if (parser_take(p, "."))
    name = read_attribute(p, name);
  return term_make(p->arena, (term){.kind = TERM_NAME, .name = name, .at = at});
}

static const term *read_atom(clause_parser *p) {
  if (p->error)
    return no_term(p);
  if (p->now.kind == TOKEN_INT) {
    const term *t = term_int(p->arena, p->now.number, parser_span(p, p->now));
    parser_next(p);
    return t;
  }
  if (p->now.kind == TOKEN_NAME)
    return read_name(p);
  if (parser_take(p, "(")) {
    const term *t = parser_term(p);
    parser_expect(p, ")");
    return t;
  }
  parser_fail_expected(p, "a number, a name or `(`");
  return no_term(p);
}

static const term *read_constant_power(clause_parser *p, const term *base,
                                       int64_t power, span at) {
  int64_t value = 1;
  for (int64_t i = 0; i < power; i++)
    if (!mul_ok(value, base->number, &value) || value > INT_LIMIT) {
      parser_fail(p, at, "a constant is at most 2**62");
      return no_term(p);
    }
  return term_int(p->arena, value, at);
}

/* atom [ "**" INT ]. A power of a power would make terms of exponential size.
 */
static const term *read_power(clause_parser *p) {
  uint32_t powers = p->powers;
  const term *base = read_atom(p);
  if (!parser_take(p, "**"))
    return base;
  if (p->now.kind != TOKEN_INT)
    parser_fail_expected(p, "a constant exponent");
  if (p->error)
    return no_term(p);
  int64_t power = p->now.number;
  span at = span_over(base->at, parser_span(p, p->now));
  if (power > POWER_LIMIT)
    parser_fail(p, parser_span(p, p->now), "an exponent is at most 62");
  parser_next(p);
  if (p->error)
    return no_term(p);
  if (base->kind == TERM_INT)
    return read_constant_power(p, base, power, at);
  if (p->powers++ != powers)
    parser_fail(p, at, "a power of a power");
  const term *t = power ? base : term_int(p->arena, 1, at);
  for (int64_t i = 1; i < power; i++)
    t = term_binary(p->arena, TERM_MUL, t, base, at);
  return t;
}

/* Depth of every recursion passes through here. */
static const term *read_factor(clause_parser *p) {
  if (++p->depth > DEPTH_LIMIT)
    parser_fail(p, parser_span(p, p->now), "nested too deeply");
  const term *t;
  span at = parser_span(p, p->now);
  if (parser_take(p, "-")) {
    const term *a = read_factor(p);
    t = term_binary(p->arena, TERM_NEG, a, NULL, span_over(at, a->at));
  } else {
    t = read_power(p);
  }
  p->depth--;
  return t;
}

static const term *read_product(clause_parser *p) {
  const term *t = read_factor(p);
  for (uint32_t i = 0; !p->error; i++) {
    term_kind kind;
    if (parser_take(p, "*"))
      kind = TERM_MUL;
    else if (parser_take(p, "//"))
      kind = TERM_FDIV;
    else if (parser_take(p, "%"))
      kind = TERM_FMOD;
    else
      break;
    if (i == LIST_LIMIT)
      parser_fail(p, parser_span(p, p->now), "too many factors");
    t = read_binary(p, kind, t, read_factor(p));
  }
  return t;
}

const term *parser_term(clause_parser *p) {
  const term *t = read_product(p);
  for (uint32_t i = 0; !p->error; i++) {
    term_kind kind;
    if (parser_take(p, "+"))
      kind = TERM_ADD;
    else if (parser_take(p, "-"))
      kind = TERM_SUB;
    else
      break;
    if (i == LIST_LIMIT)
      parser_fail(p, parser_span(p, p->now), "too many summands");
    t = read_binary(p, kind, t, read_product(p));
  }
  return t;
}

static bool take_comparison(clause_parser *p, term_kind *kind) {
  static const struct {
    const char *text;
    term_kind kind;
  } signs[] = {{"<", TERM_LT},  {"<=", TERM_LE}, {">", TERM_GT},
               {">=", TERM_GE}, {"==", TERM_EQ}, {"!=", TERM_NE}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (parser_take(p, signs[i].text)) {
      *kind = signs[i].kind;
      return true;
    }
  return false;
}

static const term *read_pow2(clause_parser *p, span at) {
  parser_expect(p, "(");
  const term *a = parser_term(p);
  span close = parser_span(p, p->now);
  parser_expect(p, ")");
  return term_binary(p->arena, TERM_POW2, a, NULL, span_over(at, close));
}

/* Whether `pow2 (` stands here: pow2 alone may be a name. */
static bool at_pow2(const clause_parser *p) {
  if (!parser_at(p, "pow2"))
    return false;
  clause_parser ahead = *p;
  parser_next(&ahead);
  return parser_at(&ahead, "(");
}

/* expr cmp expr { cmp expr } | "pow2" "(" expr ")" */
static const term *read_condition(clause_parser *p) {
  if (at_pow2(p)) {
    span at = parser_span(p, p->now);
    parser_next(p);
    return read_pow2(p, at);
  }
  const term *left = parser_term(p), *all = NULL;
  term_kind kind;
  for (uint32_t i = 0; !p->error && take_comparison(p, &kind); i++) {
    if (i == LIST_LIMIT)
      parser_fail(p, parser_span(p, p->now), "too many comparisons");
    const term *right = parser_term(p);
    const term *one = read_binary(p, kind, left, right);
    all = all ? read_binary(p, TERM_AND, all, one) : one;
    left = right;
  }
  if (all)
    return all;
  parser_fail_expected(p, "a comparison (<, <=, >, >=, ==, !=)");
  return no_term(p);
}

const term *parser_conditions(clause_parser *p) {
  const term *all = read_condition(p);
  for (uint32_t i = 0; parser_take(p, ","); i++) {
    if (i == LIST_LIMIT)
      parser_fail(p, parser_span(p, p->now), "too many conditions");
    all = read_binary(p, TERM_AND, all, read_condition(p));
  }
  return all;
}

void parser_terms(clause_parser *p, term_vec *out) {
  do
    VEC_PUSH(p->arena, out, parser_term(p));
  while (parser_take(p, ","));
}

const term *contract_condition(arena *arena, const char *text, uint32_t *column,
                               const char **error) {
  clause_parser p = parser_start(arena, text, 0, 1, 1);
  const term *t = parser_conditions(&p);
  if (!p.error && (p.now.kind != TOKEN_END || text[p.now.start] != '\0'))
    parser_fail_expected(&p, "the end of the condition");
  if (!p.error)
    return t;
  *column = p.error_at.column;
  *error = p.error;
  return NULL;
}

/* -------------------------------------------------------------- resolving */

typedef struct resolution {
  exprs *t;
  term_resolver resolve;
  void *context;
  const term *unknown;
} resolution;

static expr resolve_name(resolution *r, const term *x) {
  expr e = r->resolve(r->context, x->name);
  if (e == EXPR_NONE && !r->unknown)
    r->unknown = x;
  return e;
}

static expr resolve_operator(exprs *t, term_kind kind, expr a, expr b) {
  switch (kind) {
  case TERM_ADD:
    return expr_add(t, a, b);
  case TERM_SUB:
    return expr_sub(t, a, b);
  case TERM_MUL:
    return expr_mul(t, a, b);
  case TERM_FDIV:
    return expr_fdiv(t, a, b);
  case TERM_FMOD:
    return expr_fmod(t, a, b);
  case TERM_MIN:
    return expr_min(t, a, b);
  case TERM_MAX:
    return expr_max(t, a, b);
  case TERM_CDIV:
    return expr_cdiv(t, a, b);
  case TERM_LT:
    return expr_compare(t, EXPR_LT, a, b);
  case TERM_LE:
    return expr_compare(t, EXPR_LE, a, b);
  case TERM_GT:
    return expr_compare(t, EXPR_LT, b, a);
  case TERM_GE:
    return expr_compare(t, EXPR_LE, b, a);
  case TERM_EQ:
    return expr_compare(t, EXPR_EQ, a, b);
  case TERM_NE:
    return expr_compare(t, EXPR_NE, a, b);
  case TERM_AND:
    return expr_and(t, a, b);
  case TERM_NEG:
    return expr_sub(t, expr_int(t, 0), a);
  case TERM_POW2:
    return expr_ispow2(t, a);
  case TERM_INT:
  case TERM_NAME:
    break;
  }
  panic("a term without operands");
}

static expr resolve_term(resolution *r, const term *x) {
  if (x->kind == TERM_INT)
    return expr_int(r->t, x->number);
  if (x->kind == TERM_NAME)
    return resolve_name(r, x);
  expr a = resolve_term(r, x->a);
  expr b = x->b ? resolve_term(r, x->b) : EXPR_NONE;
  expr e = resolve_operator(r->t, x->kind, a, b);
  /* Division by a constant 0 and overflow of constants. */
  if (e == EXPR_NONE && !r->unknown)
    r->unknown = x;
  return e;
}

expr term_resolve(exprs *t, const term *term_, term_resolver resolve,
                  void *context, const term **unknown) {
  resolution r = {.t = t, .resolve = resolve, .context = context};
  expr e = resolve_term(&r, term_);
  if (unknown)
    *unknown = r.unknown;
  return e;
}
