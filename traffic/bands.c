/* traffic/bands.c: bands of the first programs as formulas. */
#include "traffic/bands.h"
#include "analysis/count.h"

enum { MOST_ATOMS = 64, MOST_PARTS = 8 };

typedef struct reader {
  judge *judge;
  const launch *launch;
  symtab *t;
  sym number;   /* of the program: q */
  sym programs; /* P */
  sym divisor;  /* q is taken to be less; SYM_NONE: nothing is taken so */
} reader;

/* What decides the band: q, q % z, q // z. */
typedef struct parts {
  sym at[MOST_PARTS];
  size_t count;
  bool failed;
} parts;

static bool has_number(const reader *r, sym e) {
  return sym_mentions(r->t, e, r->number);
}

static bool is_moving(const reader *r, sym e) {
  return sym_mentions_role(r->t, e, ROLE_LANE) ||
         sym_mentions_role(r->t, e, ROLE_TURN);
}

/* Ids as parts of the program's number: axis 0 counts fastest. */
static sym in_number(const reader *r, sym e) {
  const launch *l = r->launch;
  int64_t one;
  bool flat = sym_is_int(r->t, l->grid[1], &one) && one == 1;
  sym to[2] = {flat ? r->number : sym_fmod(r->t, r->number, l->grid[0]),
               sym_fdiv(r->t, r->number, l->grid[0])};
  size_t n = sym_kind_of(r->t, l->pid[1]) == SYM_VAR ? 2 : 1;
  return sym_kind_of(r->t, l->pid[0]) == SYM_VAR
             ? sym_substitute(r->t, e, l->pid, to, n)
             : e;
}

/* e where q < divisor. Sound: q is not negative, so q // divisor is 0 and
 * q % divisor is q. */
static sym assume(const reader *r, sym e) {
  if (r->divisor == SYM_NONE)
    return e;
  sym from[2] = {sym_fdiv(r->t, r->number, r->divisor),
                 sym_fmod(r->t, r->number, r->divisor)};
  sym to[2] = {sym_int(r->t, 0), r->number};
  size_t n = sym_kind_of(r->t, from[1]) == SYM_FMOD ? 2 : 1;
  if (sym_kind_of(r->t, from[0]) != SYM_FDIV)
    return e;
  return sym_substitute(r->t, e, from, to, n);
}

static void add_part(parts *p, sym e) {
  for (size_t i = 0; i < p->count; i++)
    if (p->at[i] == e)
      return;
  if (p->count < MOST_PARTS)
    p->at[p->count++] = e;
  else
    p->failed = true;
}

static void gather(const reader *r, sym e, parts *out);

static void gather_term(const reader *r, const sym_term *term, parts *out) {
  for (uint32_t i = 0; i < term->atom_count; i++)
    gather(r, term->atoms[i], out);
}

/* Every part of e that has the number in it, but neither lanes nor turns, is
 * made of parts in `out`, or that has failed. */
static void gather(const reader *r, sym e, parts *out) {
  const sym *operands;
  const sym_term *terms;
  if (!has_number(r, e))
    return;
  sym_kind kind = sym_kind_of(r->t, e);
  bool quotient = kind == SYM_FDIV || kind == SYM_FMOD;
  if (e == r->number) {
    add_part(out, e);
  } else if (kind == SYM_POLY) {
    size_t n = sym_terms(r->t, e, &terms);
    for (size_t i = 0; i < n; i++)
      gather_term(r, &terms[i], out);
  } else if (quotient && !is_moving(r, e)) {
    sym_operands(r->t, e, &operands);
    if (operands[0] == r->number && !has_number(r, operands[1]))
      add_part(out, e);
    else
      out->failed = true;
  } else {
    size_t n = sym_operands(r->t, e, &operands);
    for (size_t i = 0; i < n; i++)
      gather(r, operands[i], out);
  }
}

static sym divisor_of(const reader *r, sym part) {
  const sym *operands;
  sym_operands(r->t, part, &operands);
  return operands[1];
}

/* Different values of all parts together for q from 0 to P - 1; SYM_NONE: not
 * known. Sound: q has P values, q % z those from 0 to min(P, z) - 1, q // z
 * those from 0 to cdiv(P, z) - 1; q tells all of them, and so do q % z and
 * q // z together. */
static sym count_values(const reader *r, const parts *p) {
  if (p->failed)
    return SYM_NONE;
  if (p->count == 0)
    return sym_int(r->t, 1);
  for (size_t i = 0; i < p->count; i++)
    if (p->at[i] == r->number)
      return r->programs;
  sym z = divisor_of(r, p->at[0]);
  if (p->count == 2 && divisor_of(r, p->at[1]) == z &&
      sym_kind_of(r->t, p->at[0]) != sym_kind_of(r->t, p->at[1]))
    return r->programs;
  if (p->count > 1)
    return SYM_NONE;
  return sym_kind_of(r->t, p->at[0]) == SYM_FMOD
             ? sym_min(r->t, r->programs, z)
             : sym_cdiv(r->t, r->programs, z);
}

