/* analysis/count_sum.c: from a space to a number.
 *
 * Independent parts multiply. Within a part the variables are summed from the
 * inside out: the values of v between its greatest lower and its least upper
 * bound, as polynomials in the others. Where bounds cross, the outer variables
 * are split: the last turn apart first, then at the crossing. */
#include "analysis/count_space.h"
#include "analysis/judge_state.h"

/* ------------------------------------------------- independent parts */

static bool mentions_any(const counter *c, sym e, const space *s,
                         const bool *in) {
  for (size_t k = 0; k < s->vars.count; k++)
    if (in[k] && sym_mentions(c->t, e, s->vars.at[k].var))
      return true;
  return false;
}

static bool join(const counter *c, const space *s, sym e, bool *in) {
  bool grown = false;
  if (!mentions_any(c, e, s, in))
    return false;
  for (size_t k = 0; k < s->vars.count; k++)
    if (!in[k] && sym_mentions(c->t, e, s->vars.at[k].var))
      grown = in[k] = true;
  return grown;
}

/* Marks the variables that are tied to the first one; false when all are. */
static bool first_part(const counter *c, const space *s, bool *in) {
  bool grown = true;
  size_t count = 0;
  in[0] = true;
  while (grown) {
    grown = join(c, s, s->weight, in);
    for (size_t i = 0; i < s->conditions.count; i++)
      grown = join(c, s, s->conditions.at[i], in) || grown;
    for (size_t i = 0; i < s->vars.count; i++)
      for (size_t k = 0; k < s->vars.at[i].upper.count; k++) {
        sym tie = sym_lt(c->t, s->vars.at[i].var, s->vars.at[i].upper.at[k]);
        grown = join(c, s, tie, in) || grown;
      }
  }
  for (size_t k = 0; k < s->vars.count; k++)
    count += in[k];
  return count < s->vars.count;
}

/* The variables with in[k] == wanted, and what mentions them. */
static space part_of(const counter *c, const space *s, const bool *in,
                     bool wanted) {
  space out = space_copy(c, s);
  for (size_t k = s->vars.count; k-- > 0;)
    if (in[k] != wanted)
      space_remove_var(&out, k);
  for (size_t i = out.conditions.count; i-- > 0;)
    if (mentions_any(c, out.conditions.at[i], s, in) != wanted)
      space_remove_condition(&out, i);
  if (mentions_any(c, s->weight, s, in) != wanted)
    out.weight = sym_int(c->t, 1);
  return out;
}

/* Sound: a product of sets has the product of their numbers of points; what
 * each point counts is tied to one of the two. */
static quantity count_product(counter *c, const space *s, const bool *in) {
  space a = part_of(c, s, in, true), b = part_of(c, s, in, false);
  quantity x = space_count(c, &a);
  return x.num == SYM_NONE ? x : quantity_multiply(c, x, space_count(c, &b));
}

/* ------------------------------------------------------- one variable */

/* No quotient, min or select of variables, of which no sum has a closed form.
 */
static bool is_polynomial(const counter *c, sym e) {
  const sym_term *terms;
  size_t n = sym_terms(c->t, e, &terms);
  for (size_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < terms[i].atom_count; k++)
      if (sym_kind_of(c->t, terms[i].atoms[k]) != SYM_VAR &&
          count_moves(c, terms[i].atoms[k]))
        return false;
  return true;
}

static bool are_polynomial(const counter *c, const sym_vec *bounds) {
  for (size_t i = 0; i < bounds->count; i++)
    if (!is_polynomial(c, bounds->at[i]))
      return false;
  return true;
}

/* All bounds of v, polynomials in the others; false when something is no such
 * bound of it. */
static bool gather_bounds(counter *c, const space *s, sym v, bounds *b) {
  return space_bounds(c, s, v, b) && are_polynomial(c, &b->upper) &&
         are_polynomial(c, &b->lower);
}

