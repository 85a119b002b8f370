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

/* --------------------------------------------------------------- refining */

static bool is_certain(const host_run *r) {
  return r->guards.count == 0 && !r->speculating && !r->reached;
}

/* An open optional parameter is None, or is not. */
static void refine_none(host_run *r, host_value v, bool none) {
  if (v.kind != HOST_UNKNOWN || !v.slot || !is_certain(r))
    return;
  host_slot *s = host_slot_at(r, v.slot);
  if (!s->parameter)
    return;
  s->not_none = !none;
  s->is_decided = none;
  s->decided = host_none();
}

static void refine_flag(host_run *r, host_value v, bool truth) {
  if (v.kind != HOST_UNKNOWN || !v.slot || !is_certain(r))
    return;
  host_slot *s = host_slot_at(r, v.slot);
  if (host_is_flag(r, v.slot)) {
    s->is_decided = true;
    s->decided = host_bool(expr_int(r->t, truth));
  } else if (truth && s->parameter &&
             host_kind_of(r, s->default_value) == SYN_none) {
    s->not_none = true;
  }
}

/* `x.is_contiguous()` holds. */
static void refine_call(host_run *r, node call) {
  node callee = node_field(call, "function");
  uint32_t tensor;
  if (host_kind_of(r, callee) != SYN_attribute || !is_certain(r) ||
      !node_text_is(r->syntax, node_field(callee, "attribute"),
                    "is_contiguous"))
    return;
  if (!host_as_tensor(r, host_eval(r, node_field(callee, "object")), &tensor))
    return;
  const host_tensor *t = &r->tensors.at[tensor];
  if (!t->stride_slot || t->stride_slot != t->slot || t->clause)
    return;
  host_slot *s = host_slot_at(r, t->slot);
  r->changed = r->changed || !s->contiguous_stated;
  s->contiguous_stated = true;
}

/* The tensor whose rank an expression asks for: x.dim(), x.ndim,
 * len(x.shape). */
static bool asks_rank(host_run *r, node at, uint32_t *tensor) {
  node object = {.id = NULL};
  if (host_kind_of(r, at) == SYN_attribute &&
      node_text_is(r->syntax, node_field(at, "attribute"), "ndim"))
    object = node_field(at, "object");
  if (host_kind_of(r, at) == SYN_call) {
    node callee = node_field(at, "function");
    node first = node_child(node_field(at, "arguments"), 0);
    if (host_kind_of(r, callee) == SYN_attribute &&
        (node_text_is(r->syntax, node_field(callee, "attribute"), "dim") ||
         node_text_is(r->syntax, node_field(callee, "attribute"),
                      "ndimension")))
      object = node_field(callee, "object");
    else if (node_text_is(r->syntax, callee, "len") &&
             host_kind_of(r, first) == SYN_attribute &&
             node_text_is(r->syntax, node_field(first, "attribute"), "shape"))
      object = node_field(first, "object");
  }
  return node_is(object) && host_as_tensor(r, host_eval(r, object), tensor);
}

static int exact_rank(host_run *r, uint32_t tensor) {
  const host_tensor *t = &r->tensors.at[tensor];
  if (t->slot && !t->clause)
    return host_slot_at(r, t->slot)->rank_exact;
  return t->ranked && !t->folded ? t->rank : 0;
}

/* x.shape == y.shape: one rank, equal extents. */
static void refine_shapes(host_run *r, uint32_t a, uint32_t b, uint32_t line) {
  int x = exact_rank(r, a), y = exact_rank(r, b);
  if (x && !y)
    host_ask_rank(r, b, x);
  if (y && !x)
    host_ask_rank(r, a, y);
  const host_tensor *s = &r->tensors.at[a], *t = &r->tensors.at[b];
  if (!s->ranked || !t->ranked)
    return;
  bool alike = s->rank == t->rank && s->folded == t->folded;
  if (!alike || s->folded) {
    expr n = host_ask_numel(r, a), m = host_ask_numel(r, b);
    host_fact(r, expr_compare(r->t, EXPR_EQ, n, m), FACT_HOST, line);
  }
  if (!alike)
    return;
  for (uint8_t d = 0; d < s->rank; d++)
    host_fact(r, expr_compare(r->t, EXPR_EQ, s->extent[d], t->extent[d]),
              FACT_HOST, line);
}

