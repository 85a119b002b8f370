/* analysis/count_simplify.c: formulas in the form for readers. */
#include "analysis/count_space.h"

enum { RESIDUES = 20000, ATOMS = 64 };

/* ------------------------------------------------------ exact divisions */

/* x modulo q when the atoms have the residues given. */
static int64_t residue(const symtab *t, sym x, const sym *atoms,
                       const int64_t *at, size_t n, int64_t q) {
  const sym_term *terms;
  size_t count = sym_terms(t, x, &terms);
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    int64_t product = floor_mod(terms[i].coef, q);
    for (uint32_t k = 0; k < terms[i].atom_count; k++)
      for (size_t a = 0; a < n; a++)
        if (atoms[a] == terms[i].atoms[k])
          product = product * at[a] % q;
    sum = (sum + product) % q;
  }
  return sum;
}

/* The atoms of the terms of x, each once; cap + 1 when there are more. */
static size_t outer_atoms(const symtab *t, sym x, sym *out, size_t cap) {
  const sym_term *terms;
  size_t count = sym_terms(t, x, &terms), n = 0;
  for (size_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < terms[i].atom_count; k++) {
      size_t a = 0;
      while (a < n && out[a] != terms[i].atoms[k])
        a++;
      if (a == n && n == cap)
        return cap + 1;
      if (a == n)
        out[n++] = terms[i].atoms[k];
    }
  return n;
}

/* Sound: the value of a polynomial modulo q depends on its atoms modulo q
 * alone, and all of these are tried. */
static bool vanishes_modulo(const symtab *t, sym x, int64_t q) {
  enum { MOST = 12 };
  sym atoms[MOST];
  int64_t at[MOST] = {0}, tries = 1;
  size_t n = outer_atoms(t, x, atoms, MOST);
  for (size_t i = 0; i < n; i++)
    if (n > MOST || (tries *= q) > RESIDUES)
      return false;
  for (;;) {
    size_t k = 0;
    if (residue(t, x, atoms, at, n, q) != 0)
      return false;
    while (k < n && ++at[k] == q)
      at[k++] = 0;
    if (k == n)
      return true;
  }
}

/* Is x / d an integer for all integer values of its atoms? */
static bool divides_always(const symtab *t, sym x, int64_t d) {
  for (int64_t p = 2; d > 1; p++) {
    int64_t q = 1;
    for (; d % p == 0; d /= p)
      q *= p;
    if (q > 1 && (q > 64 || !vanishes_modulo(t, x, q)))
      return false;
  }
  return true;
}

static bool is_exact_quotient(const symtab *t, sym atom, sym *x, int64_t *d) {
  const sym *args;
  if (sym_kind_of(t, atom) != SYM_FDIV)
    return false;
  sym_operands(t, atom, &args);
  *x = args[0];
  return sym_is_int(t, args[1], d) && *d > 1 && *d <= 3600 &&
         divides_always(t, args[0], *d);
}

/* Sound: with x / d exact, e = coef*(x/d) + rest is
 * (coef*x + d*rest) / d, again exact. */
static sym multiply_out(counter *c, sym e) {
  symtab *t = c->t;
  sym atoms[ATOMS], x, coef, rest;
  int64_t d, den = 1, wider;
  size_t n = outer_atoms(t, e, atoms, ATOMS);
  sym num = e;
  for (size_t i = 0; i < n && n <= ATOMS; i++) {
    if (!is_exact_quotient(t, atoms[i], &x, &d) ||
        !count_linear(c, num, atoms[i], &coef, &rest) ||
        !mul_ok(den, d, &wider) || wider > 3600)
      continue;
    num = sym_add(t, sym_mul(t, coef, x), sym_mul(t, sym_int(t, d), rest));
    den = wider;
  }
  return den == 1 ? e : sym_fdiv(t, num, sym_int(t, den));
}

/* ----------------------------------------------------- nested quotients */

static bool positive(counter *c, const space *s, sym e) {
  return count_knows(c, &s->facts, sym_ge(c->t, e, sym_int(c->t, 1)));
}

/* Sound: (a // b) // c is a // (b*c) for b, c >= 1, and with a // b + k in
 * place of a // b it is (a + k*b) // (b*c). */
static sym flat_quotient(counter *c, const space *s, sym a, sym b) {
  symtab *t = c->t;
  const sym *args;
  sym atoms[ATOMS], coef, rest;
  size_t n = outer_atoms(t, a, atoms, ATOMS);
  for (size_t i = 0; i < n && n <= ATOMS; i++) {
    if (sym_kind_of(t, atoms[i]) != SYM_FDIV ||
        !count_linear(c, a, atoms[i], &coef, &rest) || coef != sym_int(t, 1))
      continue;
    sym_operands(t, atoms[i], &args);
    sym inner = args[0], by = args[1];
    if (!positive(c, s, by) || !positive(c, s, b))
      continue;
    return sym_fdiv(t, sym_add(t, inner, sym_mul(t, rest, by)),
                    sym_mul(t, by, b));
  }
  return sym_fdiv(t, a, b);
}

