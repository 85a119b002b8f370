/* ir/expr.c: the hash-consed table of launch expressions: nodes, symbols,
 * access and evaluation. Constructors are in expr_fold.c, text in
 * expr_text.c. */
#include "base/checked.h"
#include "base/panic.h"
#include "ir/expr_table.h"

#include <string.h>

#define FIRST_ROOM 256

/* ------------------------------------------------------------- the table */

exprs *exprs_create(arena *kernel) {
  exprs *t = ARENA_NEW(kernel, exprs);
  expr_node none = {0};
  t->arena = kernel;
  t->room = FIRST_ROOM;
  t->slots = ARENA_ARRAY(kernel, uint32_t, t->room);
  t->names = map_create(kernel);
  VEC_PUSH(kernel, &t->nodes, none);
  return t;
}

const expr_node *expr_node_at(const exprs *t, expr e) {
  assert(e != EXPR_NONE && e < t->nodes.count);
  return &t->nodes.at[e];
}

static uint64_t node_hash(const expr_node *n) {
  uint64_t h = hash_mix((uint64_t)n->kind + 1, (uint64_t)n->value);
  for (size_t i = 0; i < 3; i++)
    h = hash_mix(h, n->operand[i]);
  return h;
}

static bool node_same(const expr_node *a, const expr_node *b) {
  return a->kind == b->kind && a->value == b->value &&
         memcmp(a->operand, b->operand, sizeof a->operand) == 0;
}

static uint32_t *slot_of(const exprs *t, const expr_node *n) {
  size_t i = node_hash(n) & (t->room - 1);
  while (t->slots[i] && !node_same(&t->nodes.at[t->slots[i]], n))
    i = (i + 1) & (t->room - 1);
  return &t->slots[i];
}

static void table_grow(exprs *t) {
  t->room *= 2;
  t->slots = ARENA_ARRAY(t->arena, uint32_t, t->room);
  for (uint32_t i = 1; i < t->nodes.count; i++)
    *slot_of(t, &t->nodes.at[i]) = i;
}

static bool is_atom(expr_kind kind) {
  return kind != EXPR_INT && kind != EXPR_SYMBOL && kind != EXPR_ADD &&
         kind != EXPR_SUB && kind != EXPR_MUL;
}

/* Min, max, and, or of many are chains to the left; the chain is one atom. */
static bool continues_chain(const expr_node *n, const expr_node *first) {
  return n->kind == first->kind &&
         (n->kind == EXPR_MIN || n->kind == EXPR_MAX || n->kind == EXPR_AND ||
          n->kind == EXPR_OR);
}

/* Sets size and nest from the operands; false when over a limit. */
static bool node_measure(const exprs *t, expr_node *n) {
  n->size = 1;
  for (size_t i = 0; i < 3 && n->operand[i]; i++) {
    const expr_node *o = expr_node_at(t, n->operand[i]);
    uint32_t nest = o->nest;
    if (is_atom(n->kind) && !(i == 0 && continues_chain(n, o)))
      nest++;
    n->size += o->size;
    n->nest = nest > n->nest ? nest : n->nest;
  }
  return n->size <= EXPR_MAX_SIZE && n->nest <= EXPR_MAX_NEST;
}

expr expr_node_make(exprs *t, expr_kind kind, int64_t value,
                    const expr operand[3]) {
  expr_node n = {.kind = kind, .value = value};
  if (operand)
    memcpy(n.operand, operand, sizeof n.operand);
  uint32_t *slot = slot_of(t, &n);
  if (*slot)
    return *slot;
  if (!node_measure(t, &n))
    return EXPR_NONE;
  if (t->nodes.count >= UINT32_MAX / 2)
    panic("too many launch expressions");
  expr e = (expr)t->nodes.count;
  *slot = e;
  VEC_PUSH(t->arena, &t->nodes, n);
  if (t->nodes.count * 2 > t->room)
    table_grow(t);
  return e;
}

/* Symbols come first and constants last; else the order of kinds. */
static int order_rank(expr_kind kind) {
  if (kind == EXPR_SYMBOL)
    return -1;
  return kind == EXPR_INT ? EXPR_ISPOW2 + 1 : (int)kind;
}

