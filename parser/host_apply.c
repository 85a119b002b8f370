/* parser/host_apply.c: clauses about the launch as a whole, clauses on the
 * kernel, and options. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

/* Sets of values and ranges of a constexpr. */
static void apply_const(host_run *r, const clause *c) {
  host_value v;
  expr e = host_variable(r, c->name, &v) ? host_as_int(r, v)
                                         : exprs_find(r->t, c->name);
  if (e == EXPR_NONE) {
    host_clause_report(r, c, c->name_at, c->name);
    return;
  }
  *c->used = true;
  symbol *s = host_symbol_of(r, e);
  expr any = expr_int(r->t, 0);
  bool pow2 = c->const_pow2;
  for (size_t i = 0; i < c->member_count; i++) {
    int64_t n = 0;
    expr m = host_clause_term(r, c, c->members[i], SYMBOL_INT);
    bool known = expr_is_int(r->t, m, &n) && n > 0 && (n & (n - 1)) == 0;
    pow2 = (i == 0 || pow2) && known;
    any = expr_or(r->t, any, expr_compare(r->t, EXPR_EQ, e, m));
  }
  if (c->member_count)
    host_fact(r, any, FACT_CONTRACT, c->at.line);
  if (c->const_pow2)
    host_fact(r, expr_ispow2(r->t, e), FACT_CONTRACT, c->at.line);
  if (pow2 && s)
    s->pow2 = true;
  if (!c->least)
    return;
  expr least = host_clause_term(r, c, c->least, SYMBOL_INT);
  expr greatest = host_clause_term(r, c, c->greatest, SYMBOL_INT);
  host_fact(r, expr_compare(r->t, EXPR_LE, least, e), FACT_CONTRACT,
            c->at.line);
  host_fact(r, expr_compare(r->t, EXPR_LE, e, greatest), FACT_CONTRACT,
            c->at.line);
}

static void require(host_run *r, expr condition, uint32_t line) {
  int64_t known;
  fact f = {condition, FACT_CONTRACT, line};
  if (condition != EXPR_NONE &&
      !(expr_is_int(r->t, condition, &known) && known))
    VEC_PUSH(r->arena, &r->p->required, f);
}

/* The clause says what the code does not; where both speak, they must agree. */
static void apply_grid(host_run *r, const clause *c) {
  *c->used = true;
  if (r->grid_open) {
    r->p->grid_rank = (uint8_t)c->rank;
    r->p->grid_line = c->at.line;
  }
  for (size_t d = 0; d < c->rank; d++) {
    expr e = host_clause_term(r, c, c->extents[d], SYMBOL_INT);
    const symbol *s = host_symbol_of(r, r->p->grid[d]);
    expr equal = expr_compare(r->t, EXPR_EQ, r->p->grid[d], e);
    if (e == EXPR_NONE && r->grid_open)
      return;
    if (e == EXPR_NONE)
      continue;
    if (!r->grid_open && !(s && s->role == SYMBOL_GRID)) {
      require(r, equal, c->at.line);
      continue;
    }
    if (!r->grid_open)
      host_fact(r, equal, FACT_CONTRACT, c->at.line);
    r->p->grid[d] = e;
  }
  r->grid_open = false;
}

/* Whether a name is a parameter or local of the function. */
static bool exists(host_run *r, const char *name) {
  host_value v;
  return host_variable(r, name, &v) ||
         (!r->kernel_names && host_bound_times(r, name));
}

static void check_names(host_run *r, const clause *c) {
  bool tensor = c->kind == CLAUSE_TENSOR || c->kind == CLAUSE_VALUES ||
                c->kind == CLAUSE_WRITTEN;
  if (tensor && !exists(r, c->name))
    host_clause_report(r, c, c->name_at, c->name);
  for (size_t i = 0; c->kind == CLAUSE_DISJOINT && i < c->name_count; i++)
    if (!exists(r, c->names[i]))
      host_clause_report(r, c, c->name_at, c->names[i]);
}

/* A tensor that the clauses describe and the launch does not get: its names
 * may stand in other clauses. */
static void introduce_tensor(host_run *r, const clause *c) {
  host_value v;
  uint32_t tensor;
  if (c->kind != CLAUSE_TENSOR || r->kernel_names ||
      !host_variable(r, c->name, &v))
    return;
  if (v.kind == HOST_TENSOR)
    *c->used = true;
  else if (v.kind == HOST_UNKNOWN && v.slot && host_as_tensor(r, v, &tensor))
    *c->used = true;
}

static void apply_clauses(host_run *r) {
  const contract *all = r->host->contract;
  for (size_t i = 0; i < all->clauses.count; i++)
    if (host_clause_belongs(r, &all->clauses.at[i]))
      introduce_tensor(r, &all->clauses.at[i]);
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    if (!host_clause_belongs(r, c))
      continue;
    check_names(r, c);
    if (c->kind == CLAUSE_ASSUME) {
      expr e = host_clause_term(r, c, c->condition, SYMBOL_INT);
      if (e != EXPR_NONE)
        *c->used = true;
      host_fact(r, e, FACT_CONTRACT, c->at.line);
    } else if (c->kind == CLAUSE_GRID && c->owner_from) {
      apply_grid(r, c);
    } else if (c->kind == CLAUSE_CONST) {
      apply_const(r, c);
    }
  }
}

