/* parser/host_clause.c: contract clauses and options, applied to one launch.
 *
 * Names in a clause are those of the function that it stands above: its
 * parameters, its locals that are bound exactly once, and what tensor clauses
 * introduce. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

static bool belongs(const host_run *r, const clause *c) {
  bool file = c->owner_from == 0;
  bool own = r->owner.line != 0 && c->owner_from == r->owner.line &&
             c->owner_to == r->owner.end_line;
  return file || own;
}

const clause *host_clause_for(host_run *r, clause_kind kind, const char *name) {
  const clause *found = NULL;
  for (size_t i = 0; i < r->host->contract->clauses.count; i++) {
    const clause *c = &r->host->contract->clauses.at[i];
    if (c->kind != kind || !belongs(r, c) || strcmp(c->name, name) != 0)
      continue;
    if (!found || (found->owner_from == 0 && c->owner_from != 0))
      found = c;
  }
  return found;
}

/* An unknown name is a mistake, but in clauses for every function. */
static void report(host_run *r, const clause *c, span at, const char *name) {
  if (c->owner_from == 0)
    return;
  *c->used = true;
  host_notice(r, NOTICE_CONTRACT, at,
              arena_printf(r->arena, "unknown name `%s`", name));
}

/* ------------------------------------------------------------------ names */

expr host_introduced_symbol(host_run *r, const char *name) {
  for (size_t i = 0; i < r->introduced.count; i++)
    if (r->introduced.at[i].local &&
        strcmp(r->introduced.at[i].name, name) == 0)
      return r->introduced.at[i].symbol;
  return EXPR_NONE;
}

static expr find_introduced(host_run *r, const char *name) {
  for (size_t i = 0; i < r->introduced.count; i++)
    if (strcmp(r->introduced.at[i].name, name) == 0)
      return r->introduced.at[i].symbol;
  return EXPR_NONE;
}

static expr introduce(host_run *r, const char *name, symbol_role role,
                      uint32_t line) {
  symbol s = {.role = role, .line = line, .unbounded = role == SYMBOL_INT};
  host_introduced fresh = {.name = name,
                           .symbol = host_symbol(r, name, s),
                           .local = host_bound_times(r, name) == 1};
  VEC_PUSH(r->arena, &r->introduced, fresh);
  return fresh.symbol;
}

typedef struct naming {
  host_run *r;
  symbol_role role; /* of symbols for new names; SYMBOL_INT: none are made */
  uint32_t line;
  bool absent; /* a local that is not bound on the way to the launch */
} naming;

static bool is_suffix(const char *name, const char *open, const char *close,
                      char **base, int *axis) {
  const char *at = strstr(name, open);
  if (!at)
    return false;
  char *end;
  long n = strtol(at + strlen(open), &end, 10);
  *axis = (int)n;
  (*base)[at - name] = '\0';
  return strcmp(end, close) == 0 && n >= 0 && n < TYPE_MAX_RANK;
}

/* The value of a variable of the function, or of a kernel's parameter. */
static bool variable(host_run *r, const char *name, host_value *out) {
  if (r->kernel_names) {
    const host_argument *a = host_argument_named(r, name);
    if (a)
      *out = host_settle(r, a->value);
    return a != NULL;
  }
  host_frame *frame = r->frame;
  if (r->launch_frame)
    r->frame = r->launch_frame;
  const host_value *v = host_lookup(r, name);
  r->frame = frame;
  if (v)
    *out = host_settle(r, *v);
  return v != NULL;
}

