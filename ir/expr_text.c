/* ir/expr_text.c: launch expressions as Python text and back.
 *
 * The printer writes the tree of the normal form with as few parentheses as
 * read well; the parser calls the constructors, so that a printed expression
 * gives the same handle again. Symbols whose names are no plain identifiers
 * stand between backquotes. */
#include "base/checked.h"
#include "base/panic.h"
#include "ir/expr_table.h"
#include "ir/text.h"

#include <string.h>

/* Binding strength, the weakest first. A division is printed as if it bound
 * less than a product, so that `(n // 4)*m` keeps its parentheses. */
typedef enum level {
  LEVEL_SELECT,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_SUM,
  LEVEL_DIVISION,
  LEVEL_PRODUCT,
  LEVEL_UNARY,
  LEVEL_ATOM,
} level;

static const struct notation {
  const char *text; /* infix operator, or name of the function */
  level level, left, right;
} notations[] = {
    [EXPR_INT] = {"", LEVEL_ATOM, LEVEL_ATOM, LEVEL_ATOM},
    [EXPR_SYMBOL] = {"", LEVEL_ATOM, LEVEL_ATOM, LEVEL_ATOM},
    [EXPR_ADD] = {" + ", LEVEL_SUM, LEVEL_SUM, LEVEL_DIVISION},
    [EXPR_SUB] = {" - ", LEVEL_SUM, LEVEL_SUM, LEVEL_DIVISION},
    [EXPR_MUL] = {"*", LEVEL_PRODUCT, LEVEL_PRODUCT, LEVEL_UNARY},
    [EXPR_FDIV] = {" // ", LEVEL_DIVISION, LEVEL_UNARY, LEVEL_UNARY},
    [EXPR_FMOD] = {" % ", LEVEL_DIVISION, LEVEL_UNARY, LEVEL_UNARY},
    [EXPR_MIN] = {"min", LEVEL_ATOM, LEVEL_SELECT, LEVEL_SELECT},
    [EXPR_MAX] = {"max", LEVEL_ATOM, LEVEL_SELECT, LEVEL_SELECT},
    [EXPR_CDIV] = {"cdiv", LEVEL_ATOM, LEVEL_SELECT, LEVEL_SELECT},
    [EXPR_POW2CEIL] = {"next_power_of_2", LEVEL_ATOM, LEVEL_SELECT,
                       LEVEL_SELECT},
    [EXPR_SELECT] = {" if ", LEVEL_SELECT, LEVEL_OR, LEVEL_OR},
    [EXPR_LT] = {" < ", LEVEL_COMPARE, LEVEL_SUM, LEVEL_SUM},
    [EXPR_LE] = {" <= ", LEVEL_COMPARE, LEVEL_SUM, LEVEL_SUM},
    [EXPR_EQ] = {" == ", LEVEL_COMPARE, LEVEL_SUM, LEVEL_SUM},
    [EXPR_NE] = {" != ", LEVEL_COMPARE, LEVEL_SUM, LEVEL_SUM},
    [EXPR_AND] = {" and ", LEVEL_AND, LEVEL_AND, LEVEL_NOT},
    [EXPR_OR] = {" or ", LEVEL_OR, LEVEL_OR, LEVEL_AND},
    [EXPR_NOT] = {"not ", LEVEL_NOT, LEVEL_NOT, LEVEL_NOT},
    [EXPR_ISPOW2] = {"pow2", LEVEL_ATOM, LEVEL_SELECT, LEVEL_SELECT},
};

/* --------------------------------------------------------------- printing */

static void put(const exprs *t, expr e, level weakest, strbuf *out);

/* The arguments of a chain of min or max, or of any function. */
static void put_arguments(const exprs *t, const expr_node *n, strbuf *out) {
  const expr_node *first = expr_node_at(t, n->operand[0]);
  bool chain = n->kind == EXPR_MIN || n->kind == EXPR_MAX;
  if (chain && first->kind == n->kind)
    put_arguments(t, first, out);
  else
    put(t, n->operand[0], LEVEL_SELECT, out);
  for (size_t i = 1; i < 3 && n->operand[i]; i++) {
    strbuf_put(out, ", ");
    put(t, n->operand[i], LEVEL_SELECT, out);
  }
}

