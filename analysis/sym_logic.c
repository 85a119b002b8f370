/* analysis/sym_logic.c: normal forms of comparisons and connectives.
 *
 * Sound: over the integers g*p + c >= 0 holds exactly when p + floor(c / g)
 * >= 0 does, and g*p + c == 0 needs g to divide c. The rest is Boolean
 * algebra. */
#include "analysis/sym_node.h"
#include <stdlib.h>
#include <string.h>

/* (e - constant) / g + fresh, where g divides every other coefficient. */
static sym reduce(symtab *t, sym e, int64_t g, int64_t fresh) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms), kept = 0;
  sym_term *out = sym_work_terms(t, n + 1);
  for (size_t i = 0; i < n; i++)
    if (terms[i].atom_count) {
      out[kept] = terms[i];
      out[kept++].coef /= g;
    }
  out[kept++] = (sym_term){.coef = fresh};
  return sym_from_terms(t, out, kept);
}

static sym ge0(symtab *t, sym p) {
  int64_t c;
  uint64_t g = sym_content(t, p, &c);
  if (g == 0)
    return sym_bool(t, c >= 0);
  if (g > 1 && g <= INT64_MAX)
    p = reduce(t, p, (int64_t)g, floor_div(c, (int64_t)g));
  return sym_intern_op(t, SYM_GE0, &p, 1);
}

/* p and -p vanish together; the leading coefficient is made positive. */
static sym positive_lead(symtab *t, sym p) {
  const sym_term *terms;
  size_t n = sym_terms(t, p, &terms);
  for (size_t i = 0; i < n; i++)
    if (terms[i].coef == INT64_MIN)
      return p;
  return n && terms[0].coef < 0 ? sym_neg(t, p) : p;
}

static sym eq0(symtab *t, sym p, bool equal) {
  int64_t c;
  uint64_t g = sym_content(t, p, &c);
  if (g == 0)
    return sym_bool(t, (c == 0) == equal);
  if (g > 1 && g <= INT64_MAX) {
    if (c % (int64_t)g != 0)
      return sym_bool(t, !equal);
    p = reduce(t, p, (int64_t)g, c / (int64_t)g);
  }
  p = positive_lead(t, p);
  return sym_intern_op(t, equal ? SYM_EQ0 : SYM_NE0, &p, 1);
}

sym sym_ge(symtab *t, sym a, sym b) {
  return ge0(t, sym_sub(t, a, b));
}

sym sym_gt(symtab *t, sym a, sym b) {
  return ge0(t, sym_sub(t, sym_sub(t, a, b), sym_int(t, 1)));
}

sym sym_le(symtab *t, sym a, sym b) {
  return sym_ge(t, b, a);
}

sym sym_lt(symtab *t, sym a, sym b) {
  return sym_gt(t, b, a);
}

sym sym_eq(symtab *t, sym a, sym b) {
  return eq0(t, sym_sub(t, a, b), true);
}

sym sym_ne(symtab *t, sym a, sym b) {
  return eq0(t, sym_sub(t, a, b), false);
}

static sym not_literal(symtab *t, sym a) {
  const sym_node *n = sym_at(t, a);
  sym p = n->operand_count ? n->operands[0] : SYM_NONE;
  switch (n->kind) {
  case SYM_GE0: /* not p >= 0 is -p - 1 >= 0 */
    return sym_lt(t, p, sym_int(t, 0));
  case SYM_EQ0:
    return sym_intern_op(t, SYM_NE0, &p, 1);
  case SYM_NE0:
    return sym_intern_op(t, SYM_EQ0, &p, 1);
  case SYM_NOT:
    return p;
  case SYM_APPLYB:
  case SYM_ISPOW2:
    return sym_intern_op(t, SYM_NOT, &a, 1);
  case SYM_TRUE:
    return sym_false(t);
  case SYM_FALSE:
    return sym_true(t);
  case SYM_AND:
  case SYM_OR:
  case SYM_INT:
  case SYM_VAR:
  case SYM_POLY:
  case SYM_FDIV:
  case SYM_FMOD:
  case SYM_TDIV:
  case SYM_TMOD:
  case SYM_MIN:
  case SYM_MAX:
  case SYM_SELECT:
  case SYM_POW2CEIL:
  case SYM_APPLY:
    break;
  }
  panic("negation of an integer");
}