/* `x.shape[0]`, `x.stride(1)`, `x.numel()`. */
static expr dotted(host_run *r, const char *name) {
  char *base = arena_strdup(r->arena, name);
  int axis = 0;
  host_value v;
  uint32_t tensor;
  bool numel = false, stride = is_suffix(name, ".stride(", ")", &base, &axis);
  if (!stride && !is_suffix(name, ".shape[", "]", &base, &axis)) {
    numel = true;
    base[strcspn(base, ".")] = '\0';
  }
  if (!variable(r, base, &v) || !host_as_tensor(r, v, &tensor))
    return EXPR_NONE;
  if (numel)
    return host_numel(r, &r->tensors.at[tensor]);
  host_ask_axis(r, tensor, axis);
  if (stride)
    host_ask_strides(r, tensor);
  const host_tensor *t = &r->tensors.at[tensor];
  if (!t->ranked || axis >= t->rank)
    return EXPR_NONE;
  return stride ? t->stride[axis] : t->extent[axis];
}

static expr resolve(void *context, const char *name) {
  naming *n = context;
  host_run *r = n->r;
  host_value v = host_unknown();
  expr e = find_introduced(r, name);
  if (e != EXPR_NONE)
    return e;
  if (strchr(name, '.')) {
    e = exprs_find(r->t, name);
    return e != EXPR_NONE ? e : dotted(r, name);
  }
  bool bound = variable(r, name, &v);
  uint32_t times = r->kernel_names ? 1 : host_bound_times(r, name);
  if (bound && times > 1)
    return EXPR_NONE;
  if (bound) {
    e = host_as_int(r, v);
    if (e != EXPR_NONE || v.kind == HOST_TENSOR || times == 0)
      return e;
    if (n->role == SYMBOL_INT) {
      n->absent = true;
      return EXPR_NONE;
    }
  }
  if (n->role != SYMBOL_INT && times <= 1)
    return introduce(r, name, n->role, n->line);
  n->absent = times == 1;
  return EXPR_NONE;
}

/* A term of a clause; EXPR_NONE and a notice for an unknown name. */
static expr clause_term(host_run *r, const clause *c, const term *x,
                        symbol_role role) {
  naming n = {.r = r, .role = role, .line = c->at.line};
  const term *unknown = NULL;
  expr e = term_resolve(r->t, x, resolve, &n, &unknown);
  if (unknown && unknown->kind == TERM_NAME && !n.absent)
    report(r, c, unknown->at, unknown->name);
  if (unknown && unknown->kind != TERM_NAME) {
    *c->used = true;
    host_notice(r, NOTICE_CONTRACT, unknown->at,
                "this number cannot be computed");
  }
  return e;
}

expr host_term(host_run *r, const term *x, symbol_role role) {
  naming n = {.r = r, .role = role, .line = x->at.line};
  return term_resolve(r->t, x, resolve, &n, NULL);
}

/* Whether some term of the function's clauses has this name. */
static bool term_names(const term *x, const char *name, int depth) {
  if (!x || depth > 300)
    return false;
  if (x->kind == TERM_NAME)
    return strcmp(x->name, name) == 0;
  return term_names(x->a, name, depth + 1) || term_names(x->b, name, depth + 1);
}

static bool terms_name(const term *const *terms, size_t count,
                       const char *name) {
  for (size_t i = 0; terms && i < count; i++)
    if (term_names(terms[i], name, 0))
      return true;
  return false;
}

bool host_clause_names(host_run *r, const char *name) {
  for (size_t i = 0; i < r->host->contract->clauses.count; i++) {
    const clause *c = &r->host->contract->clauses.at[i];
    if (belongs(r, c) && (term_names(c->condition, name, 0) ||
                          terms_name(c->extents, c->rank, name) ||
                          terms_name(c->strides, c->rank, name) ||
                          terms_name(c->set_least, c->set_count, name) ||
                          terms_name(c->set_greatest, c->set_count, name)))
      return true;
  }
  return false;
}

/* ----------------------------------------------------------------- bounds */

/* Sound: only a bound by numbers can speak against the default range. */
static bool is_negative(const term *x) {
  return x->kind == TERM_NEG || x->kind == TERM_SUB ||
         (x->kind == TERM_INT && x->number < 0);
}

