/* parser/host_arith.c: Python's operators on host values. */
#include "parser/host_state.h"

#include "base/checked.h"
#include "base/panic.h"

#include <string.h>

static bool op_is(const char *op, const char *text) {
  return strcmp(op, text) == 0;
}

/* a ** b for a small constant b, or two constants. */
static expr power(exprs *t, expr a, expr b) {
  int64_t exponent;
  if (!expr_is_int(t, b, &exponent) || exponent < 0 || exponent > 62)
    return EXPR_NONE;
  expr e = expr_int(t, 1);
  for (int64_t i = 0; i < exponent; i++)
    e = expr_mul(t, e, a);
  return e;
}

static expr shift(exprs *t, const char *op, expr a, expr b) {
  int64_t count;
  if (!expr_is_int(t, b, &count) || count < 0 || count > 62)
    return EXPR_NONE;
  expr factor = expr_int(t, INT64_C(1) << count);
  return op_is(op, "<<") ? expr_mul(t, a, factor) : expr_fdiv(t, a, factor);
}

static expr integer_operator(exprs *t, const char *op, expr a, expr b) {
  if (op_is(op, "+"))
    return expr_add(t, a, b);
  if (op_is(op, "-"))
    return expr_sub(t, a, b);
  if (op_is(op, "*"))
    return expr_mul(t, a, b);
  if (op_is(op, "//"))
    return expr_fdiv(t, a, b);
  if (op_is(op, "%"))
    return expr_fmod(t, a, b);
  if (op_is(op, "**"))
    return power(t, a, b);
  if (op_is(op, "<<") || op_is(op, ">>"))
    return shift(t, op, a, b);
  return EXPR_NONE;
}

static host_value float_operator(const char *op, host_value a, host_value b) {
  host_value v = {.kind = HOST_FLOAT};
  if (!a.has_real || !b.has_real)
    return v;
  v.has_real = true;
  if (op_is(op, "+"))
    v.real = a.real + b.real;
  else if (op_is(op, "-"))
    v.real = a.real - b.real;
  else if (op_is(op, "*"))
    v.real = a.real * b.real;
  else if (op_is(op, "/") && b.real != 0)
    v.real = a.real / b.real;
  else
    v.has_real = false;
  return v;
}

/* An integer or float as a float value. */
static host_value to_float(host_run *r, host_value v) {
  int64_t n;
  if (v.kind == HOST_FLOAT)
    return v;
  host_value f = {.kind = HOST_FLOAT};
  if (expr_is_int(r->t, host_as_int(r, v), &n)) {
    f.has_real = true;
    f.real = (double)n;
  }
  return f;
}

static host_value join_tuples(host_run *r, host_value a, host_value b) {
  const host_value *x, *y;
  uint32_t n, m;
  if (!host_items(r, a, &x, &n) || !host_items(r, b, &y, &m))
    return host_unknown();
  host_value *all = ARENA_ARRAY(r->arena, host_value, n + m);
  for (uint32_t i = 0; i < n; i++)
    all[i] = x[i];
  for (uint32_t i = 0; i < m; i++)
    all[n + i] = y[i];
  host_value v = host_tuple(r, all, n + m);
  uint8_t first = host_folded(r, a), second = host_folded(r, b);
  if (first && second)
    return host_unknown();
  v.folded = second ? (uint8_t)(second + n) : first;
  v.tensor = second ? b.tensor : a.tensor;
  return v;
}

static bool is_sequence(host_value v) {
  return v.kind == HOST_TUPLE || v.kind == HOST_SHAPE || v.kind == HOST_STRIDES;
}

/* `x * 2`, `x / n`: a new tensor of x's shape. */
static bool scalar_on_tensor(host_value a, host_value b, uint32_t *tensor) {
  host_value other = a.kind == HOST_TENSOR ? b : a;
  *tensor = a.kind == HOST_TENSOR ? a.tensor : b.tensor;
  return other.kind == HOST_INT || other.kind == HOST_FLOAT ||
         other.kind == HOST_BOOL;
}

