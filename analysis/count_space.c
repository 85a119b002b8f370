/* analysis/count_space.c: spaces of points, from accesses and by parts. */
#include "analysis/count_space.h"
#include "analysis/judge_state.h"
#include <stdio.h>

enum {
  PROOFS = 300, /* questions for one access */
  SPACES = 60,  /* spaces visited for one access */
};

counter counter_create(judge *j) {
  symtab *t = judge_launch(j)->syms;
  prover_options options = {.no_z3 = true};
  if (!j->counted)
    j->counted = map_create(j->arena);
  return (counter){.judge = j,
                   .t = t,
                   .arena = judge_arena(j),
                   .prover = prover_create(judge_arena(j), t, options),
                   .known = j->counted,
                   .proofs = PROOFS,
                   .spaces = SPACES};
}

void count_fail(counter *c, const char *reason) {
  if (!c->reason)
    c->reason = reason;
}

bool count_moves(const counter *c, sym e) {
  const unsigned fixed =
      1u << ROLE_SIZE | 1u << ROLE_STRIDE | 1u << ROLE_CONST | 1u << ROLE_GRID;
  return (sym_roles(c->t, e) & ~fixed) != 0 || !sym_is_exact(c->t, e);
}

sym counter_variable(counter *c) {
  char name[32];
  snprintf(name, sizeof name, "#%u", ++c->fresh);
  return sym_var(c->t, ROLE_TURN, name);
}

enum { MOVING = 64 };

/* The variables that move, of e, added to n of them; how many there are. */
static size_t add_moving(const counter *c, sym e, sym *vars, size_t n) {
  sym all[MOVING];
  size_t count = sym_variables(c->t, e, all, MOVING);
  for (size_t i = 0; i < count && i < MOVING; i++) {
    size_t k = 0;
    while (k < n && vars[k] != all[i])
      k++;
    if (k == n && n < MOVING && count_moves(c, all[i]))
      vars[n++] = all[i];
  }
  return n;
}

static bool shares(const counter *c, sym e, const sym *vars, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (sym_mentions(c->t, e, vars[i]))
      return true;
  return false;
}

/* The facts about sizes, and those that are tied to the goal by variables. */
static sym_vec facts_about(const counter *c, const sym_vec *facts, sym goal) {
  sym vars[MOVING];
  sym_vec out = {0};
  size_t n = add_moving(c, goal, vars, 0), before = SIZE_MAX;
  while (before != n) {
    before = n;
    for (size_t i = 0; i < facts->count; i++)
      if (shares(c, facts->at[i], vars, n))
        n = add_moving(c, facts->at[i], vars, n);
  }
  for (size_t i = 0; i < facts->count; i++)
    if (!count_moves(c, facts->at[i]) || shares(c, facts->at[i], vars, n))
      VEC_PUSH(c->arena, &out, facts->at[i]);
  return out;
}

bool count_knows(counter *c, const sym_vec *all, sym goal) {
  sym_kind kind = sym_kind_of(c->t, goal);
  uint64_t answer, key = goal;
  if (kind == SYM_TRUE || kind == SYM_FALSE)
    return kind == SYM_TRUE;
  sym_vec facts = facts_about(c, all, goal);
  for (size_t i = 0; i < facts.count; i++)
    key = hash_mix(key, facts.at[i]);
  if (map_get(c->known, key, &answer))
    return answer;
  if (!c->proofs)
    return false;
  c->proofs--;
  bool known = prover_implies_fast(c->prover, facts.at, facts.count, goal);
  map_put(c->known, key, known);
  return known;
}

space space_copy(const counter *c, const space *s) {
  space out = {.weight = s->weight};
  for (size_t i = 0; i < s->facts.count; i++)
    VEC_PUSH(c->arena, &out.facts, s->facts.at[i]);
  for (size_t i = 0; i < s->conditions.count; i++)
    VEC_PUSH(c->arena, &out.conditions, s->conditions.at[i]);
  for (size_t i = 0; i < s->vars.count; i++) {
    count_var v = {.var = s->vars.at[i].var};
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++)
      VEC_PUSH(c->arena, &v.upper, s->vars.at[i].upper.at[k]);
    VEC_PUSH(c->arena, &out.vars, v);
  }
  return out;
}