int expr_order(const exprs *t, expr a, expr b) {
  while (a != b) {
    const expr_node *x = expr_node_at(t, a), *y = expr_node_at(t, b);
    if (x->kind != y->kind)
      return order_rank(x->kind) < order_rank(y->kind) ? -1 : 1;
    if (x->value != y->value)
      return x->value < y->value ? -1 : 1;
    size_t i = 0;
    while (x->operand[i] == y->operand[i])
      i++;
    assert(i < 3 && x->operand[i] && y->operand[i]);
    a = x->operand[i];
    b = y->operand[i];
  }
  return 0;
}

/* --------------------------------------------------------------- symbols */

expr exprs_find(const exprs *t, const char *name) {
  uint64_t first = 0;
  if (!map_get(t->names, hash_bytes(name, strlen(name)), &first))
    return EXPR_NONE;
  for (size_t i = first - 1; i < t->symbols.count; i++)
    if (strcmp(t->symbols.at[i]->name, name) == 0)
      return t->symbol_exprs.at[i];
  return EXPR_NONE;
}

expr exprs_symbol(exprs *t, symbol s) {
  uint64_t first = 0, key = hash_bytes(s.name, strlen(s.name));
  assert(exprs_find(t, s.name) == EXPR_NONE);
  symbol *kept = arena_copy(t->arena, &s, sizeof s);
  kept->name = arena_strdup(t->arena, s.name);
  expr e = expr_node_make(t, EXPR_SYMBOL, (int64_t)t->symbols.count, NULL);
  VEC_PUSH(t->arena, &t->symbols, kept);
  VEC_PUSH(t->arena, &t->symbol_exprs, e);
  if (!map_get(t->names, key, &first))
    map_put(t->names, key, t->symbols.count);
  return e;
}

size_t exprs_symbol_count(const exprs *t) {
  return t->symbols.count;
}

symbol *exprs_symbol_at(exprs *t, size_t index) {
  assert(index < t->symbols.count);
  return t->symbols.at[index];
}

expr exprs_symbol_expr(const exprs *t, size_t index) {
  assert(index < t->symbol_exprs.count);
  return t->symbol_exprs.at[index];
}

const symbol *expr_symbol(const exprs *t, expr e, size_t *index) {
  const expr_node *n = expr_node_at(t, e);
  assert(n->kind == EXPR_SYMBOL);
  if (index)
    *index = (size_t)n->value;
  return t->symbols.at[n->value];
}

/* ---------------------------------------------------------------- access */

expr_kind expr_kind_of(const exprs *t, expr e) {
  return expr_node_at(t, e)->kind;
}

bool expr_is_int(const exprs *t, expr e, int64_t *value) {
  if (e == EXPR_NONE || expr_node_at(t, e)->kind != EXPR_INT)
    return false;
  if (value)
    *value = expr_node_at(t, e)->value;
  return true;
}

bool expr_is_condition(const exprs *t, expr e) {
  if (e == EXPR_NONE)
    return false;
  const expr_node *n = expr_node_at(t, e);
  return n->kind >= EXPR_LT ||
         (n->kind == EXPR_INT && (n->value == 0 || n->value == 1));
}

size_t expr_operands(const exprs *t, expr e, expr out[3]) {
  const expr_node *n = expr_node_at(t, e);
  size_t count = 0;
  while (count < 3 && n->operand[count]) {
    out[count] = n->operand[count];
    count++;
  }
  return count;
}

bool expr_mentions(const exprs *t, expr e, expr symbol) {
  if (e == EXPR_NONE)
    return false;
  if (e == symbol)
    return true;
  const expr_node *n = expr_node_at(t, e);
  for (size_t i = 0; i < 3 && n->operand[i]; i++)
    if (expr_mentions(t, n->operand[i], symbol))
      return true;
  return false;
}

/* ------------------------------------------------------------ evaluation */

/* Values in between may leave int64; only the result must fit. */
typedef struct evaluation {
  const exprs *t;
  const int64_t *value;
  const bool *known;
} evaluation;

static bool evaluate(const evaluation *ev, expr e, int128 *out);

static bool wide_fdiv(int128 a, int128 b, int128 *out) {
  if (b == 0)
    return false;
  if (b == -1)
    return !__builtin_sub_overflow((int128)0, a, out);
  *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
  return true;
}

static bool wide_fmod(int128 a, int128 b, int128 *out) {
  if (b == 0)
    return false;
  *out = b == -1 ? 0 : a % b;
  if (*out != 0 && (*out < 0) != (b < 0))
    *out += b;
  return true;
}

