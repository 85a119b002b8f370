/* traffic/io_kernel.c: what one program of a kernel moves: its accesses,
 * counted, and their sums. */
#include "traffic/io.h"

#include "analysis/on_chip.h"
#include "base/panic.h"

#include <string.h>

typedef struct reading {
  arena *arena;
  io_function *f;
  const interp_result *result;
} reading;

static io_quantity counted(count_result c) {
  return c.exact ? io_known(c.formula) : io_unknown(c.reason, c.at);
}

static bool is_followed(const reading *r, const access *a) {
  return !a->opaque && a->pointer.form == VALUE_POINTER &&
         a->pointer.tensor < r->f->program->tensors.count;
}

static void add_access(reading *r, const access *a) {
  io_function *f = r->f;
  const tensor *x =
      is_followed(r, a) ? &f->program->tensors.at[a->pointer.tensor] : NULL;
  io_access out = {.at = a->inst->at,
                   .op = a->opaque ? a->inst->text : op_name(a->inst->op),
                   .tensor = x ? x->name : NULL,
                   .reads = a->effect != EFFECT_WRITE,
                   .writes = a->effect != EFFECT_READ};
  io_quantity live = counted(count_access(f->judge, a, true));
  out.moved = io_elements(r->arena, f->syms, live, x ? x->dtype : SC_ANY,
                          x ? x->type_of ? x->type_of : x->name : NULL);
  io_simplify(f->judge, &out.moved);
  VEC_PUSH(r->arena, &f->accesses, out);
}

/* Distinct elements that the accesses of one tensor touch: those that read it,
 * or, where there are none, those that write it. */
static void count_once(reading *r, uint32_t tensor, bool reads,
                       io_tensor *out) {
  io_function *f = r->f;
  size_t n = 0;
  const access **all =
      ARENA_ARRAY(r->arena, const access *, r->result->accesses.count + 1);
  out->requested = io_known(sym_int(f->syms, 0));
  for (size_t i = 0; i < r->result->accesses.count; i++) {
    const access *a = &r->result->accesses.at[i];
    bool fits = reads ? f->accesses.at[i].reads : f->accesses.at[i].writes;
    if (!is_followed(r, a) || a->pointer.tensor != tensor || !fits)
      continue;
    all[n++] = a;
    out->requested =
        io_sum(f->syms, out->requested, f->accesses.at[i].moved.elements);
  }
  out->distinct = counted(count_distinct(f->judge, all, n));
  if (out->distinct.formula)
    out->distinct.formula = count_simplify(f->judge, out->distinct.formula);
  if (out->requested.formula)
    out->requested.formula = count_simplify(f->judge, out->requested.formula);
}

static void add_tensor(reading *r, uint32_t tensor) {
  io_function *f = r->f;
  const struct tensor *x = &f->program->tensors.at[tensor];
  io_tensor out = {.name = x->name,
                   .role = x->role,
                   .reads = io_nothing(f->syms),
                   .writes = io_nothing(f->syms)};
  bool reads = false, writes = false;
  for (size_t i = 0; i < f->accesses.count; i++) {
    const io_access *a = &f->accesses.at[i];
    if (!a->tensor || r->result->accesses.at[i].pointer.tensor != tensor)
      continue;
    reads = reads || a->reads;
    writes = writes || a->writes;
    if (a->reads)
      out.reads = io_flow_sum(f->syms, out.reads, a->moved);
    if (a->writes)
      out.writes = io_flow_sum(f->syms, out.writes, a->moved);
  }
  if (!reads && !writes)
    return;
  io_simplify(f->judge, &out.reads);
  io_simplify(f->judge, &out.writes);
  count_once(r, tensor, reads, &out);
  VEC_PUSH(r->arena, &f->tensors, out);
}

static void add_sums(io_function *f) {
  symtab *t = f->syms;
  f->reads = f->writes = f->atomic = io_nothing(t);
  for (size_t i = 0; i < f->accesses.count; i++) {
    const io_access *a = &f->accesses.at[i];
    if (a->reads)
      f->reads = io_flow_sum(t, f->reads, a->moved);
    if (a->writes)
      f->writes = io_flow_sum(t, f->writes, a->moved);
    if (a->reads && a->writes)
      f->atomic = io_flow_sum(t, f->atomic, a->moved);
  }
  f->total = io_flow_sum(t, f->reads, f->writes);
  io_simplify(f->judge, &f->reads);
  io_simplify(f->judge, &f->writes);
  io_simplify(f->judge, &f->total);
  io_simplify(f->judge, &f->atomic);
}

static void add_on_chip(io_function *f) {
  sym bytes = on_chip_bytes(judge_launch(f->judge));
  f->on_chip = judge_lost(f->judge, bytes)
                   ? io_unknown("a tile has an extent that is not known", f->at)
                   : io_known(count_simplify(f->judge, bytes));
}

/* Every axis of the grid has a program. */
static sym grid_is_full(const launch *l) {
  symtab *t = l->syms;
  sym all = sym_true(t);
  for (int axis = 0; axis < 3; axis++)
    all = sym_and(t, all, sym_ge(t, l->grid[axis], sym_int(t, 1)));
  return all;
}

/* "BLOCK_M=64, BLOCK_N=64", of all that the launch fixes. */
static const char *pins_text(arena *arena, const tile_program *p) {
  strbuf out = strbuf_make(arena);
  for (size_t i = 0; i < exprs_symbol_count(p->exprs); i++) {
    const symbol *s = exprs_symbol_at(p->exprs, i);
    if (s->pinned)
      strbuf_printf(&out, "%s%s=%lld", out.length ? ", " : "", s->name,
                    (long long)s->pin);
  }
  return out.text;
}