static host_value boolean_operator(host_run *r, const char *op, expr a,
                                   expr b) {
  if (op_is(op, "&"))
    return host_bool(expr_and(r->t, a, b));
  if (op_is(op, "|"))
    return host_bool(expr_or(r->t, a, b));
  return host_bool(EXPR_NONE);
}

host_value host_binary(host_run *r, const char *op, host_value a, host_value b,
                       node at) {
  a = host_settle(r, a);
  b = host_settle(r, b);
  host_value joined;
  uint32_t tensor;
  if (a.kind == HOST_TENSOR || b.kind == HOST_TENSOR) {
    if (a.kind == HOST_TENSOR && b.kind == HOST_TENSOR && !op_is(op, "@") &&
        host_pointwise_pair(r, a.tensor, b.tensor, &joined))
      return joined;
    if (!scalar_on_tensor(a, b, &tensor))
      return host_open(r, at, 0, NULL);
    host_value v = host_like(r, tensor, true);
    r->tensors.at[v.tensor].dtype = SC_ANY;
    return v;
  }
  if (op_is(op, "+") && (a.kind == HOST_CONFIGS || b.kind == HOST_CONFIGS) &&
      host_all_configs(r, a, b, &joined))
    return joined;
  if (is_sequence(a) && is_sequence(b) && op_is(op, "+"))
    return join_tuples(r, a, b);
  if (a.kind == HOST_DICT && b.kind == HOST_DICT && op_is(op, "|"))
    return host_join_dictionaries(r, a, b);
  if (a.kind == HOST_BOOL && b.kind == HOST_BOOL &&
      (op_is(op, "&") || op_is(op, "|")))
    return boolean_operator(r, op, a.number, b.number);
  if (a.kind == HOST_FLOAT || b.kind == HOST_FLOAT)
    return float_operator(op, to_float(r, a), to_float(r, b));
  expr x = host_as_int(r, a), y = host_as_int(r, b);
  if (x == EXPR_NONE || y == EXPR_NONE)
    return host_open(r, at, 0, NULL);
  if (op_is(op, "/")) {
    host_value v = float_operator(op, to_float(r, a), to_float(r, b));
    v.dividend = x;
    v.divisor = y;
    return v;
  }
  expr e = integer_operator(r->t, op, x, y);
  return e == EXPR_NONE ? host_open(r, at, 0, NULL) : host_int(e);
}

host_value host_unary(host_run *r, const char *op, host_value a, node at) {
  a = host_settle(r, a);
  if (a.kind == HOST_FLOAT && op_is(op, "-")) {
    a.real = -a.real;
    a.dividend = a.divisor = EXPR_NONE;
    return a;
  }
  if (a.kind == HOST_TENSOR)
    return op_is(op, "+") ? host_perhaps_same(r, a.tensor)
                          : host_like(r, a.tensor, true);
  expr e = host_as_int(r, a);
  if (e == EXPR_NONE)
    return host_open(r, at, 0, NULL);
  if (op_is(op, "-"))
    return host_int(expr_sub(r->t, expr_int(r->t, 0), e));
  if (op_is(op, "+"))
    return host_int(e);
  if (op_is(op, "~"))
    return host_int(expr_sub(r->t, expr_int(r->t, -1), e));
  return host_open(r, at, 0, NULL);
}

/* ------------------------------------------------------------ comparisons */

static host_value known_truth(host_run *r, bool truth) {
  return host_bool(expr_int(r->t, truth));
}

bool host_is_optional(host_run *r, uint32_t slot) {
  const host_slot *s = host_slot_at(r, slot);
  return s->parameter &&
         (s->none_tested || host_kind_of(r, s->default_value) == SYN_none);
}