static void put_infix(const exprs *t, const expr_node *n, strbuf *out) {
  const struct notation *how = &notations[n->kind];
  expr left = n->operand[0], right = n->operand[1];
  const char *text = how->text;
  int64_t value;
  if ((n->kind == EXPR_LT || n->kind == EXPR_LE) &&
      expr_is_int(t, left, NULL)) { /* `0 <= n` as `n >= 0` */
    text = n->kind == EXPR_LT ? " > " : " >= ";
    left = n->operand[1];
    right = n->operand[0];
  }
  if (n->kind == EXPR_MUL && expr_is_int(t, left, &value) && value == -1) {
    strbuf_putc(out, '-');
    put(t, right, LEVEL_UNARY, out);
    return;
  }
  put(t, left, how->left, out);
  strbuf_put(out, text);
  put(t, right, how->right, out);
}

static void put_node(const exprs *t, const expr_node *n, strbuf *out) {
  const struct notation *how = &notations[n->kind];
  switch (n->kind) {
  case EXPR_INT:
    strbuf_printf(out, "%lld", (long long)n->value);
    return;
  case EXPR_SYMBOL:
    text_put_name(out, t->symbols.at[n->value]->name);
    return;
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_CDIV:
  case EXPR_POW2CEIL:
  case EXPR_ISPOW2:
    strbuf_put(out, how->text);
    strbuf_putc(out, '(');
    put_arguments(t, n, out);
    strbuf_putc(out, ')');
    return;
  case EXPR_SELECT:
    put(t, n->operand[1], LEVEL_OR, out);
    strbuf_put(out, " if ");
    put(t, n->operand[0], LEVEL_OR, out);
    strbuf_put(out, " else ");
    put(t, n->operand[2], LEVEL_SELECT, out);
    return;
  case EXPR_NOT:
    strbuf_put(out, how->text);
    put(t, n->operand[0], LEVEL_NOT, out);
    return;
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_FDIV:
  case EXPR_FMOD:
  case EXPR_LT:
  case EXPR_LE:
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_AND:
  case EXPR_OR:
    put_infix(t, n, out);
    return;
  }
}

static void put(const exprs *t, expr e, level weakest, strbuf *out) {
  const expr_node *n = expr_node_at(t, e);
  bool parentheses = notations[n->kind].level < weakest;
  if (parentheses)
    strbuf_putc(out, '(');
  put_node(t, n, out);
  if (parentheses)
    strbuf_putc(out, ')');
}

void expr_print(const exprs *t, expr e, strbuf *out) {
  if (e == EXPR_NONE)
    strbuf_putc(out, '?');
  else
    put(t, e, LEVEL_SELECT, out);
}

const char *expr_text(const exprs *t, expr e, arena *arena) {
  strbuf out = strbuf_make(arena);
  expr_print(t, e, &out);
  return out.text;
}

/* ---------------------------------------------------------------- parsing */

enum { PARSE_NEST = 200 };

typedef struct parser {
  exprs *t;
  const char *text;
  size_t at, nest;
  const char *error; /* null: none yet */
} parser;

static expr parse_select(parser *p);

static expr fail(parser *p, const char *why) {
  if (!p->error)
    p->error = why;
  return EXPR_NONE;
}

/* A value that a constructor made; EXPR_NONE is its refusal. */
static expr made(parser *p, expr e) {
  return e ? e
           : fail(p, "the value has no place here: it divides by 0, "
                     "overflows 64 bits or is too large");
}

static void skip_blanks(parser *p) {
  while (p->text[p->at] == ' ' || p->text[p->at] == '\t')
    p->at++;
}