static quantity sum_between(counter *c, space *outer, sym weight, sym v,
                            sym low, sym high) {
  quantity inner;
  sym_vec facts = space_facts(c, outer, SYM_NONE, true);
  if (!space_ordered(c, outer, &facts, low, high)) {
    if (count_moves(c, low) || count_moves(c, high))
      space_require(c, outer, sym_lt(c->t, low, high));
    else if (!sym_mentions(c->t, weight, v)) {
      sym length = sym_max(c->t, sym_sub(c->t, high, low), sym_int(c->t, 0));
      outer->weight = sym_mul(c->t, weight, length);
      return space_count(c, outer);
    } else
      high = sym_max(c->t, high, low);
  }
  if (!count_power_sum(c, weight, v, low, high, &inner)) {
    count_fail(c, "a sum has no closed form");
    return NO_QUANTITY;
  }
  outer->weight = inner.num;
  return quantity_multiply(c, space_count(c, outer),
                           (quantity){sym_int(c->t, 1), inner.den});
}

/* Sound: for each point of the others, v takes the values from its greatest
 * lower to below its least upper bound. */
static bool sum_single(counter *c, const space *s, sym v, quantity *out) {
  bounds b;
  if (!gather_bounds(c, s, v, &b))
    return false;
  space outer = space_outer(c, s, v);
  sym_vec facts = space_facts(c, &outer, SYM_NONE, true);
  space_reduce(c, s, &facts, &b);
  if (b.upper.count != 1 || b.lower.count != 1)
    return false;
  *out = sum_between(c, &outer, s->weight, v, b.lower.at[0], b.upper.at[0]);
  return true;
}

/* ------------------------------------------------------------ crossing */

static bool single_with(counter *c, const space *s, sym v, sym fact) {
  bounds b;
  space outer = space_outer(c, s, v);
  if (!gather_bounds(c, s, v, &b))
    return false;
  sym_vec facts = space_facts(c, &outer, SYM_NONE, true);
  VEC_PUSH(c->arena, &facts, fact);
  space_reduce(c, s, &facts, &b);
  return b.upper.count == 1 && b.lower.count == 1;
}

/* Sound: 0 <= p < P is 0 <= p < P - 1 and, for P >= 1, p = P - 1. */
static bool split_last_turn(counter *c, const space *s, sym v, quantity *out) {
  symtab *t = c->t;
  for (size_t k = 0; k < s->vars.count; k++) {
    const count_var *p = &s->vars.at[k];
    if (p->var == v || p->upper.count != 1 || count_moves(c, p->upper.at[0]) ||
        !count_knows(c, &s->facts, sym_ge(t, p->upper.at[0], sym_int(t, 1))))
      continue;
    sym var = p->var, last = sym_sub(t, p->upper.at[0], sym_int(t, 1));
    if (!single_with(c, s, v, sym_lt(t, var, last)) ||
        !single_with(c, s, v, sym_eq(t, var, last)))
      continue;
    space before = space_copy(c, s), at = space_copy(c, s);
    before.vars.at[k].upper.at[0] = last;
    space_remove_var(&at, k);
    space_substitute(c, &at, &var, &last, 1);
    *out = space_count(c, &before);
    if (out->num != SYM_NONE)
      *out = quantity_add(c, *out, space_count(c, &at));
    return true;
  }
  return false;
}

/* The space with the bounds of v replaced by those given. */
static space with_bounds(counter *c, const space *s, sym v, const bounds *b,
                         size_t skip_upper, size_t skip_lower) {
  space out = space_outer(c, s, v);
  count_var own = {.var = v};
  for (size_t k = 0; k < b->upper.count; k++)
    if (k != skip_upper)
      VEC_PUSH(c->arena, &own.upper, b->upper.at[k]);
  VEC_PUSH(c->arena, &out.vars, own);
  for (size_t k = 0; k < b->lower.count; k++)
    if (k != skip_lower && b->lower.at[k] != sym_int(c->t, 0))
      space_require(c, &out, sym_ge(c->t, v, b->lower.at[k]));
  out.weight = s->weight;
  return out;
}