/* Whether v is None: an open optional parameter is decided here. */
static host_value is_none(host_run *r, host_value v) {
  v = host_settle(r, v);
  if (v.kind == HOST_NONE)
    return known_truth(r, true);
  if (v.kind == HOST_TENSOR && v.absent != EXPR_NONE)
    return host_bool(v.absent);
  if (v.kind != HOST_UNKNOWN)
    return known_truth(r, false);
  if (!v.slot)
    return host_bool(EXPR_NONE);
  host_slot *s = host_slot_at(r, v.slot);
  if (s->parameter && !s->none_tested) {
    s->none_tested = true;
    r->changed = true;
  }
  bool optional = host_is_optional(r, v.slot);
  if (s->not_none || (!optional && (s->tensor || s->symbol != EXPR_NONE)))
    return known_truth(r, false);
  if (!optional || r->reached)
    return host_bool(EXPR_NONE);
  if (r->host->joined)
    return host_bool(host_absence(r, v.slot));
  if (r->lazy)
    return host_bool(EXPR_NONE);
  return known_truth(r, host_decide_none(r, v.slot));
}

static void set_none(host_slot *s, bool none) {
  s->not_none = !none;
  s->is_decided = none;
  s->decided = host_none();
}

expr host_absence(host_run *r, uint32_t slot) {
  host_slot s = *host_slot_at(r, slot);
  if (s.absent == EXPR_NONE) {
    const char *name = arena_printf(r->arena, "%s is None", s.name);
    s.absent = host_switch_truth(r, name, s.line);
    host_slot_at(r, slot)->absent = s.absent;
  }
  int64_t none;
  if (expr_is_int(r->t, s.absent, &none))
    set_none(host_slot_at(r, slot), none);
  return s.absent;
}

bool host_decide_none(host_run *r, uint32_t slot) {
  bool none = host_choose(r, 2) == 1;
  host_slot *s = host_slot_at(r, slot);
  set_none(s, none);
  if (s->absent != EXPR_NONE)
    host_fact(r, none ? s->absent : expr_not(r->t, s->absent), FACT_HOST,
              s->line);
  return none;
}

static host_value negate(host_run *r, host_value v) {
  return host_bool(expr_not(r->t, v.number));
}

static expr equal_ints(host_run *r, host_value a, host_value b) {
  return expr_compare(r->t, EXPR_EQ, host_as_int(r, a), host_as_int(r, b));
}

/* Whether the items are all there is: no axis stands for several. */
static bool complete(host_run *r, host_value v) {
  return host_folded(r, v) == 0;
}

/* Shapes and tuples: axis by axis. */
static host_value equal_sequences(host_run *r, host_value a, host_value b) {
  const host_value *x, *y;
  uint32_t n, m;
  bool known_a = host_items(r, a, &x, &n), known_b = host_items(r, b, &y, &m);
  if (!known_a || !known_b || !complete(r, a) || !complete(r, b))
    return host_bool(EXPR_NONE);
  if (n != m)
    return a.kind == HOST_TUPLE && b.kind == HOST_TUPLE ? known_truth(r, false)
                                                        : host_bool(EXPR_NONE);
  expr all = expr_int(r->t, 1);
  for (uint32_t i = 0; i < n; i++)
    all = expr_and(r->t, all, equal_ints(r, x[i], y[i]));
  return host_bool(all);
}

static host_value equal(host_run *r, host_value a, host_value b);

/* Sound: a choice is exactly one of its items; the one without a text is none
 * of the others. */
static host_value equal_choice(host_run *r, host_value a, host_value b) {
  host_value choice = a.kind == HOST_CHOICE ? a : b;
  host_value other = a.kind == HOST_CHOICE ? b : a;
  bool has = other.kind == HOST_STRING && other.text &&
             host_choice_has(choice, other.text);
  expr any = expr_int(r->t, 0);
  for (uint32_t i = 0; i < choice.count; i++) {
    if (!choice.items[i].another || !has)
      any = expr_or(r->t, any,
                    expr_and(r->t, host_chosen(r, choice, i),
                             equal(r, choice.items[i], other).number));
  }
  return host_bool(any);
}