/* Takes an operator of punctuation; `but` may not follow it. */
static bool take(parser *p, const char *operator, char but) {
  size_t n = strlen(operator);
  skip_blanks(p);
  if (strncmp(p->text + p->at, operator, n) != 0 ||
      (but && p->text[p->at + n] == but))
    return false;
  p->at += n;
  return true;
}

static bool take_word(parser *p, const char *word) {
  size_t n = strlen(word);
  skip_blanks(p);
  if (strncmp(p->text + p->at, word, n) != 0 ||
      text_in_name(p->text[p->at + n]))
    return false;
  p->at += n;
  return true;
}

static expr parse_number(parser *p, bool negative) {
  int64_t value = 0;
  while (p->text[p->at] >= '0' && p->text[p->at] <= '9') {
    int64_t digit = p->text[p->at] - '0';
    if (!mul_ok(value, 10, &value) ||
        !add_ok(value, negative ? -digit : digit, &value))
      return fail(p, "the number does not fit 64 bits");
    p->at++;
  }
  if (text_in_name(p->text[p->at]))
    return fail(p, "a number ends in letters");
  return expr_int(p->t, value);
}

static expr parse_extreme(parser *p, expr_kind kind) {
  expr e = parse_select(p);
  while (e && take(p, ",", 0)) {
    expr next = parse_select(p);
    if (!next)
      return EXPR_NONE;
    e = made(p, kind == EXPR_MIN ? expr_min(p->t, e, next)
                                 : expr_max(p->t, e, next));
  }
  return e;
}

static expr parse_call(parser *p, expr_kind kind) {
  expr e, by;
  if (!take(p, "(", 0))
    return fail(p, "expected `(` after the name of a function");
  if (kind == EXPR_MIN || kind == EXPR_MAX) {
    e = parse_extreme(p, kind);
  } else {
    e = parse_select(p);
    if (e && kind == EXPR_CDIV) {
      if (!take(p, ",", 0))
        return fail(p, "cdiv takes two arguments");
      by = parse_select(p);
      e = by ? made(p, expr_cdiv(p->t, e, by)) : EXPR_NONE;
    } else if (e) {
      e = kind == EXPR_ISPOW2 ? expr_ispow2(p->t, e) : expr_pow2ceil(p->t, e);
      e = made(p, e);
    }
  }
  if (e && !take(p, ")", 0))
    return fail(p, "expected `)`");
  return e;
}

static expr parse_symbol(parser *p) {
  strbuf name = strbuf_make(p->t->arena);
  size_t start = p->at;
  const char *why = text_take_name(p->text, &p->at, &name);
  if (why)
    return fail(p, why);
  if (p->text[start] != '`' && text_is_reserved(name.text)) {
    p->at = start;
    return fail(p, "expected a value before this word");
  }
  expr e = exprs_find(p->t, name.text);
  if (e)
    return e;
  p->at = start;
  return fail(p, "there is no symbol of this name");
}

static expr parse_primary(parser *p) {
  skip_blanks(p);
  if (take(p, "(", 0)) {
    expr e = parse_select(p);
    if (e && !take(p, ")", 0))
      return fail(p, "expected `)`");
    return e;
  }
  char c = p->text[p->at];
  if (c >= '0' && c <= '9')
    return parse_number(p, false);
  for (expr_kind k = EXPR_INT; k <= EXPR_ISPOW2; k++)
    if (notations[k].level == LEVEL_ATOM && notations[k].text[0] &&
        take_word(p, notations[k].text))
      return parse_call(p, k);
  if (text_starts_name(c) || c == '`')
    return parse_symbol(p);
  return fail(p, "expected a number, a symbol or `(`");
}

static expr parse_unary(parser *p) {
  bool negative = false;
  while (take(p, "-", 0)) {
    negative = !negative;
    skip_blanks(p);
  }
  skip_blanks(p);
  if (negative && p->text[p->at] >= '0' && p->text[p->at] <= '9')
    return parse_number(p, true);
  expr e = parse_primary(p);
  return e && negative ? made(p, expr_mul(p->t, expr_int(p->t, -1), e)) : e;
}

