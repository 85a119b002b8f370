/* analysis/sym_eval.c: the value of an expression at a point.
 *
 * Values are kept in 128 bits and never leave 126; anything larger, a missing
 * variable or a division by zero has no value. Truth follows Kleene: one false
 * operand decides a conjunction even when another has no value. */
#include "analysis/sym_node.h"

#define MOST (((int128)1) << 125)

typedef struct evaluation {
  const symtab *t;
  sym_lookup lookup;
  void *context;
  uint32_t stamp;
} evaluation;

static bool value_of(evaluation *self, sym e, int128 *out);

static bool in_range(int128 v) {
  return v > -MOST && v < MOST;
}

/* False when the product leaves the range. */
static bool times(int128 a, int128 b, int128 *out) {
  int128 product;
  if (__builtin_mul_overflow(a, b, &product) || !in_range(product))
    return false;
  *out = product;
  return true;
}

static bool poly_value(evaluation *self, const sym_node *n, int128 *out) {
  int128 sum = 0;
  for (uint32_t i = 0; i < n->term_count; i++) {
    int128 product = n->terms[i].coef, factor = 0;
    for (uint32_t k = 0; k < n->terms[i].atom_count; k++)
      if (!value_of(self, n->terms[i].atoms[k], &factor) ||
          !times(product, factor, &product))
        return false;
    sum += product;
    if (!in_range(sum))
      return false;
  }
  *out = sum;
  return true;
}

static bool quotient_value(sym_kind kind, int128 a, int128 b, int128 *out) {
  if (b == 0)
    return false;
  int128 q = a / b, r = a % b;
  bool adjust = r != 0 && (r < 0) != (b < 0);
  switch (kind) {
  case SYM_FDIV:
    *out = adjust ? q - 1 : q;
    return true;
  case SYM_FMOD:
    *out = adjust ? r + b : r;
    return true;
  case SYM_TDIV:
    *out = q;
    return true;
  case SYM_TMOD:
    *out = r;
    return true;
  case SYM_INT:
  case SYM_VAR:
  case SYM_POLY:
  case SYM_MIN:
  case SYM_MAX:
  case SYM_SELECT:
  case SYM_POW2CEIL:
  case SYM_APPLY:
  case SYM_TRUE:
  case SYM_FALSE:
  case SYM_GE0:
  case SYM_EQ0:
  case SYM_NE0:
  case SYM_AND:
  case SYM_OR:
  case SYM_NOT:
  case SYM_APPLYB:
  case SYM_ISPOW2:
    break;
  }
  panic("no quotient");
}

static bool connective_value(evaluation *self, const sym_node *n, int128 *out) {
  int128 absorbing = n->kind == SYM_OR, part;
  bool known = true;
  for (uint32_t i = 0; i < n->operand_count; i++) {
    if (!value_of(self, n->operands[i], &part))
      known = false;
    else if (part == absorbing) {
      *out = absorbing;
      return true;
    }
  }
  *out = !absorbing;
  return known;
}

static bool looked_up(evaluation *self, sym e, int128 *out) {
  int64_t value;
  if (!self->lookup(self->context, self->t, e, &value))
    return false;
  *out = sym_is_bool(self->t, e) ? value != 0 : value;
  return true;
}

static bool pow2ceil_value(int128 x, int128 *out) {
  int128 p = 1;
  while (p < x)
    p *= 2;
  *out = x == 0 ? 0 : p;
  return in_range(p);
}

static bool strict_value(evaluation *self, const sym_node *n, int128 *out) {
  int128 a = 0, b = 0;
  if (!value_of(self, n->operands[0], &a) ||
      (n->operand_count > 1 && !value_of(self, n->operands[1], &b)))
    return false;
  switch (n->kind) {
  case SYM_FDIV:
  case SYM_FMOD:
  case SYM_TDIV:
  case SYM_TMOD:
    return quotient_value(n->kind, a, b, out);
  case SYM_MIN:
    *out = a < b ? a : b;
    return true;
  case SYM_MAX:
    *out = a > b ? a : b;
    return true;
  case SYM_POW2CEIL:
    return pow2ceil_value(a, out);
  case SYM_GE0:
    *out = a >= 0;
    return true;
  case SYM_EQ0:
    *out = a == 0;
    return true;
  case SYM_NE0:
    *out = a != 0;
    return true;
  case SYM_NOT:
    *out = !a;
    return true;
  case SYM_ISPOW2:
    *out = a >= 1 && (a & (a - 1)) == 0;
    return true;
  case SYM_INT:
  case SYM_VAR:
  case SYM_POLY:
  case SYM_SELECT:
  case SYM_APPLY:
  case SYM_TRUE:
  case SYM_FALSE:
  case SYM_AND:
  case SYM_OR:
  case SYM_APPLYB:
    break;
  }
  panic("no strict operation");
}

static bool compute(evaluation *self, sym e, int128 *out) {
  const sym_node *n = sym_at(self->t, e);
  int128 truth;
  switch (n->kind) {
  case SYM_INT:
    *out = n->value;
    return true;
  case SYM_TRUE:
  case SYM_FALSE:
    *out = n->kind == SYM_TRUE;
    return true;
  case SYM_VAR:
  case SYM_APPLY:
  case SYM_APPLYB:
    return looked_up(self, e, out);
  case SYM_POLY:
    return poly_value(self, n, out);
  case SYM_AND:
  case SYM_OR:
    return connective_value(self, n, out);
  case SYM_SELECT:
    return value_of(self, n->operands[0], &truth) &&
           value_of(self, n->operands[truth ? 1 : 2], out);
  case SYM_FDIV:
  case SYM_FMOD:
  case SYM_TDIV:
  case SYM_TMOD:
  case SYM_MIN:
  case SYM_MAX:
  case SYM_POW2CEIL:
  case SYM_GE0:
  case SYM_EQ0:
  case SYM_NE0:
  case SYM_NOT:
  case SYM_ISPOW2:
    return strict_value(self, n, out);
  }
  panic("no symbol kind %d", (int)n->kind);
}

static bool value_of(evaluation *self, sym e, int128 *out) {
  sym_marks *m = self->t->marks;
  if (m->stamp[e] == self->stamp) {
    *out = m->value[e];
    return true;
  }
  if (!compute(self, e, out))
    return false;
  m->stamp[e] = self->stamp;
  m->value[e] = *out;
  return true;
}

bool sym_eval_wide(const symtab *t, sym e, sym_lookup lookup, void *context,
                   int128 *value) {
  evaluation v = {.t = t, .lookup = lookup, .context = context};
  sym_at(t, e); /* asserts a valid handle */
  v.stamp = sym_walk(t);
  return value_of(&v, e, value);
}

bool sym_eval(const symtab *t, sym e, sym_lookup lookup, void *context,
              int64_t *value) {
  int128 result = 0;
  if (!sym_eval_wide(t, e, lookup, context, &result))
    return false;
  if (result < INT64_MIN || result > INT64_MAX)
    return false;
  *value = (int64_t)result;
  return true;
}