static void bound_by(const term *x, const char *name, bool *low, bool *high) {
  bool less = x->kind == TERM_LT || x->kind == TERM_LE;
  bool greater = x->kind == TERM_GT || x->kind == TERM_GE;
  if (x->kind == TERM_AND) {
    bound_by(x->a, name, low, high);
    bound_by(x->b, name, low, high);
    return;
  }
  if (!less && !greater && x->kind != TERM_EQ)
    return;
  const term *small = greater ? x->b : x->a, *large = greater ? x->a : x->b;
  bool is_large = large->kind == TERM_NAME && strcmp(large->name, name) == 0;
  bool is_small = small->kind == TERM_NAME && strcmp(small->name, name) == 0;
  if (is_large && is_negative(small))
    *low = false;
  if (is_small && large->kind == TERM_INT)
    *high = false;
  if (x->kind == TERM_EQ && is_small && is_negative(large))
    *low = false;
}

void host_stated_bounds(host_run *r, const char *name, bool *low, bool *high) {
  for (size_t i = 0; i < r->host->contract->clauses.count; i++) {
    const clause *c = &r->host->contract->clauses.at[i];
    if (c->kind == CLAUSE_ASSUME && belongs(r, c))
      bound_by(c->condition, name, low, high);
  }
  for (size_t i = 0; i < r->host->options.assumption_count; i++)
    if (r->host->assumptions[i])
      bound_by(r->host->assumptions[i], name, low, high);
}

static expr no_name(void *context, const char *name) {
  (void)context;
  (void)name;
  return EXPR_NONE;
}

static bool constant_term(host_run *r, const term *x, int64_t *out) {
  return expr_is_int(r->t, term_resolve(r->t, x, no_name, NULL, NULL), out);
}

void host_find_limit(host_run *r) {
  int64_t n;
  bool own = false;
  r->max_numel = r->host->options.max_numel > 0
                     ? r->host->options.max_numel
                     : (INT64_C(1) << 31) - (INT64_C(1) << 20);
  for (size_t i = 0; i < r->host->contract->clauses.count; i++) {
    const clause *c = &r->host->contract->clauses.at[i];
    if (c->kind != CLAUSE_MAX_NUMEL || !belongs(r, c) ||
        (own && c->owner_from == 0))
      continue;
    *c->used = true;
    if (!constant_term(r, c->condition, &n) || n < 0) {
      host_notice(r, NOTICE_CONTRACT, c->condition->at,
                  "max-numel is a constant");
      continue;
    }
    own = own || c->owner_from != 0;
    r->max_numel = n;
  }
}

/* ---------------------------------------------------------------- tensors */

void host_state_tensor(host_run *r, const clause *c, host_tensor *t) {
  *c->used = true;
  t->clause = c;
  if (c->dtype != SC_ANY)
    t->dtype = c->dtype;
  if (c->any_rank)
    return;
  t->origin = "contract";
  t->line = c->at.line;
  t->rank = (uint8_t)c->rank;
  t->ranked = true;
  t->sized = true;
  t->flat = t->collapsed = false;
  t->assumed = false;
  for (uint8_t d = 0; d < t->rank; d++) {
    t->extent[d] = clause_term(r, c, c->extents[d], SYMBOL_SIZE);
    t->ranked = t->ranked && t->extent[d] != EXPR_NONE;
  }
  t->contiguous = !c->strides && !c->strides_any;
  t->disjoint = t->contiguous;
  t->strided = c->strides != NULL;
  for (uint8_t d = 0; c->strides && d < t->rank; d++) {
    t->stride[d] = clause_term(r, c, c->strides[d], SYMBOL_STRIDE);
    t->strided = t->strided && t->stride[d] != EXPR_NONE;
  }
  if (c->offset)
    clause_term(r, c, c->offset, SYMBOL_SIZE);
}

