/* analysis/prover_instances.c: what follows from equalities between instances.
 *
 * Questions about two programs or lanes start from equal addresses. Walking
 * from the equalities that are given, each round tries
 *   radix:      s*X + Y == 0 splits into X == 0 and Y == 0, when X == 0 has a
 *               certificate (Y == 0 then follows);
 *   congruence: with x == y known for two atoms, every fact holds with y
 *               replaced by x, also inside quotients and min.
 *   recompose:  equal quotients and remainders by one divisor give equal
 *               dividends;
 *   ragged:     digits of varying width (prover_ragged.c).
 * Everything found is a consequence of the facts and is added to them; nothing
 * is taken away. */
#include "analysis/query.h"

enum { ROUNDS = 8, STEPS = 40, CANDIDATES = 60 };

typedef struct sweep {
  symtab *t;
  arena *scratch;
  sym_vec *facts; /* flattened; grows */
  cert *cert;     /* of this round */
  size_t known;   /* facts that the cert has: the first ones */
  int candidates; /* tried so far */
  memo_view *memo;
} sweep;

/* Two or more program ids, turns, lanes or lost values occur in e. */
static bool links_instances(symtab *t, sym e) {
  sym variables[32];
  size_t n = sym_variables(t, e, variables, 32), moving = 0;
  for (size_t i = 0; i < n && i < 32; i++)
    moving += sym_var_role(t, variables[i]) >= ROLE_PROGRAM;
  return moving >= 2;
}

static bool is_known(const sweep *self, sym fact) {
  for (size_t i = 0; i < self->facts->count; i++)
    if (self->facts->at[i] == fact)
      return true;
  return false;
}

