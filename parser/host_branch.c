/* parser/host_branch.c: if statements and what conditions tell.
 *
 * A known condition takes its branch. The branch of the launch is taken with
 * its condition as a fact, and so is what follows a branch that returns or
 * raises. Otherwise both branches are executed and their values merged; where
 * values cannot be merged and matter for the launch, there is one program for
 * each branch. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

typedef struct branch {
  node condition; /* no node: else */
  node body;
} branch;

typedef VEC(branch) branch_vec;

static branch_vec read_branches(host_run *r, node at) {
  branch_vec all = {0};
  branch first = {node_field(at, "condition"), node_field(at, "consequence")};
  VEC_PUSH(r->arena, &all, first);
  for (uint32_t i = 0;; i++) {
    node n = node_field_at(at, "alternative", i);
    if (!node_is(n))
      return all;
    branch next = {node_field(n, "condition"), node_field(n, "consequence")};
    if (host_kind_of(r, n) != SYN_elif_clause)
      next = (branch){.condition = {.id = NULL}, .body = node_field(n, "body")};
    VEC_PUSH(r->arena, &all, next);
  }
}

typedef struct snapshot {
  host_env env;
  size_t facts;
  host_storage *storages;
  size_t storage_count;
  size_t recorded;
} snapshot;

static host_env copy_env(host_run *r, host_env env) {
  host_env copy = {.count = env.count, .room = env.count};
  copy.at = arena_copy(r->arena, env.at, env.count * sizeof *env.at);
  return copy;
}

static snapshot take_snapshot(host_run *r) {
  return (snapshot){.env = copy_env(r, r->frame->env),
                    .facts = r->p->facts.count,
                    .recorded = record_mark(r),
                    .storages =
                        arena_copy(r->arena, r->storages.at,
                                   r->storages.count * sizeof *r->storages.at),
                    .storage_count = r->storages.count};
}

static void restore(host_run *r, const snapshot *s) {
  r->frame->env = copy_env(r, s->env);
}

/* What others wrote on a side that is left does not matter for the rest. */
static void restore_storages(host_run *r, const snapshot *s) {
  for (size_t i = 0; i < s->storage_count; i++) {
    r->storages.at[i].touched = s->storages[i].touched;
    r->storages.at[i].edits = s->storages[i].edits;
    r->storages.at[i].shared = s->storages[i].shared;
    r->storages.at[i].later = s->storages[i].later;
  }
}

static host_flow take_from(host_run *r, const branch_vec *all, size_t i);

/* Executes one side under a guard, as something that may not happen. */
static host_flow try_side(host_run *r, const branch_vec *all, size_t i,
                          expr guard, bool body, host_env *after) {
  VEC_PUSH(r->arena, &r->guards, guard);
  size_t guards = r->guards.count;
  size_t returns = r->frame->returns.count;
  r->speculating++;
  r->sides++;
  host_flow flow =
      body ? host_block(r, all->at[i].body) : take_from(r, all, i + 1);
  r->speculating--;
  r->sides--;
  assert(r->guards.count >= guards);
  r->guards.count = guards - 1;
  *after = r->frame->env;
  for (size_t k = returns; body && k < r->frame->returns.count; k++) {
    host_return *one = &r->frame->returns.at[k];
    one->condition =
        one->always ? guard : expr_and(r->t, guard, one->condition);
    one->always = false;
  }
  return flow;
}

static host_value env_value(const host_env *env, const char *name) {
  for (size_t i = 0; i < env->count; i++)
    if (strcmp(env->at[i].name, name) == 0)
      return env->at[i].value;
  return host_unknown();
}

/* Binds the merged values. True when some value that matters for the launch
 * could not be merged; `line` is 0 when there will be a program for each side
 * then. */
static bool merge_envs(host_run *r, expr condition, const host_env *a,
                       const host_env *b, uint32_t line) {
  bool lost = false;
  const host_env *both[] = {a, b};
  r->frame->env = copy_env(r, *a);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < both[k]->count; i++) {
      const char *name = both[k]->at[i].name;
      host_value merged, x = env_value(a, name), y = env_value(b, name);
      if (!host_merge(r, condition, x, y, &merged) &&
          !(x.kind == HOST_UNKNOWN && y.kind == HOST_UNKNOWN && !x.slot &&
            !y.slot))
        lost = lost || (host_is_relevant(r, name) && !host_is_tuning(name));
      if (merged.kind == HOST_UNKNOWN && line)
        merged = host_merge_open(r, condition, x, y, name, line);
      host_bind(r, name, merged);
    }
  return lost;
}

static bool leaves(host_flow flow) {
  return flow != HOST_NEXT;
}

/* One side leaves: the other one goes on, and its condition holds (read with
 * the values from before). */
static host_flow go_on(host_run *r, const branch *b, expr c, bool truth,
                       const host_env *env, host_flow left) {
  expr holds = truth ? c : expr_not(r->t, c);
  bool local = (r->frame->inlined || r->record) && left != HOST_RAISE;
  if (local || left == HOST_LEAVE) {
    /* The caller goes on in both cases. */
    VEC_PUSH(r->arena, &r->guards, holds);
  } else {
    host_assume(r, b->condition, truth);
  }
  r->frame->env = *env;
  return HOST_NEXT;
}

static host_flow take_one(host_run *r, const branch_vec *all, size_t i,
                          bool truth) {
  host_assume(r, all->at[i].condition, truth);
  if (r->dead)
    return HOST_NEXT;
  return truth ? host_block(r, all->at[i].body) : take_from(r, all, i + 1);
}

