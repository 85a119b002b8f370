/* analysis/sym.h: hash-consed symbolic integers and truth values.
 *
 * A sym is a 32-bit handle into a table; equal handles mean equal expressions
 * (never the reverse). All integers are mathematical: unbounded, no wrapping.
 * An integer sym is a polynomial with int64 coefficients over atoms, where an
 * atom is a variable or one of // % (floor and truncating), min, max, select,
 * next_pow2 and applications of uninterpreted functions. A truth value is a
 * constant, a comparison of a polynomial with 0, a connective, or an
 * uninterpreted predicate.
 *
 * Normal forms are made on construction: constants fold, sums and products are
 * distributed and sorted, comparisons are `p >= 0`, `p == 0`, or a negated
 * equality, conjunctions are flattened and sorted, negation is pushed inwards.
 * A coefficient that would overflow turns the whole result into an unknown
 * (see sym_unknown), which is sound for proofs and marked inexact. */
#ifndef ANALYSIS_SYM_H
#define ANALYSIS_SYM_H

#include "base/arena.h"
#include "base/checked.h"
#include "base/strbuf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t sym; /* 0 (SYM_NONE) is no expression */
#define SYM_NONE ((sym)0)

typedef struct symtab symtab; /* kernel arena */

/* What a variable stands for; decides the order in which the prover
 * eliminates (later roles first) and how a model is reported. */
typedef enum sym_role {
  ROLE_SIZE,    /* tensor extent or plain integer of the host */
  ROLE_STRIDE,  /* stride or offset of a tensor, in elements */
  ROLE_CONST,   /* constexpr: block size, tuning number */
  ROLE_GRID,    /* number of programs on an axis */
  ROLE_PROGRAM, /* program id on an axis */
  ROLE_TURN,    /* loop turn, counted from 0 */
  ROLE_LANE,    /* lane index of a tile axis */
  ROLE_UNKNOWN, /* a value that the analysis lost; makes a sym inexact */
} sym_role;

typedef enum sym_kind {
  SYM_INT,      /* constant */
  SYM_VAR,      /* variable */
  SYM_POLY,     /* two terms or more, or coefficient != 1, or a product */
  SYM_FDIV,     /* floor(a / b) */
  SYM_FMOD,     /* a - b * floor(a / b) */
  SYM_TDIV,     /* truncating quotient, as C */
  SYM_TMOD,     /* truncating remainder, as C */
  SYM_MIN,      /* of two */
  SYM_MAX,      /* of two */
  SYM_SELECT,   /* condition ? a : b */
  SYM_POW2CEIL, /* least power of two >= x (0 for 0, 1 for x < 0) */
  SYM_APPLY,    /* uninterpreted integer function of its arguments */
  SYM_TRUE,
  SYM_FALSE,
  SYM_GE0,    /* p >= 0 */
  SYM_EQ0,    /* p == 0 */
  SYM_NE0,    /* p != 0 */
  SYM_AND,    /* two operands or more */
  SYM_OR,     /* two operands or more */
  SYM_NOT,    /* only of SYM_APPLYB or SYM_ISPOW2 */
  SYM_APPLYB, /* uninterpreted predicate of its arguments */
  SYM_ISPOW2, /* x is a power of two (x >= 1) */
} sym_kind;

symtab *symtab_create(arena *kernel);
size_t symtab_count(const symtab *self); /* handles in use: 1..count */

sym sym_int(symtab *t, int64_t value);
/* A variable; one handle for each (role, name). The name is copied. */
sym sym_var(symtab *t, sym_role role, const char *name);
/* A fresh variable of role ROLE_UNKNOWN, different from all others. */
sym sym_unknown(symtab *t);

sym sym_add(symtab *t, sym a, sym b);
sym sym_sub(symtab *t, sym a, sym b);
sym sym_neg(symtab *t, sym a);
sym sym_mul(symtab *t, sym a, sym b);
/* Division by a constant 0 gives an unknown. */
sym sym_fdiv(symtab *t, sym a, sym b);
sym sym_fmod(symtab *t, sym a, sym b);
sym sym_tdiv(symtab *t, sym a, sym b);
sym sym_tmod(symtab *t, sym a, sym b);
/* (a + b - 1) // b, always built the same way so that host and kernel share
 * one atom. */
sym sym_cdiv(symtab *t, sym a, sym b);
sym sym_min(symtab *t, sym a, sym b);
sym sym_max(symtab *t, sym a, sym b);
sym sym_select(symtab *t, sym cond, sym a, sym b);
sym sym_pow2ceil(symtab *t, sym a);
/* Uninterpreted function number `fn` (the caller's numbering) of n args. */
sym sym_apply(symtab *t, uint32_t fn, const sym *args, size_t n);
sym sym_apply_bool(symtab *t, uint32_t fn, const sym *args, size_t n);
/* The name that sym_print gives to function or predicate number `fn`. */
void sym_name_fn(symtab *t, uint32_t fn, const char *name);

