/* ir/expr_fold.c: the constructors of launch expressions and their normal
 * forms. Every rule here holds for all integers for which the expression has
 * a value; an expression without one (a division by 0) may gain one.
 *
 * Building a normal form again from its own operands gives the same handle;
 * the text form relies on that. */
#include "base/checked.h"
#include "base/panic.h"
#include "ir/expr_table.h"

#include <string.h>

static expr make1(exprs *t, expr_kind kind, expr a) {
  return expr_node_make(t, kind, 0, (expr[3]){a});
}

static expr make2(exprs *t, expr_kind kind, expr a, expr b) {
  if (!a || !b)
    return EXPR_NONE;
  return expr_node_make(t, kind, 0, (expr[3]){a, b, EXPR_NONE});
}

expr expr_int(exprs *t, int64_t value) {
  return expr_node_make(t, EXPR_INT, value, NULL);
}

/* ------------------------------------------------------ sums and products */

static expr linear(exprs *t, expr a, expr b, int64_t coef) {
  poly p, q;
  if (!a || !b || !poly_of(t, a, &p) || !poly_of(t, b, &q) ||
      !poly_add(t, &p, &q, coef))
    return EXPR_NONE;
  return poly_make(t, &p);
}

expr expr_add(exprs *t, expr a, expr b) {
  return linear(t, a, b, 1);
}

expr expr_sub(exprs *t, expr a, expr b) {
  return linear(t, a, b, -1);
}

expr expr_mul(exprs *t, expr a, expr b) {
  poly p, q, product;
  if (!a || !b || !poly_of(t, a, &p) || !poly_of(t, b, &q) ||
      !poly_mul(t, &p, &q, &product))
    return EXPR_NONE;
  return poly_make(t, &product);
}

/* -------------------------------------------------------------- divisions */

/* A division in preparation: numerator == whole * by + rest. */
typedef struct division {
  poly by, whole, rest;
  bool negated; /* both sides changed their sign */
} division;

/* False on overflow, for a division by the constant 0 and when it is too
 * large. */
static bool division_start(exprs *t, poly *n, expr by, division *d) {
  if (!poly_of(t, by, &d->by) || d->by.count == 0)
    return false;
  d->negated = d->by.term[0].coef < 0;
  if (d->negated && (!poly_negate(&d->by) || !poly_negate(n)))
    return false;
  return poly_divide(t, n, &d->by, &d->whole, &d->rest);
}

/* whole + rest // number, where floor((g*p + c) / (g*d)) is
 * floor((p + floor(c/g)) / d). */
static bool quotient_by_int(exprs *t, division *d, int64_t number, expr *atom) {
  int64_t constant = poly_take_constant(&d->rest);
  if (d->rest.count == 0) /* 0 <= constant < number */
    return true;
  int64_t g = poly_content(&d->rest, number, false);
  poly_divide_exact(&d->rest, g);
  number /= g;
  constant = floor_div(constant, g);
  if (number == 1)
    return poly_add(t, &d->whole, &d->rest, 1) &&
           poly_add_int(t, &d->whole, constant);
  bool flip = d->rest.term[0].coef < 0;
  if (flip && !poly_negate(&d->rest))
    return false;
  if (flip) /* floor((c - q) / d) is -floor((q + d - 1 - c) / d) */
    constant = number - 1 - constant;
  bool up = constant == number - 1;
  if (!up && !poly_add_int(t, &d->rest, constant))
    return false;
  *atom = make2(t, up ? EXPR_CDIV : EXPR_FDIV, poly_make(t, &d->rest),
                expr_int(t, number));
  return *atom && poly_add_atom(t, &d->whole, *atom, flip ? -1 : 1);
}

/* A common factor of both sides cancels: floor(g*r / (g*d)). */
static int64_t cancel_content(division *d) {
  int64_t g = poly_content(&d->rest, poly_content(&d->by, 0, true), true);
  poly_divide_exact(&d->rest, g);
  poly_divide_exact(&d->by, g);
  return g;
}

