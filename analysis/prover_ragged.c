/* analysis/prover_ragged.c: digits of varying width.
 *
 * Work that does not divide evenly is numbered off(r) + q: the r-th part
 * begins at off(r), and q counts within it (`r*per + min(r, extra) + q`). From
 * off(r) + q == off(r') + q' follows r == r' and q == q'. */
#include "analysis/query.h"

enum { STEPS = 400, CASES = 3, MOST_ATOMS = 16 };

/* A min or max in e, with its arms. */
static sym find_extremum(const ragged *self, sym e, sym arms[2]) {
  size_t n = sym_atoms(self->t, e, NULL, 0);
  sym *atoms = ARENA_ARRAY(self->scratch, sym, n + 1);
  sym_atoms(self->t, e, atoms, n);
  for (size_t i = 0; i < n; i++) {
    const sym *args;
    sym_kind kind = sym_kind_of(self->t, atoms[i]);
    if (kind != SYM_MIN && kind != SYM_MAX)
      continue;
    sym_operands(self->t, atoms[i], &args);
    arms[0] = args[0];
    arms[1] = args[1];
    return atoms[i];
  }
  return SYM_NONE;
}

/* Facts beside those of the question. */
typedef struct cases {
  sym at[CASES];
  size_t n;
} cases;

static bool is_known(const sym_vec *facts, sym goal) {
  for (size_t i = 0; i < facts->count; i++)
    if (facts->at[i] == goal)
      return true;
  return false;
}

static bool search(ragged *self, const sym_vec *facts, sym goal) {
  const query *built = query_cached(&self->queries, self->scratch, self->t,
                                    facts->at, facts->count, goal, CONE_NARROW);
  return built->cert->contradiction || cert_proves(built->cert, goal, STEPS);
}

static bool follows(ragged *self, const cases *more, sym goal) {
  sym_vec facts = {0};
  if (sym_kind_of(self->t, goal) == SYM_TRUE || is_known(self->facts, goal))
    return true;
  for (size_t i = 0; i < self->facts->count; i++)
    VEC_PUSH(self->scratch, &facts, self->facts->at[i]);
  for (size_t i = 0; i < more->n; i++)
    VEC_PUSH(self->scratch, &facts, more->at[i]);
  memo_answer *answer =
      self->memo ? memo_at(self->memo, MEMO_RAGGED, facts.at, facts.count, goal)
                 : NULL;
  if (answer && answer->known)
    return answer->proof.proved;
  bool proved = search(self, &facts, goal);
  if (answer)
    *answer = (memo_answer){.known = true, .proof = {.proved = proved}};
  return proved;
}

static bool proves(ragged *self, const cases *more, sym goal);

static bool proves_if(ragged *self, const cases *more, sym condition,
                      sym goal) {
  cases next = *more;
  next.at[next.n++] = condition;
  return proves(self, &next, goal);
}

/* By cases on each min and max of the goal that the facts do not decide.
 * Sound: one of the two cases holds, and in each the atom is that arm. */
static bool proves(ragged *self, const cases *more, sym goal) {
  symtab *t = self->t;
  sym arms[2] = {SYM_NONE, SYM_NONE};
  sym atom = find_extremum(self, goal, arms);
  if (atom == SYM_NONE)
    return follows(self, more, goal);
  bool is_min = sym_kind_of(t, atom) == SYM_MIN;
  /* What the atom is when the first arm is the smaller, or the larger. */
  sym low = arms[!is_min], high = arms[is_min];
  sym with_low = sym_substitute(t, goal, &atom, &low, 1);
  sym with_high = sym_substitute(t, goal, &atom, &high, 1);
  sym below = sym_le(t, arms[0], arms[1]), above = sym_ge(t, arms[0], arms[1]);
  if (follows(self, more, below))
    return proves(self, more, with_low);
  if (follows(self, more, above))
    return proves(self, more, with_high);
  if (more->n == CASES)
    return false;
  return (proves_if(self, more, below, with_low) &&
          proves_if(self, more, sym_not(t, below), with_high)) ||
         (proves_if(self, more, sym_not(t, above), with_low) &&
          proves_if(self, more, above, with_high));
}