sym count_flatten(counter *c, const space *s, sym e) {
  symtab *t = c->t;
  const sym *args;
  const sym_term *terms;
  sym part[3] = {SYM_NONE, SYM_NONE, SYM_NONE};
  sym_kind kind = sym_kind_of(t, e);
  if (kind == SYM_POLY) {
    size_t n = sym_terms(t, e, &terms);
    sym sum = sym_int(t, 0);
    for (size_t i = 0; i < n; i++) {
      sym product = sym_int(t, terms[i].coef);
      for (uint32_t k = 0; k < terms[i].atom_count; k++)
        product = sym_mul(t, product, count_flatten(c, s, terms[i].atoms[k]));
      sum = sym_add(t, sum, product);
    }
    return multiply_out(c, sum);
  }
  size_t n = sym_operands(t, e, &args);
  if (n == 0 || n > 3 || sym_is_bool(t, e))
    return e;
  for (size_t i = 0; i < n; i++)
    part[i] = count_flatten(c, s, args[i]);
  switch (kind) {
  case SYM_FDIV:
    return flat_quotient(c, s, part[0], part[1]);
  case SYM_FMOD:
    return sym_fmod(t, part[0], part[1]);
  case SYM_MIN:
    return sym_min(t, part[0], part[1]);
  case SYM_MAX:
    return sym_max(t, part[0], part[1]);
  case SYM_SELECT:
    return sym_select(t, part[0], part[1], part[2]);
  case SYM_INT:
  case SYM_VAR:
  case SYM_POLY:
  case SYM_TDIV:
  case SYM_TMOD:
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
  return e;
}

sym count_simplify(judge *j, sym formula) {
  counter c = counter_create(j);
  space s = {.weight = formula};
  space_push_launch(&c, &s);
  return count_flatten(&c, &s, count_resolve(&c, &s, &s.facts, formula));
}

/* ---------------------------------------------------------------- names */

/* A name that the file gave, not `x.shape[0]`. */
static bool is_own_name(const char *name) {
  return strpbrk(name, ".[(") == NULL;
}

sym count_rename(judge *j, sym formula) {
  const launch *l = judge_launch(j);
  symtab *t = l->syms;
  exprs *x = l->program->exprs;
  for (size_t i = 0; i < exprs_symbol_count(x); i++) {
    const char *name = exprs_symbol_at(x, i)->name;
    sym from = l->symbol[i];
    if (sym_kind_of(t, from) != SYM_VAR || !is_own_name(name) ||
        is_own_name(sym_var_name(t, from)))
      continue;
    sym to = sym_var(t, sym_var_role(t, from), name);
    formula = sym_substitute(t, formula, &from, &to, 1);
  }
  return formula;
}

/* ---------------------------------------------------------------- cases */

static bool is_divisibility(const symtab *t, sym condition) {
  const sym *args;
  if (sym_kind_of(t, condition) != SYM_EQ0)
    return false;
  sym_operands(t, condition, &args);
  return sym_kind_of(t, args[0]) == SYM_FMOD;
}

/* The condition of some select that is about divisibility; SYM_NONE. */
static sym case_of(const symtab *t, sym e) {
  const sym *args;
  sym atoms[ATOMS];
  size_t n = sym_atoms(t, e, atoms, ATOMS);
  for (size_t i = 0; i < n && i < ATOMS; i++) {
    if (sym_kind_of(t, atoms[i]) != SYM_SELECT)
      continue;
    sym_operands(t, atoms[i], &args);
    if (is_divisibility(t, args[0]))
      return args[0];
  }
  return SYM_NONE;
}

/* e where the condition has that value. */
static sym in_case(symtab *t, sym e, sym condition, bool value) {
  const sym *args;
  sym atoms[ATOMS];
  size_t n = sym_atoms(t, e, atoms, ATOMS);
  for (size_t i = 0; i < n && i < ATOMS; i++) {
    if (sym_kind_of(t, atoms[i]) != SYM_SELECT)
      continue;
    sym_operands(t, atoms[i], &args);
    sym arm = args[value ? 1 : 2];
    if (args[0] == condition)
      e = sym_substitute(t, e, &atoms[i], &arm, 1);
  }
  return e;
}

static void split(judge *j, sym when, sym formula, unsigned depth,
                  count_cases *out) {
  symtab *t = judge_launch(j)->syms;
  sym condition = depth ? case_of(t, formula) : SYM_NONE;
  if (condition == SYM_NONE) {
    count_case one = {when, formula};
    VEC_PUSH(judge_arena(j), out, one);
    return;
  }
  split(j, sym_and(t, when, condition), in_case(t, formula, condition, true),
        depth - 1, out);
  split(j, when, in_case(t, formula, condition, false), depth - 1, out);
}

count_cases count_split(judge *j, sym formula) {
  count_cases out = {0};
  split(j, sym_true(judge_launch(j)->syms), formula, 3, &out);
  return out;
}
