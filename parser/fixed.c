/* parser/fixed.c: Python's arithmetic on what is known before the kernel runs.
 *
 * Integers are launch expressions, so that a result may depend on sizes that
 * only the launch fixes. What cannot be said is STATIC_UNKNOWN. */
#include "parser/lowering.h"

#include <assert.h>
#include <math.h>

static bool is_number(const thing *t) {
  return thing_is(t, STATIC_INT) || thing_is(t, STATIC_BOOL) ||
         thing_is(t, STATIC_FLOAT);
}

/* A boolean counts as 0 or 1. */
static expr as_int(lower *l, const thing *t) {
  exprs *e = l->p->exprs;
  int64_t n;
  if (t->fixed.kind == STATIC_INT || expr_is_int(e, t->fixed.number, &n))
    return t->fixed.number;
  return expr_select(e, t->fixed.number, expr_int(e, 1), expr_int(e, 0));
}

static bool constant(const lower *l, const thing *t, int64_t *out) {
  return (thing_is(t, STATIC_INT) || thing_is(t, STATIC_BOOL)) &&
         expr_is_int(l->p->exprs, t->fixed.number, out);
}

static bool as_double(const lower *l, const thing *t, double *out) {
  int64_t n;
  if (thing_is(t, STATIC_FLOAT)) {
    *out = t->fixed.real;
    return true;
  }
  if (!constant(l, t, &n))
    return false;
  *out = (double)n;
  return true;
}

/* ------------------------------------------------------------ operators */

static thing float_binary(const char *op, double a, double b) {
  if (strcmp(op, "+") == 0)
    return thing_float(a + b);
  if (strcmp(op, "-") == 0)
    return thing_float(a - b);
  if (strcmp(op, "*") == 0)
    return thing_float(a * b);
  if (strcmp(op, "/") == 0 && b != 0)
    return thing_float(a / b);
  if (strcmp(op, "//") == 0 && b != 0)
    return thing_float(floor(a / b));
  if (strcmp(op, "**") == 0)
    return thing_float(pow(a, b));
  return thing_unknown();
}

/* a ** n for a small constant n >= 0. */
static expr power(lower *l, expr a, int64_t n) {
  expr product = expr_int(l->p->exprs, 1);
  if (n < 0 || n > 64)
    return EXPR_NONE;
  for (int64_t i = 0; i < n; i++)
    product = expr_mul(l->p->exprs, product, a);
  return product;
}

/* The operators whose operands have to be constants. */
static thing constant_binary(lower *l, const char *op, int64_t a, int64_t b) {
  exprs *e = l->p->exprs;
  switch (op[0]) {
  case '&':
    return thing_int(expr_int(e, a & b));
  case '|':
    return thing_int(expr_int(e, a | b));
  case '^':
    return thing_int(expr_int(e, a ^ b));
  default:
    return thing_unknown();
  }
}

static thing int_binary(lower *l, const char *op, const thing *x,
                        const thing *y) {
  exprs *e = l->p->exprs;
  expr a = as_int(l, x), b = as_int(l, y);
  int64_t m = 0, n = 0;
  bool m_known = expr_is_int(e, a, &m), n_known = expr_is_int(e, b, &n);
  if (strcmp(op, "+") == 0)
    return thing_int(expr_add(e, a, b));
  if (strcmp(op, "-") == 0)
    return thing_int(expr_sub(e, a, b));
  if (strcmp(op, "*") == 0)
    return thing_int(expr_mul(e, a, b));
  if (strcmp(op, "//") == 0)
    return thing_int(expr_fdiv(e, a, b));
  if (strcmp(op, "%") == 0)
    return thing_int(expr_fmod(e, a, b));
  if (strcmp(op, "/") == 0)
    return m_known && n_known ? float_binary(op, (double)m, (double)n)
                              : thing_unknown();
  if (strcmp(op, "**") == 0 && n_known && n < 0 && m_known)
    return float_binary(op, (double)m, (double)n);
  if (strcmp(op, "**") == 0)
    return n_known ? thing_int(power(l, a, n)) : thing_unknown();
  bool shift = strcmp(op, "<<") == 0 || strcmp(op, ">>") == 0;
  if (shift && n_known && n >= 0 && n < 62) {
    expr scale = expr_int(e, (int64_t)1 << n);
    return thing_int(op[0] == '<' ? expr_mul(e, a, scale)
                                  : expr_fdiv(e, a, scale));
  }
  return m_known && n_known ? constant_binary(l, op, m, n) : thing_unknown();
}