/* Sound: where a <= b the bound b says nothing (for upper bounds), elsewhere
 * a says nothing. */
static bool split_crossing(counter *c, const space *s, sym v, quantity *out) {
  bounds b;
  symtab *t = c->t;
  if (!gather_bounds(c, s, v, &b))
    return false;
  space outer = space_outer(c, s, v);
  sym_vec facts = space_facts(c, &outer, SYM_NONE, true);
  space_reduce(c, s, &facts, &b);
  bool upper = b.upper.count > 1;
  const sym_vec *side = upper ? &b.upper : &b.lower;
  if (side->count < 2)
    return false;
  sym first = sym_le(t, side->at[0], side->at[1]);
  size_t none = SIZE_MAX, drop = upper ? 1 : 0, keep = 1 - drop;
  space low =
      with_bounds(c, s, v, &b, upper ? drop : none, upper ? none : drop);
  space high =
      with_bounds(c, s, v, &b, upper ? keep : none, upper ? none : keep);
  space_require(c, &low, first);
  space_require(c, &high, sym_not(t, first));
  *out = space_count(c, &low);
  if (out->num != SYM_NONE)
    *out = quantity_add(c, *out, space_count(c, &high));
  return true;
}

/* ------------------------------------------------------ a last block */

/* A number by which v alone is divided somewhere; SYM_NONE. */
static sym divisor_in(counter *c, sym e, sym v) {
  const sym *args;
  sym atoms[64];
  size_t n = sym_atoms(c->t, e, atoms, 64);
  for (size_t i = 0; i < n && i < 64; i++) {
    sym_kind kind = sym_kind_of(c->t, atoms[i]);
    if (kind != SYM_FDIV && kind != SYM_FMOD)
      continue;
    sym_operands(c->t, atoms[i], &args);
    if (args[0] == v && !count_moves(c, args[1]))
      return args[1];
  }
  return SYM_NONE;
}

static sym divisor_of(counter *c, const space *s, sym v) {
  sym found = divisor_in(c, s->weight, v);
  for (size_t i = 0; i < s->conditions.count && found == SYM_NONE; i++)
    found = divisor_in(c, s->conditions.at[i], v);
  return found;
}

/* The part of v's range with the quotient q (SYM_NONE: a variable below
 * blocks) and the remainder below `length`. */
static quantity count_block(counter *c, const space *s, size_t k, sym base,
                            sym blocks, sym q, sym length) {
  space out = space_copy(c, s);
  count_var low = {.var = counter_variable(c)};
  count_var high = {.var = q == SYM_NONE ? counter_variable(c) : SYM_NONE};
  sym v = s->vars.at[k].var, first = q == SYM_NONE ? high.var : q;
  sym value = sym_add(c->t, sym_mul(c->t, base, first), low.var);
  VEC_PUSH(c->arena, &low.upper, length);
  VEC_PUSH(c->arena, &high.upper, blocks);
  out.vars.at[k] = low;
  if (q == SYM_NONE)
    VEC_PUSH(c->arena, &out.vars, high);
  space_substitute(c, &out, &v, &value, 1);
  return space_count(c, &out);
}

/* Sound: for U >= 1, B >= 1 and e = cdiv(U, B), the numbers below U are
 * B*q + r with q < e - 1 and r < B, and with q = e - 1 and r < U - B*(e - 1),
 * which is between 1 and B. */