static void gather_from(const reader *r, sym e, parts *out) {
  gather(r, assume(r, in_number(r, e)), out);
}

/* Over all accesses of the tensor in this direction. */
static sym formula_of(const reader *r, uint32_t tensor, direction d) {
  const interp_result *result = judge_result(r->judge);
  parts p = {.failed = false};
  for (size_t i = 0; i < result->accesses.count; i++) {
    const access *a = &result->accesses.at[i];
    bool fits =
        d == READS ? a->effect != EFFECT_WRITE : a->effect != EFFECT_READ;
    if (a->pointer.form != VALUE_POINTER || a->pointer.tensor != tensor ||
        !fits)
      continue;
    gather_from(r, a->pointer.of, &p);
    gather_from(r, a->mask, &p);
    for (size_t k = 0; k < a->facts.count; k++)
      gather_from(r, a->facts.at[k], &p);
  }
  return count_values(r, &p);
}

/* ------------------------------------------------------------------ values */

typedef struct place {
  const sizes *sizes;
  int64_t first;
  sym programs;
} place;

static bool value_of(void *context, const symtab *t, sym atom, int64_t *value) {
  const place *p = context;
  const launch *l = p->sizes->launch;
  *value = p->first;
  if (atom == p->programs)
    return true;
  if (sym_kind_of(t, atom) != SYM_VAR)
    return false;
  expr e = exprs_find(l->program->exprs, sym_var_name(t, atom));
  return e != EXPR_NONE && sizes_number(p->sizes, launch_sym(l, e), value);
}

static const char *text_of(arena *arena, const reader *r, sym e) {
  strbuf out = strbuf_make(arena);
  count_print(r->t, count_rename(r->judge, count_simplify(r->judge, e)), &out);
  return out.text;
}

/* The uses whose bands are as many as a formula says. */
static band_formulas find_under(arena *arena, const reader *r, place *at,
                                const footprint *f) {
  band_formulas out = {0};
  int64_t value;
  if (r->divisor != SYM_NONE &&
      (!sym_eval(r->t, r->divisor, value_of, at, &value) || at->first > value))
    return out;
  for (size_t i = 0; i < f->uses.count; i++) {
    const footprint_use *use = &f->uses.at[i];
    sym e = formula_of(r, use->number, use->direction);
    if (e == SYM_NONE || !sym_eval(r->t, e, value_of, at, &value) ||
        use->bands != (uint64_t)value)
      continue;
    band_formula row = {use->tensor, use->direction, text_of(arena, r, e)};
    VEC_PUSH(arena, &out.all, row);
  }
  if (r->divisor != SYM_NONE)
    out.limit = text_of(arena, r, r->divisor);
  return out;
}

/* Divisors of the program's number, in the order in which they are met. */
static size_t divisors(const reader *r, sym *out) {
  const interp_result *result = judge_result(r->judge);
  size_t n = 0;
  for (size_t i = 0; i < result->accesses.count; i++) {
    const access *a = &result->accesses.at[i];
    sym atoms[MOST_ATOMS], *known = out;
    if (a->pointer.form != VALUE_POINTER || a->pointer.of == SYM_NONE)
      continue;
    size_t found =
        sym_atoms(r->t, in_number(r, a->pointer.of), atoms, MOST_ATOMS);
    for (size_t k = 0; k < found && k < MOST_ATOMS && n < MOST_PARTS; k++) {
      const sym *operands;
      bool repeated = false;
      if (sym_kind_of(r->t, atoms[k]) != SYM_FDIV)
        continue;
      sym_operands(r->t, atoms[k], &operands);
      for (size_t m = 0; m < n; m++)
        repeated = repeated || known[m] == operands[1];
      if (operands[0] == r->number && !has_number(r, operands[1]) && !repeated)
        out[n++] = operands[1];
    }
  }
  return n;
}

band_formulas bands_find(arena *arena, judge *free, const sizes *sizes,
                         const footprint *f) {
  const launch *l = judge_launch(free);
  int64_t one;
  sym limits[MOST_PARTS];
  band_formulas best = {0};
  if (!sym_is_int(l->syms, l->grid[2], &one) || one != 1 ||
      exprs_find(l->program->exprs, "P") != EXPR_NONE)
    return best;
  reader r = {.judge = free,
              .launch = l,
              .t = l->syms,
              .number = sym_var(l->syms, ROLE_PROGRAM, "q"),
              .programs = sym_var(l->syms, ROLE_SIZE, "P")};
  place at = {sizes, f->first, r.programs};
  best = find_under(arena, &r, &at, f);
  size_t n = divisors(&r, limits);
  for (size_t i = 0; i < n; i++) {
    r.divisor = limits[i];
    band_formulas next = find_under(arena, &r, &at, f);
    if (next.all.count > best.all.count)
      best = next;
  }
  return best;
}