static void refine_dtype(host_run *r, node left, host_value dtype) {
  uint32_t tensor;
  if (dtype.kind != HOST_DTYPE || dtype.dtype == SC_ANY || !is_certain(r) ||
      host_kind_of(r, left) != SYN_attribute ||
      !node_text_is(r->syntax, node_field(left, "attribute"), "dtype") ||
      !host_as_tensor(r, host_eval(r, node_field(left, "object")), &tensor))
    return;
  const host_tensor *t = &r->tensors.at[tensor];
  if (!t->slot || t->slot != t->stride_slot)
    return;
  host_slot *s = host_slot_at(r, t->slot);
  r->changed = r->changed || s->dtype_stated != dtype.dtype;
  s->dtype_stated = dtype.dtype;
}

static void refine_equal(host_run *r, node left, node right) {
  host_value a = host_eval(r, left), b = host_eval(r, right);
  uint32_t tensor;
  int64_t rank;
  if (asks_rank(r, left, &tensor) &&
      expr_is_int(r->t, host_as_int(r, b), &rank) && rank > 0 &&
      rank <= TYPE_MAX_RANK)
    host_ask_rank(r, tensor, (int)rank);
  if (a.kind == HOST_SHAPE && b.kind == HOST_SHAPE)
    refine_shapes(r, a.tensor, b.tensor, host_line(r, left));
  else if (a.kind == HOST_SHAPE && b.kind == HOST_TUPLE && !b.partial)
    host_ask_rank(r, a.tensor, (int)b.count);
  else if (b.kind == HOST_SHAPE && a.kind == HOST_TUPLE && !a.partial)
    host_ask_rank(r, b.tensor, (int)a.count);
  refine_dtype(r, left, b);
}

static void refine_comparison(host_run *r, node at, bool truth) {
  uint32_t pairs = node_count(at) - 1;
  for (uint32_t i = 0; i < pairs; i++) {
    const char *op = node_compare_operator(r->syntax, at, i, r->arena);
    bool equal = strcmp(op, "==") == 0 || strcmp(op, "is") == 0;
    bool unequal = strcmp(op, "!=") == 0 || strcmp(op, "is not") == 0;
    if ((!equal && !unequal) || (!truth && pairs > 1))
      continue;
    bool holds = equal == truth;
    node left = node_child(at, i), right = node_child(at, i + 1);
    if (host_kind_of(r, right) == SYN_none)
      refine_none(r, host_eval(r, left), holds);
    else if (holds)
      refine_equal(r, left, right);
  }
}

void host_refine(host_run *r, node condition, bool truth) {
  bool lazy = r->lazy;
  syn kind = host_kind_of(r, condition);
  r->lazy = true;
  if (kind == SYN_comparison_operator)
    refine_comparison(r, condition, truth);
  else if (kind == SYN_call && truth)
    refine_call(r, condition);
  else if (kind == SYN_identifier)
    refine_flag(r, host_eval(r, condition), truth);
  r->lazy = lazy;
}

/* --------------------------------------------------------------- assuming */

static expr condition_value(host_run *r, node condition) {
  bool lazy = r->lazy;
  r->lazy = true;
  expr c = host_truth(r, host_eval(r, condition));
  r->lazy = lazy;
  return c;
}

