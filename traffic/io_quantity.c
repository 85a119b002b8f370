/* traffic/io_quantity.c: sums of quantities, bytes, formulas in other tables.
 */
#include "traffic/io.h"

#include "base/panic.h"

io_quantity io_known(sym formula) {
  assert(formula != SYM_NONE);
  return (io_quantity){.formula = formula};
}

io_quantity io_unknown(const char *reason, span at) {
  assert(reason);
  return (io_quantity){.reason = reason, .at = at};
}

io_quantity io_sum(symtab *t, io_quantity a, io_quantity b) {
  if (a.formula == SYM_NONE || b.formula == SYM_NONE)
    return a.formula == SYM_NONE ? a : b;
  return io_known(sym_add(t, a.formula, b.formula));
}

io_flow io_flow_sum(symtab *t, io_flow a, io_flow b) {
  return (io_flow){io_sum(t, a.elements, b.elements),
                   io_sum(t, a.bytes, b.bytes)};
}

io_flow io_nothing(symtab *t) {
  io_quantity zero = io_known(sym_int(t, 0));
  return (io_flow){zero, zero};
}

io_flow io_elements(arena *arena, symtab *t, io_quantity elements, scalar dtype,
                    const char *type_of) {
  io_flow out = {elements, elements};
  unsigned size = scalar_bytes(dtype);
  if (elements.formula == SYM_NONE)
    return out;
  if (!size && !type_of) {
    out.bytes = io_unknown("an element type is not known", elements.at);
    return out;
  }
  const char *name = arena_printf(arena, "%s.itemsize", type_of);
  sym one = size ? sym_int(t, size) : sym_var(t, ROLE_SIZE, name);
  out.bytes = io_known(sym_mul(t, elements.formula, one));
  return out;
}

static void simplify(judge *j, io_quantity *q) {
  if (q->formula != SYM_NONE)
    q->formula = count_simplify(j, q->formula);
}

void io_simplify(judge *j, io_flow *f) {
  simplify(j, &f->elements);
  simplify(j, &f->bytes);
}

/* ------------------------------------------------------------- other tables */

typedef struct transfer {
  symtab *to;
  const symtab *from;
  io_variable variable;
  void *context;
} transfer;

static sym copy(const transfer *i, sym e);

static sym copy_poly(const transfer *i, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(i->from, e, &terms);
  sym sum = sym_int(i->to, 0);
  for (size_t k = 0; k < n; k++) {
    sym product = sym_int(i->to, terms[k].coef);
    for (uint32_t a = 0; a < terms[k].atom_count; a++) {
      sym atom = copy(i, terms[k].atoms[a]);
      if (atom == SYM_NONE)
        return SYM_NONE;
      product = sym_mul(i->to, product, atom);
    }
    sum = sym_add(i->to, sum, product);
  }
  return sum;
}

/* From copied operands. */
static sym rebuild(const transfer *i, sym_kind kind, const sym *s, size_t n) {
  symtab *t = i->to;
  sym zero = sym_int(t, 0), all;
  switch (kind) {
  case SYM_FDIV:
    return sym_fdiv(t, s[0], s[1]);
  case SYM_FMOD:
    return sym_fmod(t, s[0], s[1]);
  case SYM_TDIV:
    return sym_tdiv(t, s[0], s[1]);
  case SYM_TMOD:
    return sym_tmod(t, s[0], s[1]);
  case SYM_MIN:
    return sym_min(t, s[0], s[1]);
  case SYM_MAX:
    return sym_max(t, s[0], s[1]);
  case SYM_SELECT:
    return sym_select(t, s[0], s[1], s[2]);
  case SYM_POW2CEIL:
    return sym_pow2ceil(t, s[0]);
  case SYM_GE0:
    return sym_ge(t, s[0], zero);
  case SYM_EQ0:
    return sym_eq(t, s[0], zero);
  case SYM_NE0:
    return sym_ne(t, s[0], zero);
  case SYM_NOT:
    return sym_not(t, s[0]);
  case SYM_ISPOW2:
    return sym_ispow2(t, s[0]);
  case SYM_AND:
  case SYM_OR:
    all = s[0];
    for (size_t k = 1; k < n; k++)
      all = kind == SYM_AND ? sym_and(t, all, s[k]) : sym_or(t, all, s[k]);
    return all;
  case SYM_INT:
  case SYM_VAR:
  case SYM_POLY:
  case SYM_APPLY:
  case SYM_APPLYB:
  case SYM_TRUE:
  case SYM_FALSE:
    break;
  }
  return SYM_NONE;
}

static sym copy_operands(const transfer *i, sym e) {
  enum { MOST = 64 };
  const sym *from;
  sym to[MOST];
  size_t n = sym_operands(i->from, e, &from);
  for (size_t k = 0; k < n && k < MOST; k++) {
    to[k] = copy(i, from[k]);
    if (to[k] == SYM_NONE)
      return SYM_NONE;
  }
  return n > MOST ? SYM_NONE : rebuild(i, sym_kind_of(i->from, e), to, n);
}

static sym copy(const transfer *i, sym e) {
  sym_kind kind = sym_kind_of(i->from, e);
  int64_t value;
  if (kind == SYM_VAR)
    return i->variable(i->context, i->from, e);
  if (kind == SYM_TRUE || kind == SYM_FALSE)
    return sym_bool(i->to, kind == SYM_TRUE);
  if (sym_is_int(i->from, e, &value))
    return sym_int(i->to, value);
  return kind == SYM_POLY ? copy_poly(i, e) : copy_operands(i, e);
}

sym io_import(symtab *to, const symtab *from, sym formula, io_variable variable,
              void *context) {
  transfer i = {to, from, variable, context};
  return formula == SYM_NONE ? SYM_NONE : copy(&i, formula);
}
