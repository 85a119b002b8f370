/* analysis/sym_walk.c: what occurs in an expression, and substitution.
 *
 * Walks mark handles with a stamp of their own, so a shared part is visited
 * once; a walk inside a walk only costs repeated visits. */
#include "analysis/sym_node.h"
#include <stdlib.h>
#include <string.h>

uint32_t sym_walk(const symtab *t) {
  sym_marks *m = t->marks;
  if (m->room < t->count + 1) {
    m->room = t->room;
    m->stamp = ARENA_ARRAY(t->arena, uint32_t, m->room);
    m->image = ARENA_ARRAY(t->arena, sym, m->room);
    m->value = ARENA_ARRAY(t->arena, int128, m->room);
  }
  if (m->last == UINT32_MAX) {
    memset(m->stamp, 0, m->room * sizeof *m->stamp);
    m->last = 0;
  }
  return ++m->last;
}

typedef struct finder {
  const symtab *t;
  uint32_t stamp;
  uint64_t bit;
  sym wanted;
  bool variables_only;
  sym *out;
  size_t cap, count;
} finder;

/* Calls visit for each atom and operand directly below e; stops on true. */
static bool any_child(const symtab *t, sym e, bool (*visit)(finder *, sym),
                      finder *self) {
  const sym_node *n = sym_at(t, e);
  if (n->kind == SYM_POLY) {
    for (uint32_t i = 0; i < n->term_count; i++)
      for (uint32_t k = 0; k < n->terms[i].atom_count; k++)
        if (visit(self, n->terms[i].atoms[k]))
          return true;
    return false;
  }
  for (uint32_t i = 0; i < n->operand_count; i++)
    if (visit(self, n->operands[i]))
      return true;
  return false;
}

static bool find(finder *self, sym e) {
  const sym_node *n = sym_at(self->t, e);
  if (e == self->wanted)
    return true;
  if ((n->below & self->bit) != self->bit)
    return false;
  if (self->t->marks->stamp[e] == self->stamp)
    return false;
  self->t->marks->stamp[e] = self->stamp;
  return any_child(self->t, e, find, self);
}

bool sym_mentions(const symtab *t, sym e, sym var) {
  const sym_node *n = sym_at(t, var);
  finder f = {.t = t, .wanted = var, .bit = n->below, .stamp = sym_walk(t)};
  return find(&f, e);
}

bool sym_mentions_role(const symtab *t, sym e, sym_role role) {
  return (sym_at(t, e)->roles >> role) & 1u;
}

uint8_t sym_roles(const symtab *t, sym e) {
  return sym_at(t, e)->roles;
}

bool sym_is_exact(const symtab *t, sym e) {
  return !sym_at(t, e)->applied && !sym_mentions_role(t, e, ROLE_UNKNOWN);
}

static bool is_atom(sym_kind kind) {
  return kind == SYM_APPLYB || kind == SYM_ISPOW2 ||
         (!sym_is_bool_kind(kind) && kind != SYM_INT && kind != SYM_POLY);
}

static bool gather(finder *self, sym e) {
  const sym_node *n = sym_at(self->t, e);
  if (self->t->marks->stamp[e] == self->stamp)
    return false;
  self->t->marks->stamp[e] = self->stamp;
  bool wanted = self->variables_only ? n->kind == SYM_VAR : is_atom(n->kind);
  any_child(self->t, e, gather, self);
  if (wanted && self->count < self->cap)
    self->out[self->count] = e;
  self->count += wanted;
  return false;
}

static int order_handles(const void *a, const void *b) {
  sym x = *(const sym *)a, y = *(const sym *)b;
  return (x > y) - (x < y);
}

static size_t gather_all(const symtab *t, sym e, sym *out, size_t cap,
                         bool variables_only) {
  finder f = {.t = t,
              .stamp = sym_walk(t),
              .variables_only = variables_only,
              .out = out,
              .cap = cap};
  gather(&f, e);
  size_t written = f.count < cap ? f.count : cap;
  if (written > 1)
    qsort(out, written, sizeof *out, order_handles);
  return f.count;
}

size_t sym_variables(const symtab *t, sym e, sym *out, size_t cap) {
  return gather_all(t, e, out, cap, true);
}

size_t sym_atoms(const symtab *t, sym e, sym *out, size_t cap) {
  return gather_all(t, e, out, cap, false);
}

typedef struct substitution {
  symtab *t;
  const sym *from, *to;
  size_t n;
  uint64_t touched; /* signature of all `from` atoms */
  uint32_t stamp;
} substitution;

static sym image(substitution *self, sym e);

