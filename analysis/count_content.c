/* analysis/count_content.c: counts that depend on what a buffer holds.
 *
 * Where conditions hold integers that were loaded, the count for fixed contents
 * and fixed values of the variables that the loads' addresses hold (the keys)
 * may have a closed form. The whole is its sum over the keys: a variable of the
 * formula, named by its text: `sum(min(n, lens[i]) for i in range(B))`.
 * Sound: the points are the disjoint union over the values of the keys, each
 * from 0 to below its bound. For one value of them each load has one address,
 * and what it finds there is one number for the whole launch, as nothing that
 * may share its memory is written. */
#include "analysis/count_space.h"
#include "analysis/interp.h"
#include "analysis/judge_state.h"

#include <string.h>

enum { MOST = 8, LONGEST_SUM = 300 };

typedef struct naming {
  counter *c;
  space space; /* the keys are gone, stand-ins are in place of what is loaded */
  count_sum sum;
  sym atoms[MOST], offsets[MOST]; /* what is loaded, and where */
  size_t count;
} naming;

/* ------------------------------------------------------------- what is read */

static bool is_read_only(const judge *j, uint32_t tensor) {
  const interp_result *r = judge_result(j);
  const tile_program *p = judge_launch(j)->program;
  for (size_t i = 0; i < r->accesses.count; i++) {
    const access *a = &r->accesses.at[i];
    if (a->opaque)
      return false;
    if (a->effect == EFFECT_READ)
      continue;
    if (a->pointer.form != VALUE_POINTER ||
        a->pointer.tensor >= p->tensors.count ||
        tensors_may_share(&p->tensors.at[a->pointer.tensor],
                          &p->tensors.at[tensor]))
      return false;
  }
  return true;
}

/* The address of the load, in elements, with the lanes and turns that the
 * application has as arguments; SYM_NONE when they are not told apart. */
static sym address_of(counter *c, const access *load, sym atom) {
  const launch *l = judge_launch(c->judge);
  sym from[TYPE_MAX_RANK + INTERP_MAX_LOOPS], turns[INTERP_MAX_LOOPS];
  const sym *args;
  const type *t = &l->program->values.at[load->inst->results[0]].type;
  size_t n = 0, depth, count = sym_operands(c->t, atom, &args);
  if (t->elem == SC_ANY || scalar_is_float(t->elem))
    return SYM_NONE; /* of a number of unknown type an integer was made */
  for (unsigned d = 0; d < t->rank; d++)
    if (launch_sym((launch *)l, t->dim[d]) != sym_int(c->t, 1))
      from[n++] = launch_lane((launch *)l, t->rank - 1 - d);
  if (!judge_turns(c->judge, load->inst, turns, &depth))
    return SYM_NONE;
  for (size_t i = 0; i < depth; i++)
    from[n++] = turns[i];
  if (n != count)
    return SYM_NONE;
  sym to[TYPE_MAX_RANK + INTERP_MAX_LOOPS];
  memcpy(to, args, n * sizeof *to);
  return sym_substitute(c->t, load->pointer.of, from, to, n);
}

static bool add_atom(naming *n, sym atom) {
  counter *c = n->c;
  uint32_t tensor;
  for (size_t i = 0; i < n->count; i++)
    if (n->atoms[i] == atom)
      return true;
  if (sym_kind_of(c->t, atom) != SYM_APPLY || n->count == MOST ||
      !judge_content_of(c->judge, atom, &tensor) ||
      !is_read_only(c->judge, tensor))
    return false;
  sym at = address_of(c, judge_load_behind(c->judge, atom), atom);
  if (at == SYM_NONE)
    return false;
  n->atoms[n->count] = atom;
  n->offsets[n->count++] = at;
  VEC_PUSH(c->arena, &n->sum.contents, (count_content){.tensor = tensor});
  return true;
}

/* All applications in e are integers that were loaded. */
static bool add_atoms(naming *n, sym e) {
  sym atoms[64];
  size_t count = sym_atoms(n->c->t, e, atoms, 64);
  for (size_t i = 0; i < count && i < 64; i++) {
    sym_kind kind = sym_kind_of(n->c->t, atoms[i]);
    if ((kind == SYM_APPLY || kind == SYM_APPLYB) && !add_atom(n, atoms[i]))
      return false;
  }
  return count <= 64;
}

static bool gather(naming *n) {
  const space *s = &n->space;
  bool known = true;
  for (size_t i = 0; known && i < s->conditions.count; i++)
    known = add_atoms(n, s->conditions.at[i]);
  for (size_t i = 0; known && i < s->vars.count; i++)
    for (size_t k = 0; known && k < s->vars.at[i].upper.count; k++)
      known = add_atoms(n, s->vars.at[i].upper.at[k]);
  return known && n->count > 0;
}

/* --------------------------------------------------------------------- keys */

/* A letter that nothing in the program is called. */
static sym letter(naming *n, size_t k) {
  static const char *const letters[] = {"i", "j", "k", "s", "t", "u"};
  const exprs *e = judge_launch(n->c->judge)->program->exprs;
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (exprs_find(e, letters[i]) == EXPR_NONE && k-- == 0)
      return sym_var(n->c->t, ROLE_SIZE, letters[i]);
  return SYM_NONE;
}

static bool is_key(const naming *n, sym v) {
  for (size_t i = 0; i < n->count; i++)
    if (sym_mentions(n->c->t, n->offsets[i], v))
      return true;
  return false;
}