static void state_all(host_run *r);

void host_apply_clauses(host_run *r) {
  apply_clauses(r);
  host_fill_tensors(r);
  state_all(r);
}

/* ------------------------------------------- clauses on a launched kernel */

/* Whether the host code says anything about the size. */
static bool host_size_asked(host_run *r, const host_tensor *t) {
  return !(t->folded && t->rank == 1) || t->clause || !t->slot ||
         host_slot_at(r, t->slot)->size_asked;
}

/* A tensor clause on a parameter: it describes what the host code leaves
 * unknown; what the host code knows must be as large. */
static void demand_tensor(host_run *r, const clause *c) {
  const host_argument *a = host_argument_named(r, c->name);
  if (!a) {
    host_clause_report(r, c, c->name_at, c->name);
    return;
  }
  *c->used = true;
  if (a->value.kind != HOST_TENSOR)
    return;
  host_tensor *t = &r->tensors.at[a->value.tensor];
  if (!t->ranked || t->unread || !host_size_asked(r, t)) {
    host_tensor fresh = *t;
    fresh.unread = fresh.strided = false;
    host_state_tensor(r, c, &fresh);
    r->tensors.at[a->value.tensor] = fresh;
    host_strides(r, a->value.tensor);
    return;
  }
  if (c->any_rank || c->strides || c->strides_any || !t->contiguous)
    return;
  expr need = expr_int(r->t, 1);
  for (size_t d = 0; d < c->rank; d++)
    need =
        expr_mul(r->t, need, host_clause_term(r, c, c->extents[d], SYMBOL_INT));
  require(r, expr_compare(r->t, EXPR_LE, need, host_numel(r, t)), c->at.line);
}

static void demand(host_run *r, const clause *c) {
  if (c->kind == CLAUSE_TENSOR)
    demand_tensor(r, c);
  else if (c->kind == CLAUSE_GRID)
    apply_grid(r, c);
  else if (c->kind == CLAUSE_CONST)
    apply_const(r, c);
  else
    check_names(r, c);
  if (c->kind != CLAUSE_ASSUME)
    return;
  *c->used = true;
  expr e = host_clause_term(r, c, c->condition, SYMBOL_INT);
  require(r, e, c->at.line);
}

/* What clauses say of the elements, under the host's and the kernel's name. */
static void state_all(host_run *r) {
  for (size_t i = 0; i < r->tensors.count && !r->kernel_names; i++) {
    host_tensor t = r->tensors.at[i];
    if (t.index >= 0 && t.base && strcmp(t.base, t.name) != 0)
      host_state_contents(r, t.base, (uint32_t)i);
    if (t.index >= 0)
      host_state_contents(r, t.name, (uint32_t)i);
  }
  for (size_t i = 0; r->kernel_names && i < r->guesses.count; i++) {
    const host_argument *a = &r->arguments[i];
    if (a->value.kind == HOST_TENSOR &&
        r->tensors.at[a->value.tensor].index >= 0)
      host_state_contents(r, a->name, a->value.tensor);
  }
}

void host_apply_kernel_clauses(host_run *r) {
  span owner = r->owner;
  const file_function *k = r->kernel;
  r->owner = node_span(r->syntax,
                       node_is(k->decorated) ? k->decorated : k->definition);
  r->kernel_names = true;
  const contract *all = r->host->contract;
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    if (host_clause_belongs(r, c) && c->owner_from)
      demand(r, c);
  }
  host_fill_tensors(r);
  state_all(r);
  r->kernel_names = false;
  r->owner = owner;
}

/* ---------------------------------------------------------------- options */

static expr option_name(void *context, const char *name) {
  host_run *r = context;
  expr e = exprs_find(r->t, name);
  if (e != EXPR_NONE)
    return e;
  const host_argument *a = host_argument_named(r, name);
  if (a && (e = host_as_int(r, a->value)) != EXPR_NONE)
    return e;
  return host_resolve(r, name);
}

static void set_name(host_run *r, size_t i) {
  int64_t value = r->host->options.set_values[i];
  expr e = option_name(r, r->host->options.set_names[i]);
  symbol *s = host_symbol_of(r, e);
  if (e == EXPR_NONE)
    return;
  r->host->set_used[i] = true;
  if (s) {
    s->pinned = true;
    s->pin = value;
  }
  host_fact(r, expr_compare(r->t, EXPR_EQ, e, expr_int(r->t, value)),
            FACT_OPTION, 0);
}

void host_apply_options(host_run *r) {
  const parse_options *o = &r->host->options;
  for (size_t i = 0; i < o->set_count; i++)
    set_name(r, i);
  for (size_t i = 0; i < o->assumption_count; i++) {
    const term *x = r->host->assumptions[i];
    expr e = x ? term_resolve(r->t, x, option_name, r, NULL) : EXPR_NONE;
    if (e == EXPR_NONE)
      continue;
    r->host->assumption_used[i] = true;
    host_fact(r, e, FACT_OPTION, 0);
  }
}