static bool split_last_block(counter *c, const space *s, sym v, quantity *out) {
  symtab *t = c->t;
  sym one = sym_int(t, 1), base = divisor_of(c, s, v);
  size_t k = space_find(s, v);
  const sym_vec *upper = &s->vars.at[k].upper;
  if (base == SYM_NONE || upper->count != 1 || count_moves(c, upper->at[0]) ||
      !count_knows(c, &s->facts, sym_ge(t, base, one)) ||
      !count_knows(c, &s->facts, sym_ge(t, upper->at[0], one)))
    return false;
  sym last = count_resolve(c, s, &s->facts,
                           sym_sub(t, sym_cdiv(t, upper->at[0], base), one));
  sym rest = sym_sub(t, upper->at[0], sym_mul(t, base, last));
  space inner = space_copy(c, s);
  VEC_PUSH(c->arena, &inner.facts, sym_ge(t, last, sym_int(t, 0)));
  VEC_PUSH(c->arena, &inner.facts, sym_ge(t, rest, one));
  VEC_PUSH(c->arena, &inner.facts, sym_le(t, rest, base));
  *out = count_block(c, &inner, k, base, last, SYM_NONE, base);
  if (out->num != SYM_NONE)
    *out = quantity_add(c, *out,
                        count_block(c, &inner, k, base, last, last, rest));
  return true;
}

/* ---------------------------------------------------------- one part */

/* The steps in order; one that leads nowhere gives way to the next. */
static quantity count_part(counter *c, const space *s) {
  typedef bool (*step)(counter *, const space *, sym, quantity *);
  static const step steps[] = {sum_single, split_last_turn, split_crossing,
                               split_last_block};
  quantity out = NO_QUANTITY;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    for (size_t k = s->vars.count; k-- > 0;)
      if (steps[i](c, s, s->vars.at[k].var, &out) && out.num != SYM_NONE)
        return out;
  count_fail(c, "the lanes that are live have no closed form");
  return NO_QUANTITY;
}

/* Why a condition that holds more than variables cannot be counted. */
static const char *blame(const counter *c, const space *s) {
  sym atoms[64];
  for (size_t i = 0; i < s->conditions.count; i++) {
    size_t n = sym_atoms(c->t, s->conditions.at[i], atoms, 64);
    for (size_t k = 0; k < n && k < 64; k++) {
      const access *a = judge_load_behind(c->judge, atoms[k]);
      if (a)
        return arena_printf(c->arena, "it depends on what is read from `%s`",
                            judge_launch(c->judge)
                                ->program->tensors.at[a->pointer.tensor]
                                .name);
    }
  }
  return "it depends on a value that is not followed";
}

static bool names_only_variables(const counter *c, const space *s) {
  for (size_t i = 0; i < s->conditions.count; i++) {
    sym e = s->conditions.at[i];
    for (size_t k = 0; k < s->vars.count; k++) {
      sym zero = sym_int(c->t, 0);
      e = sym_substitute(c->t, e, &s->vars.at[k].var, &zero, 1);
    }
    if (count_moves(c, e))
      return false;
  }
  return true;
}

quantity space_count(counter *c, const space *given) {
  quantity out;
  if (c->spaces == 0 || c->proofs == 0) {
    count_fail(c, "no closed form was found within the limits");
    return NO_QUANTITY;
  }
  c->spaces--;
  space s = space_copy(c, given);
  if (!space_normalise(c, &s))
    return (quantity){sym_int(c->t, 0), 1};
  if (!names_only_variables(c, &s)) {
    count_fail(c, blame(c, &s));
    return NO_QUANTITY;
  }
  size_t guard = space_guard(c, &s);
  if (guard < s.conditions.count)
    return space_count_guarded(c, &s, guard);
  if (s.vars.count == 0)
    return (quantity){s.weight, 1};
  bool *in = ARENA_ARRAY(c->arena, bool, s.vars.count);
  if (first_part(c, &s, in))
    return count_product(c, &s, in);
  if (space_split_disjunction(c, &s, &out) || space_split_choice(c, &s, &out) ||
      space_split_sign(c, &s, &out))
    return out;
  return count_part(c, &s);
}