static expr parse_product(parser *p) {
  expr e = parse_unary(p);
  while (e) {
    expr (*operation)(exprs *, expr, expr) = NULL;
    if (take(p, "*", '*'))
      operation = expr_mul;
    else if (take(p, "//", 0))
      operation = expr_fdiv;
    else if (take(p, "%", 0))
      operation = expr_fmod;
    else
      break;
    expr by = parse_unary(p);
    e = by ? made(p, operation(p->t, e, by)) : EXPR_NONE;
  }
  return e;
}

static expr parse_sum(parser *p) {
  expr e = parse_product(p);
  while (e) {
    bool plus = take(p, "+", 0);
    if (!plus && !take(p, "-", '>'))
      break;
    expr other = parse_product(p);
    if (!other)
      return EXPR_NONE;
    e = made(p, plus ? expr_add(p->t, e, other) : expr_sub(p->t, e, other));
  }
  return e;
}

/* Takes a comparison operator; *swapped: the operands change places. */
static bool take_comparison(parser *p, expr_kind *kind, bool *swapped) {
  static const struct {
    const char *text;
    expr_kind kind;
    bool swapped;
  } operators[] = {
      {"<=", EXPR_LE, false}, {">=", EXPR_LE, true}, {"==", EXPR_EQ, false},
      {"!=", EXPR_NE, false}, {"<", EXPR_LT, false}, {">", EXPR_LT, true},
  };
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
    if (take(p, operators[i].text, 0)) {
      *kind = operators[i].kind;
      *swapped = operators[i].swapped;
      return true;
    }
  return false;
}

static expr parse_comparison(parser *p) {
  expr left = parse_sum(p), all = EXPR_NONE;
  expr_kind kind;
  bool swapped;
  while (left && take_comparison(p, &kind, &swapped)) {
    expr right = parse_sum(p);
    if (!right)
      return EXPR_NONE;
    expr one = made(p, swapped ? expr_compare(p->t, kind, right, left)
                               : expr_compare(p->t, kind, left, right));
    all = all ? made(p, expr_and(p->t, all, one)) : one;
    if (!all)
      return EXPR_NONE;
    left = right;
  }
  return all ? all : left;
}

static expr parse_not(parser *p) {
  bool found = false, odd = false;
  while (take_word(p, "not")) {
    found = true;
    odd = !odd;
  }
  expr e = parse_comparison(p);
  if (!e || !found)
    return e;
  return made(p, odd ? expr_not(p->t, e) : expr_truth(p->t, e));
}

static expr parse_and(parser *p) {
  expr e = parse_not(p);
  while (e && take_word(p, "and")) {
    expr other = parse_not(p);
    e = other ? made(p, expr_and(p->t, e, other)) : EXPR_NONE;
  }
  return e;
}

static expr parse_or(parser *p) {
  expr e = parse_and(p);
  while (e && take_word(p, "or")) {
    expr other = parse_and(p);
    e = other ? made(p, expr_or(p->t, e, other)) : EXPR_NONE;
  }
  return e;
}

static expr parse_select(parser *p) {
  if (p->nest == PARSE_NEST)
    return fail(p, "the expression is nested too deeply");
  p->nest++;
  expr e = parse_or(p);
  if (e && take_word(p, "if")) {
    expr c = parse_or(p), otherwise = EXPR_NONE;
    if (c && !take_word(p, "else"))
      fail(p, "expected `else`");
    else if (c)
      otherwise = parse_select(p);
    e = otherwise ? made(p, expr_select(p->t, c, e, otherwise)) : EXPR_NONE;
  }
  p->nest--;
  return e;
}

expr expr_parse(exprs *t, const char *text, size_t *end, const char **error) {
  parser p = {.t = t, .text = text};
  expr e = parse_select(&p);
  *end = p.at;
  if (error)
    *error = p.error;
  assert(!e == !!p.error);
  return e;
}
