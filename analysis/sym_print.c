/* analysis/sym_print.c: expressions as Python-like text.
 *
 * Positive terms first, the constant last, factors in the order of the roles
 * (lanes and programs before block sizes). `(a + b - 1)//b` prints as
 * `cdiv(a, b)`. */
#include "analysis/sym_node.h"
#include <inttypes.h>
#include <stdio.h>

/* How tightly the text binds; parentheses go around anything looser than its
 * place asks for. */
typedef enum binding {
  BIND_SELECT,
  BIND_OR,
  BIND_AND,
  BIND_NOT,
  BIND_COMPARE,
  BIND_SUM,
  BIND_PRODUCT,
  BIND_UNIT,
} binding;

typedef struct printer {
  const symtab *t;
  strbuf *out;
} printer;

static void print(printer *self, sym e, binding place);

static void open_if(printer *self, bool open) {
  if (open)
    strbuf_putc(self->out, '(');
}

static void close_if(printer *self, bool open) {
  if (open)
    strbuf_putc(self->out, ')');
}

/* Later roles come first, then earlier handles. */
static bool prints_before(const symtab *t, sym a, sym b) {
  uint8_t x = sym_at(t, a)->roles, y = sym_at(t, b)->roles;
  if (x != y && (x & ~y) != (y & ~x)) {
    uint8_t only_x = (uint8_t)(x & ~y), only_y = (uint8_t)(y & ~x);
    return only_x > only_y;
  }
  return a < b;
}

enum { PRINT_ATOMS = 64 };

static void print_monomial(printer *self, const sym_term *term, uint64_t coef,
                           binding first) {
  sym sorted[PRINT_ATOMS];
  uint32_t n = term->atom_count < PRINT_ATOMS ? term->atom_count : PRINT_ATOMS;
  if (n == 0 || coef != 1)
    strbuf_printf(self->out, "%" PRIu64, coef);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = i;
    for (; k > 0 && prints_before(self->t, term->atoms[i], sorted[k - 1]); k--)
      sorted[k] = sorted[k - 1];
    sorted[k] = term->atoms[i];
  }
  for (uint32_t i = 0; i < n; i++) {
    if (i > 0 || coef != 1)
      strbuf_putc(self->out, '*');
    /* `a//b*c` reads as (a//b)*c, `c*a//b` does not: parentheses. */
    print(self, sorted[i], i == 0 && coef == 1 ? first : BIND_UNIT);
  }
}

static uint64_t magnitude(int64_t coef) {
  return coef < 0 ? 0 - (uint64_t)coef : (uint64_t)coef;
}

/* Which terms of a sum to print: by sign, and the constant apart. */
static size_t print_some(printer *self, const sym_term *terms, size_t n,
                         bool positive, bool constant, size_t printed) {
  for (size_t i = 0; i < n; i++) {
    if ((terms[i].coef > 0) != positive ||
        (terms[i].atom_count == 0) != constant)
      continue;
    if (printed)
      strbuf_put(self->out, positive ? " + " : " - ");
    else if (!positive)
      strbuf_putc(self->out, '-');
    /* A leading minus binds tighter than // and %. */
    print_monomial(self, &terms[i], magnitude(terms[i].coef),
                   printed || positive ? BIND_PRODUCT : BIND_UNIT);
    printed++;
  }
  return printed;
}

static void print_sum(printer *self, const sym_term *terms, size_t n) {
  size_t printed = print_some(self, terms, n, true, false, 0);
  bool lone_constant = printed == 0;
  if (lone_constant)
    printed = print_some(self, terms, n, true, true, 0);
  printed = print_some(self, terms, n, false, false, printed);
  if (!lone_constant)
    printed = print_some(self, terms, n, true, true, printed);
  printed = print_some(self, terms, n, false, true, printed);
  if (printed == 0)
    strbuf_putc(self->out, '0');
}

static void print_poly(printer *self, sym e, binding place) {
  const sym_term *terms;
  size_t n = sym_terms(self->t, e, &terms);
  bool product = n == 1 && terms[0].coef > 0;
  bool open = place > (product ? BIND_PRODUCT : BIND_SUM);
  open_if(self, open);
  print_sum(self, terms, n);
  close_if(self, open);
}