size_t space_find(const space *s, sym var) {
  size_t k = 0;
  while (k < s->vars.count && s->vars.at[k].var != var)
    k++;
  return k;
}

void space_remove_var(space *s, size_t k) {
  s->vars.count--;
  memmove(&s->vars.at[k], &s->vars.at[k + 1],
          (s->vars.count - k) * sizeof s->vars.at[0]);
}

void space_remove_condition(space *s, size_t k) {
  s->conditions.count--;
  memmove(&s->conditions.at[k], &s->conditions.at[k + 1],
          (s->conditions.count - k) * sizeof s->conditions.at[0]);
}

void space_require(counter *c, space *s, sym condition) {
  const sym *parts;
  sym_kind kind = sym_kind_of(c->t, condition);
  if (kind == SYM_TRUE)
    return;
  if (kind == SYM_AND) {
    size_t n = sym_operands(c->t, condition, &parts);
    for (size_t i = 0; i < n; i++)
      space_require(c, s, parts[i]);
    return;
  }
  for (size_t i = 0; i < s->conditions.count; i++)
    if (s->conditions.at[i] == condition)
      return;
  VEC_PUSH(c->arena, &s->conditions, condition);
}

sym_vec space_facts(counter *c, const space *s, sym without, bool conditions) {
  symtab *t = c->t;
  sym_vec out = {0};
  for (size_t i = 0; i < s->facts.count; i++)
    VEC_PUSH(c->arena, &out, s->facts.at[i]);
  for (size_t i = 0; i < s->vars.count; i++) {
    const count_var *v = &s->vars.at[i];
    if (v->var == without)
      continue;
    VEC_PUSH(c->arena, &out, sym_ge(t, v->var, sym_int(t, 0)));
    for (size_t k = 0; k < v->upper.count; k++)
      if (without == SYM_NONE || !sym_mentions(t, v->upper.at[k], without))
        VEC_PUSH(c->arena, &out, sym_lt(t, v->var, v->upper.at[k]));
  }
  for (size_t i = 0; conditions && i < s->conditions.count; i++)
    if (without == SYM_NONE || !sym_mentions(t, s->conditions.at[i], without))
      VEC_PUSH(c->arena, &out, s->conditions.at[i]);
  return out;
}

void space_substitute(counter *c, space *s, const sym *from, const sym *to,
                      size_t n) {
  sym_vec old = s->conditions;
  for (size_t i = 0; i < s->vars.count; i++)
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++)
      s->vars.at[i].upper.at[k] =
          sym_substitute(c->t, s->vars.at[i].upper.at[k], from, to, n);
  s->conditions = (sym_vec){0};
  for (size_t i = 0; i < old.count; i++)
    space_require(c, s, sym_substitute(c->t, old.at[i], from, to, n));
  s->weight = sym_substitute(c->t, s->weight, from, to, n);
  for (size_t i = 0; i < c->carried.count; i++)
    c->carried.at[i] = sym_substitute(c->t, c->carried.at[i], from, to, n);
}

bool space_mentions(const counter *c, const space *s, sym var) {
  for (size_t i = 0; i < s->vars.count; i++)
    for (size_t k = 0; k < s->vars.at[i].upper.count; k++)
      if (sym_mentions(c->t, s->vars.at[i].upper.at[k], var))
        return true;
  for (size_t i = 0; i < s->conditions.count; i++)
    if (sym_mentions(c->t, s->conditions.at[i], var))
      return true;
  return sym_mentions(c->t, s->weight, var);
}

bool count_linear(counter *c, sym e, sym v, sym *coef, sym *rest) {
  symtab *t = c->t;
  sym zero = sym_int(t, 0), one = sym_int(t, 1);
  *rest = sym_substitute(t, e, &v, &zero, 1);
  *coef = sym_sub(t, sym_substitute(t, e, &v, &one, 1), *rest);
  return !sym_mentions(t, *coef, v) && !sym_mentions(t, *rest, v) &&
         e == sym_add(t, sym_mul(t, *coef, v), *rest);
}
