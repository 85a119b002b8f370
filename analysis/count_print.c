/* analysis/count_print.c: formulas as text for people.
 *
 * Python's notation, which the reader of launch expressions reads back. Sums
 * are factored where that helps: what is taken out holds a quotient or has two
 * factors, so `5*M*N + 2*M` stays and `c*c - c` becomes `c*(c - 1)`. Factors
 * stand in alphabetical order, quotients after names; positive terms first, the
 * constant last. */
#include "analysis/count.h"
#include "ir/text.h"
#include <inttypes.h>
#include <stdlib.h>

/* How tightly a place binds; anything looser is put in parentheses. */
typedef enum place {
  PLACE_ANY,     /* an argument: even `a if c else b` */
  PLACE_TRUTH,   /* an operand of `and` */
  PLACE_TERM,    /* between + and - */
  PLACE_FACTOR,  /* the first of a product */
  PLACE_OPERAND, /* after * or //, before // */
} place;

typedef struct writer {
  const symtab *t;
  strbuf *out;
  arena *scratch;
} writer;

/* A product: coef * atoms, sorted for printing. */
typedef struct product {
  int64_t coef;
  sym *atoms;
  uint32_t n;
} product;
typedef VEC(product) product_vec;

static void put(writer *w, sym e, place at);
static void put_sum(writer *w, const product_vec *terms, place at);

static const char *text_of(const writer *w, sym e) {
  strbuf text = strbuf_make(w->scratch);
  writer inner = {w->t, &text, w->scratch};
  put(&inner, e, PLACE_ANY);
  return text.text;
}

/* Names before quotients, then by text. */
static int order_atoms(const writer *w, sym a, sym b) {
  bool x = sym_kind_of(w->t, a) == SYM_VAR, y = sym_kind_of(w->t, b) == SYM_VAR;
  if (a == b)
    return 0;
  return x != y ? (x ? -1 : 1) : strcmp(text_of(w, a), text_of(w, b));
}

static void sort_atoms(const writer *w, product *p) {
  for (uint32_t i = 1; i < p->n; i++)
    for (uint32_t k = i;
         k > 0 && order_atoms(w, p->atoms[k], p->atoms[k - 1]) < 0; k--) {
      sym swap = p->atoms[k];
      p->atoms[k] = p->atoms[k - 1];
      p->atoms[k - 1] = swap;
    }
}

static product_vec products_of(const writer *w, sym e) {
  product_vec out = {0};
  const sym_term *terms;
  size_t n = sym_terms(w->t, e, &terms);
  for (size_t i = 0; i < n; i++) {
    product p = {terms[i].coef,
                 ARENA_ARRAY(w->scratch, sym, terms[i].atom_count + 1),
                 terms[i].atom_count};
    for (uint32_t k = 0; k < p.n; k++)
      p.atoms[k] = terms[i].atoms[k];
    sort_atoms(w, &p);
    VEC_PUSH(w->scratch, &out, p);
  }
  return out;
}

/* ------------------------------------------------------------ factoring */

/* The atoms that a and b share, repeats counted; in a's order. */
static product shared(const writer *w, const product *a, const product *b) {
  product out = {1, ARENA_ARRAY(w->scratch, sym, a->n + 1), 0};
  bool *used = ARENA_ARRAY(w->scratch, bool, b->n + 1);
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t k = 0; k < b->n; k++)
      if (!used[k] && a->atoms[i] == b->atoms[k]) {
        used[k] = true;
        out.atoms[out.n++] = a->atoms[i];
        break;
      }
  return out;
}

/* p without the atoms of f; false when f does not divide it. */
static bool without(const writer *w, const product *p, const product *f,
                    product *out) {
  product common = shared(w, p, f);
  if (common.n != f->n)
    return false;
  *out = (product){p->coef, ARENA_ARRAY(w->scratch, sym, p->n + 1), 0};
  bool *used = ARENA_ARRAY(w->scratch, bool, f->n + 1);
  for (uint32_t i = 0; i < p->n; i++) {
    bool taken = false;
    for (uint32_t k = 0; k < f->n && !taken; k++)
      if (!used[k] && f->atoms[k] == p->atoms[i])
        taken = used[k] = true;
    if (!taken)
      out->atoms[out->n++] = p->atoms[i];
  }
  return true;
}