static thing bool_binary(lower *l, const char *op, const thing *a,
                         const thing *b) {
  exprs *e = l->p->exprs;
  if (strcmp(op, "&") == 0)
    return thing_bool(expr_and(e, a->fixed.number, b->fixed.number));
  if (strcmp(op, "|") == 0)
    return thing_bool(expr_or(e, a->fixed.number, b->fixed.number));
  return int_binary(l, op, a, b);
}

static thing tuple_sum(lower *l, const thing *a, const thing *b) {
  thing *items = ARENA_ARRAY(l->arena, thing, a->count + b->count + 1);
  for (uint32_t i = 0; i < a->count; i++)
    items[i] = a->items[i];
  for (uint32_t i = 0; i < b->count; i++)
    items[a->count + i] = b->items[i];
  return thing_tuple(items, a->count + b->count);
}

static thing tuple_repeat(lower *l, const thing *a, const thing *times) {
  int64_t n;
  if (!constant(l, times, &n) || n < 0 || n * a->count > 64)
    return thing_unknown();
  thing *items = ARENA_ARRAY(l->arena, thing, (size_t)n * a->count + 1);
  for (int64_t i = 0; i < n * a->count; i++)
    items[i] = a->items[i % a->count];
  return thing_tuple(items, (uint32_t)n * a->count);
}

thing fixed_binary(lower *l, const char *op, const thing *a, const thing *b) {
  double x, y;
  if (a->kind == THING_TUPLE && b->kind == THING_TUPLE && op[0] == '+')
    return tuple_sum(l, a, b);
  if (a->kind == THING_TUPLE && op[0] == '*')
    return tuple_repeat(l, a, b);
  if (thing_is(a, STATIC_STRING) && thing_is(b, STATIC_STRING) && op[0] == '+')
    return thing_string(
        arena_printf(l->arena, "%s%s", a->fixed.text, b->fixed.text));
  if (!is_number(a) || !is_number(b))
    return thing_unknown();
  if (thing_is(a, STATIC_FLOAT) || thing_is(b, STATIC_FLOAT))
    return as_double(l, a, &x) && as_double(l, b, &y) ? float_binary(op, x, y)
                                                      : thing_unknown();
  if (thing_is(a, STATIC_BOOL) && thing_is(b, STATIC_BOOL))
    return bool_binary(l, op, a, b);
  return int_binary(l, op, a, b);
}

thing fixed_unary(lower *l, const char *op, const thing *a) {
  exprs *e = l->p->exprs;
  if (strcmp(op, "not") == 0)
    return thing_bool(expr_not(e, fixed_truth(l, a)));
  if (!is_number(a))
    return thing_unknown();
  if (op[0] == '+')
    return *a;
  if (thing_is(a, STATIC_FLOAT))
    return op[0] == '-' ? thing_float(-a->fixed.real) : thing_unknown();
  expr minus = expr_sub(e, expr_int(e, 0), as_int(l, a));
  if (op[0] == '-')
    return thing_int(minus);
  return thing_int(expr_sub(e, minus, expr_int(e, 1)));
}

/* ---------------------------------------------------------- comparisons */

static thing constant_bool(lower *l, bool value) {
  return thing_bool(expr_int(l->p->exprs, value));
}

static thing float_compare(lower *l, const char *op, double a, double b) {
  bool less = a < b, equal = a == b;
  bool result = strcmp(op, "<") == 0    ? less
                : strcmp(op, "<=") == 0 ? less || equal
                : strcmp(op, ">") == 0  ? a > b
                : strcmp(op, ">=") == 0 ? a >= b
                : strcmp(op, "==") == 0 ? equal
                                        : !equal;
  return constant_bool(l, result);
}

