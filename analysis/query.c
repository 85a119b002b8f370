/* analysis/query.c: which facts and definitions a goal needs.
 *
 * The cone of a goal: facts that share a variable with it, directly or
 * through other facts. Sizes, strides and block sizes occur everywhere, so
 * they connect only facts that are about nothing else; the link of two facts
 * is a program id, a turn, a lane or a lost value.
 * Sound: leaving facts out can only lose proofs. */
#include "analysis/query.h"
#include <stdlib.h>
#include <string.h>

void query_flatten(symtab *t, arena *scratch, const sym *facts, size_t n,
                   sym_vec *out) {
  const sym *operands;
  for (size_t i = 0; i < n; i++) {
    assert(sym_is_bool(t, facts[i]));
    sym_kind kind = sym_kind_of(t, facts[i]);
    if (kind == SYM_AND) {
      size_t count = sym_operands(t, facts[i], &operands);
      query_flatten(t, scratch, operands, count, out);
    } else if (kind != SYM_TRUE) {
      VEC_PUSH(scratch, out, facts[i]);
    }
  }
}

enum { ROOT_ROLES = 1 << ROLE_SIZE | 1 << ROLE_STRIDE | 1 << ROLE_CONST };

typedef struct cone {
  symtab *t;
  arena *scratch;
  bool *inside; /* by handle: variables and applications reached */
  size_t room;
} cone;

static bool is_root(const cone *self, sym atom) {
  return (sym_roles(self->t, atom) & ~ROOT_ROLES) == 0;
}

/* The links of an expression: variables and applications. */
static sym_vec leaves(symtab *t, arena *scratch, sym e) {
  sym_vec all = {0}, kept = {0};
  size_t n = sym_atoms(t, e, NULL, 0);
  all.at = ARENA_ARRAY(scratch, sym, n);
  sym_atoms(t, e, all.at, n);
  for (size_t i = 0; i < n; i++) {
    sym_kind kind = sym_kind_of(t, all.at[i]);
    if (kind == SYM_VAR || kind == SYM_APPLY || kind == SYM_APPLYB)
      VEC_PUSH(scratch, &kept, all.at[i]);
  }
  return kept;
}

static void reach(cone *self, const sym_vec *atoms) {
  for (size_t i = 0; i < atoms->count; i++)
    self->inside[atoms->at[i]] = true;
}

static bool touches(const cone *self, const sym_vec *atoms) {
  bool only_roots = true;
  for (size_t i = 0; i < atoms->count; i++)
    only_roots = only_roots && is_root(self, atoms->at[i]);
  for (size_t i = 0; i < atoms->count; i++)
    if (self->inside[atoms->at[i]] &&
        (only_roots || !is_root(self, atoms->at[i])))
      return true;
  return atoms->count == 0;
}

static sym_vec facts_in_cone(symtab *t, arena *scratch, const sym_vec *facts,
                             const sym *goals, size_t goal_count) {
  cone c = {.t = t, .scratch = scratch, .room = symtab_count(t) + 1};
  c.inside = ARENA_ARRAY(scratch, bool, c.room);
  sym_vec *atoms = ARENA_ARRAY(scratch, sym_vec, facts->count);
  bool *taken = ARENA_ARRAY(scratch, bool, facts->count);
  sym_vec result = {0};
  for (size_t i = 0; i < goal_count; i++) {
    sym_vec start = leaves(t, scratch, goals[i]);
    reach(&c, &start);
  }
  for (size_t i = 0; i < facts->count; i++)
    atoms[i] = leaves(t, scratch, facts->at[i]);
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < facts->count; i++)
      if (!taken[i] && touches(&c, &atoms[i])) {
        taken[i] = again = true;
        reach(&c, &atoms[i]);
      }
  }
  for (size_t i = 0; i < facts->count; i++)
    if (taken[i])
      VEC_PUSH(scratch, &result, facts->at[i]);
  return result;
}

typedef struct ranked {
  sym atom;
  int role; /* the latest role that occurs in it */
} ranked;

static int order_ranks(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->role != y->role)
    return x->role - y->role;
  return (x->atom > y->atom) - (x->atom < y->atom);
}

static int latest_role(uint8_t roles) {
  int role = 0;
  for (int r = 0; r < 8; r++)
    if (roles & 1 << r)
      role = r;
  return role;
}