static unsigned worth(const writer *w, const product *f) {
  unsigned sum = 0;
  for (uint32_t i = 0; i < f->n; i++)
    sum += sym_kind_of(w->t, f->atoms[i]) == SYM_VAR ? 1 : 2;
  return sum;
}

/* The common part of two terms that is worth most; false when none has two
 * factors or a quotient. */
static bool best_factor(const writer *w, const product_vec *terms,
                        product *best) {
  unsigned most = 1;
  for (size_t i = 0; i < terms->count; i++)
    for (size_t k = i + 1; k < terms->count; k++) {
      product f = shared(w, &terms->at[i], &terms->at[k]);
      if (worth(w, &f) > most) {
        most = worth(w, &f);
        *best = f;
      }
    }
  return most > 1;
}

static int64_t common_coefficient(const product_vec *terms) {
  int64_t g = 0;
  bool negative = true;
  for (size_t i = 0; i < terms->count; i++) {
    negative = negative && terms->at[i].coef < 0;
    g = gcd_of(g, terms->at[i].coef);
    if (terms->at[i].coef == INT64_MIN)
      return 1;
  }
  return negative ? -g : g;
}

/* -------------------------------------------------------------- printing */

static void open_if(writer *w, bool open) {
  if (open)
    strbuf_putc(w->out, '(');
}

static void close_if(writer *w, bool open) {
  if (open)
    strbuf_putc(w->out, ')');
}

/* coef * atoms, coef taken positive; lone: nothing is multiplied with it. */
static void put_product(writer *w, const product *p, bool lone) {
  uint64_t coef = p->coef < 0 ? 0 - (uint64_t)p->coef : (uint64_t)p->coef;
  bool first = true;
  if (coef != 1 || p->n == 0) {
    strbuf_printf(w->out, "%" PRIu64, coef);
    first = false;
  }
  for (uint32_t i = 0; i < p->n; i++) {
    if (!first)
      strbuf_putc(w->out, '*');
    put(w, p->atoms[i],
        lone && first && p->n == 1 ? PLACE_TERM : PLACE_OPERAND);
    first = false;
  }
}

/* A group of terms: one product, or a factor times a sum. */
typedef struct group {
  product factor; /* with the sign and common coefficient */
  product_vec inner;
} group;
typedef VEC(group) group_vec;

static group_vec groups_of(const writer *w, const product_vec *terms) {
  group_vec out = {0};
  product_vec left = *terms, next;
  product factor, rest;
  while (best_factor(w, &left, &factor)) {
    group g = {.factor = factor};
    next = (product_vec){0};
    for (size_t i = 0; i < left.count; i++)
      if (without(w, &left.at[i], &factor, &rest))
        VEC_PUSH(w->scratch, &g.inner, rest);
      else
        VEC_PUSH(w->scratch, &next, left.at[i]);
    g.factor.coef = common_coefficient(&g.inner);
    for (size_t i = 0; i < g.inner.count; i++)
      g.inner.at[i].coef /= g.factor.coef;
    VEC_PUSH(w->scratch, &out, g);
    left = next;
  }
  for (size_t i = 0; i < left.count; i++)
    VEC_PUSH(w->scratch, &out, (group){.factor = left.at[i]});
  return out;
}

static void put_group(writer *w, const group *g, bool lone) {
  put_product(w, &g->factor, lone && g->inner.count == 0);
  if (g->inner.count) {
    strbuf_putc(w->out, '*');
    put_sum(w, &g->inner, PLACE_OPERAND);
  }
}

static const char *group_text(const writer *w, const group *g) {
  strbuf text = strbuf_make(w->scratch);
  writer inner = {w->t, &text, w->scratch};
  put_group(&inner, g, false);
  return text.text;
}

static uint32_t degree(const group *g) {
  uint32_t most = 0;
  for (size_t i = 0; i < g->inner.count; i++)
    most = g->inner.at[i].n > most ? g->inner.at[i].n : most;
  return g->factor.n + most;
}

/* The constant last, positive before negative, more factors first, then by
 * text. */