sym sym_true(symtab *t);
sym sym_false(symtab *t);
sym sym_bool(symtab *t, bool value);
sym sym_ge(symtab *t, sym a, sym b);
sym sym_gt(symtab *t, sym a, sym b);
sym sym_le(symtab *t, sym a, sym b);
sym sym_lt(symtab *t, sym a, sym b);
sym sym_eq(symtab *t, sym a, sym b);
sym sym_ne(symtab *t, sym a, sym b);
sym sym_and(symtab *t, sym a, sym b);
sym sym_or(symtab *t, sym a, sym b);
sym sym_not(symtab *t, sym a);
sym sym_ispow2(symtab *t, sym a);
/* Conjunction of n facts. */
sym sym_and_all(symtab *t, const sym *facts, size_t n);

/* Looking at an expression. */
sym_kind sym_kind_of(const symtab *t, sym e);
bool sym_is_bool(const symtab *t, sym e);
bool sym_is_int(const symtab *t, sym e, int64_t *value);
sym_role sym_var_role(const symtab *t, sym var);
const char *sym_var_name(const symtab *t, sym var);
/* Operands of any kind but SYM_POLY (0 for leaves). For GE0, EQ0 and NE0 the
 * one operand is the polynomial. */
size_t sym_operands(const symtab *t, sym e, const sym **operands);
uint32_t sym_apply_fn(const symtab *t, sym e);
/* Any integer sym as a polynomial: terms coef * atom[0] * atom[1] ...; a
 * constant is one term without atoms, 0 has no terms. Atoms repeat for
 * powers. The arrays live as long as the table. */
typedef struct sym_term {
  int64_t coef;
  const sym *atoms;
  uint32_t atom_count;
} sym_term;
size_t sym_terms(const symtab *t, sym e, const sym_term **terms);
/* A hash of names and shape, the same in every table and whatever was created
 * before: for orders that have to repeat. */
uint64_t sym_structural_hash(const symtab *t, sym e);
/* A bit (1 << sym_role) for each role that occurs anywhere in e. */
uint8_t sym_roles(const symtab *t, sym e);
/* Exact quotient polynomial: e == divisor * quotient + rest where no term of
 * rest is divisible by the leading term of divisor. */
void sym_poly_divide(symtab *t, sym e, sym divisor, sym *quotient, sym *rest);

/* True when `var` (any atom) occurs anywhere in e. */
bool sym_mentions(const symtab *t, sym e, sym var);
/* True when some variable of that role occurs anywhere in e. */
bool sym_mentions_role(const symtab *t, sym e, sym_role role);
/* Exact: holds no ROLE_UNKNOWN variable and no uninterpreted application. */
bool sym_is_exact(const symtab *t, sym e);
/* All variables (SYM_VAR) of e, each once, in handle order; appended to out,
 * which has room for cap; returns how many there are (may exceed cap). */
size_t sym_variables(const symtab *t, sym e, sym *out, size_t cap);
/* All atoms of any kind with their inner ones (a // b, min, apply, ...). */
size_t sym_atoms(const symtab *t, sym e, sym *out, size_t cap);

/* e with each from[i] (an atom) replaced by to[i], at once, rebuilt in normal
 * form. */
sym sym_substitute(symtab *t, sym e, const sym *from, const sym *to, size_t n);

/* Value under an assignment. `value_of` gives the value of a variable or of an
 * SYM_APPLY/SYM_APPLYB atom; returns false when it has none. False also on
 * division by zero or when an intermediate leaves 127 bits. Truth is 0 or 1. */
typedef bool (*sym_lookup)(void *context, const symtab *t, sym atom,
                           int64_t *value);
bool sym_eval(const symtab *t, sym e, sym_lookup lookup, void *context,
              int64_t *value);
/* The same for values beyond 64 bits: false when it leaves 126. */
bool sym_eval_wide(const symtab *t, sym e, sym_lookup lookup, void *context,
                   int128 *value);

/* Python-like text: `pid0*BLOCK + lane0 < n_elements`, `cdiv(M, BLOCK_M)`,
 * `(a + b)//c`, `min(a, b)`, `a if c else b`. Parsable, positive terms first,
 * the constant last; comparisons are printed with both sides positive. */
void sym_print(const symtab *t, sym e, strbuf *out);
const char *sym_text(const symtab *t, sym e, arena *arena);

#endif