static void add_atoms(symtab *t, arena *scratch, sym e, bool **seen,
                      size_t *room, sym_vec *out) {
  size_t n = sym_atoms(t, e, NULL, 0);
  sym *atoms = ARENA_ARRAY(scratch, sym, n);
  sym_atoms(t, e, atoms, n);
  if (*room < symtab_count(t) + 1) {
    bool *fresh = ARENA_ARRAY(scratch, bool, symtab_count(t) * 2);
    for (size_t i = 0; i < *room; i++)
      fresh[i] = (*seen)[i];
    *seen = fresh;
    *room = symtab_count(t) * 2;
  }
  for (size_t i = 0; i < n; i++)
    if (!(*seen)[atoms[i]] && !sym_is_bool(t, atoms[i])) {
      (*seen)[atoms[i]] = true;
      VEC_PUSH(scratch, out, atoms[i]);
    }
}

/* All integer atoms of the expressions, of their operands and of their
 * definitions, in elimination order. */
static sym_vec rank_atoms(symtab *t, arena *scratch, const sym_vec *facts,
                          const sym *goals, size_t goal_count) {
  sym_vec atoms = {0}, twins = {0};
  bool *seen = NULL;
  size_t room = 0;
  for (size_t i = 0; i < facts->count; i++)
    add_atoms(t, scratch, facts->at[i], &seen, &room, &atoms);
  for (size_t i = 0; i < goal_count; i++)
    add_atoms(t, scratch, goals[i], &seen, &room, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    twins.count = 0;
    definitions_twins(t, scratch, atoms.at[i], &twins);
    for (size_t k = 0; k < twins.count; k++)
      add_atoms(t, scratch, twins.at[k], &seen, &room, &atoms);
  }
  ranked *order = ARENA_ARRAY(scratch, ranked, atoms.count);
  for (size_t i = 0; i < atoms.count; i++)
    order[i] = (ranked){atoms.at[i], latest_role(sym_roles(t, atoms.at[i]))};
  qsort(order, atoms.count, sizeof *order, order_ranks);
  for (size_t i = 0; i < atoms.count; i++)
    atoms.at[i] = order[i].atom;
  return atoms;
}

static void assume(query *self, sym fact) {
  const sym *args;
  symtab *t = self->t;
  cert_assume(self->cert, fact);
  if (sym_kind_of(t, fact) == SYM_ISPOW2) {
    sym_operands(t, fact, &args); /* a power of two is at least 1 */
    cert_assume(self->cert, sym_ge(t, args[0], sym_int(t, 1)));
  }
}

static bool refuted(query *self, sym literal) {
  sym negated = sym_not(self->t, literal);
  for (size_t i = 0; i < self->facts.count; i++)
    if (self->facts.at[i] == negated)
      return true;
  return cert_proves(self->cert, negated, 0);
}

/* Sound: when all operands but one are false, that one is true. */
static void resolve_or(query *self, sym fact) {
  const sym *operands;
  sym left = SYM_NONE;
  size_t n = sym_operands(self->t, fact, &operands), open = 0;
  for (size_t i = 0; i < n && open < 2; i++)
    if (!refuted(self, operands[i])) {
      left = operands[i];
      open++;
    }
  if (open == 0)
    self->cert->contradiction = true;
  if (open == 1)
    cert_assume(self->cert, left);
}

/* Sound: p != 0 and p >= 0 give p >= 1; p <= 0 gives p <= -1. */
static void resolve_ne(query *self, sym fact) {
  const sym *args;
  symtab *t = self->t;
  sym zero = sym_int(t, 0);
  sym_operands(t, fact, &args);
  if (cert_bounds_ge(self->cert, args[0]))
    cert_assume(self->cert, sym_gt(t, args[0], zero));
  else if (cert_bounds_ge(self->cert, sym_neg(t, args[0])))
    cert_assume(self->cert, sym_lt(t, args[0], zero));
}

static void resolve_disjunctions(query *self) {
  for (size_t i = 0; i < self->facts.count; i++) {
    sym_kind kind = sym_kind_of(self->t, self->facts.at[i]);
    if (kind == SYM_OR)
      resolve_or(self, self->facts.at[i]);
    if (kind == SYM_NE0)
      resolve_ne(self, self->facts.at[i]);
  }
}

enum { POWERS = 40 };

/* x is one of the powers of two up to 2^40, or larger than that. */
static sym small_power(symtab *t, sym x) {
  sym options = sym_gt(t, x, sym_int(t, INT64_C(1) << POWERS));
  for (int k = 0; k <= POWERS; k++)
    options = sym_or(t, options, sym_eq(t, x, sym_int(t, INT64_C(1) << k)));
  return options;
}

