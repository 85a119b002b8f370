/* traffic/sizes.c: numbers for a launch. */
#include "traffic/sizes.h"
#include "base/checked.h"

#include <assert.h>

static bool has_no_value(void *context, const symtab *t, sym atom,
                         int64_t *value) {
  (void)context;
  (void)t;
  (void)atom;
  (void)value;
  return false;
}

sym sizes_apply(const sizes *self, sym e) {
  return sym_substitute(self->launch->syms, e, self->from.at, self->to.at,
                        self->from.count);
}

bool sizes_number(const sizes *self, sym e, int64_t *out) {
  return sym_eval(self->launch->syms, sizes_apply(self, e), has_no_value, NULL,
                  out);
}

int64_t sizes_programs(const sizes *self) {
  return self->grid[0] * self->grid[1] * self->grid[2];
}

/* Appends the variables of e that have no number to `out`, each once. */
static void gather_missing(const sizes *self, sym e, sym_vec *out) {
  const symtab *t = self->launch->syms;
  e = sizes_apply(self, e);
  size_t n = sym_variables(t, e, NULL, 0);
  sym *vars = ARENA_ARRAY(self->arena, sym, n + 1);
  sym_variables(t, e, vars, n);
  for (size_t i = 0; i < n; i++) {
    bool known = sym_var_role(t, vars[i]) > ROLE_GRID;
    for (size_t k = 0; k < out->count && !known; k++)
      known = out->at[k] == vars[i];
    if (!known)
      VEC_PUSH(self->arena, out, vars[i]);
  }
}

static const char *name_missing(const sizes *self, const sym_vec *vars) {
  strbuf out = strbuf_make(self->arena);
  for (size_t i = 0; i < vars->count; i++)
    strbuf_printf(&out, "%s%s=...", i ? "," : "",
                  sym_var_name(self->launch->syms, vars->at[i]));
  return vars->count ? out.text : NULL;
}

const char *sizes_missing(const sizes *self, sym e) {
  sym_vec vars = {0};
  gather_missing(self, e, &vars);
  return name_missing(self, &vars);
}

/* Everything that the launch needs, in one message. */
static bool nothing_missing(const sizes *self, const judge *j, trouble *why) {
  const interp_result *r = judge_result(j);
  sym_vec vars = {0};
  for (int axis = 0; axis < 3; axis++)
    gather_missing(self, self->launch->grid[axis], &vars);
  for (size_t i = 0; i < r->controls.count; i++)
    gather_missing(self, r->controls.at[i].value, &vars);
  for (size_t i = 0; i < r->accesses.count; i++) {
    const access *a = &r->accesses.at[i];
    gather_missing(self, a->mask, &vars);
    if (a->pointer.of != SYM_NONE)
      gather_missing(self, a->pointer.of, &vars);
  }
  const char *names = name_missing(self, &vars);
  if (names)
    why->message =
        arena_printf(self->arena, "sizes are missing: give --set %s", names);
  return !names;
}

/* ----------------------------------------------------------- strides */

static void bind(sizes *self, sym var, sym to) {
  VEC_PUSH(self->arena, &self->from, var);
  VEC_PUSH(self->arena, &self->to, to);
}

/* Gives free strides of one tensor those of a contiguous one. */
static void bind_strides(sizes *self, uint32_t k) {
  symtab *t = self->launch->syms;
  const tensor *x = &self->launch->program->tensors.at[k];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK], inner = sym_int(t, 1);
  bool any = false;
  launch_tensor(self->launch, k, extent, stride);
  for (unsigned d = x->rank; d-- > 0;) {
    sym own = sizes_apply(self, stride[d]);
    bool free =
        sym_kind_of(t, own) == SYM_VAR && sym_var_role(t, own) == ROLE_STRIDE;
    if (free)
      bind(self, own, inner);
    any = any || free;
    inner = sizes_apply(self, sym_mul(t, inner, extent[d]));
  }
  if (any)
    self->contiguous.at[self->contiguous.count++] = x->name;
}