static bool group_before(const writer *w, const group *a, const group *b) {
  bool x = a->factor.n == 0 && !a->inner.count,
       y = b->factor.n == 0 && !b->inner.count;
  if (x != y)
    return y;
  if ((a->factor.coef < 0) != (b->factor.coef < 0))
    return b->factor.coef < 0;
  if (degree(a) != degree(b))
    return degree(a) > degree(b);
  return strcmp(group_text(w, a), group_text(w, b)) < 0;
}

static void put_sum(writer *w, const product_vec *terms, place at) {
  group_vec groups = groups_of(w, terms);
  for (size_t i = 1; i < groups.count; i++)
    for (size_t k = i;
         k > 0 && group_before(w, &groups.at[k], &groups.at[k - 1]); k--) {
      group swap = groups.at[k];
      groups.at[k] = groups.at[k - 1];
      groups.at[k - 1] = swap;
    }
  if (groups.count == 0) {
    strbuf_putc(w->out, '0');
    return;
  }
  /* 1 - x, where nothing else is positive. */
  group last = groups.at[groups.count - 1];
  if (groups.at[0].factor.coef < 0 && last.factor.coef > 0) {
    memmove(&groups.at[1], &groups.at[0], (groups.count - 1) * sizeof last);
    groups.at[0] = last;
  }
  bool single = groups.count == 1;
  bool negative = groups.at[0].factor.coef < 0;
  bool number = single && groups.at[0].factor.n == 0 && !negative;
  bool open =
      single && !negative ? at == PLACE_OPERAND && !number : at > PLACE_TRUTH;
  open_if(w, open);
  for (size_t i = 0; i < groups.count; i++) {
    bool minus = groups.at[i].factor.coef < 0;
    if (i)
      strbuf_put(w->out, minus ? " - " : " + ");
    else if (minus)
      strbuf_putc(w->out, '-');
    put_group(w, &groups.at[i], !(i == 0 && minus));
  }
  close_if(w, open);
}

/* a + b - 1 as dividend of b: cdiv(a, b). */
static bool put_cdiv(writer *w, sym a, sym b) {
  product_vec x = products_of(w, a), y = products_of(w, b), rest = {0};
  int64_t constant = 0, divisor;
  bool symbolic = !sym_is_int(w->t, b, &divisor);
  if (symbolic)
    divisor = 0;
  size_t found = 0;
  for (size_t i = 0; i < x.count; i++) {
    bool matched = false;
    if (x.at[i].n == 0) {
      constant = x.at[i].coef;
      continue;
    }
    for (size_t k = 0; k < y.count && symbolic; k++) {
      product common = shared(w, &x.at[i], &y.at[k]);
      matched = matched || (common.n == x.at[i].n && common.n == y.at[k].n &&
                            x.at[i].coef == y.at[k].coef && y.at[k].n > 0);
    }
    found += matched;
    if (!matched)
      VEC_PUSH(w->scratch, &rest, x.at[i]);
  }
  for (size_t k = 0; k < y.count && symbolic; k++)
    if (y.at[k].n == 0)
      divisor = y.at[k].coef;
  size_t wanted = 0;
  for (size_t k = 0; k < y.count && symbolic; k++)
    wanted += y.at[k].n > 0;
  if (found != wanted || constant != divisor - 1 || rest.count == 0 ||
      (!symbolic && divisor < 2))
    return false;
  strbuf_put(w->out, "cdiv(");
  put_sum(w, &rest, PLACE_ANY);
  strbuf_put(w->out, ", ");
  put(w, b, PLACE_ANY);
  strbuf_putc(w->out, ')');
  return true;
}

static void put_infix(writer *w, sym a, const char *operator, sym b, place at) {
  bool open = at > PLACE_TERM;
  open_if(w, open);
  put(w, a, PLACE_FACTOR);
  strbuf_put(w->out, operator);
  put(w, b, PLACE_OPERAND);
  close_if(w, open);
}

static void put_call(writer *w, const char *name, const sym *args, size_t n) {
  strbuf_printf(w->out, "%s(", name);
  for (size_t i = 0; i < n; i++) {
    strbuf_put(w->out, i ? ", " : "");
    put(w, args[i], PLACE_ANY);
  }
  strbuf_putc(w->out, ')');
}