/* (r - 1) // d is written cdiv(r, d) - 1. */
static bool quotient_by_poly(exprs *t, division *d, expr *atom) {
  if (d->rest.count == 0)
    return true;
  cancel_content(d);
  bool up = d->rest.count > 1 && poly_constant(&d->rest) == -1;
  if (up) {
    poly_take_constant(&d->rest);
    if (!poly_add_int(t, &d->whole, -1))
      return false;
  }
  *atom = make2(t, up ? EXPR_CDIV : EXPR_FDIV, poly_make(t, &d->rest),
                poly_make(t, &d->by));
  return *atom && poly_add_atom(t, &d->whole, *atom, 1);
}

static expr quotient(exprs *t, poly *n, expr by) {
  division d;
  int64_t number;
  expr atom = EXPR_NONE;
  if (!division_start(t, n, by, &d))
    return EXPR_NONE;
  bool done = poly_is_int(&d.by, &number)
                  ? quotient_by_int(t, &d, number, &atom)
                  : quotient_by_poly(t, &d, &atom);
  return done ? poly_make(t, &d.whole) : EXPR_NONE;
}

expr expr_fdiv(exprs *t, expr a, expr b) {
  poly n;
  if (!a || !b || !poly_of(t, a, &n))
    return EXPR_NONE;
  return quotient(t, &n, b);
}

expr expr_cdiv(exprs *t, expr a, expr b) {
  poly n, by;
  if (!a || !b || !poly_of(t, a, &n) || !poly_of(t, b, &by) ||
      !poly_add(t, &n, &by, 1) || !poly_add_int(t, &n, -1))
    return EXPR_NONE;
  return quotient(t, &n, b);
}

/* value = factor * (rest % by) + extra, kept in whole. */
static bool remainder_make(exprs *t, division *d, int64_t factor,
                           int64_t extra) {
  expr atom = make2(t, EXPR_FMOD, poly_make(t, &d->rest), poly_make(t, &d->by));
  if (!atom || !poly_add_atom(t, &d->whole, atom, factor))
    return false;
  return poly_add_int(t, &d->whole, extra);
}

/* (g*p + c) % (g*d) is g*((p + c//g) % d) + c % g. */
static bool remainder_by_int(exprs *t, division *d, int64_t number) {
  int64_t constant = poly_take_constant(&d->rest);
  if (d->rest.count == 0)
    return poly_add_int(t, &d->whole, constant);
  int64_t g = poly_content(&d->rest, number, false);
  poly_divide_exact(&d->rest, g);
  poly_divide_exact(&d->by, g);
  if (number == g)
    return poly_add_int(t, &d->whole, floor_mod(constant, g));
  if (!poly_add_int(t, &d->rest, floor_div(constant, g)))
    return false;
  return remainder_make(t, d, g, floor_mod(constant, g));
}

expr expr_fmod(exprs *t, expr a, expr b) {
  poly n;
  division d;
  int64_t number;
  if (!a || !b || !poly_of(t, a, &n) || !division_start(t, &n, b, &d))
    return EXPR_NONE;
  d.whole.count = 0;
  if (poly_is_int(&d.by, &number)) {
    if (!remainder_by_int(t, &d, number))
      return EXPR_NONE;
  } else if (d.rest.count > 0) {
    int64_t g = cancel_content(&d);
    if (!remainder_make(t, &d, g, 0))
      return EXPR_NONE;
  }
  if (d.negated && !poly_negate(&d.whole))
    return EXPR_NONE;
  return poly_make(t, &d.whole);
}

expr expr_pow2ceil(exprs *t, expr a) {
  int64_t value;
  if (!a)
    return EXPR_NONE;
  if (expr_is_int(t, a, &value)) {
    if (value > (int64_t)1 << 62)
      return EXPR_NONE;
    return expr_int(t, value < 0 ? 1 : next_pow2(value));
  }
  if (expr_kind_of(t, a) == EXPR_POW2CEIL)
    return a;
  return make1(t, EXPR_POW2CEIL, a);
}

/* ----------------------------------------------- chains: min max and or */

/* The operands of one associative, commutative, idempotent operation. */
typedef struct chain {
  expr_kind kind;
  size_t count;
  expr item[2 * POLY_TERMS];
} chain;

/* Keeps the smaller (larger) of two that differ by a constant. Returns false
 * when neither may be dropped. */
