/* parser/host_clause.c: contract clauses and options, applied to one launch.
 *
 * Names in a clause are those of the function that it stands above: its
 * parameters, its locals that are bound exactly once, and what tensor clauses
 * introduce. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

bool host_clause_belongs(const host_run *r, const clause *c) {
  bool file = c->owner_from == 0;
  bool own = r->owner.line != 0 && c->owner_from == r->owner.line &&
             c->owner_to == r->owner.end_line;
  return file || own;
}

const clause *host_clause_for(host_run *r, clause_kind kind, const char *name) {
  const clause *found = NULL;
  for (size_t i = 0; i < r->host->contract->clauses.count; i++) {
    const clause *c = &r->host->contract->clauses.at[i];
    if (c->kind != kind || !host_clause_belongs(r, c) ||
        strcmp(c->name, name) != 0)
      continue;
    if (!found || (found->owner_from == 0 && c->owner_from != 0))
      found = c;
  }
  return found;
}

/* An unknown name is a mistake, but in clauses for every function. */
void host_clause_report(host_run *r, const clause *c, span at,
                        const char *name) {
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
bool host_variable(host_run *r, const char *name, host_value *out) {
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
  if (!host_variable(r, base, &v) || !host_as_tensor(r, v, &tensor))
    return EXPR_NONE;
  if (numel)
    return host_ask_numel(r, tensor);
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
  bool bound = host_variable(r, name, &v);
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
expr host_clause_term(host_run *r, const clause *c, const term *x,
                      symbol_role role) {
  naming n = {.r = r, .role = role, .line = c->at.line};
  const term *unknown = NULL;
  expr e = term_resolve(r->t, x, resolve, &n, &unknown);
  if (unknown && unknown->kind == TERM_NAME && !n.absent)
    host_clause_report(r, c, unknown->at, unknown->name);
  if (unknown && unknown->kind != TERM_NAME) {
    *c->used = true;
    host_notice(r, NOTICE_CONTRACT, unknown->at,
                "this number cannot be computed");
  }
  return e;
}

expr host_resolve(host_run *r, const char *name) {
  naming n = {.r = r, .role = SYMBOL_INT};
  return resolve(&n, name);
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
    if (host_clause_belongs(r, c) &&
        (term_names(c->condition, name, 0) ||
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
    if (c->kind == CLAUSE_ASSUME && host_clause_belongs(r, c))
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
    if (c->kind != CLAUSE_MAX_NUMEL || !host_clause_belongs(r, c) ||
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
  t->folded = 0;
  t->assumed = false;
  for (uint8_t d = 0; d < t->rank; d++) {
    t->extent[d] = host_clause_term(r, c, c->extents[d], SYMBOL_SIZE);
    t->ranked = t->ranked && t->extent[d] != EXPR_NONE;
  }
  t->contiguous = !c->strides && !c->strides_any;
  t->disjoint = t->contiguous;
  t->strided = c->strides != NULL;
  for (uint8_t d = 0; c->strides && d < t->rank; d++) {
    t->stride[d] = host_clause_term(r, c, c->strides[d], SYMBOL_STRIDE);
    t->strided = t->strided && t->stride[d] != EXPR_NONE;
  }
  if (c->offset) {
    t->start = host_clause_term(r, c, c->offset, SYMBOL_SIZE);
    t->adrift = t->start == EXPR_NONE;
  }
}

/* The range that holds all sets of a clause; *exact: and nothing else. */
static void state_range(host_run *r, const clause *c, tensor *t) {
  bool exact = true;
  expr least = EXPR_NONE, greatest = EXPR_NONE, one = expr_int(r->t, 1);
  for (size_t i = 0; i < c->set_count; i++) {
    expr a = host_clause_term(r, c, c->set_least[i], SYMBOL_INT);
    expr b = host_clause_term(r, c, c->set_greatest[i], SYMBOL_INT);
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
  t->tied = (c->sorted || c->distinct) && !identical;
  t->distinct = c->distinct && identical && c->except_count == 0;
  if (!c->distinct || !identical || c->except_count > TENSOR_MAX_EXCEPT)
    return;
  for (size_t i = 0; i < c->except_count; i++) {
    expr e = host_clause_term(r, c, c->except[i], SYMBOL_INT);
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
        low ? host_clause_term(r, c, low, SYMBOL_INT) : expr_int(r->t, 0);
    t->part_high[d] =
        high ? host_clause_term(r, c, high, SYMBOL_INT) : t->extent[d];
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

/* Where a view begins that the host code does not tell. */
static void state_start(host_run *r, const clause *c, host_tensor *from,
                        tensor *t) {
  from->start = host_clause_term(r, c, c->offset, SYMBOL_SIZE);
  from->adrift = from->start == EXPR_NONE;
  t->start = from->start;
}

void host_state_contents(host_run *r, const char *name, uint32_t tensor_) {
  host_tensor *from = &r->tensors.at[tensor_];
  tensor *t = &r->p->tensors.at[from->index];
  for (size_t i = 0; i < r->host->contract->clauses.count; i++) {
    const clause *c = &r->host->contract->clauses.at[i];
    if (!host_clause_belongs(r, c))
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
      if (c->offset && strcmp(from->name, name) == 0)
        state_start(r, c, from, t);
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