static thing number_compare(lower *l, const char *op, const thing *a,
                            const thing *b) {
  exprs *e = l->p->exprs;
  double x, y;
  bool is_not = strcmp(op, "is not") == 0;
  if ((is_not || strcmp(op, "is") == 0) &&
      thing_is(a, STATIC_BOOL) != thing_is(b, STATIC_BOOL))
    return constant_bool(l, is_not); /* `1 is True` is False */
  if (as_double(l, a, &x) && as_double(l, b, &y) &&
      (thing_is(a, STATIC_FLOAT) || thing_is(b, STATIC_FLOAT)))
    return float_compare(l, op, x, y);
  if (thing_is(a, STATIC_FLOAT) || thing_is(b, STATIC_FLOAT))
    return thing_unknown();
  expr m = as_int(l, a), n = as_int(l, b);
  if (strcmp(op, "<") == 0)
    return thing_bool(expr_compare(e, EXPR_LT, m, n));
  if (strcmp(op, "<=") == 0)
    return thing_bool(expr_compare(e, EXPR_LE, m, n));
  if (strcmp(op, ">") == 0)
    return thing_bool(expr_compare(e, EXPR_LT, n, m));
  if (strcmp(op, ">=") == 0)
    return thing_bool(expr_compare(e, EXPR_LE, n, m));
  bool equal = strcmp(op, "==") == 0 || strcmp(op, "is") == 0;
  return thing_bool(expr_compare(e, equal ? EXPR_EQ : EXPR_NE, m, n));
}

/* A symbol compared with a type or a text: nobody said that it is a number. */
static bool open_number(lower *l, const thing *a, const thing *b) {
  return thing_is(a, STATIC_INT) &&
         expr_kind_of(l->p->exprs, a->fixed.number) == EXPR_SYMBOL &&
         (thing_is(b, STATIC_DTYPE) || thing_is(b, STATIC_STRING));
}

/* Whether two things that are no numbers are equal. */
static truth equal_objects(lower *l, const thing *a, const thing *b) {
  if (thing_is(a, STATIC_UNKNOWN) || thing_is(b, STATIC_UNKNOWN) ||
      a->kind == THING_GONE || b->kind == THING_GONE)
    return UNSURE;
  if (a->kind != THING_FIXED || b->kind != THING_FIXED)
    return a->kind == b->kind ? UNSURE : NO;
  if (a->fixed.kind != b->fixed.kind)
    return open_number(l, a, b) || open_number(l, b, a) ? UNSURE : NO;
  if (a->fixed.kind == STATIC_STRING)
    return strcmp(a->fixed.text, b->fixed.text) == 0 ? YES : NO;
  if (a->fixed.kind == STATIC_NONE)
    return YES;
  if (a->fixed.kind == STATIC_DTYPE && a->pointer_type == b->pointer_type &&
      (a->fixed.dtype == SC_ANY || b->fixed.dtype == SC_ANY))
    return UNSURE;
  return thing_same(a, b) ? YES : NO;
}

static thing member_of(lower *l, const thing *a, const thing *list) {
  exprs *e = l->p->exprs;
  if (thing_is(a, STATIC_STRING) && thing_is(list, STATIC_STRING))
    return constant_bool(l, strstr(list->fixed.text, a->fixed.text) != NULL);
  if (list->kind != THING_TUPLE)
    return thing_unknown();
  expr any = expr_int(e, 0);
  for (uint32_t i = 0; i < list->count; i++) {
    thing one = fixed_compare(l, "==", a, &list->items[i]);
    any = expr_or(e, any, one.fixed.number);
  }
  return thing_bool(any);
}

/* Sound: a fact holds for every launch that the program stands for. */
static truth decided_by_facts(const tile_program *p, expr condition) {
  expr opposite = expr_not(p->exprs, condition);
  for (size_t i = 0; i < p->facts.count; i++) {
    if (p->facts.at[i].condition == condition)
      return YES;
    if (p->facts.at[i].condition == opposite)
      return NO;
  }
  return UNSURE;
}

/* That a choice is its i-th item. */
static expr chosen(lower *l, const thing *choice, uint32_t i) {
  exprs *e = l->p->exprs;
  expr c = expr_compare(e, EXPR_EQ, choice->fixed.number, expr_int(e, i));
  truth known = decided_by_facts(l->p, c);
  return known == UNSURE ? c : expr_int(e, known == YES);
}

/* The item that is a text, but none of the others. */
static bool is_another(const thing *choice, uint32_t i, const thing *other) {
  bool has = false;
  if (!choice->fixed.items[i].another || !thing_is(other, STATIC_STRING))
    return false;
  for (uint32_t k = 0; k < choice->fixed.count; k++)
    has = has || (choice->fixed.items[k].kind == STATIC_STRING &&
                  strcmp(choice->fixed.items[k].text, other->fixed.text) == 0);
  return has;
}

