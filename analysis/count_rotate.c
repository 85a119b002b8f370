/* analysis/count_rotate.c: an order within a group, turned in a circle.
 *
 * A grouped order takes the row within a group as v % b, of the whole number v
 * and not of its place v % (n*G) in the group: the same rows, begun elsewhere.
 * (v % (n*G)) % b may take its place.
 * Sound: let 0 <= v < n*A with n, G >= 1, q = v // (n*G), r = v % (n*G) and
 * b = min(G, A - G*q). The numbers with one q have 0 <= r < n*b, as n*A - n*G*q
 * is n*(A - G*q); b >= 1 as one of them exists. So those with one q and one
 * r // b are b in a row, and v % b and r % b both take each value below b once
 * on them. If v occurs only in q, r // b and v % b, exchanging the two
 * permutes points that agree in everything else. */
#include "analysis/count_space.h"

typedef struct rotation {
  counter *c;
  const space *s;
  sym v, upper; /* 0 <= v < upper */
  sym row;      /* v % b */
  sym group;    /* q */
  sym column;   /* r // b */
  sym turned;   /* r % b */
} rotation;

static bool positive(const rotation *r, sym e) {
  sym goal = sym_ge(r->c->t, e, sym_int(r->c->t, 1));
  return count_knows(r->c, &r->s->facts, goal);
}

/* b = min(size, rest) with rest = A - size*q, q = v // (n*size), and
 * upper = n*A. */
static bool is_group(rotation *r, sym b, sym size, sym rest) {
  symtab *t = r->c->t;
  const sym *args;
  sym atoms[16], coef, rows, n, left;
  size_t count = sym_atoms(t, rest, atoms, 16);
  for (size_t i = 0; i < count && i < 16; i++) {
    if (sym_kind_of(t, atoms[i]) != SYM_FDIV ||
        !count_linear(r->c, rest, atoms[i], &coef, &rows))
      continue;
    sym_operands(t, atoms[i], &args);
    if (args[0] != r->v || coef != sym_neg(t, size) || count_moves(r->c, rows))
      continue;
    sym whole = args[1];
    sym_poly_divide(t, whole, size, &n, &left);
    if (left != sym_int(t, 0) || r->upper != sym_mul(t, n, rows) ||
        !positive(r, size) || !positive(r, n))
      continue;
    sym place = sym_fmod(t, r->v, whole);
    r->group = atoms[i];
    r->column = sym_fdiv(t, place, b);
    r->turned = sym_fmod(t, place, b);
    return true;
  }
  return false;
}

static bool is_row(rotation *r, sym atom) {
  symtab *t = r->c->t;
  const sym *args, *sides;
  if (sym_kind_of(t, atom) != SYM_FMOD)
    return false;
  sym_operands(t, atom, &args);
  sym dividend = args[0], b = args[1];
  if (dividend != r->v || sym_kind_of(t, b) != SYM_MIN)
    return false;
  sym_operands(t, b, &sides);
  sym x = sides[0], y = sides[1];
  r->row = atom;
  return (!count_moves(r->c, x) && is_group(r, b, x, y)) ||
         (!count_moves(r->c, y) && is_group(r, b, y, x));
}

static bool find_row(rotation *r, sym e) {
  sym atoms[64];
  size_t n =
      sym_mentions(r->c->t, e, r->v) ? sym_atoms(r->c->t, e, atoms, 64) : 0;
  for (size_t i = 0; i < n && i < 64; i++)
    if (is_row(r, atoms[i]))
      return true;
  return false;
}

/* Whether e holds v in no other way. */
static bool is_bound_to(const rotation *r, sym e) {
  symtab *t = r->c->t;
  sym zero = sym_int(t, 0);
  const sym from[3] = {r->row, r->column, r->group};
  const sym to[3] = {zero, zero, zero};
  return !sym_mentions(t, sym_substitute(t, e, from, to, 3), r->v);
}

static bool all_bound(const rotation *r) {
  const space *s = r->s;
  bool bound = is_bound_to(r, s->weight);
  for (size_t i = 0; i < s->conditions.count; i++)
    bound = bound && is_bound_to(r, s->conditions.at[i]);
  for (size_t i = 0; i < s->vars.count; i++)
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++)
      bound = bound && is_bound_to(r, s->vars.at[i].upper.at[k]);
  for (size_t i = 0; i < r->c->carried.count; i++)
    bound = bound && is_bound_to(r, r->c->carried.at[i]);
  return bound;
}

static bool rotate(counter *c, space *s, const count_var *v) {
  rotation r = {.c = c, .s = s, .v = v->var, .upper = v->upper.at[0]};
  bool found = false;
  for (size_t i = 0; i < s->conditions.count && !found; i++)
    found = find_row(&r, s->conditions.at[i]);
  for (size_t i = 0; i < c->carried.count && !found; i++)
    found = find_row(&r, c->carried.at[i]);
  if (!found || !all_bound(&r))
    return false;
  space_substitute(c, s, &r.row, &r.turned, 1);
  return true;
}

bool space_rotate(counter *c, space *s) {
  for (size_t k = 0; k < s->vars.count; k++) {
    const count_var *v = &s->vars.at[k];
    if (v->upper.count == 1 && !count_moves(c, v->upper.at[0]) &&
        rotate(c, s, v))
      return true;
  }
  return false;
}