/* One side of a comparison: the terms of one sign, made positive. */
static void put_side(writer *w, const product_vec *terms, bool positive) {
  product_vec side = {0};
  for (size_t i = 0; i < terms->count; i++) {
    product p = terms->at[i];
    if ((p.coef > 0) != positive)
      continue;
    if (!positive && p.coef != INT64_MIN) /* put_product takes the size */
      p.coef = -p.coef;
    VEC_PUSH(w->scratch, &side, p);
  }
  put_sum(w, &side, PLACE_ANY);
}

/* p >= 0, p == 0 or p != 0 with positive terms on both sides; with a negative
 * constant a strict comparison is shorter. */
static void put_comparison(writer *w, sym p, const char *operator) {
  product_vec terms = products_of(w, p);
  bool others = false;
  if (strcmp(operator, " <= ") == 0) {
    size_t last = terms.count;
    for (size_t i = 0; i < terms.count; i++) {
      if (terms.at[i].n == 0 && terms.at[i].coef < 0)
        last = i;
      others = others || (terms.at[i].n > 0 && terms.at[i].coef < 0);
    }
    if (last < terms.count && others) {
      operator= " < ";
      terms.at[last].coef++;
      if (terms.at[last].coef == 0)
        terms.at[last] = VEC_POP(&terms);
    }
  }
  bool equation = strstr(operator, "<") == NULL;
  put_side(w, &terms, equation);
  strbuf_put(w->out, operator);
  put_side(w, &terms, !equation);
}

static void put_connective(writer *w, const sym *args, size_t n,
                           const char *operator, place at) {
  open_if(w, at > PLACE_ANY);
  for (size_t i = 0; i < n; i++) {
    strbuf_put(w->out, i ? operator: "");
    put(w, args[i], PLACE_TRUTH);
  }
  close_if(w, at > PLACE_ANY);
}

static void put_select(writer *w, const sym *args, place at) {
  open_if(w, at > PLACE_ANY);
  put(w, args[1], PLACE_TRUTH);
  strbuf_put(w->out, " if ");
  put(w, args[0], PLACE_TRUTH);
  strbuf_put(w->out, " else ");
  put(w, args[2], PLACE_ANY);
  close_if(w, at > PLACE_ANY);
}

static void put_sum_of(writer *w, sym e, place at) {
  product_vec terms = products_of(w, e);
  put_sum(w, &terms, at);
}

static void put(writer *w, sym e, place at) {
  const sym *args = NULL;
  sym_kind kind = sym_kind_of(w->t, e);
  size_t n = kind == SYM_POLY ? 0 : sym_operands(w->t, e, &args);
  switch (kind) {
  case SYM_VAR:
    strbuf_put(w->out, sym_var_name(w->t, e));
    return;
  case SYM_INT:
  case SYM_POLY:
    put_sum_of(w, e, at);
    return;
  case SYM_FDIV:
    if (!put_cdiv(w, args[0], args[1]))
      put_infix(w, args[0], "//", args[1], at);
    return;
  case SYM_FMOD:
    put_infix(w, args[0], "%", args[1], at);
    return;
  case SYM_TDIV:
  case SYM_TMOD:
    put_call(w, kind == SYM_TDIV ? "tdiv" : "tmod", args, n);
    return;
  case SYM_MIN:
  case SYM_MAX:
    put_call(w, kind == SYM_MIN ? "min" : "max", args, n);
    return;
  case SYM_POW2CEIL:
    put_call(w, "next_power_of_2", args, n);
    return;
  case SYM_SELECT:
    put_select(w, args, at);
    return;
  case SYM_GE0:
    put_comparison(w, args[0], " <= ");
    return;
  case SYM_EQ0:
    put_comparison(w, args[0], " == ");
    return;
  case SYM_NE0:
    put_comparison(w, args[0], " != ");
    return;
  case SYM_AND:
    put_connective(w, args, n, " and ", at);
    return;
  case SYM_OR:
    put_connective(w, args, n, " or ", at);
    return;
  case SYM_ISPOW2:
    put_call(w, "pow2", args, n);
    return;
  case SYM_NOT:
  case SYM_TRUE:
  case SYM_FALSE:
  case SYM_APPLY:
  case SYM_APPLYB:
    sym_print(w->t, e, w->out);
    return;
  }
}

void count_print(const symtab *t, sym formula, strbuf *out) {
  arena *scratch = arena_create();
  writer w = {t, out, scratch};
  put(&w, formula, PLACE_ANY);
  arena_destroy(scratch);
}