/* Sound: a power of two is at least 1. With `exact` also which numbers up to
 * 2^40 are powers of two. */
static void define_powers(query *self, sym e, bool exact) {
  const sym *args;
  symtab *t = self->t;
  size_t n = sym_atoms(t, e, NULL, 0);
  sym *atoms = ARENA_ARRAY(self->scratch, sym, n);
  sym_atoms(t, e, atoms, n);
  for (size_t i = 0; i < n; i++) {
    if (sym_kind_of(t, atoms[i]) != SYM_ISPOW2)
      continue;
    sym_operands(t, atoms[i], &args);
    sym x = args[0], no = sym_not(t, atoms[i]);
    VEC_PUSH(self->scratch, &self->formulas,
             sym_or(t, no, sym_ge(t, x, sym_int(t, 1))));
    if (!exact)
      continue;
    VEC_PUSH(self->scratch, &self->formulas, sym_or(t, no, small_power(t, x)));
    for (int k = 0; k <= POWERS; k++) {
      sym differs = sym_ne(t, x, sym_int(t, INT64_C(1) << k));
      VEC_PUSH(self->scratch, &self->formulas, sym_or(t, atoms[i], differs));
    }
  }
}

void query_select(query *self, arena *scratch, symtab *t, const sym *facts,
                  size_t n, const sym *goals, size_t goal_count,
                  cone_width width) {
  sym_vec flat = {0};
  *self = (query){.t = t, .scratch = scratch};
  query_flatten(t, scratch, facts, n, &flat);
  self->facts = width == CONE_ALL
                    ? flat
                    : facts_in_cone(t, scratch, &flat, goals, goal_count);
  self->left_out = flat.count - self->facts.count;
}

void query_assemble(query *self, const sym *goals, size_t goal_count,
                    bool exact) {
  sym_vec atoms =
      rank_atoms(self->t, self->scratch, &self->facts, goals, goal_count);
  self->cert = cert_create(self->scratch, self->t, atoms.at, atoms.count);
  for (size_t i = 0; i < self->facts.count; i++)
    assume(self, self->facts.at[i]);
  cert_propagate(self->cert);
  resolve_disjunctions(self);
  definitions_add(self->cert, exact, &self->formulas);
  resolve_disjunctions(self);
  cert_saturate(self->cert);
  for (size_t i = 0; i < self->facts.count; i++)
    define_powers(self, self->facts.at[i], exact);
  for (size_t i = 0; i < goal_count; i++)
    define_powers(self, goals[i], exact);
}

void query_build(query *self, arena *scratch, symtab *t, const sym *facts,
                 size_t n, const sym *goals, size_t goal_count,
                 cone_width width, bool exact) {
  query_select(self, scratch, t, facts, n, goals, goal_count, width);
  query_assemble(self, goals, goal_count, exact);
}

static bool same_facts(const sym_vec *a, const sym_vec *b) {
  return a->count == b->count &&
         (a->count == 0 || memcmp(a->at, b->at, a->count * sizeof *a->at) == 0);
}

/* Then the query is what query_build would make for the goal. */
static bool covers(const query *self, const sym_vec *facts, sym goal) {
  symtab *t = self->t;
  if (!self->cert || !same_facts(&self->facts, facts))
    return false;
  size_t n = sym_atoms(t, goal, NULL, 0);
  sym *atoms = ARENA_ARRAY(self->scratch, sym, n);
  sym_atoms(t, goal, atoms, n);
  for (size_t i = 0; i < n; i++)
    if (!sym_is_bool(t, atoms[i]) &&
        (atoms[i] >= self->cert->rank_room || !self->cert->rank_of[atoms[i]]))
      return false;
  return true;
}

const query *query_cached(query_cache *cache, arena *scratch, symtab *t,
                          const sym *facts, size_t n, sym goal,
                          cone_width width) {
  enum { ROOM = sizeof cache->at / sizeof *cache->at };
  query fresh;
  query_select(&fresh, scratch, t, facts, n, &goal, 1, width);
  for (size_t i = 0; i < ROOM; i++)
    if (covers(&cache->at[i], &fresh.facts, goal))
      return &cache->at[i];
  query_assemble(&fresh, &goal, 1, false);
  query *place = &cache->at[cache->count++ % ROOM];
  *place = fresh;
  return place;
}
