/* analysis/launch.c: symbols and facts of a launch. */
#include "analysis/launch.h"
#include "base/panic.h"
#include "ops/ops.h"

static const sym_role ROLE_OF[] = {
    [SYMBOL_SIZE] = ROLE_SIZE, [SYMBOL_STRIDE] = ROLE_STRIDE,
    [SYMBOL_INT] = ROLE_SIZE,  [SYMBOL_CONST] = ROLE_CONST,
    [SYMBOL_GRID] = ROLE_GRID, [SYMBOL_SWITCH] = ROLE_CONST,
};

enum { MAX_TILE = 1 << 20, FREE_LIMIT = 16, LEAST_DOT = 16 };

static void add(const launch *self, sym_vec *to, sym fact) {
  if (sym_kind_of(self->syms, fact) == SYM_TRUE)
    return;
  for (size_t i = 0; i < to->count; i++)
    if (to->at[i] == fact)
      return;
  VEC_PUSH(self->program->arena, to, fact);
}

static void assume(launch *self, sym fact) {
  add(self, &self->facts, fact);
  add(self, &self->before_limits, fact);
}

static void assume_at_least(launch *self, sym e, int64_t least) {
  assume(self, sym_ge(self->syms, e, sym_int(self->syms, least)));
}

static void assume_at_most(launch *self, sym e, int64_t most) {
  assume(self, sym_le(self->syms, e, sym_int(self->syms, most)));
}

/* Sound: these are the defaults of docs/contract.md, listed with -v. */
static void assume_symbol_range(launch *self, const symbol *s, sym e) {
  if (s->unbounded)
    return;
  switch (s->role) {
  case SYMBOL_SIZE:
  case SYMBOL_INT:
    assume_at_least(self, e, 0);
    assume_at_most(self, e, self->program->max_numel);
    break;
  case SYMBOL_STRIDE:
    assume_at_least(self, e, 0);
    break;
  case SYMBOL_CONST:
    assume_at_least(self, e, 1);
    if (s->pow2)
      assume(self, sym_ispow2(self->syms, e));
    break;
  case SYMBOL_GRID:
    assume_at_least(self, e, 1);
    break;
  case SYMBOL_SWITCH:
    assume_at_least(self, e, 0);
    assume_at_most(self, e, (int64_t)s->label_count - 1);
    break;
  }
}

bool launch_spans_tile(const tile_program *p, size_t symbol_) {
  expr e = exprs_symbol_expr(p->exprs, symbol_);
  for (size_t v = 1; v < p->values.count; v++)
    for (unsigned d = 0; d < p->values.at[v].type.rank; d++)
      if (expr_mentions(p->exprs, p->values.at[v].type.dim[d], e))
        return true;
  return false;
}

int64_t launch_free_limit(const tile_program *p, size_t index) {
  const symbol *s = exprs_symbol_at(p->exprs, index);
  if (!s->pinned || s->role != SYMBOL_CONST || launch_spans_tile(p, index))
    return 0;
  return s->pin > FREE_LIMIT ? s->pin : FREE_LIMIT;
}

static bool mentioned(const tile_program *p, size_t index, bool host_too) {
  expr e = exprs_symbol_expr(p->exprs, index);
  for (size_t i = 0; i < p->facts.count; i++) {
    fact_origin origin = p->facts.at[i].origin;
    bool counts = origin == FACT_CONTRACT || origin == FACT_OPTION ||
                  (origin == FACT_HOST && host_too);
    if (counts && expr_mentions(p->exprs, p->facts.at[i].condition, e))
      return true;
  }
  return false;
}

bool launch_is_dense(const tile_program *p, uint32_t index) {
  const tensor *x = &p->tensors.at[index];
  if (!x->known || x->parameter || !x->disjoint || x->rank < 2)
    return false;
  for (unsigned d = 0; d < x->rank; d++)
    if (expr_kind_of(p->exprs, x->stride[d]) != EXPR_SYMBOL)
      return false;
  return true;
}

/* Sound: an allocation that returned has its number of elements within the
 * size limit. */
static void make_allocation_facts(launch *self) {
  for (uint32_t k = 0; k < self->program->tensors.count; k++) {
    const tensor *x = &self->program->tensors.at[k];
    sym count = sym_int(self->syms, 1);
    if (!launch_is_dense(self->program, k))
      continue;
    for (unsigned d = 0; d < x->rank; d++)
      count = sym_mul(self->syms, count, launch_sym(self, x->extent[d]));
    assume_at_most(self, count, self->program->max_numel);
  }
}

