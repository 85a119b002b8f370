/* analysis/bound.c: judge_upper_bound: the numbers of the caller that a value
 * stays below, for requirements.
 *
 * Masks and loop conditions state bounds; where none does, each id, turn and
 * lane goes to its last value, the indices of an address axis by axis. What is
 * found this way is a guess, and the prover is asked whether it bounds. */
#include "analysis/judge_state.h"

enum { BOUND_DEPTH = 8 };

typedef struct bound_search {
  judge *judge;
  symtab *t;
  const sym_vec *facts;
  int depth;
} bound_search;

static sym highest(bound_search *b, sym e);
static sym lowest(bound_search *b, sym e);

/* A condition is worth something only in numbers that a caller can see. */
static bool caller_sees(const judge *self, sym e) {
  const tile_program *p = self->program;
  for (size_t i = 0; i < exprs_symbol_count(p->exprs); i++)
    if (launch_hides(p, i) &&
        sym_mentions(self->syms, e, self->launch->symbol[i]))
      return false;
  return true;
}

static bool is_final(const bound_search *b, sym e) {
  return judge_is_launch_level(b->judge, e) && caller_sees(b->judge, e);
}

/* Short ones first, then sizes before blocks. */
static size_t cost(const bound_search *b, sym e) {
  const sym_term *terms;
  size_t n = 2 * sym_terms(b->t, e, &terms);
  return n + sym_mentions_role(b->t, e, ROLE_CONST);
}

/* Of equals the later: what stands last is the mask. */
static sym cheaper(const bound_search *b, sym have, sym other) {
  if (other == SYM_NONE)
    return have;
  return have == SYM_NONE || cost(b, other) <= cost(b, have) ? other : have;
}

/* Terms with an atom. */
static size_t varying(const symtab *t, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(t, e, &terms), out = 0;
  for (size_t i = 0; i < n; i++)
    out += terms[i].atom_count > 0;
  return out;
}

/* --------------------------------------------------------- stated bounds */

/* A limit that holds for whatever a caller does, not a number of his. */
static bool is_general_limit(const symtab *t, sym e) {
  enum { LARGEST_TILE = 1 << 20 };
  int64_t n;
  return sym_is_int(t, e, &n) && n >= LARGEST_TILE - 1;
}

/* The fact p >= 0 says e <= p + e. A bound when nothing of e is left in it:
 * what is left may stay below a number of the caller's in turn. */
static sym by_fact(bound_search *b, sym fact, sym e) {
  symtab *t = b->t;
  const sym *operands;
  if (!sym_is_bool(t, fact))
    return SYM_NONE;
  size_t n = sym_operands(t, fact, &operands);
  sym best = SYM_NONE;
  if (sym_kind_of(t, fact) == SYM_AND)
    for (size_t i = 0; i < n; i++)
      best = cheaper(b, best, by_fact(b, operands[i], e));
  if (sym_kind_of(t, fact) != SYM_GE0)
    return best;
  sym rest = sym_add(t, operands[0], e);
  if (is_final(b, rest))
    return is_general_limit(t, rest) ? SYM_NONE : rest;
  size_t before = varying(t, operands[0]), own = varying(t, e);
  if (own > before || varying(t, rest) + own > before)
    return SYM_NONE;
  return highest(b, rest);
}

static sym stated(bound_search *b, sym e) {
  sym best = SYM_NONE;
  for (size_t i = 0; i < b->facts->count; i++)
    best = cheaper(b, best, by_fact(b, b->facts->at[i], e));
  return best;
}

/* ------------------------------------------------------------ last values */

static bool is_stride(const bound_search *b, sym atom) {
  if (sym_kind_of(b->t, atom) != SYM_VAR)
    return false;
  sym_role role = sym_var_role(b->t, atom);
  return role == ROLE_SIZE || role == ROLE_STRIDE;
}

/* coef * the term's atoms at their highest or lowest values. */
static sym term_at_end(bound_search *b, const sym_term *term, bool high) {
  sym out = sym_int(b->t, term->coef);
  bool up = high == (term->coef > 0);
  for (uint32_t k = 0; k < term->atom_count; k++) {
    sym end = up ? highest(b, term->atoms[k]) : lowest(b, term->atoms[k]);
    if (end == SYM_NONE)
      return SYM_NONE;
    out = sym_mul(b->t, out, end);
  }
  return out;
}

static sym terms_at_end(bound_search *b, sym e, bool high) {
  const sym_term *terms;
  size_t n = sym_terms(b->t, e, &terms);
  sym out = sym_int(b->t, 0);
  for (size_t i = 0; i < n; i++) {
    sym end = term_at_end(b, &terms[i], high);
    if (end == SYM_NONE)
      return SYM_NONE;
    out = sym_add(b->t, out, end);
  }
  return out;
}

/* The product of the sizes and strides of a term that varies; 1 of another. */
static sym stride_of(const bound_search *b, const sym_term *term, sym *rest) {
  sym stride = sym_int(b->t, 1);
  bool varies = false;
  *rest = sym_int(b->t, term->coef);
  for (uint32_t k = 0; k < term->atom_count; k++)
    varies = varies || !judge_is_launch_level(b->judge, term->atoms[k]);
  for (uint32_t k = 0; k < term->atom_count; k++) {
    sym *part = varies && is_stride(b, term->atoms[k]) ? &stride : rest;
    *part = sym_mul(b->t, *part, term->atoms[k]);
  }
  return stride;
}