void io_add_pin(arena *arena, io_function *f, const tile_program *p,
                const char *symbol_name, const char *name) {
  expr e = exprs_find(p->exprs, symbol_name);
  if (e == EXPR_NONE || expr_kind_of(p->exprs, e) != EXPR_SYMBOL)
    return;
  const symbol *s = expr_symbol(p->exprs, e, NULL);
  for (size_t i = 0; i < f->pins.count; i++)
    if (strcmp(f->pins.at[i].name, name) == 0)
      return;
  io_pin pin = {name, s->pin};
  if (s->pinned)
    VEC_PUSH(arena, &f->pins, pin);
}

/* Facts in launch variables, but those that say that a program runs. */
static void add_conditions(reading *r) {
  const launch *l = judge_launch(r->f->judge);
  symtab *t = r->f->syms;
  for (size_t i = 0; i < l->facts.count; i++) {
    sym fact = l->facts.at[i];
    bool runs = false;
    for (int axis = 0; axis < 3; axis++)
      runs = runs || fact == sym_ge(t, l->grid[axis], sym_int(t, 1));
    if (!runs && judge_is_launch_level(r->f->judge, fact))
      VEC_PUSH(r->arena, &r->f->conditions, fact);
  }
  for (size_t i = 0; i < exprs_symbol_count(l->program->exprs); i++) {
    const char *name = exprs_symbol_at(l->program->exprs, i)->name;
    io_add_pin(r->arena, r->f, l->program, name, name);
  }
}

static void add_assumptions(reading *r) {
  const tile_program *p = r->f->program;
  for (size_t i = 0; i < p->tensors.count; i++) {
    const tensor *x = &p->tensors.at[i];
    if (x->assumed_contiguous) {
      const char *text = arena_printf(r->arena, "`%s` is contiguous", x->name);
      VEC_PUSH(r->arena, &r->f->assumptions, text);
    }
  }
}

static io_function *read_kernel(arena *arena, tile_program *p, bool pinned,
                                analysis_options options) {
  io_function *f = ARENA_NEW(arena, io_function);
  *f = (io_function){.name = p->kernel,
                     .at = p->at,
                     .kernel = true,
                     .launch_line = p->launch_line,
                     .choice = p->choice ? p->choice : "",
                     .only = pinned ? pins_text(arena, p) : "",
                     .program = p};
  f->judge = judge_create(p->arena, p, pinned, options);
  f->syms = judge_launch(f->judge)->syms;
  f->when = grid_is_full(judge_launch(f->judge));
  reading r = {arena, f, judge_result(f->judge)};
  for (size_t i = 0; i < r.result->accesses.count; i++)
    add_access(&r, &r.result->accesses.at[i]);
  add_sums(f);
  add_on_chip(f);
  add_conditions(&r);
  add_assumptions(&r);
  return f;
}

/* Live lanes, and all that run. */
static void add_lanes(reading *r) {
  io_function *f = r->f;
  f->live = f->lanes = io_known(sym_int(f->syms, 0));
  for (size_t i = 0; i < f->accesses.count; i++) {
    io_access *a = &f->accesses.at[i];
    const access *of = &r->result->accesses.at[i];
    a->lanes = counted(count_access(f->judge, of, false));
    if (a->lanes.formula)
      a->lanes.formula = count_simplify(f->judge, a->lanes.formula);
    f->live = io_sum(f->syms, f->live, a->moved.elements);
    f->lanes = io_sum(f->syms, f->lanes, a->lanes);
  }
}

void io_kernel_details(arena *arena, io_function *f) {
  reading r = {arena, f, judge_result(f->judge)};
  if (f->lanes.formula || f->lanes.reason)
    return;
  add_lanes(&r);
  for (uint32_t i = 0; i < f->program->tensors.count; i++)
    add_tensor(&r, i);
}

bool io_is_exact(const io_function *f) {
  return f->reads.elements.formula != SYM_NONE &&
         f->writes.elements.formula != SYM_NONE;
}

io_function *io_kernel_pinned(arena *arena, tile_program *p,
                              analysis_options options) {
  return read_kernel(arena, p, true, options);
}

/* Whether a least or greatest is left in it: of a grid that suits one block
 * size only, say. */
static bool is_bent(const io_function *f) {
  enum { MOST = 128 };
  sym atoms[MOST], e = f->total.elements.formula;
  size_t n = e ? sym_atoms(f->syms, e, atoms, MOST) : 0;
  for (size_t i = 0; i < n && i < MOST; i++) {
    sym_kind kind = sym_kind_of(f->syms, atoms[i]);
    if (kind == SYM_MIN || kind == SYM_MAX)
      return true;
  }
  return n > MOST;
}

io_function *io_kernel(arena *arena, tile_program *p,
                       analysis_options options) {
  bool pins = launch_has_pins(p), free = !pins || p->decided.count == 0;
  io_function *f = read_kernel(arena, p, !free, options);
  if (!free || !pins || (io_is_exact(f) && !is_bent(f)))
    return f;
  io_function *fixed = read_kernel(arena, p, true, options);
  bool better = io_is_exact(fixed) && (!io_is_exact(f) || !is_bent(fixed));
  return better ? fixed : f;
}