/* A stride that the allocator chose. */
static bool is_allocated_stride(const tile_program *p, expr e) {
  for (size_t k = 0; k < p->tensors.count; k++) {
    const tensor *x = &p->tensors.at[k];
    for (unsigned d = 0; x->known && !x->parameter && d < x->rank; d++)
      if (x->stride[d] == e)
        return true;
  }
  return false;
}

bool launch_hides(const tile_program *p, size_t index) {
  return exprs_symbol_at(p->exprs, index)->role == SYMBOL_SWITCH ||
         launch_host_keeps(p, index);
}

bool launch_host_keeps(const tile_program *p, size_t index) {
  const symbol *s = exprs_symbol_at(p->exprs, index);
  if (!p->launch_line || s->pinned || s->role == SYMBOL_SWITCH)
    return false;
  if (s->role == SYMBOL_STRIDE &&
      is_allocated_stride(p, exprs_symbol_expr(p->exprs, index)))
    return true;
  if (s->unbounded || s->role == SYMBOL_GRID)
    return !mentioned(p, index, false);
  return s->role == SYMBOL_CONST && !mentioned(p, index, true);
}

static void make_symbols(launch *self) {
  exprs *t = self->program->exprs;
  size_t n = exprs_symbol_count(t);
  self->symbol = ARENA_ARRAY(self->program->arena, sym, n ? n : 1);
  for (size_t i = 0; i < n; i++) {
    const symbol *s = exprs_symbol_at(t, i);
    if (s->pinned && self->pinned)
      self->symbol[i] = sym_int(self->syms, s->pin);
    else
      self->symbol[i] = sym_var(self->syms, ROLE_OF[s->role], s->name);
  }
}

/* Which of two variables a reader would rather see replaced: strides, then what
 * has no name of its own in the host code, as in y.shape[0]. */
static int obscurity(const symtab *t, sym var) {
  if (sym_var_role(t, var) == ROLE_STRIDE)
    return 2;
  return strchr(sym_var_name(t, var), '.') != NULL;
}

/* The variable that an equation `p == 0` gives as a polynomial in the others:
 * it stands alone, with coefficient 1 or -1, in one term. */
static sym solvable(symtab *t, sym equation, sym *by) {
  const sym *operands;
  const sym_term *terms;
  sym best = SYM_NONE;
  sym_operands(t, equation, &operands);
  size_t n = sym_terms(t, operands[0], &terms);
  for (size_t i = 0; i < n; i++) {
    if (terms[i].atom_count != 1 || (terms[i].coef != 1 && terms[i].coef != -1))
      continue;
    sym var = terms[i].atoms[0];
    sym own = sym_mul(t, sym_int(t, terms[i].coef), var);
    sym rest = sym_sub(t, operands[0], own);
    if (sym_kind_of(t, var) != SYM_VAR || sym_mentions(t, rest, var))
      continue;
    if (best != SYM_NONE && obscurity(t, var) <= obscurity(t, best))
      continue;
    best = var;
    *by = terms[i].coef == 1 ? sym_neg(t, rest) : rest;
  }
  return best;
}

/* Sound: replaces equals by equals, in all facts to come. */
static void solve_equations(launch *self) {
  const tile_program *p = self->program;
  for (size_t i = 0; i < p->facts.count; i++) {
    sym by = SYM_NONE, fact = launch_sym(self, p->facts.at[i].condition);
    if (sym_kind_of(self->syms, fact) != SYM_EQ0)
      continue;
    sym var = solvable(self->syms, fact, &by);
    for (size_t k = 0; var && k < exprs_symbol_count(p->exprs); k++)
      self->symbol[k] =
          sym_substitute(self->syms, self->symbol[k], &var, &by, 1);
  }
}

static void make_ranges(launch *self) {
  exprs *t = self->program->exprs;
  for (size_t i = 0; i < exprs_symbol_count(t); i++) {
    int64_t most = self->pinned ? 0 : launch_free_limit(self->program, i);
    assume_symbol_range(self, exprs_symbol_at(t, i), self->symbol[i]);
    if (most)
      assume_at_most(self, self->symbol[i], most);
  }
}

int64_t launch_grid_limit(int axis) {
  return axis == 0 ? INT32_MAX : 65535;
}

