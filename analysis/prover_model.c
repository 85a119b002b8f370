/* analysis/prover_model.c: looking for a point where all facts are true.
 *
 * A model counts only after all facts have been evaluated at it by sym_eval,
 * with the values of applications taken from the model as well. */
#include "analysis/prover.h"
#include "analysis/query.h"

enum {
  FIRST_RLIMIT = 20000, /* what most points need */
  QUICK_RLIMIT = 200000,
  QUICK_ARITH = 2, /* finds models quickly, proves little */
  FULL_ARITH = 6,
};

typedef struct finder {
  prover *prover;
  symtab *t;
  arena *scratch;
  sym_vec formulas;
  model found;
  const sym *facts;
  size_t fact_count;
} finder;

static bool look_up(void *context, const symtab *t, sym atom, int64_t *value) {
  const model *m = context;
  (void)t;
  for (size_t i = 0; i < m->count; i++)
    if (m->entries[i].atom == atom) {
      *value = m->entries[i].value;
      return true;
    }
  return false;
}

static bool holds(finder *self) {
  int64_t value;
  for (size_t i = 0; i < self->fact_count; i++)
    if (!sym_eval(self->t, self->facts[i], look_up, &self->found, &value) ||
        value != 1)
      return false;
  return true;
}

static void list_entries(finder *self, arena *arena) {
  sym all = sym_and_all(self->t, self->facts, self->fact_count);
  size_t n = sym_atoms(self->t, all, NULL, 0);
  sym *atoms = ARENA_ARRAY(self->scratch, sym, n);
  sym_atoms(self->t, all, atoms, n);
  self->found.entries = ARENA_ARRAY(arena, model_entry, n);
  for (size_t i = 0; i < n; i++) {
    sym_kind kind = sym_kind_of(self->t, atoms[i]);
    if (kind == SYM_VAR || kind == SYM_APPLY || kind == SYM_APPLYB)
      self->found.entries[self->found.count++].atom = atoms[i];
  }
}

static bool is_limited(sym_role role) {
  return role == ROLE_SIZE || role == ROLE_STRIDE || role == ROLE_CONST ||
         role == ROLE_GRID;
}

static void add_limits(finder *self, int64_t limit) {
  symtab *t = self->t;
  for (size_t i = 0; i < self->found.count; i++) {
    sym atom = self->found.entries[i].atom;
    if (sym_kind_of(t, atom) == SYM_VAR && is_limited(sym_var_role(t, atom)))
      VEC_PUSH(self->scratch, &self->formulas,
               sym_le(t, atom, sym_int(t, limit)));
  }
}

static bool divides(sym_kind kind) {
  return kind == SYM_FDIV || kind == SYM_FMOD || kind == SYM_TDIV ||
         kind == SYM_TMOD;
}

static void add_divisor(finder *self, sym quotient) {
  const sym *args;
  symtab *t = self->t;
  sym_operands(t, quotient, &args);
  VEC_PUSH(self->scratch, &self->formulas, sym_ne(t, args[1], sym_int(t, 0)));
}

/* The divisors without which e has no value: all but those that occur only in
 * an arm of a select, or below `and` and `or`. Sound: a point where a fact has
 * no value is no model. */
static void add_strict_divisors(finder *self, sym e) {
  const sym_term *terms;
  const sym *args;
  symtab *t = self->t;
  sym_kind kind = sym_kind_of(t, e);
  if (kind == SYM_AND || kind == SYM_OR || kind == SYM_APPLY ||
      kind == SYM_APPLYB)
    return;
  if (kind == SYM_POLY) {
    size_t n = sym_terms(t, e, &terms);
    for (size_t i = 0; i < n; i++)
      for (uint32_t k = 0; k < terms[i].atom_count; k++)
        add_strict_divisors(self, terms[i].atoms[k]);
    return;
  }
  if (divides(kind))
    add_divisor(self, e);
  size_t n = sym_operands(t, e, &args);
  for (size_t i = 0; i < (kind == SYM_SELECT ? 1 : n); i++)
    add_strict_divisors(self, args[i]);
}

/* Every divisor that occurs is not zero. */
static void add_divisors(finder *self) {
  symtab *t = self->t;
  sym all = sym_and_all(t, self->facts, self->fact_count);
  size_t n = sym_atoms(t, all, NULL, 0);
  sym *atoms = ARENA_ARRAY(self->scratch, sym, n);
  sym_atoms(t, all, atoms, n);
  for (size_t i = 0; i < n; i++)
    if (divides(sym_kind_of(t, atoms[i])))
      add_divisor(self, atoms[i]);
}

/* YES only for a point that has been checked. */
static truth attempt(finder *self, unsigned arith, uint64_t rlimit) {
  bool fits = false;
  rlimit = prover_rlimit(self->prover, rlimit);
  if (!rlimit)
    return UNSURE;
  z3_limits limits = {.rlimit = rlimit,
                      .deadline_ms = prover_settings(self->prover).deadline_ms,
                      .arith = arith};
  z3_answer answer =
      z3_solve(self->t, self->scratch, self->formulas.at, self->formulas.count,
               limits, self->found.entries, self->found.count, &fits);
  prover_count_z3(self->prover, answer);
  if (answer.satisfiable != YES)
    return answer.satisfiable;
  return fits && holds(self) ? YES : UNSURE;
}

static bool is_small_point(finder *self, const query *built, int64_t limit) {
  return points_find(self->t, self->scratch, built->facts.at,
                     built->facts.count, limit, &self->found) &&
         holds(self);
}

static truth search(finder *self, const query *built, int64_t limit) {
  uint64_t rlimit = prover_settings(self->prover).rlimit;
  truth answer = attempt(self, FULL_ARITH, FIRST_RLIMIT);
  if (answer == UNSURE)
    answer = attempt(self, QUICK_ARITH, QUICK_RLIMIT);
  if (answer == UNSURE && is_small_point(self, built, limit))
    answer = YES;
  if (answer == UNSURE)
    answer = attempt(self, FULL_ARITH, rlimit);
  if (answer != UNSURE)
    return answer;
  /* The point may divide by zero or overflow: ask for one that does not. This
   * leaves points out, so its failure does not say that there is none. */
  add_divisors(self);
  answer = attempt(self, FULL_ARITH, rlimit);
  return answer == YES ? YES : UNSURE;
}

truth prover_model(prover *self, const sym *facts, size_t n, int64_t limit,
                   arena *arena, model *out) {
  finder f = {.prover = self,
              .t = prover_symtab(self),
              .scratch = arena_create(),
              .facts = facts,
              .fact_count = n};
  query built;
  truth answer = NO;
  *out = (model){0};
  list_entries(&f, arena);
  query_build(&built, f.scratch, f.t, facts, n, NULL, 0, CONE_ALL, true);
  for (size_t i = 0; i < built.facts.count; i++) {
    VEC_PUSH(f.scratch, &f.formulas, built.facts.at[i]);
    add_strict_divisors(&f, built.facts.at[i]);
  }
  for (size_t i = 0; i < built.formulas.count; i++)
    VEC_PUSH(f.scratch, &f.formulas, built.formulas.at[i]);
  if (limit > 0)
    add_limits(&f, limit);
  if (!built.cert->contradiction)
    answer = search(&f, &built, limit);
  if (answer == YES)
    *out = f.found;
  arena_destroy(f.scratch);
  return answer;
}
