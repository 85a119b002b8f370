/* analysis/prover_points.c: small models by enumeration.
 *
 * Sizes, strides and block sizes first, then the grid, program ids, turns and
 * lanes; each gets a few small values, and a fact is checked as soon as its
 * last variable has one. Two-instance questions that Z3 leaves open often have
 * models with two programs and blocks of one element. The number of steps is
 * fixed, so the answer repeats. */
#include "analysis/query.h"
#include <stdlib.h>

enum { STEPS = 60000, VALUES = 7 };

typedef struct enumeration {
  const symtab *t;
  sym_vec *due; /* facts to check once entry i has a value */
  model *found;
  size_t assigned;
  int64_t limit;
  size_t steps;
} enumeration;

static bool look_up(void *context, const symtab *t, sym atom, int64_t *value) {
  const enumeration *self = context;
  (void)t;
  for (size_t i = 0; i < self->assigned; i++)
    if (self->found->entries[i].atom == atom) {
      *value = self->found->entries[i].value;
      return true;
    }
  return false;
}

static bool all_hold(enumeration *self, const sym_vec *facts) {
  int64_t value;
  for (size_t i = 0; i < facts->count; i++)
    if (!sym_eval(self->t, facts->at[i], look_up, self, &value) || !value)
      return false;
  return true;
}

static bool is_limited(const enumeration *self, sym atom) {
  return self->limit > 0 && sym_kind_of(self->t, atom) == SYM_VAR &&
         sym_var_role(self->t, atom) <= ROLE_GRID;
}

/* All facts that are due hold for some completion from entry i on. */
static bool complete(enumeration *self, size_t i) {
  static const int64_t small[VALUES] = {1, 2, 0, 3, 16, 4, -1};
  if (i == self->found->count)
    return true;
  sym atom = self->found->entries[i].atom;
  size_t values = sym_is_bool(self->t, atom) ? 3 : VALUES;
  for (size_t k = 0; k < values && self->steps > 0; k++) {
    if ((values == 3 && k == 1) ||
        (is_limited(self, atom) && small[k] > self->limit))
      continue;
    self->steps--;
    self->found->entries[i].value = small[k];
    self->assigned = i + 1;
    if (all_hold(self, &self->due[i]) && complete(self, i + 1))
      return true;
  }
  return false;
}

typedef struct keyed {
  model_entry entry;
  int role;
} keyed;

static int order_roles(const void *a, const void *b) {
  const keyed *x = a, *y = b;
  if (x->role != y->role)
    return x->role - y->role;
  return (x->entry.atom > y->entry.atom) - (x->entry.atom < y->entry.atom);
}

/* Variables in the order of their roles; applications last. */
static void sort_entries(const symtab *t, arena *scratch, model *found) {
  keyed *order = ARENA_ARRAY(scratch, keyed, found->count);
  for (size_t i = 0; i < found->count; i++) {
    sym atom = found->entries[i].atom;
    order[i].entry = found->entries[i];
    order[i].role = sym_kind_of(t, atom) == SYM_VAR ? (int)sym_var_role(t, atom)
                                                    : ROLE_UNKNOWN + 1;
  }
  qsort(order, found->count, sizeof *order, order_roles);
  for (size_t i = 0; i < found->count; i++)
    found->entries[i] = order[i].entry;
}

static size_t last_entry(const symtab *t, const model *found, sym fact) {
  size_t last = 0;
  for (size_t i = 0; i < found->count; i++)
    if (sym_mentions(t, fact, found->entries[i].atom))
      last = i;
  return last;
}

bool points_find(symtab *t, arena *scratch, const sym *facts, size_t n,
                 int64_t limit, model *found) {
  enumeration e = {.t = t, .found = found, .limit = limit, .steps = STEPS};
  if (found->count == 0)
    return false;
  sort_entries(t, scratch, found);
  e.due = ARENA_ARRAY(scratch, sym_vec, found->count);
  for (size_t i = 0; i < n; i++)
    VEC_PUSH(scratch, &e.due[last_entry(t, found, facts[i])], facts[i]);
  return complete(&e, 0);
}