/* Sound: a program runs only on a non-empty grid, and its id is below it; CUDA
 * refuses grids beyond the limits. */
static void make_grid(launch *self) {
  static const char *const name[3] = {"pid0", "pid1", "pid2"};
  for (int axis = 0; axis < 3; axis++) {
    sym grid = launch_sym(self, self->program->grid[axis]);
    self->grid[axis] = grid;
    int64_t fixed;
    if (sym_is_int(self->syms, grid, &fixed) && fixed == 1) {
      self->pid[axis] = sym_int(self->syms, 0);
      continue;
    }
    sym pid = sym_var(self->syms, ROLE_PROGRAM, name[axis]);
    self->pid[axis] = pid;
    assume_at_least(self, grid, 1);
    add(self, &self->facts,
        sym_le(self->syms, grid, sym_int(self->syms, launch_grid_limit(axis))));
    assume_at_least(self, pid, 0);
    assume(self, sym_lt(self->syms, pid, grid));
  }
}

static void make_facts(launch *self) {
  for (size_t i = 0; i < self->program->facts.count; i++)
    assume(self, launch_sym(self, self->program->facts.at[i].condition));
}

/* Sound: a tensor that holds an element holds one within its range. */
static void make_content_facts(launch *self) {
  symtab *t = self->syms;
  for (size_t i = 0; i < self->program->tensors.count; i++) {
    const tensor *x = &self->program->tensors.at[i];
    if (!x->has_range || !x->known || !x->least || !x->greatest)
      continue;
    sym fact =
        sym_le(t, launch_sym(self, x->least), launch_sym(self, x->greatest));
    for (unsigned d = 0; d < x->rank; d++)
      fact = sym_or(t, fact,
                    sym_eq(t, launch_sym(self, x->extent[d]), sym_int(t, 0)));
    assume(self, fact);
  }
}

/* Sound: a kernel whose tiles have no lanes, more than 2^20 of them, or a
 * length that is no power of two does not compile, so no program of it runs. */
static void make_tile_facts(launch *self) {
  const tile_program *p = self->program;
  symtab *t = self->syms;
  for (size_t v = 1; v < p->values.count; v++) {
    const type *x = &p->values.at[v].type;
    sym lanes = sym_int(t, 1);
    for (unsigned d = 0; d < x->rank; d++) {
      sym extent = launch_sym(self, x->dim[d]);
      lanes = sym_mul(t, lanes, extent);
      assume(self, sym_ge(t, extent, sym_int(t, 1)));
      assume(self, sym_le(t, extent, sym_int(t, MAX_TILE)));
      assume(self, sym_ispow2(t, extent));
    }
    if (x->rank > 1)
      assume(self, sym_le(t, lanes, sym_int(t, MAX_TILE)));
  }
}

bool launch_is_dot(const inst *i) {
  return i && i->kind == NODE_OP && op_signature_of(i->op) == SIG_DOT;
}

/* Sound: a default of docs/contract.md: block sizes that a dot spans or
 * contracts are at least 16. What a launch fixes keeps its value. */
static void make_dot_facts(launch *self) {
  const tile_program *p = self->program;
  for (size_t v = 1; v < p->values.count; v++) {
    const inst *i = p->values.at[v].def;
    if (!launch_is_dot(i))
      continue;
    for (uint32_t k = 0; k < 2; k++) {
      const type *x = &p->values.at[i->operands[k]].type;
      for (unsigned d = x->rank < 2 ? x->rank : x->rank - 2; d < x->rank; d++) {
        sym extent = launch_sym(self, x->dim[d]);
        if (sym_kind_of(self->syms, extent) == SYM_VAR &&
            sym_var_role(self->syms, extent) == ROLE_CONST)
          assume_at_least(self, extent, LEAST_DOT);
      }
    }
  }
}

launch *launch_create(arena *kernel, const tile_program *p, symtab *t,
                      bool pinned) {
  launch *self = ARENA_NEW(kernel, launch);
  self->program = p;
  self->syms = t;
  self->pinned = pinned;
  make_symbols(self);
  solve_equations(self);
  make_ranges(self);
  make_grid(self);
  make_facts(self);
  make_content_facts(self);
  make_allocation_facts(self);
  self->compile_from = self->facts.count;
  make_tile_facts(self);
  make_dot_facts(self);
  return self;
}