/* The sum of the terms of e with that stride, by the stride. */
static sym index_at(const bound_search *b, sym e, sym stride) {
  const sym_term *terms;
  size_t n = sym_terms(b->t, e, &terms);
  sym out = sym_int(b->t, 0), rest;
  for (size_t i = 0; i < n; i++)
    if (stride_of(b, &terms[i], &rest) == stride)
      out = sym_add(b->t, out, rest);
  return out;
}

/* An address, axis by axis: each index at its bound. */
static sym axes_at_end(bound_search *b, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(b->t, e, &terms);
  sym out = sym_int(b->t, 0), one = sym_int(b->t, 1), rest;
  for (size_t i = 0; i < n; i++) {
    sym stride = stride_of(b, &terms[i], &rest);
    bool seen = false;
    for (size_t k = 0; k < i && !seen; k++)
      seen = stride_of(b, &terms[k], &rest) == stride;
    if (seen)
      continue;
    sym index = index_at(b, e, stride);
    sym end = index == e && stride == one ? terms_at_end(b, e, true)
                                          : highest(b, index);
    if (end == SYM_NONE)
      return SYM_NONE;
    out = sym_add(b->t, out, sym_mul(b->t, stride, end));
  }
  return out;
}

static bool is_inner(const bound_search *b, sym atom) {
  sym_role role = sym_var_role(b->t, atom);
  return role == ROLE_PROGRAM || role == ROLE_TURN || role == ROLE_LANE;
}

static sym quotient_at_end(bound_search *b, sym_kind kind, const sym *of,
                           bool high) {
  sym above = high ? highest(b, of[0]) : lowest(b, of[0]);
  if (above == SYM_NONE || !is_final(b, of[1]))
    return SYM_NONE;
  return kind == SYM_FDIV ? sym_fdiv(b->t, above, of[1])
                          : sym_tdiv(b->t, above, of[1]);
}

static sym larger_of(const bound_search *b, sym x, sym y) {
  return x == SYM_NONE || y == SYM_NONE ? SYM_NONE
         : x == y                       ? x
                                        : sym_max(b->t, x, y);
}

static sym by_shape(bound_search *b, sym e) {
  symtab *t = b->t;
  sym_kind kind = sym_kind_of(t, e);
  const sym *of;
  if (kind == SYM_POLY)
    return axes_at_end(b, e);
  size_t n = sym_operands(t, e, &of);
  if (kind == SYM_MIN)
    return cheaper(b, highest(b, of[0]), highest(b, of[1]));
  if (kind == SYM_MAX || kind == SYM_SELECT)
    return larger_of(b, highest(b, of[n - 2]), highest(b, of[n - 1]));
  if (kind == SYM_FDIV || kind == SYM_TDIV)
    return quotient_at_end(b, kind, of, true);
  if (kind != SYM_FMOD && kind != SYM_TMOD)
    return SYM_NONE;
  sym end = highest(b, of[1]);
  return end == SYM_NONE ? end : sym_sub(t, end, sym_int(t, 1));
}

static sym least_by_shape(bound_search *b, sym e) {
  sym_kind kind = sym_kind_of(b->t, e);
  const sym *of;
  if (kind == SYM_POLY)
    return terms_at_end(b, e, false);
  sym_operands(b->t, e, &of);
  if (kind == SYM_MAX)
    return cheaper(b, lowest(b, of[0]), lowest(b, of[1]));
  if (kind == SYM_FDIV || kind == SYM_TDIV)
    return quotient_at_end(b, kind, of, false);
  bool from_zero =
      kind == SYM_VAR ? is_inner(b, e) : kind == SYM_FMOD || kind == SYM_TMOD;
  return from_zero ? sym_int(b->t, 0) : SYM_NONE;
}

/* A guess at the most that e can be, in the caller's numbers; SYM_NONE when
 * there is none. */
static sym highest(bound_search *b, sym e) {
  if (is_final(b, e))
    return e;
  if (b->depth >= BOUND_DEPTH)
    return SYM_NONE;
  b->depth++;
  sym out = stated(b, e);
  if (out == SYM_NONE)
    out = by_shape(b, e);
  b->depth--;
  return out;
}

/* ... at the least. */
static sym lowest(bound_search *b, sym e) {
  if (is_final(b, e))
    return e;
  if (b->depth >= BOUND_DEPTH)
    return SYM_NONE;
  b->depth++;
  sym out = least_by_shape(b, e);
  b->depth--;
  return out;
}

/* Sound: a stated bound in the caller's numbers follows from one fact; every
 * other is proved. */
sym judge_upper_bound(judge *self, const sym_vec *facts, sym e) {
  bound_search b = {.judge = self, .t = self->syms, .facts = facts};
  sym one = sym_int(b.t, 1);
  if (judge_is_launch_level(self, e))
    return caller_sees(self, e) ? sym_add(b.t, e, one) : SYM_NONE;
  sym last = highest(&b, e);
  if (last == SYM_NONE || !judge_implies(self, facts, sym_le(b.t, e, last)))
    return SYM_NONE;
  return sym_add(b.t, last, one);
}
