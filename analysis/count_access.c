/* analysis/count_access.c: the points of an access, as a space.
 *
 * Sound: the interpreter keeps every branch condition, loop bound and lane
 * range of the way to an access, so their conjunction holds at a point exactly
 * when the access runs there. What it could not follow (a mask without truth,
 * a statement that is not understood) is refused. */
#include "analysis/count_space.h"

/* A bound of the launch that no formula needs: c - (positive terms) >= 0 with
 * a huge c. */
static bool is_size_limit(const counter *c, sym fact) {
  enum { HUGE_BOUND = 65535 };
  const sym *args;
  const sym_term *terms;
  bool huge = false;
  if (sym_kind_of(c->t, fact) == SYM_ISPOW2)
    return true;
  if (sym_kind_of(c->t, fact) != SYM_GE0)
    return false;
  sym_operands(c->t, fact, &args);
  size_t n = sym_terms(c->t, args[0], &terms);
  for (size_t i = 0; i < n; i++) {
    if (terms[i].atom_count == 0)
      huge = terms[i].coef >= HUGE_BOUND;
    else if (terms[i].coef > 0)
      return false;
  }
  return huge;
}

void space_push_launch(counter *c, space *s) {
  const launch *l = judge_launch(c->judge);
  for (size_t i = 0; i < l->facts.count; i++)
    if (!count_moves(c, l->facts.at[i]) && !is_size_limit(c, l->facts.at[i]))
      VEC_PUSH(c->arena, &s->facts, l->facts.at[i]);
}

static count_var *push_variable(counter *c, space *s, sym var) {
  size_t k = space_find(s, var);
  if (k == s->vars.count)
    VEC_PUSH(c->arena, &s->vars, (count_var){.var = var});
  return &s->vars.at[k];
}

static void push_programs(counter *c, space *s) {
  const launch *l = judge_launch(c->judge);
  for (int axis = 0; axis < 3; axis++)
    if (sym_kind_of(c->t, l->pid[axis]) == SYM_VAR)
      VEC_PUSH(c->arena, &push_variable(c, s, l->pid[axis])->upper,
               l->grid[axis]);
}

/* The variable of a fact `v >= 0` that makes v a turn or lane; SYM_NONE. */
static sym start_of(const counter *c, sym fact) {
  const sym *args;
  if (sym_kind_of(c->t, fact) != SYM_GE0)
    return SYM_NONE;
  sym_operands(c->t, fact, &args);
  if (sym_kind_of(c->t, args[0]) != SYM_VAR)
    return SYM_NONE;
  sym_role role = sym_var_role(c->t, args[0]);
  return role == ROLE_TURN || role == ROLE_LANE ? args[0] : SYM_NONE;
}

/* A turn of a while loop is reached when the test held on all turns before:
 * the interpreter says so of the one before only. */
static bool in_while(const region *r, const inst *target, bool inside,
                     bool *found) {
  for (size_t i = 0; i < r->insts.count && !*found; i++) {
    const inst *it = r->insts.at[i];
    bool within = inside || it->kind == NODE_WHILE;
    if (it == target) {
      *found = true;
      return inside;
    }
    for (int k = 0; k < 2; k++)
      if (it->regions[k] && in_while(it->regions[k], target, within, found))
        return true;
  }
  return false;
}

/* Sound: when a test holds on a turn only if it held on the turn before, it
 * held on all turns before, by induction; the earlier test, stated as a
 * disjunction with `turn == 0`, is then implied by the others and drops out.
 * Returns false when that is not so. */
static bool drop_earlier_tests(counter *c, space *s) {
  bool dropped = false;
  for (size_t i = 0; i < s->conditions.count; i++) {
    if (sym_kind_of(c->t, s->conditions.at[i]) != SYM_OR)
      continue;
    sym earlier = s->conditions.at[i];
    space_remove_condition(s, i--);
    sym_vec facts = space_facts(c, s, SYM_NONE, true);
    if (!count_knows(c, &facts, earlier))
      return false;
    dropped = true;
  }
  return dropped;
}

/* An instruction that stands for a whole statement may leave the loop or the
 * kernel. */
static bool may_jump(const judge *j) {
  const interp_result *r = judge_result(j);
  for (size_t i = 0; i < r->accesses.count; i++)
    if (r->accesses.at[i].opaque && r->accesses.at[i].inst->operand_count == 0)
      return true;
  return false;
}

static bool followed(counter *c, const access *a, bool masked) {
  if (a->opaque)
    count_fail(c, "what this does to memory is not understood");
  else if (may_jump(c->judge))
    count_fail(c, "the kernel holds a statement that is not understood");
  else if (masked && a->any_mask)
    count_fail(c, "the mask is not followed");
  return c->reason == NULL;
}

static void push_fact(counter *c, space *s, sym fact) {
  sym start = start_of(c, fact);
  if (start == SYM_NONE)
    space_require(c, s, fact);
  else
    push_variable(c, s, start);
}

bool space_of_access(counter *c, const access *a, bool masked, space *out) {
  bool found = false;
  space s = {.weight = sym_int(c->t, 1)};
  if (!followed(c, a, masked))
    return false;
  space_push_launch(c, &s);
  push_programs(c, &s);
  for (size_t i = 0; i < a->facts.count; i++)
    push_fact(c, &s, a->facts.at[i]);
  if (in_while(judge_launch(c->judge)->program->body, a->inst, false, &found) &&
      !drop_earlier_tests(c, &s)) {
    count_fail(c, "the number of turns of a while loop has no closed form");
    return false;
  }
  if (masked)
    space_require(c, &s, a->mask);
  *out = s;
  return true;
}