/* Sound: a condition is 0 or 1 where a number is wanted. */
static sym as_number(symtab *t, sym e) {
  return sym_is_bool(t, e) ? sym_select(t, e, sym_int(t, 1), sym_int(t, 0)) : e;
}

static bool takes_conditions(expr_kind kind) {
  return kind == EXPR_AND || kind == EXPR_OR || kind == EXPR_NOT;
}

static sym convert(const launch *self, expr e) {
  symtab *t = self->syms;
  exprs *x = self->program->exprs;
  expr operand[3];
  sym s[3] = {SYM_NONE, SYM_NONE, SYM_NONE};
  size_t n = expr_operands(x, e, operand);
  expr_kind kind = expr_kind_of(x, e);
  for (size_t i = 0; i < n; i++) {
    s[i] = convert(self, operand[i]);
    if (!takes_conditions(kind) && (kind != EXPR_SELECT || i > 0))
      s[i] = as_number(t, s[i]);
  }
  switch (expr_kind_of(x, e)) {
  case EXPR_INT: {
    int64_t value = 0;
    bool is_int = expr_is_int(x, e, &value);
    assert(is_int);
    (void)is_int;
    return sym_int(t, value);
  }
  case EXPR_SYMBOL: {
    size_t index = 0;
    expr_symbol(x, e, &index);
    return self->symbol[index];
  }
  case EXPR_ADD:
    return sym_add(t, s[0], s[1]);
  case EXPR_SUB:
    return sym_sub(t, s[0], s[1]);
  case EXPR_MUL:
    return sym_mul(t, s[0], s[1]);
  case EXPR_FDIV:
    return sym_fdiv(t, s[0], s[1]);
  case EXPR_FMOD:
    return sym_fmod(t, s[0], s[1]);
  case EXPR_MIN:
    return sym_min(t, s[0], s[1]);
  case EXPR_MAX:
    return sym_max(t, s[0], s[1]);
  case EXPR_CDIV:
    return sym_cdiv(t, s[0], s[1]);
  case EXPR_POW2CEIL:
    return sym_pow2ceil(t, s[0]);
  case EXPR_SELECT:
    return sym_select(t, s[0], s[1], s[2]);
  case EXPR_LT:
    return sym_lt(t, s[0], s[1]);
  case EXPR_LE:
    return sym_le(t, s[0], s[1]);
  case EXPR_EQ:
    return sym_eq(t, s[0], s[1]);
  case EXPR_NE:
    return sym_ne(t, s[0], s[1]);
  case EXPR_AND:
    return sym_and(t, s[0], s[1]);
  case EXPR_OR:
    return sym_or(t, s[0], s[1]);
  case EXPR_NOT:
    return sym_not(t, s[0]);
  case EXPR_ISPOW2:
    return sym_ispow2(t, s[0]);
  }
  panic("launch expression of kind %d", (int)expr_kind_of(x, e));
}

sym launch_sym(const launch *self, expr e) {
  if (e == EXPR_NONE)
    return sym_unknown(self->syms);
  return convert(self, e);
}

sym launch_number(const launch *self, expr e) {
  return as_number(self->syms, launch_sym(self, e));
}

sym launch_lane(const launch *self, unsigned axis_from_right) {
  static const char *const name[] = {"lane0", "lane1", "lane2",
                                     "lane3", "lane4", "lane5"};
  assert(axis_from_right < TYPE_MAX_RANK);
  return sym_var(self->syms, ROLE_LANE, name[axis_from_right]);
}

bool launch_has_pins(const tile_program *p) {
  for (size_t i = 0; i < exprs_symbol_count(p->exprs); i++)
    if (exprs_symbol_at(p->exprs, i)->pinned)
      return true;
  return false;
}

void launch_tensor(const launch *self, uint32_t index, sym *extent,
                   sym *stride) {
  const tensor *t = &self->program->tensors.at[index];
  assert(t->known);
  for (unsigned d = 0; d < t->rank; d++) {
    extent[d] = launch_number(self, t->extent[d]);
    stride[d] = launch_number(self, t->stride[d]);
  }
}

sym launch_span(const launch *self, uint32_t index) {
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  launch_tensor(self, index, extent, stride);
  symtab *t = self->syms;
  sym span = sym_int(t, 1);
  for (unsigned d = 0; d < self->program->tensors.at[index].rank; d++) {
    sym last = sym_sub(t, extent[d], sym_int(t, 1));
    span = sym_add(t, span, sym_mul(t, last, stride[d]));
  }
  return span;
}