static host_flow take_both(host_run *r, const branch_vec *all, size_t i,
                           expr c) {
  snapshot before = take_snapshot(r);
  host_env then_env, else_env;
  host_flow x = try_side(r, all, i, c, true, &then_env);
  if (leaves(x))
    restore_storages(r, &before);
  restore(r, &before);
  snapshot between = take_snapshot(r);
  host_flow y = try_side(r, all, i, expr_not(r->t, c), false, &else_env);
  if (leaves(y) && !leaves(x))
    restore_storages(r, &between);
  restore(r, &before);
  if (leaves(x) && !leaves(y))
    return go_on(r, &all->at[i], c, false, &else_env, x);
  if (leaves(y) && !leaves(x))
    return go_on(r, &all->at[i], c, true, &then_env, y);
  if (leaves(x))
    return x == HOST_RAISE ? y : x;
  bool single = r->speculating || r->reached || r->frame->inlined ||
                r->product * 2 > HOST_PROGRAMS;
  uint32_t line = single ? host_line(r, all->at[i].body) : 0;
  bool lost = merge_envs(r, c, &then_env, &else_env, line);
  if (!lost || single)
    return HOST_NEXT;
  r->p->facts.count = before.facts;
  restore(r, &before);
  restore_storages(r, &before);
  record_rewind(r, before.recorded);
  bool first = host_choose(r, 2) == 0;
  host_note_choice(r, all->at[i].condition, first);
  return take_one(r, all, i, first);
}

/* `if not x.is_contiguous(): x = x.contiguous()`: x is contiguous then. */
static bool makes_contiguous(host_run *r, const branch_vec *all) {
  if (all->count != 1 || node_count(all->at[0].body) != 1)
    return false;
  node condition = all->at[0].condition;
  node call = node_child(condition, 0);
  node callee = node_field(call, "function");
  node statement = node_child(node_child(all->at[0].body, 0), 0);
  node right = node_field(statement, "right");
  node maker = node_field(right, "function");
  node name = node_field(callee, "object");
  const char *text = host_text(r, name);
  return host_kind_of(r, condition) == SYN_not_operator &&
         host_kind_of(r, name) == SYN_identifier &&
         host_kind_of(r, statement) == SYN_assignment &&
         node_text_is(r->syntax, node_field(callee, "attribute"),
                      "is_contiguous") &&
         node_text_is(r->syntax, node_field(statement, "left"), text) &&
         node_text_is(r->syntax, node_field(maker, "attribute"),
                      "contiguous") &&
         node_text_is(r->syntax, node_field(maker, "object"), text);
}

static bool holds_below(const host_run *r, const branch_vec *all, size_t i) {
  for (size_t k = i + 1; k < all->count; k++)
    if (host_holds_launch(r, all->at[k].body))
      return true;
  return false;
}

/* Whether the branches matter for the launch. */
static bool binds_relevant(host_run *r, const branch_vec *all) {
  for (size_t i = 0; i < all->count; i++) {
    node body = all->at[i].body;
    if (host_holds_launch(r, body))
      return true;
    for (node n = body; node_is(n); n = node_walk(body, n, true)) {
      node target = host_bound_target(r, n);
      for (node x = target; node_is(x); x = node_walk(target, x, true))
        if (host_kind_of(r, x) == SYN_identifier &&
            host_is_relevant(r, host_text(r, x)) &&
            !host_is_tuning(host_text(r, x)))
          return true;
    }
  }
  return false;
}

/* Whether the branches demand something: what decides between them is open,
 * but the launch gets it and decides it in any case. */
static bool demands(host_run *r, const branch_vec *all, size_t i) {
  bool demand = false, relevant = false;
  node condition = all->at[i].condition;
  for (node n = condition; node_is(n); n = node_walk(condition, n, true))
    relevant = relevant || (host_kind_of(r, n) == SYN_identifier &&
                            host_is_relevant(r, host_text(r, n)));
  for (size_t k = i; relevant && k < all->count; k++) {
    node body = all->at[k].body;
    for (node n = body; node_is(n); n = node_walk(body, n, true))
      demand = demand || host_kind_of(r, n) == SYN_assert_statement ||
               host_kind_of(r, n) == SYN_raise_statement;
  }
  return demand;
}

static host_flow take_from(host_run *r, const branch_vec *all, size_t i) {
  if (i >= all->count)
    return HOST_NEXT;
  const branch *b = &all->at[i];
  if (!node_is(b->condition))
    return host_block(r, b->body);
  expr c = host_condition(r, b->condition);
  int64_t known;
  if (c == EXPR_NONE && !r->reached && !r->speculating &&
      (r->record || binds_relevant(r, all) || demands(r, all, i))) {
    /* Flags and optional arguments in it are decided one by one. */
    host_truth(r, host_eval(r, b->condition));
    c = host_condition(r, b->condition);
  }
  c = host_known(r, c);
  if (expr_is_int(r->t, c, &known)) {
    host_refine(r, b->condition, known != 0);
    return known ? host_block(r, b->body) : take_from(r, all, i + 1);
  }
  if (!r->reached && host_holds_launch(r, b->body))
    return take_one(r, all, i, true);
  if (!r->reached && holds_below(r, all, i))
    return take_one(r, all, i, false);
  return take_both(r, all, i, c);
}

host_flow host_if(host_run *r, node at) {
  branch_vec all = read_branches(r, at);
  if (makes_contiguous(r, &all))
    return host_block(r, all.at[0].body);
  return take_from(r, &all, 0);
}