/* a with b - 1 taken away, when all terms of b occur in a. */
static bool without_round_up(const symtab *t, sym a, sym b, sym_term *out,
                             size_t *count) {
  const sym_term *x, *y;
  size_t nx = sym_terms(t, a, &x), ny = sym_terms(t, b, &y), k = 0;
  int64_t constant = 0, round_up = -1;
  *count = 0;
  for (size_t i = 0; i < nx; i++) {
    if (x[i].atom_count == 0) {
      constant = x[i].coef;
      continue;
    }
    if (k < ny && y[k].atom_count && sym_term_order(&x[i], &y[k]) == 0 &&
        x[i].coef == y[k].coef)
      k++;
    else
      out[(*count)++] = x[i];
  }
  if (k < ny && y[k].atom_count == 0)
    round_up = y[k++].coef - 1; /* a positive divisor: no overflow */
  return k == ny && constant == round_up && *count > 0;
}

enum { PRINT_TERMS = 64 };

static bool print_cdiv(printer *self, sym a, sym b) {
  sym_term rest[PRINT_TERMS];
  const sym_term *terms;
  size_t n;
  int64_t c;
  if (sym_terms(self->t, a, &terms) > PRINT_TERMS ||
      (sym_is_int(self->t, b, &c) && c < 2) ||
      !without_round_up(self->t, a, b, rest, &n))
    return false;
  strbuf_put(self->out, "cdiv(");
  print_sum(self, rest, n);
  strbuf_put(self->out, ", ");
  print(self, b, BIND_SELECT);
  strbuf_putc(self->out, ')');
  return true;
}

static void print_infix(printer *self, const sym_node *n, const char *operator,
                        binding place) {
  bool open = place > BIND_PRODUCT;
  open_if(self, open);
  print(self, n->operands[0], BIND_PRODUCT);
  strbuf_put(self->out, operator);
  print(self, n->operands[1], BIND_UNIT);
  close_if(self, open);
}

static void print_call(printer *self, const char *name, const sym_node *n) {
  strbuf_printf(self->out, "%s(", name);
  for (uint32_t i = 0; i < n->operand_count; i++) {
    strbuf_put(self->out, i ? ", " : "");
    print(self, n->operands[i], BIND_SELECT);
  }
  strbuf_putc(self->out, ')');
}

static void print_applied(printer *self, const sym_node *n) {
  const symtab *t = self->t;
  char name[32];
  const char *given = n->fn < t->fn_name_count ? t->fn_names[n->fn] : NULL;
  snprintf(name, sizeof name, "%c%u", n->kind == SYM_APPLY ? 'f' : 'p', n->fn);
  print_call(self, given ? given : name, n);
}

/* One side of a comparison: the terms of one sign, made positive; the
 * constant goes to the side where it is positive. */
static void print_side(printer *self, const sym_term *terms, size_t n,
                       bool positive, int64_t shift) {
  size_t printed = 0;
  for (int constant = 0; constant < 2; constant++)
    for (size_t i = 0; i < n; i++) {
      sym_term term = terms[i];
      if ((term.atom_count == 0) != (constant == 1))
        continue;
      if (constant && !add_ok(term.coef, shift, &term.coef))
        term.coef = terms[i].coef;
      if (term.coef == 0 || (term.coef > 0) != positive)
        continue;
      strbuf_put(self->out, printed++ ? " + " : "");
      print_monomial(self, &term, magnitude(term.coef), BIND_PRODUCT);
    }
  if (printed == 0)
    strbuf_putc(self->out, '0');
}

/* p >= 0 with a negative constant c reads as `... > -c - 1` only when that is
 * shorter: `a - b - 1 >= 0` prints `b < a`, everything else `<=`. */
