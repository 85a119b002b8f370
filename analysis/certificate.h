/* analysis/certificate.h: proofs by a sum of products of facts (internal to
 * the prover).
 *
 * A `cert` is a set of facts `p >= 0` and `p == 0` about numbered atoms. The
 * number (rank) of an atom is its place in the order of elimination: later
 * defined atoms have higher ranks and are eliminated first. Its polynomials
 * are packed: a monomial is up to eight ranks in one word, highest first, so
 * that words compare as monomials do.
 *
 * Nothing here can prove too much by running out of room: facts that do not
 * fit are left out, and goals that do not fit are not proved. */
#ifndef ANALYSIS_CERTIFICATE_H
#define ANALYSIS_CERTIFICATE_H

#include "analysis/sym.h"
#include "base/panic.h"
#include "base/vec.h"

enum {
  CERT_RANKS = 255, /* atoms of one query */
  CERT_DEGREE = 8,  /* of one monomial */
  CERT_TERMS = 96,  /* of one polynomial in a search */
  CERT_FACTS = 400, /* of one query */
  CERT_STEPS = 60,  /* expansions of one search */
};

typedef uint64_t monomial; /* 0 is the constant monomial 1 */
#define NO_MONOMIAL UINT64_MAX

typedef struct cterm {
  monomial m;
  int64_t c;
} cterm;
/* Sorted by descending monomial, no zero coefficients. */
typedef struct cpoly {
  const cterm *at;
  uint32_t n;
} cpoly;
typedef VEC(cpoly) cpoly_vec;

/* A closed interval; ends beyond +-2^62 are infinite. */
typedef struct range {
  int128 lo, hi;
} range;
#define RANGE_INF (((int128)1) << 126)

/* Ranges of monomials seen lately; valid for one version of the atoms'
 * ranges. Versions only go up, also when a cert is restored from a copy. */
enum { RANGE_CACHE = 256 };
typedef struct range_cache {
  uint64_t version;
  struct {
    monomial m;
    uint64_t version;
    range value;
  } at[RANGE_CACHE];
} range_cache;

typedef struct cert {
  symtab *t;
  arena *scratch;
  sym atoms[CERT_RANKS + 1]; /* by rank, from 1 */
  uint32_t atom_count;
  uint8_t *rank_of; /* by handle, 0: not an atom of this query */
  size_t rank_room;
  range ranges[CERT_RANKS + 1];
  bool solved[CERT_RANKS + 1]; /* replaced by the polynomial below */
  cpoly value[CERT_RANKS + 1];
  range_cache *cache;
  cpoly_vec ge, eq;    /* p >= 0, p == 0 */
  bool contradiction;  /* a fact is false: everything follows */
  bool bounds_changed; /* since the last propagation */
  size_t bound_facts;  /* range facts were derived up to here */
  uint64_t steps;      /* spent so far, for statistics */
} cert;

cert *cert_create(arena *scratch, symtab *t, const sym *atoms, size_t n);

/* Polynomials (cert_poly.c). All fail, returning false, on overflow, too many
 * terms, too high a degree or an atom without a rank. */
bool cpoly_from_sym(const cert *self, sym e, cpoly *out);
sym cpoly_to_sym(const cert *self, cpoly p);
/* x*a + y*m*b. */
bool cpoly_combine(arena *scratch, cpoly a, int64_t x, cpoly b, int64_t y,
                   monomial m, cpoly *out);
bool cpoly_multiply(arena *scratch, cpoly a, cpoly b, cpoly *out);
cpoly cpoly_constant(arena *scratch, int64_t value);
bool cpoly_is_constant(cpoly p, int64_t *value);
/* a == b*q + rest with no term of rest divisible by the leading one of b. */
bool cpoly_divide(arena *scratch, cpoly a, cpoly b, cpoly *q, cpoly *rest);
/* Each occurrence of the atom replaced. */
bool cpoly_replace(arena *scratch, cpoly p, uint8_t rank, cpoly by, cpoly *out);
/* All atoms that have been solved replaced. */
bool cpoly_apply_solved(const cert *self, cpoly p, cpoly *out);
/* p >= 0 in its equivalent form with coprime coefficients. */
cpoly cpoly_tighten(arena *scratch, cpoly p);
bool cpoly_same(cpoly a, cpoly b);
uint64_t cpoly_hash(cpoly p);
monomial monomial_times(monomial a, monomial b);  /* or NO_MONOMIAL */
monomial monomial_divide(monomial a, monomial b); /* or NO_MONOMIAL */
monomial monomial_gcd(monomial a, monomial b);
static inline monomial monomial_of(uint8_t rank) {
  return (monomial)rank << 56;
}
static inline uint8_t monomial_rank(monomial m, int place) {
  return (uint8_t)(m >> (56 - 8 * place));
}
/* Greatest monomial that divides all non-constant terms; 0 when none. */
monomial cpoly_common(cpoly p);
int64_t cpoly_constant_term(cpoly p);

/* Intervals (cert_bounds.c). */
range range_all(void);
range monomial_range(const cert *self, monomial m);
range cpoly_range(const cert *self, cpoly p);
/* What a term is at least; -RANGE_INF when unbounded. */
int128 term_least(const cert *self, cterm term);
/* A polynomial that is at most p, in `room` (CERT_TERMS of them): negative
 * terms are paid for by multiples of them (S*x - x is not negative for S >= 1
 * and x >= 0). */
cpoly cpoly_absorbed(const cert *self, cpoly p, cterm *room);
/* Tightens the ranges of atoms from the facts, a bounded number of rounds. */
void cert_propagate(cert *self);

/* Facts (certificate.c). `fact` is GE0, EQ0 or a conjunction of such; other
 * truth values are ignored. */
void cert_assume(cert *self, sym fact);
void cert_assume_ge(cert *self, cpoly p);
void cert_assume_eq(cert *self, cpoly p);
/* An equality that is kept as it is, not used up. */
void cert_keep_eq(cert *self, cpoly p);
/* Replaces an atom by a polynomial that equals it, everywhere; false when
 * that is not possible (nothing has changed then). */
bool cert_solve(cert *self, uint8_t rank, cpoly value);
/* Divides common positive factors out of facts, adds ranges as facts. */
void cert_saturate(cert *self);

/* Goals. */
bool cert_bounds_ge(cert *self, sym p);
bool cert_proves_ge(cert *self, sym p, unsigned steps);
bool cpoly_bounds_ge(cert *self, cpoly p);
bool cpoly_proves_ge(cert *self, cpoly p, unsigned steps);
/* A goal p with min, max and select atoms replaced case by case. */
bool cert_proves_by_cases(cert *self, sym p, unsigned steps, int depth);
/* GE0, EQ0 and NE0 literals and their connectives, by bounds and
 * certificates. */
bool cert_proves(cert *self, sym goal, unsigned steps);

/* Quotients (cert_quotient.c): facts that follow from the facts so far about
 * q = a // b, where b > 0 is known. The cut version is in the file. */
void cert_quotient_bounds(cert *self, sym q, sym a, sym b);

/* Definitions (definitions.c): facts about all atoms of the cert, in order.
 * What holds without conditions goes into the cert; everything, the guarded
 * rest included, is appended to `formulas` for the solver. With `exact` the
 * formulas determine each atom whose divisor is not zero (for models). */
typedef VEC(sym) sym_vec;
void definitions_add(cert *self, bool exact, sym_vec *formulas);
/* Atoms that the definition of an atom mentions beside its operands (the
 * quotient of a remainder): pushed to `out`. */
void definitions_twins(symtab *t, arena *scratch, sym atom, sym_vec *out);

#endif