static void assume_parts(host_run *r, node condition, bool truth, int depth) {
  syn kind = host_kind_of(r, condition);
  if (depth > HOST_ITEMS)
    return;
  if (kind == SYN_parenthesized_expression) {
    assume_parts(r, node_child(condition, 0), truth, depth + 1);
    return;
  }
  if (kind == SYN_not_operator) {
    assume_parts(r, node_child(condition, 0), !truth, depth + 1);
    return;
  }
  if (kind == SYN_boolean_operator) {
    bool both =
        strcmp(node_operator(r->syntax, condition, r->arena), "and") == 0;
    if (both == truth) {
      assume_parts(r, node_field(condition, "left"), truth, depth + 1);
      assume_parts(r, node_field(condition, "right"), truth, depth + 1);
      return;
    }
  }
  expr c = condition_value(r, condition);
  host_fact(r, truth ? c : expr_not(r->t, c), FACT_HOST,
            host_line(r, condition));
  host_refine(r, condition, truth);
}

void host_assume(host_run *r, node condition, bool truth) {
  if (!r->reached && node_is(condition))
    assume_parts(r, condition, truth, 0);
}

/* `f() if c else g()` around the launch. */
void host_conditional_facts(host_run *r, node statement) {
  node below = r->launch;
  for (node n = node_parent(below); node_is(n) && !node_same(n, statement);
       below = n, n = node_parent(n)) {
    if (host_kind_of(r, n) == SYN_conditional_expression) {
      if (node_same(below, node_child(n, 0)))
        host_assume(r, node_child(n, 1), true);
      else if (node_same(below, node_child(n, 2)))
        host_assume(r, node_child(n, 1), false);
    }
    /* Names of a comprehension or lambda around it. */
    if (host_kind_of(r, n) == SYN_lambda)
      for (node x = node_field(n, "parameters"); node_is(x);
           x = node_walk(node_field(n, "parameters"), x, true))
        if (host_kind_of(r, x) == SYN_identifier)
          host_bind(r, host_text(r, x), host_unknown());
    if (host_kind_of(r, n) == SYN_list_comprehension ||
        host_kind_of(r, n) == SYN_generator_expression)
      for (node x = n; node_is(x); x = node_walk(n, x, true))
        if (strcmp(syntax_kind_text(x), "for_in_clause") == 0 &&
            host_kind_of(r, node_field(x, "left")) == SYN_identifier)
          host_bind(r, host_text(r, node_field(x, "left")), host_unknown());
  }
}

/* --------------------------------------------------------------- branches */

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
} snapshot;

static host_env copy_env(host_run *r, host_env env) {
  host_env copy = {.count = env.count, .room = env.count};
  copy.at = arena_copy(r->arena, env.at, env.count * sizeof *env.at);
  return copy;
}

static snapshot take_snapshot(host_run *r) {
  return (snapshot){.env = copy_env(r, r->frame->env),
                    .facts = r->p->facts.count,
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
  host_flow flow =
      body ? host_block(r, all->at[i].body) : take_from(r, all, i + 1);
  r->speculating--;
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

/* Launch options that no address depends on. */
static bool is_tuning(const char *name) {
  return strcmp(name, "num_warps") == 0 || strcmp(name, "num_stages") == 0 ||
         strcmp(name, "num_ctas") == 0;
}

/* Binds the merged values. True when some value that matters for the launch
 * could not be merged. */
static bool merge_envs(host_run *r, expr condition, const host_env *a,
                       const host_env *b) {
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
        lost = lost || (host_is_relevant(r, name) && !is_tuning(name));
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
  bool local = r->frame->inlined && left != HOST_RAISE;
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
  bool lost = merge_envs(r, c, &then_env, &else_env);
  if (!lost || r->speculating || r->reached || r->frame->inlined ||
      r->product * 2 > HOST_PROGRAMS)
    return HOST_NEXT;
  r->p->facts.count = before.facts;
  restore(r, &before);
  restore_storages(r, &before);
  return take_one(r, all, i, host_choose(r, 2) == 0);
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

static host_flow take_from(host_run *r, const branch_vec *all, size_t i) {
  if (i >= all->count)
    return HOST_NEXT;
  const branch *b = &all->at[i];
  if (!node_is(b->condition))
    return host_block(r, b->body);
  expr c = condition_value(r, b->condition);
  int64_t known;
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