static bool merge_extreme(exprs *t, expr_kind kind, expr *kept, expr item) {
  poly p, q;
  int64_t difference;
  if (!poly_of(t, item, &p) || !poly_of(t, *kept, &q) ||
      !poly_add(t, &p, &q, -1) || !poly_is_int(&p, &difference))
    return false;
  if (kind == EXPR_MIN ? difference < 0 : difference > 0)
    *kept = item;
  return true;
}

/* Comparisons and their kin have a negation that costs nothing. */
static bool is_literal(expr_kind kind) {
  return kind == EXPR_LT || kind == EXPR_LE || kind == EXPR_EQ ||
         kind == EXPR_NE || kind == EXPR_NOT || kind == EXPR_ISPOW2;
}

/* Returns false when the chain collapses to the absorbing constant. */
static bool chain_add_condition(exprs *t, chain *c, expr item) {
  int64_t value;
  expr opposite = EXPR_NONE;
  if (expr_is_int(t, item, &value))
    return value == (c->kind == EXPR_AND);
  if (is_literal(expr_kind_of(t, item)))
    opposite = expr_not(t, item);
  for (size_t i = 0; i < c->count; i++) {
    if (c->item[i] == item)
      return true;
    if (c->item[i] == opposite)
      return false;
  }
  c->item[c->count++] = item;
  return true;
}

static void chain_add_extreme(exprs *t, chain *c, expr item) {
  for (size_t i = 0; i < c->count; i++)
    if (merge_extreme(t, c->kind, &c->item[i], item))
      return;
  c->item[c->count++] = item;
}

/* Adds the operands of e's own chain, or e. */
static bool chain_add(exprs *t, chain *c, expr e) {
  for (;;) {
    const expr_node *n = expr_node_at(t, e);
    bool longer = n->kind == c->kind;
    expr item = longer ? n->operand[1] : e;
    expr next = longer ? n->operand[0] : EXPR_NONE;
    if (c->kind == EXPR_MIN || c->kind == EXPR_MAX)
      chain_add_extreme(t, c, item);
    else if (!chain_add_condition(t, c, item))
      return false;
    if (!longer)
      return true;
    e = next;
  }
}

static void chain_sort(const exprs *t, chain *c) {
  for (size_t i = 1; i < c->count; i++) {
    expr item = c->item[i];
    size_t j = i;
    while (j > 0 && expr_order(t, c->item[j - 1], item) > 0) {
      c->item[j] = c->item[j - 1];
      j--;
    }
    c->item[j] = item;
  }
}

static expr chain_make(exprs *t, expr_kind kind, expr a, expr b) {
  chain c = {.kind = kind};
  if (!a || !b)
    return EXPR_NONE;
  if (!chain_add(t, &c, a) || !chain_add(t, &c, b))
    return expr_int(t, kind == EXPR_OR);
  if (c.count == 0)
    return expr_int(t, kind == EXPR_AND);
  if (c.count > POLY_TERMS)
    return EXPR_NONE;
  chain_sort(t, &c);
  expr e = c.item[0];
  for (size_t i = 1; i < c.count; i++)
    e = make2(t, kind, e, c.item[i]);
  return e;
}

expr expr_min(exprs *t, expr a, expr b) {
  return chain_make(t, EXPR_MIN, a, b);
}

expr expr_max(exprs *t, expr a, expr b) {
  return chain_make(t, EXPR_MAX, a, b);
}

expr expr_truth(exprs *t, expr e) {
  if (!e || expr_is_condition(t, e))
    return e;
  return expr_compare(t, EXPR_NE, e, expr_int(t, 0));
}

expr expr_and(exprs *t, expr a, expr b) {
  return chain_make(t, EXPR_AND, expr_truth(t, a), expr_truth(t, b));
}

expr expr_or(exprs *t, expr a, expr b) {
  return chain_make(t, EXPR_OR, expr_truth(t, a), expr_truth(t, b));
}

/* ------------------------------------------------------------ conditions */

/* Divides p (of `p > 0`, `p >= 0`, `p == 0`) by the content of its products,
 * rounding the constant as the comparison allows. False: p == 0 has no
 * solution. */