static bool wide_cdiv(int128 a, int128 b, int128 *out) {
  int128 sum;
  return !__builtin_add_overflow(a, b, &sum) &&
         !__builtin_sub_overflow(sum, (int128)1, &sum) &&
         wide_fdiv(sum, b, out);
}

static bool wide_pow2ceil(int128 a, int128 *out) {
  if (a > (int128)1 << 62)
    return false;
  *out = a < 0 ? 1 : next_pow2((int64_t)a);
  return true;
}

static bool evaluate_select(const evaluation *ev, const expr_node *n,
                            int128 *out) {
  int128 c;
  return evaluate(ev, n->operand[0], &c) &&
         evaluate(ev, n->operand[c ? 1 : 2], out);
}

/* A false first operand decides a conjunction even when the second has no
 * value, as in Python; operands are sorted, so either may be first. */
static bool evaluate_connective(const evaluation *ev, const expr_node *n,
                                int128 *out) {
  int128 decides = n->kind == EXPR_OR, x = 0, y = 0;
  bool has_x = evaluate(ev, n->operand[0], &x);
  bool has_y = evaluate(ev, n->operand[1], &y);
  if ((has_x && !!x == decides) || (has_y && !!y == decides)) {
    *out = decides;
    return true;
  }
  *out = !decides;
  return has_x && has_y;
}

static bool evaluate_leaf(const evaluation *ev, const expr_node *n,
                          int128 *out) {
  if (n->kind == EXPR_INT) {
    *out = n->value;
    return true;
  }
  if (!ev->known[n->value])
    return false;
  *out = ev->value[n->value];
  return true;
}

static bool evaluate_strict(const evaluation *ev, const expr_node *n,
                            int128 *out) {
  int128 a = 0, b = 0;
  if (!evaluate(ev, n->operand[0], &a) ||
      (n->operand[1] && !evaluate(ev, n->operand[1], &b)))
    return false;
  *out = 0;
  switch (n->kind) {
  case EXPR_ADD:
    return !__builtin_add_overflow(a, b, out);
  case EXPR_SUB:
    return !__builtin_sub_overflow(a, b, out);
  case EXPR_MUL:
    return !__builtin_mul_overflow(a, b, out);
  case EXPR_FDIV:
    return wide_fdiv(a, b, out);
  case EXPR_FMOD:
    return wide_fmod(a, b, out);
  case EXPR_CDIV:
    return wide_cdiv(a, b, out);
  case EXPR_POW2CEIL:
    return wide_pow2ceil(a, out);
  case EXPR_MIN:
    *out = a < b ? a : b;
    return true;
  case EXPR_MAX:
    *out = a > b ? a : b;
    return true;
  case EXPR_LT:
    *out = a < b;
    return true;
  case EXPR_LE:
    *out = a <= b;
    return true;
  case EXPR_EQ:
    *out = a == b;
    return true;
  case EXPR_NE:
    *out = a != b;
    return true;
  case EXPR_NOT:
    *out = !a;
    return true;
  case EXPR_ISPOW2:
    *out = a >= 1 && (a & (a - 1)) == 0;
    return true;
  case EXPR_INT:
  case EXPR_SYMBOL:
  case EXPR_SELECT:
  case EXPR_AND:
  case EXPR_OR:
    break;
  }
  panic("not a strict operation: %d", (int)n->kind);
}

static bool evaluate(const evaluation *ev, expr e, int128 *out) {
  const expr_node *n = expr_node_at(ev->t, e);
  if (n->kind == EXPR_INT || n->kind == EXPR_SYMBOL)
    return evaluate_leaf(ev, n, out);
  if (n->kind == EXPR_SELECT)
    return evaluate_select(ev, n, out);
  if (n->kind == EXPR_AND || n->kind == EXPR_OR)
    return evaluate_connective(ev, n, out);
  return evaluate_strict(ev, n, out);
}

bool expr_eval(const exprs *t, expr e, const int64_t *value, const bool *known,
               int64_t *out) {
  evaluation ev = {.t = t, .value = value, .known = known};
  int128 wide;
  if (e == EXPR_NONE || !evaluate(&ev, e, &wide) || wide < INT64_MIN ||
      wide > INT64_MAX)
    return false;
  *out = (int64_t)wide;
  return true;
}