/* The range that holds all sets of a clause; *exact: and nothing else. */
static void state_range(host_run *r, const clause *c, tensor *t) {
  bool exact = true;
  expr least = EXPR_NONE, greatest = EXPR_NONE, one = expr_int(r->t, 1);
  for (size_t i = 0; i < c->set_count; i++) {
    expr a = clause_term(r, c, c->set_least[i], SYMBOL_INT);
    expr b = clause_term(r, c, c->set_greatest[i], SYMBOL_INT);
    if (a == EXPR_NONE || b == EXPR_NONE)
      return;
    if (i == 0) {
      least = a;
      greatest = b;
    } else if (expr_add(r->t, greatest, one) == a) {
      greatest = b;
    } else if (expr_add(r->t, b, one) == least) {
      least = a;
    } else {
      exact = false;
      least = expr_min(r->t, least, a);
      greatest = expr_max(r->t, greatest, b);
    }
  }
  t->has_range = true;
  t->least = least;
  t->greatest = greatest;
  t->any_content = exact;
}

static void state_values(host_run *r, const clause *c, tensor *t,
                         bool identical) {
  if (c->set_count)
    state_range(r, c, t);
  if (c->any_values)
    t->any_content = true;
  /* Order and repetition are those of the whole tensor. */
  t->sorted = c->sorted && identical;
  t->distinct = c->distinct && identical && c->except_count == 0;
  if (!c->distinct || !identical || c->except_count > TENSOR_MAX_EXCEPT)
    return;
  for (size_t i = 0; i < c->except_count; i++) {
    expr e = clause_term(r, c, c->except[i], SYMBOL_INT);
    if (e == EXPR_NONE) {
      t->except_count = 0;
      return;
    }
    t->except[t->except_count++] = e;
  }
}

static void state_written(host_run *r, const clause *c, tensor *t,
                          bool identical) {
  t->written = c->slice_count == 0;
  if (t->written || !identical || c->slice_count > t->rank)
    return;
  t->part_written = true;
  for (uint8_t d = 0; d < t->rank; d++) {
    bool given = d < c->slice_count;
    const term *low = given ? c->slice_low[d] : NULL;
    const term *high = given ? c->slice_high[d] : NULL;
    t->part_low[d] =
        low ? clause_term(r, c, low, SYMBOL_INT) : expr_int(r->t, 0);
    t->part_high[d] = high ? clause_term(r, c, high, SYMBOL_INT) : t->extent[d];
  }
}

static void state_role(const clause *c, host_tensor *from, tensor *t) {
  if (c->role_given) {
    t->role = c->role;
    t->written = c->role != TENSOR_OUT;
    from->role_stated = from->written_stated = true;
  }
  if (c->align && from->identical)
    t->align = c->align;
  if (from->dtype == SC_ANY)
    from->dtype = t->dtype = c->dtype;
}

void host_state_contents(host_run *r, const char *name, uint32_t tensor_) {
  host_tensor *from = &r->tensors.at[tensor_];
  tensor *t = &r->p->tensors.at[from->index];
  for (size_t i = 0; i < r->host->contract->clauses.count; i++) {
    const clause *c = &r->host->contract->clauses.at[i];
    if (!belongs(r, c))
      continue;
    if (c->kind == CLAUSE_DISJOINT)
      for (size_t k = 0; k < c->name_count; k++)
        if (strcmp(c->names[k], name) == 0)
          from->disjoint = t->disjoint = *c->used = true;
    if (!c->name || strcmp(c->name, name) != 0)
      continue;
    if (c->kind == CLAUSE_TENSOR) {
      *c->used = true;
      state_role(c, from, t);
    }
    if (c->kind == CLAUSE_VALUES) {
      *c->used = true;
      state_values(r, c, t, from->identical);
    }
  }
  const clause *written = host_clause_for(r, CLAUSE_WRITTEN, name);
  if (written) {
    *written->used = true;
    from->written_stated = true;
    state_written(r, written, t, from->identical);
  }
}

/* ------------------------------------------------------------- conditions */