static bool comparison_shrink(const exprs *t, expr_kind kind, poly *p) {
  int64_t constant = poly_take_constant(p);
  int64_t g = poly_content(p, 0, false);
  bool equality = kind == EXPR_EQ || kind == EXPR_NE;
  poly_divide_exact(p, g);
  if (equality && constant % g != 0)
    return false;
  if (kind == EXPR_LT) /* g*q + c > 0: q > floor(-c / g) */
    constant = floor_div(constant, g) + (constant % g != 0);
  else
    constant = floor_div(constant, g);
  return poly_add_int(t, p, constant);
}

/* p = right - left, each with positive coefficients; a constant goes where it
 * is positive, or alone to the side without products. */
static bool comparison_split(const exprs *t, const poly *p, poly *left,
                             poly *right) {
  poly products = *p;
  int64_t constant = poly_take_constant(&products), moved;
  left->count = right->count = 0;
  for (size_t i = 0; i < products.count; i++) {
    bool positive = products.term[i].coef > 0;
    if (!poly_add_scaled(t, positive ? right : left, &products.term[i],
                         positive ? 1 : -1))
      return false;
  }
  bool to_right = right->count == 0 || (left->count > 0 && constant > 0);
  if (to_right)
    return poly_add_int(t, right, constant);
  return sub_ok(0, constant, &moved) && poly_add_int(t, left, moved);
}

static expr comparison_constant(exprs *t, expr_kind kind, int64_t difference) {
  if (kind == EXPR_LT)
    return expr_int(t, difference > 0);
  if (kind == EXPR_LE)
    return expr_int(t, difference >= 0);
  return expr_int(t, (difference == 0) == (kind == EXPR_EQ));
}

/* An equality of a condition and a constant is the condition or its opposite.
 */
static bool condition_equals(exprs *t, expr_kind kind, expr c, expr constant,
                             expr *out) {
  int64_t value;
  if ((kind != EXPR_EQ && kind != EXPR_NE) || !expr_is_int(t, constant, &value))
    return false;
  if (expr_kind_of(t, c) < EXPR_LT)
    return false;
  if (value != 0 && value != 1)
    *out = expr_int(t, kind == EXPR_NE);
  else
    *out = (value == 1) == (kind == EXPR_EQ) ? c : expr_not(t, c);
  return true;
}

expr expr_compare(exprs *t, expr_kind kind, expr a, expr b) {
  poly p, q, left, right;
  int64_t difference;
  expr folded;
  assert(kind == EXPR_LT || kind == EXPR_LE || kind == EXPR_EQ ||
         kind == EXPR_NE);
  if (!a || !b)
    return EXPR_NONE;
  if (condition_equals(t, kind, a, b, &folded) ||
      condition_equals(t, kind, b, a, &folded))
    return folded;
  if (!poly_of(t, b, &p) || !poly_of(t, a, &q) || !poly_add(t, &p, &q, -1))
    return EXPR_NONE;
  if (poly_is_int(&p, &difference))
    return comparison_constant(t, kind, difference);
  bool equality = kind == EXPR_EQ || kind == EXPR_NE;
  if (!comparison_shrink(t, kind, &p))
    return equality ? expr_int(t, kind == EXPR_NE) : EXPR_NONE;
  /* An equality has its first product on the left. */
  if (equality && p.term[0].coef > 0 && !poly_negate(&p))
    return EXPR_NONE;
  if (!comparison_split(t, &p, &left, &right))
    return EXPR_NONE;
  a = poly_make(t, &left);
  b = poly_make(t, &right);
  if (a && b && condition_equals(t, kind, a, b, &folded))
    return folded;
  return make2(t, kind, a, b);
}

expr expr_not(exprs *t, expr a) {
  a = expr_truth(t, a);
  if (!a)
    return EXPR_NONE;
  const expr_node n = *expr_node_at(t, a);
  const expr *o = n.operand;
  if (n.kind == EXPR_INT)
    return expr_int(t, !n.value);
  if (n.kind == EXPR_LT)
    return expr_compare(t, EXPR_LE, o[1], o[0]);
  if (n.kind == EXPR_LE)
    return expr_compare(t, EXPR_LT, o[1], o[0]);
  if (n.kind == EXPR_EQ)
    return make2(t, EXPR_NE, o[0], o[1]);
  if (n.kind == EXPR_NE)
    return make2(t, EXPR_EQ, o[0], o[1]);
  if (n.kind == EXPR_AND)
    return expr_or(t, expr_not(t, o[0]), expr_not(t, o[1]));
  if (n.kind == EXPR_OR)
    return expr_and(t, expr_not(t, o[0]), expr_not(t, o[1]));
  if (n.kind == EXPR_NOT)
    return o[0];
  assert(n.kind == EXPR_ISPOW2);
  return make1(t, EXPR_NOT, a);
}