/* ------------------------------------------------------------- dtypes */

static scalar dtype_of(const tensor *x, const dtype_vec *given) {
  scalar found = x->dtype;
  for (size_t i = 0; x->dtype == SC_ANY && i < given->count; i++)
    if (!given->at[i].tensor)
      found = given->at[i].dtype;
  for (size_t i = 0; x->dtype == SC_ANY && i < given->count; i++)
    if (given->at[i].tensor && strcmp(given->at[i].tensor, x->name) == 0)
      found = given->at[i].dtype;
  return found;
}

static void bind_dtypes(sizes *self, const dtype_vec *given) {
  const tile_program *p = self->launch->program;
  self->element_bytes =
      ARENA_ARRAY(self->arena, unsigned, p->tensors.count + 1);
  for (size_t k = 0; k < p->tensors.count; k++)
    self->element_bytes[k] = scalar_bytes(dtype_of(&p->tensors.at[k], given));
}

bool sizes_element_bytes(const sizes *self, uint32_t tensor, int64_t *out,
                         trouble *why) {
  const char *name = self->launch->program->tensors.at[tensor].name;
  *out = self->element_bytes[tensor];
  if (*out == 0)
    why->message = arena_printf(self->arena,
                                "the element type of `%s` is not stated: give "
                                "--dtype f16, or --dtype %s=f16",
                                name, name);
  return *out != 0;
}

/* -------------------------------------------------------------- facts */

static bool is_false(const sizes *self, sym fact) {
  int64_t value;
  return sizes_number(self, fact, &value) && !value;
}

/* What the file says of its sizes, apart from what a launch makes of it. */
static bool stated_facts_hold(sizes *self, trouble *why) {
  const tile_program *p = self->launch->program;
  for (size_t i = 0; i < p->facts.count; i++) {
    expr fact = p->facts.at[i].condition;
    if (!is_false(self, launch_sym(self->launch, fact)))
      continue;
    why->message =
        arena_printf(self->arena, "no launch has these sizes: `%s` is not true",
                     expr_text(p->exprs, fact, self->arena));
    return false;
  }
  return true;
}

static bool facts_hold(sizes *self, trouble *why) {
  for (size_t i = 0; i < self->launch->facts.count; i++) {
    if (!is_false(self, self->launch->facts.at[i]))
      continue;
    why->message = "no launch has these sizes: the kernel does not compile or "
                   "CUDA refuses the grid (a tile extent that is no power of "
                   "two, a grid axis beyond its limit, ...)";
    return false;
  }
  return true;
}

static bool resolve_grid(sizes *self, trouble *why) {
  const char *const empty = "the launch has no program at these sizes";
  int64_t all = 1;
  why->message = empty;
  for (int axis = 0; axis < 3; axis++) {
    if (!sizes_number(self, self->launch->grid[axis], &self->grid[axis])) {
      why->message = "the grid is not understood";
      return false;
    }
    if (self->grid[axis] <= 0)
      return false;
    if (!mul_ok(all, self->grid[axis], &all)) {
      why->message = "the grid has more programs than 64 bits count";
      return false;
    }
  }
  why->message = NULL;
  return true;
}

bool sizes_resolve(judge *j, const dtype_vec *dtypes, sizes *out,
                   trouble *why) {
  const launch *l = judge_launch(j);
  assert(l->pinned);
  *out = (sizes){.arena = judge_arena(j), .launch = l};
  *why = (trouble){0};
  size_t tensors = l->program->tensors.count;
  out->contiguous.at = ARENA_ARRAY(out->arena, const char *, tensors + 1);
  for (uint32_t k = 0; k < tensors; k++)
    if (l->program->tensors.at[k].known)
      bind_strides(out, k);
  bind_dtypes(out, dtypes);
  return stated_facts_hold(out, why) && nothing_missing(out, j, why) &&
         resolve_grid(out, why) && facts_hold(out, why);
}
