/* traffic/latex.c: formulas for LaTeX's mathematics mode: sums of products,
 * with ceilings and floors for quotients. */
#include "traffic/latex.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put(symtab *t, sym e, strbuf *out);

/* Names of one letter stand as they are, others in one piece. */
static void put_name(const char *name, strbuf *out) {
  bool one = isalpha((unsigned char)name[0]) && !name[1];
  if (one) {
    strbuf_put(out, name);
    return;
  }
  strbuf_put(out, "\\mathit{");
  for (const char *p = name; *p; p++) {
    if (strchr("_#$%&{}", *p))
      strbuf_putc(out, '\\');
    if (*p == '[' || *p == ']' || *p == '.')
      strbuf_printf(out, "{%c}", *p);
    else
      strbuf_putc(out, *p);
  }
  strbuf_putc(out, '}');
}

static bool is_sum(symtab *t, sym e) {
  const sym_term *terms;
  return sym_kind_of(t, e) == SYM_POLY && sym_terms(t, e, &terms) > 1;
}

static void put_atom(symtab *t, sym e, strbuf *out) {
  if (!is_sum(t, e)) {
    put(t, e, out);
    return;
  }
  strbuf_put(out, "\\left(");
  put(t, e, out);
  strbuf_put(out, "\\right)");
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* |coef| atoms, powers together, in alphabetical order. */
static void put_term(symtab *t, const sym_term *term, strbuf *out) {
  uint64_t coef =
      term->coef < 0 ? 0 - (uint64_t)term->coef : (uint64_t)term->coef;
  const char **texts =
      ARENA_ARRAY(out->arena, const char *, term->atom_count + 1);
  if (coef != 1 || term->atom_count == 0)
    strbuf_printf(out, "%" PRIu64, coef);
  for (uint32_t i = 0; i < term->atom_count; i++) {
    strbuf one = strbuf_make(out->arena);
    put_atom(t, term->atoms[i], &one);
    texts[i] = one.text;
  }
  if (term->atom_count > 1)
    qsort(texts, term->atom_count, sizeof *texts, by_text);
  bool first = coef == 1;
  for (uint32_t i = 0; i < term->atom_count;) {
    uint32_t power = 1;
    while (i + power < term->atom_count &&
           strcmp(texts[i], texts[i + power]) == 0)
      power++;
    strbuf_printf(out, "%s%s", first ? "" : " ", texts[i]);
    if (power > 1)
      strbuf_printf(out, "^{%u}", power);
    first = false;
    i += power;
  }
}

/* Positive terms first. */
static void put_poly(symtab *t, sym e, strbuf *out) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  bool first = true;
  for (int sign = 0; sign < 2; sign++)
    for (size_t i = 0; i < n; i++) {
      if ((terms[i].coef < 0) != (sign == 1))
        continue;
      if (!first || sign == 1)
        strbuf_put(out, sign ? (first ? "-" : " - ") : " + ");
      put_term(t, &terms[i], out);
      first = false;
    }
  if (n == 0)
    strbuf_putc(out, '0');
}

/* (a + b - 1) // b is a ceiling: a; SYM_NONE: it is none. */
static sym ceiling_of(symtab *t, sym above, sym below) {
  sym rest = sym_sub(t, above, sym_sub(t, below, sym_int(t, 1)));
  const sym_term *terms;
  size_t n = sym_terms(t, rest, &terms);
  for (size_t i = 0; i < n; i++)
    if (terms[i].atom_count == 0 || terms[i].coef < 0)
      return SYM_NONE;
  return n ? rest : SYM_NONE;
}

static void put_quotient(symtab *t, sym above, sym below, strbuf *out) {
  sym whole = ceiling_of(t, above, below);
  strbuf_put(out, whole ? "\\left\\lceil " : "\\left\\lfloor ");
  put_atom(t, whole ? whole : above, out);
  strbuf_put(out, " / ");
  put_atom(t, below, out);
  strbuf_put(out, whole ? " \\right\\rceil" : " \\right\\rfloor");
}

static void put_call(symtab *t, const char *name, const sym *s, size_t n,
                     strbuf *out) {
  strbuf_printf(out, "%s(", name);
  for (size_t i = 0; i < n; i++) {
    strbuf_put(out, i ? ", " : "");
    put(t, s[i], out);
  }
  strbuf_putc(out, ')');
}

static void put_truth(symtab *t, sym e, strbuf *out) {
  strbuf_printf(out, "\\texttt{%s}", sym_text(t, e, out->arena));
}

static void put(symtab *t, sym e, strbuf *out) {
  const sym *s = NULL;
  sym_kind kind = sym_kind_of(t, e);
  size_t n = kind == SYM_POLY ? 0 : sym_operands(t, e, &s);
  switch (kind) {
  case SYM_VAR:
    put_name(sym_var_name(t, e), out);
    return;
  case SYM_INT:
  case SYM_POLY:
    put_poly(t, e, out);
    return;
  case SYM_FDIV:
  case SYM_TDIV:
    put_quotient(t, s[0], s[1], out);
    return;
  case SYM_FMOD:
  case SYM_TMOD:
    put_atom(t, s[0], out);
    strbuf_put(out, " \\bmod ");
    put_atom(t, s[1], out);
    return;
  case SYM_MIN:
    put_call(t, "\\min", s, n, out);
    return;
  case SYM_MAX:
    put_call(t, "\\max", s, n, out);
    return;
  case SYM_POW2CEIL:
    put_call(t, "\\operatorname{pow2}", s, n, out);
    return;
  case SYM_SELECT:
    strbuf_put(out, "\\begin{cases} ");
    put(t, s[1], out);
    strbuf_put(out, " & ");
    put_truth(t, s[0], out);
    strbuf_put(out, " \\\\ ");
    put(t, s[2], out);
    strbuf_put(out, " & \\text{else} \\end{cases}");
    return;
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
    put_truth(t, e, out);
    return;
  }
}

void latex_print(symtab *t, sym formula, strbuf *out) {
  put(t, formula, out);
}