/* One of several things: what holds for the one that it is. Sound: exactly one
 * of the conditions `number == i` holds. */
static thing choice_compare(lower *l, const char *op, const thing *choice,
                            const thing *other, bool swapped) {
  exprs *e = l->p->exprs;
  expr any = expr_int(e, 0);
  for (uint32_t i = 0; i < choice->fixed.count; i++) {
    thing item = thing_of_static(l, &choice->fixed.items[i]);
    thing one = swapped ? fixed_compare(l, op, other, &item)
                        : fixed_compare(l, op, &item, other);
    if (is_another(choice, i, other) && (op[0] == '=' || op[0] == '!'))
      one = constant_bool(l, op[0] == '!');
    if (!thing_is(&one, STATIC_BOOL))
      return thing_unknown();
    expr is_it = chosen(l, choice, i);
    any = expr_or(e, any, expr_and(e, is_it, one.fixed.number));
  }
  return thing_bool(any);
}

thing fixed_compare(lower *l, const char *op, const thing *a, const thing *b) {
  if (thing_is(a, STATIC_CHOICE))
    return choice_compare(l, op, a, b, false);
  if (thing_is(b, STATIC_CHOICE))
    return choice_compare(l, op, b, a, true);
  if (strcmp(op, "in") == 0)
    return member_of(l, a, b);
  if (strcmp(op, "not in") == 0) {
    thing in = member_of(l, a, b);
    return thing_bool(expr_not(l->p->exprs, in.fixed.number));
  }
  if (is_number(a) && is_number(b))
    return number_compare(l, op, a, b);
  truth equal = equal_objects(l, a, b);
  if (equal == UNSURE)
    return thing_unknown();
  if (strcmp(op, "==") == 0 || strcmp(op, "is") == 0)
    return constant_bool(l, equal == YES);
  if (strcmp(op, "!=") == 0 || strcmp(op, "is not") == 0)
    return constant_bool(l, equal == NO);
  return thing_unknown();
}

static expr choice_truth(lower *l, const thing *t) {
  exprs *e = l->p->exprs;
  expr any = expr_int(e, 0);
  for (uint32_t i = 0; i < t->fixed.count; i++) {
    thing item = thing_of_static(l, &t->fixed.items[i]);
    expr is_it = chosen(l, t, i);
    any = expr_or(e, any, expr_and(e, is_it, fixed_truth(l, &item)));
  }
  return any;
}

expr fixed_truth(lower *l, const thing *t) {
  exprs *e = l->p->exprs;
  if (t->kind == THING_TUPLE)
    return expr_int(e, t->count > 0);
  if (t->kind != THING_FIXED)
    return EXPR_NONE;
  switch (t->fixed.kind) {
  case STATIC_BOOL:
    return t->fixed.number;
  case STATIC_INT:
    return expr_compare(e, EXPR_NE, t->fixed.number, expr_int(e, 0));
  case STATIC_FLOAT:
    return expr_int(e, t->fixed.real != 0);
  case STATIC_STRING:
    return expr_int(e, t->fixed.text[0] != 0);
  case STATIC_NONE:
    return expr_int(e, 0);
  case STATIC_TUPLE:
    return expr_int(e, t->fixed.count > 0);
  case STATIC_DTYPE:
  case STATIC_FUNCTION:
  case STATIC_TENSOR:
    return expr_int(e, 1);
  case STATIC_CHOICE:
    return choice_truth(l, t);
  case STATIC_MODULE:
  case STATIC_UNKNOWN:
    return EXPR_NONE;
  }
  return EXPR_NONE;
}

static void record_decided(lower *l, expr condition) {
  exprs *e = l->p->exprs;
  for (size_t i = 0; i < exprs_symbol_count(e); i++) {
    const symbol *s = exprs_symbol_at(e, i);
    expr handle = s->pinned ? exprs_find(e, s->name) : EXPR_NONE;
    if (!handle || !expr_mentions(e, condition, handle))
      continue;
    bool known = false;
    for (size_t k = 0; k < l->p->decided.count; k++)
      known = known || l->p->decided.at[k] == handle;
    if (!known)
      VEC_PUSH(l->arena, &l->p->decided, handle);
  }
}