static bool add(sweep *self, sym fact) {
  sym_vec parts = {0};
  bool added = false;
  query_flatten(self->t, self->scratch, &fact, 1, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (!is_known(self, parts.at[i])) {
      VEC_PUSH(self->scratch, self->facts, parts.at[i]);
      added = true;
    }
  return added;
}

/* The terms of e that the divisor divides, divided by it; and the others. */
static void split(symtab *t, sym e, sym divisor, sym *x, sym *y) {
  sym_poly_divide(t, e, divisor, x, y);
}

static bool certified(sweep *self, sym goal) {
  memo_answer *answer = self->memo ? memo_at(self->memo, MEMO_RADIX,
                                             self->facts->at, self->known, goal)
                                   : NULL;
  if (answer && answer->known)
    return answer->proof.proved;
  bool proved = cert_proves(self->cert, goal, STEPS);
  if (answer)
    *answer = (memo_answer){.known = true, .proof = {.proved = proved}};
  return proved;
}

/* Sound: s*X = -Y with |Y| <= s - 1 leaves only X = 0. */
static bool is_digit(sweep *self, sym y, sym divisor) {
  symtab *t = self->t;
  sym most = sym_sub(t, divisor, sym_int(t, 1));
  return certified(self, sym_le(t, y, most)) &&
         certified(self, sym_ge(t, y, sym_neg(t, most)));
}

static bool try_radix(sweep *self, sym e, sym divisor) {
  symtab *t = self->t;
  sym x, y, zero = sym_int(t, 0);
  split(t, e, divisor, &x, &y);
  if (x == zero || y == zero || sym_is_int(t, x, NULL) ||
      self->candidates >= CANDIDATES)
    return false;
  sym first = sym_eq(t, x, zero), second = sym_eq(t, y, zero);
  if (is_known(self, first) && is_known(self, second))
    return false;
  self->candidates++;
  if (!is_known(self, first) && !is_digit(self, y, divisor) &&
      !certified(self, first))
    return false;
  bool added = add(self, first);
  return add(self, second) || added;
}

/* Divisors to try: each factor that is a size, stride or block size, and each
 * coefficient. */
static bool split_equality(sweep *self, sym e) {
  const sym_term *terms;
  symtab *t = self->t;
  size_t n = sym_terms(t, e, &terms);
  bool added = false;
  const unsigned moving = ~(1u << ROLE_SIZE | 1u << ROLE_STRIDE |
                            1u << ROLE_CONST | 1u << ROLE_GRID);
  for (size_t i = 0; i < n && !added; i++) {
    for (uint32_t k = 0; k < terms[i].atom_count && !added; k++)
      if (terms[i].atom_count > 1 &&
          (sym_roles(t, terms[i].atoms[k]) & moving) == 0)
        added = try_radix(self, e, terms[i].atoms[k]);
    if (!added && terms[i].coef > 1)
      added = try_radix(self, e, sym_int(t, terms[i].coef));
  }
  return added;
}

static bool split_equalities(sweep *self) {
  const sym *args;
  bool added = false;
  for (size_t i = 0, n = self->facts->count; i < n; i++) {
    sym fact = self->facts->at[i];
    if (sym_kind_of(self->t, fact) != SYM_EQ0 ||
        !links_instances(self->t, fact))
      continue;
    sym_operands(self->t, fact, &args);
    if (split_equality(self, args[0]))
      added = true;
  }
  return added;
}

/* x == y for two atoms, as 1*x - 1*y: replace the later one. */
static bool equal_atoms(symtab *t, sym fact, sym *from, sym *to) {
  const sym_term *terms;
  const sym *args;
  if (sym_kind_of(t, fact) != SYM_EQ0)
    return false;
  sym_operands(t, fact, &args);
  if (sym_terms(t, args[0], &terms) != 2 || terms[0].atom_count != 1 ||
      terms[1].atom_count != 1 || terms[0].coef + terms[1].coef != 0 ||
      (terms[0].coef != 1 && terms[0].coef != -1))
    return false;
  sym a = terms[0].atoms[0], b = terms[1].atoms[0];
  *from = a > b ? a : b;
  *to = a > b ? b : a;
  return true;
}

static bool congruence(sweep *self, sym *goal) {
  symtab *t = self->t;
  bool added = false;
  sym from, to;
  for (size_t i = 0, n = self->facts->count; i < n; i++) {
    if (!equal_atoms(t, self->facts->at[i], &from, &to))
      continue;
    for (size_t k = 0; k < n; k++) {
      if (k == i || !sym_mentions(t, self->facts->at[k], from))
        continue;
      sym image = sym_substitute(t, self->facts->at[k], &from, &to, 1);
      if (add(self, image))
        added = true;
    }
    *goal = sym_substitute(t, *goal, &from, &to, 1);
  }
  return added;
}

/* Sound: a = b*(a // b) + a % b. */
static bool recompose(sweep *self) {
  symtab *t = self->t;
  bool added = false;
  sym from, to;
  for (size_t i = 0, n = self->facts->count; i < n; i++) {
    const sym *args;
    if (!equal_atoms(t, self->facts->at[i], &from, &to) ||
        sym_kind_of(t, from) != SYM_FDIV || sym_kind_of(t, to) != SYM_FDIV)
      continue;
    sym_operands(t, from, &args);
    sym a = args[0], b = args[1];
    sym_operands(t, to, &args);
    sym c = args[0], d = args[1];
    if (b != d)
      continue;
    sym remainders = sym_eq(t, sym_fmod(t, a, b), sym_fmod(t, c, b));
    if (sym_kind_of(t, remainders) != SYM_TRUE && !is_known(self, remainders))
      continue;
    if (add(self, sym_eq(t, a, c)))
      added = true;
  }
  return added;
}

static bool split_ragged(sweep *self) {
  ragged r = {.t = self->t,
              .scratch = self->scratch,
              .memo = self->memo,
              .facts = self->facts};
  for (size_t i = 0; i < self->facts->count; i++) {
    const sym *args;
    sym out[2], fact = self->facts->at[i];
    if (sym_kind_of(self->t, fact) != SYM_EQ0 ||
        !links_instances(self->t, fact))
      continue;
    sym_operands(self->t, fact, &args);
    if (instances_ragged(&r, args[0], out) &&
        add(self, sym_and(self->t, out[0], out[1])))
      return true;
  }
  return false;
}

bool instances_linked(symtab *t, arena *scratch, const sym *facts, size_t n) {
  sym_vec flat = {0};
  query_flatten(t, scratch, facts, n, &flat);
  for (size_t i = 0; i < flat.count; i++)
    if (sym_kind_of(t, flat.at[i]) == SYM_EQ0 && links_instances(t, flat.at[i]))
      return true;
  return false;
}

void instances_unify(symtab *t, arena *scratch, memo_view *memo, sym_vec *facts,
                     sym *goal) {
  sweep s = {.t = t, .scratch = scratch, .memo = memo, .facts = facts};
  bool added = true;
  for (int round = 0; round < ROUNDS && added; round++) {
    query built;
    query_build(&built, scratch, t, facts->at, facts->count, goal, 1, CONE_ALL,
                false);
    s.cert = built.cert;
    s.known = facts->count;
    added = split_equalities(&s);
    if (congruence(&s, goal))
      added = true;
    if (recompose(&s))
      added = true;
    if (!added)
      added = split_ragged(&s);
  }
}