/* Sound: the bounds of a key say all of it, as they are the same for all. */
static bool fix_keys(naming *n) {
  counter *c = n->c;
  symtab *t = c->t;
  for (size_t k = n->space.vars.count; k-- > 0;) {
    const count_var v = n->space.vars.at[k];
    if (!is_key(n, v.var))
      continue;
    sym name = letter(n, n->sum.keys.count), upper;
    if (name == SYM_NONE || v.upper.count == 0)
      return false;
    upper = v.upper.at[0];
    for (size_t i = 1; i < v.upper.count; i++)
      upper = sym_min(t, upper, v.upper.at[i]);
    if (count_moves(c, upper))
      return false;
    space_remove_var(&n->space, k);
    for (size_t i = 0; i < n->count; i++) {
      n->atoms[i] = sym_substitute(t, n->atoms[i], &v.var, &name, 1);
      n->offsets[i] = sym_substitute(t, n->offsets[i], &v.var, &name, 1);
    }
    space_substitute(c, &n->space, &v.var, &name, 1);
    VEC_PUSH(c->arena, &n->space.facts, sym_ge(t, name, sym_int(t, 0)));
    VEC_PUSH(c->arena, &n->space.facts, sym_lt(t, name, upper));
    count_key key = {name, upper};
    VEC_PUSH(c->arena, &n->sum.keys, key);
  }
  return n->sum.keys.count > 0;
}

/* ---------------------------------------------------------------- stand-ins */

static const char *text_of(const counter *c, sym e) {
  strbuf out = strbuf_make(c->arena);
  count_print(c->t, count_rename(c->judge, e), &out);
  return out.text;
}

/* `lens[i]`, counted in elements from the first, in place of what is loaded. */
static bool stand_in(naming *n) {
  counter *c = n->c;
  const launch *l = judge_launch(c->judge);
  for (size_t i = 0; i < n->count; i++) {
    count_content *content = &n->sum.contents.at[i];
    sym_vec ranges = {0};
    if (count_moves(c, n->offsets[i]))
      return false;
    content->offset = n->offsets[i];
    content->value =
        sym_var(c->t, ROLE_SIZE,
                arena_printf(c->arena, "%s[%s]",
                             l->program->tensors.at[content->tensor].name,
                             text_of(c, n->offsets[i])));
    access_function_facts(l, judge_result(c->judge), n->atoms[i], &ranges);
    for (size_t k = 0; k < ranges.count; k++)
      VEC_PUSH(
          c->arena, &n->space.facts,
          sym_substitute(c->t, ranges.at[k], &n->atoms[i], &content->value, 1));
    space_substitute(c, &n->space, &n->atoms[i], &content->value, 1);
  }
  return true;
}

/* ------------------------------------------------------------------ the sum */

/* Factors of the body that are equal in all turns stand before the sum. */
static sym take_factors(naming *n) {
  symtab *t = n->c->t;
  const sym_term *terms;
  sym factor = sym_int(t, 1), rest, quotient;
  if (sym_terms(t, n->sum.body, &terms) == 0)
    return factor;
  sym atoms[16];
  size_t count = 0;
  for (; count < terms[0].atom_count && count < 16; count++)
    atoms[count] = terms[0].atoms[count];
  for (size_t i = 0; i < count; i++) {
    bool fixed = true;
    for (size_t k = 0; k < n->sum.keys.count; k++)
      fixed = fixed && !sym_mentions(t, atoms[i], n->sum.keys.at[k].var);
    for (size_t k = 0; k < n->count; k++)
      fixed = fixed && !sym_mentions(t, atoms[i], n->sum.contents.at[k].value);
    if (!fixed)
      continue;
    sym_poly_divide(t, n->sum.body, atoms[i], &quotient, &rest);
    if (rest != sym_int(t, 0))
      continue;
    n->sum.body = quotient;
    factor = sym_mul(t, factor, atoms[i]);
  }
  return factor;
}

static sym named_sum(naming *n) {
  counter *c = n->c;
  strbuf out = strbuf_make(c->arena);
  strbuf_printf(&out, "sum(%s", text_of(c, n->sum.body));
  for (size_t k = 0; k < n->sum.keys.count; k++) {
    const count_key *key = &n->sum.keys.at[k];
    strbuf_printf(&out, " for %s in range(%s)", sym_var_name(c->t, key->var),
                  text_of(c, key->upper));
  }
  strbuf_printf(&out, ")");
  if (out.length > LONGEST_SUM)
    return SYM_NONE;
  n->sum.var = sym_var(c->t, ROLE_SIZE, out.text);
  if (!count_sum_of(c->judge, n->sum.var))
    VEC_PUSH(c->arena, &c->judge->sums, n->sum);
  return n->sum.var;
}

const count_sum *count_sum_of(const judge *j, sym var) {
  for (size_t i = 0; i < j->sums.count; i++)
    if (j->sums.at[i].var == var)
      return &j->sums.at[i];
  return NULL;
}

bool count_by_contents(counter *c, const space *s, sym *out) {
  naming n = {.c = c, .space = space_copy(c, s)};
  space_bound(c, &n.space);
  if (!gather(&n) || !fix_keys(&n) || !stand_in(&n) ||
      !count_formula(c, &n.space, &n.sum.body))
    return false;
  n.sum.body = count_flatten(c, &n.space, n.sum.body);
  sym factor = take_factors(&n), sum = named_sum(&n);
  if (sum == SYM_NONE)
    return false;
  *out = sym_mul(c->t, factor, sum);
  return true;
}