truth decide(lower *l, expr condition) {
  int64_t n;
  if (condition == EXPR_NONE)
    return UNSURE;
  if (expr_is_int(l->p->exprs, condition, &n))
    return n ? YES : NO;
  truth known = decided_by_facts(l->p, condition);
  if (known != UNSURE)
    return known;
  if (!expr_is_int(l->p->exprs, expr_pin(l->p->exprs, condition), &n))
    return UNSURE;
  record_decided(l, condition);
  return n ? YES : NO;
}

/* Whether a fact of the launch says c <= e with a constant c >= 0. */
static bool stated_nonnegative(const tile_program *p, expr e) {
  for (size_t i = 0; i < p->facts.count; i++) {
    expr part[3], c = p->facts.at[i].condition;
    int64_t n;
    if (expr_kind_of(p->exprs, c) == EXPR_LE &&
        expr_operands(p->exprs, c, part) == 2 && part[1] == e &&
        expr_is_int(p->exprs, part[0], &n) && n >= 0)
      return true;
  }
  return false;
}

/* The sign of e for all symbols: 1 (or zero), -1 (or zero), 0: not known. */
static int sign_within(const tile_program *p, expr e, int depth) {
  const exprs *t = p->exprs;
  expr part[3];
  int64_t n;
  size_t count = expr_operands(t, e, part);
  if (expr_is_int(t, e, &n))
    return n < 0 ? -1 : 1;
  if (depth == 0)
    return 0;
  int a = count > 0 ? sign_within(p, part[0], depth - 1) : 0;
  int b = count > 1 ? sign_within(p, part[1], depth - 1) : 0;
  switch (expr_kind_of(t, e)) {
  case EXPR_SYMBOL: {
    size_t index;
    const symbol *s = expr_symbol(t, e, &index);
    bool open = s->role == SYMBOL_STRIDE || s->unbounded;
    return !open || stated_nonnegative(p, e);
  }
  case EXPR_MUL:
  case EXPR_FDIV:
  case EXPR_CDIV:
    return a * b;
  case EXPR_ADD:
  case EXPR_MIN:
  case EXPR_MAX:
    return a == b ? a : 0;
  case EXPR_SUB:
    return a == -b ? a : expr_is_int(t, part[0], &n) && n == 0 ? -b : 0;
  case EXPR_FMOD:
    return b;
  case EXPR_POW2CEIL:
    return 1;
  case EXPR_SELECT: {
    int c = count > 2 ? sign_within(p, part[2], depth - 1) : 0;
    return b == c ? b : 0;
  }
  case EXPR_INT:
  case EXPR_LT:
  case EXPR_LE:
  case EXPR_EQ:
  case EXPR_NE:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_NOT:
  case EXPR_ISPOW2:
    return 0;
  }
  return 0;
}

int fixed_sign(lower *l, expr e) {
  exprs *t = l->p->exprs;
  int sign = e ? sign_within(l->p, e, 8) : 0;
  if (sign || !e)
    return sign;
  truth negative = decide(l, expr_compare(t, EXPR_LT, e, expr_int(t, 0)));
  return negative == YES ? -1 : negative == NO ? 1 : 0;
}

/* A condition counts as 0 or 1. */
static expr as_number(const lower *l, expr e) {
  exprs *t = l->p->exprs;
  int64_t n;
  if (e == EXPR_NONE || expr_is_int(t, e, &n) || !expr_is_condition(t, e))
    return e;
  return expr_select(t, e, expr_int(t, 1), expr_int(t, 0));
}

expr fixed_number(const lower *l, const thing *t) {
  if (thing_is(t, STATIC_INT) || thing_is(t, STATIC_BOOL))
    return as_number(l, t->fixed.number);
  if (t->kind != THING_VALUE)
    return EXPR_NONE;
  const inst *def = l->p->values.at[t->id].def;
  if (def && def->kind == NODE_OP && def->op == OP_CONST &&
      def->attr_count == 1)
    return as_number(l, def->attrs[0]);
  return EXPR_NONE;
}

bool fixed_int(const lower *l, const thing *t, int64_t *out) {
  expr e = fixed_number(l, t);
  return e && expr_is_int(l->p->exprs, e, out);
}