expr expr_ispow2(exprs *t, expr a) {
  int64_t value;
  if (!a)
    return EXPR_NONE;
  if (expr_is_int(t, a, &value))
    return expr_int(t, value >= 1 && (value & (value - 1)) == 0);
  return make1(t, EXPR_ISPOW2, a);
}

expr expr_select(exprs *t, expr c, expr a, expr b) {
  int64_t value;
  c = expr_truth(t, c);
  if (!c || !a || !b)
    return EXPR_NONE;
  if (expr_is_int(t, c, &value))
    return value ? a : b;
  if (a == b)
    return a;
  if (expr_is_condition(t, a) && expr_is_condition(t, b))
    return expr_or(t, expr_and(t, c, a), expr_and(t, expr_not(t, c), b));
  return expr_node_make(t, EXPR_SELECT, 0, (expr[3]){c, a, b});
}

/* ---------------------------------------------------------- substitution */

/* The constructor of that kind on given operands. */
static expr construct(exprs *t, expr_kind kind, const expr o[3]) {
  switch (kind) {
  case EXPR_ADD:
    return expr_add(t, o[0], o[1]);
  case EXPR_SUB:
    return expr_sub(t, o[0], o[1]);
  case EXPR_MUL:
    return expr_mul(t, o[0], o[1]);
  case EXPR_FDIV:
    return expr_fdiv(t, o[0], o[1]);
  case EXPR_FMOD:
    return expr_fmod(t, o[0], o[1]);
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_AND:
  case EXPR_OR:
    return chain_make(t, kind, o[0], o[1]);
  case EXPR_CDIV:
    return expr_cdiv(t, o[0], o[1]);
  case EXPR_POW2CEIL:
    return expr_pow2ceil(t, o[0]);
  case EXPR_SELECT:
    return expr_select(t, o[0], o[1], o[2]);
  case EXPR_LT:
  case EXPR_LE:
  case EXPR_EQ:
  case EXPR_NE:
    return expr_compare(t, kind, o[0], o[1]);
  case EXPR_NOT:
    return expr_not(t, o[0]);
  case EXPR_ISPOW2:
    return expr_ispow2(t, o[0]);
  case EXPR_INT:
  case EXPR_SYMBOL:
    break;
  }
  panic("a leaf has no operands: %d", (int)kind);
}

/* e with each symbol replaced by what `replace` makes of it. */
typedef expr (*replacement)(exprs *t, expr symbol, const void *context);

static expr rebuild(exprs *t, expr e, replacement replace,
                    const void *context) {
  if (e == EXPR_NONE)
    return EXPR_NONE;
  const expr_node n = *expr_node_at(t, e);
  expr o[3] = {EXPR_NONE, EXPR_NONE, EXPR_NONE};
  bool changed = false;
  if (n.kind == EXPR_SYMBOL)
    return replace(t, e, context);
  for (size_t i = 0; i < 3 && n.operand[i]; i++) {
    o[i] = rebuild(t, n.operand[i], replace, context);
    changed |= o[i] != n.operand[i];
  }
  return changed ? construct(t, n.kind, o) : e;
}

static expr pin_of(exprs *t, expr e, const void *context) {
  (void)context;
  const symbol *s = expr_symbol(t, e, NULL);
  return s->pinned ? expr_int(t, s->pin) : e;
}

expr expr_pin(exprs *t, expr e) {
  return rebuild(t, e, pin_of, NULL);
}

static expr substitute_one(exprs *t, expr e, const void *context) {
  const expr *pair = context;
  (void)t;
  return e == pair[0] ? pair[1] : e;
}

expr expr_substitute(exprs *t, expr e, expr symbol, expr by) {
  expr pair[2] = {symbol, by};
  return rebuild(t, e, substitute_one, pair);
}