/* Sets of values and ranges of a constexpr. */
static void apply_const(host_run *r, const clause *c) {
  host_value v;
  expr e =
      variable(r, c->name, &v) ? host_as_int(r, v) : exprs_find(r->t, c->name);
  if (e == EXPR_NONE) {
    report(r, c, c->name_at, c->name);
    return;
  }
  *c->used = true;
  symbol *s = host_symbol_of(r, e);
  expr any = expr_int(r->t, 0);
  bool pow2 = c->const_pow2;
  for (size_t i = 0; i < c->member_count; i++) {
    int64_t n = 0;
    expr m = clause_term(r, c, c->members[i], SYMBOL_INT);
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
  expr least = clause_term(r, c, c->least, SYMBOL_INT);
  expr greatest = clause_term(r, c, c->greatest, SYMBOL_INT);
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
    expr e = clause_term(r, c, c->extents[d], SYMBOL_INT);
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
  return variable(r, name, &v) ||
         (!r->kernel_names && host_bound_times(r, name));
}

static void check_names(host_run *r, const clause *c) {
  bool tensor = c->kind == CLAUSE_TENSOR || c->kind == CLAUSE_VALUES ||
                c->kind == CLAUSE_WRITTEN;
  if (tensor && !exists(r, c->name))
    report(r, c, c->name_at, c->name);
  for (size_t i = 0; c->kind == CLAUSE_DISJOINT && i < c->name_count; i++)
    if (!exists(r, c->names[i]))
      report(r, c, c->name_at, c->names[i]);
}

/* A tensor that the clauses describe and the launch does not get: its names
 * may stand in other clauses. */
static void introduce_tensor(host_run *r, const clause *c) {
  host_value v;
  uint32_t tensor;
  if (c->kind != CLAUSE_TENSOR || r->kernel_names || !variable(r, c->name, &v))
    return;
  if (v.kind == HOST_TENSOR)
    *c->used = true;
  else if (v.kind == HOST_UNKNOWN && v.slot && host_as_tensor(r, v, &tensor))
    *c->used = true;
}

static void apply_clauses(host_run *r) {
  const contract *all = r->host->contract;
  for (size_t i = 0; i < all->clauses.count; i++)
    if (belongs(r, &all->clauses.at[i]))
      introduce_tensor(r, &all->clauses.at[i]);
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    if (!belongs(r, c))
      continue;
    check_names(r, c);
    if (c->kind == CLAUSE_ASSUME) {
      expr e = clause_term(r, c, c->condition, SYMBOL_INT);
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
  return !t->flat || t->clause || !t->slot ||
         host_slot_at(r, t->slot)->size_asked;
}

/* A tensor clause on a parameter: it describes what the host code leaves
 * unknown; what the host code knows must be as large. */
static void demand_tensor(host_run *r, const clause *c) {
  const host_argument *a = host_argument_named(r, c->name);
  if (!a) {
    report(r, c, c->name_at, c->name);
    return;
  }
  *c->used = true;
  if (a->value.kind != HOST_TENSOR)
    return;
  host_tensor *t = &r->tensors.at[a->value.tensor];
  if (!t->ranked || !host_size_asked(r, t)) {
    host_tensor fresh = *t;
    host_state_tensor(r, c, &fresh);
    r->tensors.at[a->value.tensor] = fresh;
    host_strides(r, a->value.tensor);
    return;
  }
  if (c->any_rank || c->strides || c->strides_any || !t->contiguous)
    return;
  expr need = expr_int(r->t, 1);
  for (size_t d = 0; d < c->rank; d++)
    need = expr_mul(r->t, need, clause_term(r, c, c->extents[d], SYMBOL_INT));
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
  expr e = clause_term(r, c, c->condition, SYMBOL_INT);
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
    if (belongs(r, c) && c->owner_from)
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
  naming n = {.r = r, .role = SYMBOL_INT};
  return resolve(&n, name);
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