static sym image_poly(substitution *self, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(self->t, e, &terms);
  sym sum = sym_int(self->t, 0);
  for (size_t i = 0; i < n; i++) {
    sym product = sym_int(self->t, terms[i].coef);
    for (uint32_t k = 0; k < terms[i].atom_count; k++)
      product = sym_mul(self->t, product, image(self, terms[i].atoms[k]));
    sum = sym_add(self->t, sum, product);
  }
  return sum;
}

static sym image_connective(substitution *self, sym_kind kind, const sym *args,
                            size_t n) {
  symtab *t = self->t;
  sym result = sym_bool(t, kind == SYM_AND);
  for (size_t i = 0; i < n; i++) {
    sym part = image(self, args[i]);
    result =
        kind == SYM_AND ? sym_and(t, result, part) : sym_or(t, result, part);
  }
  return result;
}

static sym image_apply(substitution *self, const sym_node *n) {
  symtab *t = self->t;
  bool truth = n->kind == SYM_APPLYB;
  uint32_t fn = n->fn;
  size_t count = n->operand_count;
  const sym *operands = n->operands;
  sym *args = ARENA_ARRAY(t->arena, sym, count);
  for (size_t i = 0; i < count; i++)
    args[i] = image(self, operands[i]);
  return truth ? sym_apply_bool(t, fn, args, count)
               : sym_apply(t, fn, args, count);
}

static sym rebuild(substitution *self, sym e) {
  symtab *t = self->t;
  const sym_node *n = sym_at(t, e);
  const sym *args = n->operands; /* outlives a move of the nodes */
  sym_kind kind = n->kind;
  size_t count = n->operand_count;
  if (kind == SYM_POLY)
    return image_poly(self, e);
  if (kind == SYM_AND || kind == SYM_OR)
    return image_connective(self, kind, args, count);
  if (kind == SYM_APPLY || kind == SYM_APPLYB)
    return image_apply(self, n);
  sym part[3] = {SYM_NONE, SYM_NONE, SYM_NONE}, zero = sym_int(t, 0);
  assert(count <= 3);
  for (size_t i = 0; i < count; i++)
    part[i] = image(self, args[i]);
  switch (kind) {
  case SYM_FDIV:
    return sym_fdiv(t, part[0], part[1]);
  case SYM_FMOD:
    return sym_fmod(t, part[0], part[1]);
  case SYM_TDIV:
    return sym_tdiv(t, part[0], part[1]);
  case SYM_TMOD:
    return sym_tmod(t, part[0], part[1]);
  case SYM_MIN:
    return sym_min(t, part[0], part[1]);
  case SYM_MAX:
    return sym_max(t, part[0], part[1]);
  case SYM_SELECT:
    return sym_select(t, part[0], part[1], part[2]);
  case SYM_POW2CEIL:
    return sym_pow2ceil(t, part[0]);
  case SYM_GE0:
    return sym_ge(t, part[0], zero);
  case SYM_EQ0:
    return sym_eq(t, part[0], zero);
  case SYM_NE0:
    return sym_ne(t, part[0], zero);
  case SYM_NOT:
    return sym_not(t, part[0]);
  case SYM_ISPOW2:
    return sym_ispow2(t, part[0]);
  case SYM_INT:
  case SYM_VAR:
  case SYM_TRUE:
  case SYM_FALSE:
    return e;
  case SYM_POLY:
  case SYM_APPLY:
  case SYM_APPLYB:
  case SYM_AND:
  case SYM_OR:
    break;
  }
  panic("substitution in a symbol of kind %d", (int)kind);
}

static sym image(substitution *self, sym e) {
  if ((sym_at(self->t, e)->below & self->touched) == 0)
    return e;
  sym_marks *m = self->t->marks;
  if (m->stamp[e] == self->stamp)
    return m->image[e];
  sym result = SYM_NONE;
  for (size_t i = 0; i < self->n && result == SYM_NONE; i++)
    if (self->from[i] == e)
      result = self->to[i];
  if (result == SYM_NONE)
    result = rebuild(self, e);
  m->stamp[e] = self->stamp;
  m->image[e] = result;
  return result;
}

/* Only parts of e are visited, whose handles exist before the walk starts;
 * so the marks need no room for what is built meanwhile. */
sym sym_substitute(symtab *t, sym e, const sym *from, const sym *to, size_t n) {
  substitution s = {.t = t, .from = from, .to = to, .n = n};
  for (size_t i = 0; i < n; i++) {
    assert(is_atom(sym_kind_of(t, from[i])));
    assert(sym_is_bool(t, from[i]) == sym_is_bool(t, to[i]));
    /* The atom's own bit is enough: it is set wherever the atom occurs. */
    s.touched |= UINT64_C(1) << ((from[i] * 0x9E3779B1u) >> 26);
  }
  s.stamp = sym_walk(t);
  return image(&s, e);
}