static host_value equal(host_run *r, host_value a, host_value b) {
  a = host_settle(r, a);
  b = host_settle(r, b);
  if (a.kind == HOST_NONE || b.kind == HOST_NONE)
    return is_none(r, a.kind == HOST_NONE ? b : a);
  if (a.kind == HOST_STRING && a.text)
    b = host_text_choice(r, b, a.text);
  if (b.kind == HOST_STRING && b.text)
    a = host_text_choice(r, a, b.text);
  if (a.kind == HOST_CHOICE || b.kind == HOST_CHOICE)
    return equal_choice(r, a, b);
  if (a.kind == HOST_STRING && b.kind == HOST_STRING && a.text && b.text)
    return known_truth(r, strcmp(a.text, b.text) == 0);
  if (a.kind == HOST_DTYPE && b.kind == HOST_DTYPE && a.dtype != SC_ANY &&
      b.dtype != SC_ANY)
    return known_truth(r, a.dtype == b.dtype);
  if (is_sequence(a) && is_sequence(b))
    return equal_sequences(r, a, b);
  if (a.kind == HOST_BOOL && b.kind == HOST_BOOL) {
    expr both = expr_and(r->t, a.number, b.number);
    expr none =
        expr_and(r->t, expr_not(r->t, a.number), expr_not(r->t, b.number));
    return host_bool(expr_or(r->t, both, none));
  }
  return host_bool(equal_ints(r, a, b));
}

static host_value member(host_run *r, host_value a, host_value b) {
  const host_value *items;
  uint32_t n;
  a = host_settle(r, a);
  if (b.kind == HOST_DICT && a.kind != HOST_STRING) {
    expr any = expr_int(r->t, 0);
    for (uint32_t i = 0; i < b.count; i++) {
      host_value key = {.kind = HOST_STRING, .text = b.keys[i]};
      any = expr_or(r->t, any, equal(r, a, key).number);
    }
    return host_bool(any);
  }
  if (b.kind == HOST_DICT && a.kind == HOST_STRING && a.text) {
    for (uint32_t i = 0; i < b.count; i++)
      if (strcmp(b.keys[i], a.text) == 0)
        return known_truth(r, true);
    return known_truth(r, false);
  }
  if (!host_items(r, b, &items, &n))
    return host_bool(EXPR_NONE);
  expr any = expr_int(r->t, 0);
  for (uint32_t i = 0; i < n; i++)
    any = expr_or(r->t, any, equal(r, a, items[i]).number);
  return host_bool(any);
}

host_value host_compare(host_run *r, const char *op, host_value a,
                        host_value b) {
  if (op_is(op, "is") && b.kind == HOST_NONE)
    return is_none(r, a);
  if (op_is(op, "is not") && b.kind == HOST_NONE)
    return negate(r, is_none(r, a));
  if (op_is(op, "==") || op_is(op, "is"))
    return equal(r, a, b);
  if (op_is(op, "!=") || op_is(op, "is not") || op_is(op, "<>"))
    return negate(r, equal(r, a, b));
  if (op_is(op, "in"))
    return member(r, a, b);
  if (op_is(op, "not in"))
    return negate(r, member(r, a, b));
  bool swap = op_is(op, ">") || op_is(op, ">=");
  bool strict = op_is(op, "<") || op_is(op, ">");
  if (!swap && !op_is(op, "<") && !op_is(op, "<="))
    return host_bool(EXPR_NONE);
  expr x = host_as_int(r, swap ? b : a), y = host_as_int(r, swap ? a : b);
  return host_bool(expr_compare(r->t, strict ? EXPR_LT : EXPR_LE, x, y));
}