static sym terms_with(const ragged *self, sym e, sym atom) {
  symtab *t = self->t;
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms);
  sym sum = sym_int(t, 0);
  for (size_t i = 0; i < n; i++) {
    sym product = sym_int(t, terms[i].coef);
    for (uint32_t k = 0; k < terms[i].atom_count; k++) {
      product = sym_mul(t, product, terms[i].atoms[k]);
      sym_terms(t, e, &terms); /* the table may have moved */
    }
    if (sym_mentions(t, product, atom))
      sum = sym_add(t, sum, product);
    sym_terms(t, e, &terms);
  }
  return sum;
}

/* rest == q - q' for two atoms. */
static bool is_difference(symtab *t, sym rest, sym *q, sym *other) {
  const sym_term *terms;
  if (sym_terms(t, rest, &terms) != 2 || terms[0].atom_count != 1 ||
      terms[1].atom_count != 1 || terms[0].coef + terms[1].coef != 0 ||
      (terms[0].coef != 1 && terms[0].coef != -1))
    return false;
  bool first = terms[0].coef == 1;
  *q = terms[!first].atoms[0];
  *other = terms[first].atoms[0];
  return true;
}

/* 0 <= q < off(r + 1) - off(r). */
static bool counts_within(ragged *self, sym q, sym width) {
  symtab *t = self->t;
  const cases none = {.n = 0};
  return proves(self, &none, sym_ge(t, q, sym_int(t, 0))) &&
         proves(self, &none, sym_lt(t, q, width));
}

/* r < s implies off(r + 1) <= off(s). */
static bool ascends(ragged *self, sym off, sym next, sym r, sym s) {
  symtab *t = self->t;
  const cases before = {.at = {sym_lt(t, r, s)}, .n = 1};
  sym later = sym_substitute(t, off, &r, &s, 1);
  return proves(self, &before, sym_le(t, next, later));
}

/* Sound: for r < r' the first sum is below off(r + 1), which is at most
 * off(r'), which is at most the second sum; and the reverse. So r == r', and
 * then q == q'. */
static bool try_digits(ragged *self, sym e, sym r, sym s, sym out[2]) {
  symtab *t = self->t;
  sym off = terms_with(self, e, r), later = terms_with(self, e, s), q, p;
  sym one = sym_int(t, 1);
  sym image = sym_substitute(t, off, &r, &s, 1);
  if (sym_mentions(t, off, s) || sym_add(t, image, later) != sym_int(t, 0) ||
      !is_difference(t, sym_sub(t, sym_sub(t, e, off), later), &q, &p) ||
      q == r || p == s)
    return false;
  sym up_r = sym_add(t, r, one), up_s = sym_add(t, s, one);
  sym next = sym_substitute(t, off, &r, &up_r, 1);
  sym next_s = sym_substitute(t, image, &s, &up_s, 1);
  if (!counts_within(self, q, sym_sub(t, next, off)) ||
      !counts_within(self, p, sym_sub(t, next_s, image)) ||
      !ascends(self, off, next, r, s) || !ascends(self, image, next_s, s, r))
    return false;
  out[0] = sym_eq(t, r, s);
  out[1] = sym_eq(t, q, p);
  return true;
}

/* The atoms that are factors of some term of e; at most MOST_ATOMS. */
static size_t factors(symtab *t, sym e, sym *out) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms), count = 0;
  for (size_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < terms[i].atom_count; k++) {
      size_t at = 0;
      while (at < count && out[at] != terms[i].atoms[k])
        at++;
      if (at == count && count < MOST_ATOMS)
        out[count++] = terms[i].atoms[k];
    }
  return count;
}

bool instances_ragged(ragged *self, sym e, sym out[2]) {
  symtab *t = self->t;
  const sym_term *terms;
  sym atoms[MOST_ATOMS];
  size_t n = factors(t, e, atoms);
  if (sym_terms(t, e, &terms) < 4)
    return false;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      if (i != k && sym_kind_of(t, atoms[i]) == sym_kind_of(t, atoms[k]) &&
          sym_roles(t, atoms[i]) >> ROLE_PROGRAM &&
          try_digits(self, e, atoms[i], atoms[k], out))
        return true;
  return false;
}