static void print_ge(printer *self, sym p) {
  const sym_term *terms;
  size_t n = sym_terms(self->t, p, &terms), positive = 0, negative = 0;
  int64_t constant = 0;
  for (size_t i = 0; i < n; i++) {
    if (terms[i].atom_count == 0)
      constant = terms[i].coef;
    else if (terms[i].coef > 0)
      positive++;
    else
      negative++;
  }
  bool strict = constant < 0 && positive && negative;
  if (negative == 0) {
    print_side(self, terms, n, true, 0);
    strbuf_put(self->out, " >= ");
    print_side(self, terms, n, false, 0);
    return;
  }
  print_side(self, terms, n, false, strict ? 1 : 0);
  strbuf_put(self->out, strict ? " < " : " <= ");
  print_side(self, terms, n, true, strict ? 1 : 0);
}

static void print_comparison(printer *self, const sym_node *n, binding place) {
  const sym_term *terms;
  bool open = place >= BIND_COMPARE;
  open_if(self, open);
  if (n->kind == SYM_GE0) {
    print_ge(self, n->operands[0]);
  } else {
    size_t count = sym_terms(self->t, n->operands[0], &terms);
    print_side(self, terms, count, true, 0);
    strbuf_put(self->out, n->kind == SYM_EQ0 ? " == " : " != ");
    print_side(self, terms, count, false, 0);
  }
  close_if(self, open);
}

static void print_connective(printer *self, const sym_node *n, binding place) {
  binding own = n->kind == SYM_AND ? BIND_AND : BIND_OR;
  bool open = place > own;
  open_if(self, open);
  for (uint32_t i = 0; i < n->operand_count; i++) {
    if (i)
      strbuf_put(self->out, own == BIND_AND ? " and " : " or ");
    print(self, n->operands[i], own);
  }
  close_if(self, open);
}

static void print_select(printer *self, const sym_node *n, binding place) {
  bool open = place > BIND_SELECT;
  open_if(self, open);
  print(self, n->operands[1], BIND_OR);
  strbuf_put(self->out, " if ");
  print(self, n->operands[0], BIND_OR);
  strbuf_put(self->out, " else ");
  print(self, n->operands[2], BIND_SELECT);
  close_if(self, open);
}

static void print(printer *self, sym e, binding place) {
  const sym_node *n = sym_at(self->t, e);
  switch (n->kind) {
  case SYM_INT:
    open_if(self, n->value < 0 && place > BIND_SUM);
    strbuf_printf(self->out, "%" PRId64, n->value);
    close_if(self, n->value < 0 && place > BIND_SUM);
    return;
  case SYM_VAR:
    strbuf_put(self->out, n->name);
    return;
  case SYM_POLY:
    print_poly(self, e, place);
    return;
  case SYM_FDIV:
    if (!print_cdiv(self, n->operands[0], n->operands[1]))
      print_infix(self, n, "//", place);
    return;
  case SYM_FMOD:
    print_infix(self, n, "%", place);
    return;
  case SYM_TDIV:
    print_call(self, "tdiv", n);
    return;
  case SYM_TMOD:
    print_call(self, "tmod", n);
    return;
  case SYM_MIN:
    print_call(self, "min", n);
    return;
  case SYM_MAX:
    print_call(self, "max", n);
    return;
  case SYM_SELECT:
    print_select(self, n, place);
    return;
  case SYM_POW2CEIL:
    print_call(self, "next_pow2", n);
    return;
  case SYM_ISPOW2:
    print_call(self, "is_pow2", n);
    return;
  case SYM_APPLY:
  case SYM_APPLYB:
    print_applied(self, n);
    return;
  case SYM_TRUE:
  case SYM_FALSE:
    strbuf_put(self->out, n->kind == SYM_TRUE ? "True" : "False");
    return;
  case SYM_GE0:
  case SYM_EQ0:
  case SYM_NE0:
    print_comparison(self, n, place);
    return;
  case SYM_AND:
  case SYM_OR:
    print_connective(self, n, place);
    return;
  case SYM_NOT:
    strbuf_put(self->out, "not ");
    print(self, n->operands[0], BIND_NOT);
    return;
  }
  panic("no symbol kind %d", (int)n->kind);
}

void sym_print(const symtab *t, sym e, strbuf *out) {
  print(&(printer){.t = t, .out = out}, e, BIND_SELECT);
}

const char *sym_text(const symtab *t, sym e, arena *arena) {
  strbuf out = strbuf_make(arena);
  sym_print(t, e, &out);
  return out.text;
}