static int order_handles(const void *a, const void *b) {
  sym x = *(const sym *)a, y = *(const sym *)b;
  return (x > y) - (x < y);
}

/* Some operand is the negation of another (literals only). */
static bool has_complement(symtab *t, const sym *sorted, size_t n) {
  for (size_t i = 0; i < n; i++) {
    sym_kind kind = sym_kind_of(t, sorted[i]);
    if (kind == SYM_AND || kind == SYM_OR)
      continue;
    sym opposite = not_literal(t, sorted[i]);
    if (bsearch(&opposite, sorted, n, sizeof(sym), order_handles))
      return true;
  }
  return false;
}

/* A flat, sorted conjunction or disjunction without repeats.
 * Sound: associative, commutative, idempotent, with neutral and absorbing
 * elements; x with not x is absorbing. */
static sym connect(symtab *t, sym_kind kind, const sym *parts, size_t n) {
  sym neutral = sym_bool(t, kind == SYM_AND);
  sym absorbing = sym_bool(t, kind != SYM_AND);
  size_t room = 0, count = 0, unique = 0;
  for (size_t i = 0; i < n; i++) {
    assert(sym_is_bool(t, parts[i]));
    const sym_node *part = sym_at(t, parts[i]);
    room += part->kind == kind ? part->operand_count : 1;
  }
  sym *flat = ARENA_ARRAY(t->arena, sym, room + 1);
  for (size_t i = 0; i < n; i++) {
    const sym_node *part = sym_at(t, parts[i]);
    if (parts[i] == absorbing)
      return absorbing;
    if (part->kind == kind) {
      memcpy(flat + count, part->operands, part->operand_count * sizeof(sym));
      count += part->operand_count;
    } else if (parts[i] != neutral) {
      flat[count++] = parts[i];
    }
  }
  qsort(flat, count, sizeof *flat, order_handles);
  for (size_t i = 0; i < count; i++)
    if (unique == 0 || flat[unique - 1] != flat[i])
      flat[unique++] = flat[i];
  if (unique == 0)
    return neutral;
  if (unique == 1)
    return flat[0];
  if (has_complement(t, flat, unique))
    return absorbing;
  return sym_intern_op(t, kind, flat, unique);
}

sym sym_and(symtab *t, sym a, sym b) {
  return connect(t, SYM_AND, (sym[]){a, b}, 2);
}

sym sym_or(symtab *t, sym a, sym b) {
  return connect(t, SYM_OR, (sym[]){a, b}, 2);
}

sym sym_and_all(symtab *t, const sym *facts, size_t n) {
  return connect(t, SYM_AND, facts, n);
}

/* De Morgan; negation ends at the literals. */
sym sym_not(symtab *t, sym a) {
  assert(sym_is_bool(t, a));
  const sym_node *n = sym_at(t, a);
  if (n->kind != SYM_AND && n->kind != SYM_OR)
    return not_literal(t, a);
  sym_kind dual = n->kind == SYM_AND ? SYM_OR : SYM_AND;
  uint32_t count = n->operand_count;
  const sym *operands = n->operands;
  sym *parts = ARENA_ARRAY(t->arena, sym, count);
  for (uint32_t i = 0; i < count; i++)
    parts[i] = sym_not(t, operands[i]);
  return connect(t, dual, parts, count);
}

static bool is_power_of_two(int64_t v) {
  return v >= 1 && (v & (v - 1)) == 0;
}

/* next_pow2(x) is a power of two unless x is 0. */
sym sym_ispow2(symtab *t, sym a) {
  int64_t value;
  assert(!sym_is_bool(t, a));
  if (sym_is_int(t, a, &value))
    return sym_bool(t, is_power_of_two(value));
  const sym_node *n = sym_at(t, a);
  if (n->kind == SYM_POW2CEIL)
    return sym_ne(t, n->operands[0], sym_int(t, 0));
  return sym_intern_op(t, SYM_ISPOW2, &a, 1);
}
