/* analysis/judge.c: contexts, proofs and premises. */
#include "analysis/judge_state.h"
#include <assert.h>
#include <string.h>

/* What the sweep does not decide the solver rarely does. */
static prover_options for_pairs(prover_options o) {
  enum { PAIR_RLIMIT = 250000, PAIR_BUDGET = 1000000, SHARE = 4 };
  o.rlimit = o.rlimit ? o.rlimit / SHARE : PAIR_RLIMIT;
  o.budget = o.budget ? o.budget / SHARE : PAIR_BUDGET;
  return o;
}

judge *judge_create(arena *kernel, const tile_program *p, bool pinned,
                    analysis_options options) {
  judge *self = ARENA_NEW(kernel, judge);
  self->arena = kernel;
  self->program = p;
  self->syms = symtab_create(kernel);
  self->launch = launch_create(kernel, p, self->syms, pinned);
  self->result = interpret(kernel, self->launch);
  self->prover = prover_create(kernel, self->syms, options.prover);
  self->pairs = prover_create(kernel, self->syms, for_pairs(options.prover));
  self->contexts =
      ARENA_ARRAY(kernel, sym_vec, self->result->accesses.count + 1);
  self->premises =
      ARENA_ARRAY(kernel, premise_state, self->result->premises.count + 1);
  self->homes = ARENA_ARRAY(kernel, sym_vec, self->result->premises.count + 1);
  return self;
}

const launch *judge_launch(const judge *self) {
  return self->launch;
}

const interp_result *judge_result(const judge *self) {
  return self->result;
}

arena *judge_arena(const judge *self) {
  return self->arena;
}

prover_stats judge_statistics(const judge *self) {
  prover_stats s = prover_statistics(self->prover);
  prover_stats_add(&s, prover_statistics(self->pairs));
  return s;
}

static void push(judge *self, sym_vec *out, sym fact) {
  VEC_PUSH(self->arena, out, fact);
}

static void push_all(judge *self, sym_vec *out, const sym_vec *in) {
  for (size_t i = 0; i < in->count; i++)
    push(self, out, in->at[i]);
}

static bool at_least(judge *self, const sym_vec *facts, sym e, int64_t least) {
  return prover_implies_fast(self->prover, facts->at, facts->count,
                             sym_ge(self->syms, e, sym_int(self->syms, least)));
}

/* All extents are at least 1. */
static bool holds_element(judge *self, uint32_t k, const sym_vec *facts) {
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  const tensor *x = &self->program->tensors.at[k];
  if (!x->known)
    return false;
  launch_tensor(self->launch, k, extent, stride);
  for (unsigned d = 0; d < x->rank; d++)
    if (!at_least(self, facts, extent[d], 1))
      return false;
  return true;
}

/* Sound: a tensor that holds an element was allocated with its whole span
 * within the size limit. */
static void push_span(judge *self, uint32_t k, sym_vec *out) {
  symtab *t = self->syms;
  const tensor *x = &self->program->tensors.at[k];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  launch_tensor(self->launch, k, extent, stride);
  for (unsigned d = 0; d < x->rank; d++)
    push(self, out, sym_ge(t, extent[d], sym_int(t, 1)));
  push(self, out,
       sym_le(t, launch_span(self->launch, k),
              sym_int(t, self->program->max_numel)));
}

/* Sound: with no negative stride each axis of a tensor by itself spans no more
 * than all. */
static void push_axes(judge *self, uint32_t k, sym_vec *out) {
  symtab *t = self->syms;
  const tensor *x = &self->program->tensors.at[k];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  launch_tensor(self->launch, k, extent, stride);
  for (unsigned d = 0; d < x->rank; d++)
    if (!at_least(self, out, stride[d], 0))
      return;
  for (unsigned d = 0; d < x->rank; d++) {
    sym last = sym_mul(t, sym_sub(t, extent[d], sym_int(t, 1)), stride[d]);
    push(self, out, sym_lt(t, last, sym_int(t, self->program->max_numel)));
  }
}

/* Facts are added in two steps, so that all tensors are asked about with the
 * same. */
static void push_spans(judge *self, sym_vec *out) {
  size_t n = self->program->tensors.count;
  bool *holds = ARENA_ARRAY(self->arena, bool, n ? n : 1);
  prover_begin_batch(self->prover);
  for (uint32_t k = 0; k < n; k++)
    holds[k] = holds_element(self, k, out);
  for (uint32_t k = 0; k < n; k++)
    if (holds[k])
      push_span(self, k, out);
  for (uint32_t k = 0; k < n; k++)
    if (holds[k])
      push_axes(self, k, out);
  prover_end_batch(self->prover);
}

static void finish(judge *self, sym_vec *out, sym about) {
  sym all = sym_and(self->syms, sym_and_all(self->syms, out->at, out->count),
                    sym_true(self->syms));
  access_function_facts(self->launch, self->result, all, out);
  if (about != SYM_NONE)
    access_function_facts(self->launch, self->result, about, out);
  push_spans(self, out);
}

sym_vec judge_facts(judge *self, const sym_vec *path, sym about) {
  sym_vec out = {0};
  push_all(self, &out, &self->launch->facts);
  push_all(self, &out, path);
  finish(self, &out, about);
  return out;
}

sym_vec judge_facts_before_limits(judge *self, sym about) {
  sym_vec out = {0};
  push_all(self, &out, &self->launch->before_limits);
  finish(self, &out, about);
  return out;
}

sym_vec judge_access_facts(judge *self, const access *a,
                           const sym_vec *promised) {
  size_t index = (size_t)(a - self->result->accesses.at);
  bool plain = !promised || !promised->count;
  sym_vec out = {0};
  assert(index < self->result->accesses.count);
  if (plain && self->contexts[index].count) {
    push_all(self, &out, &self->contexts[index]);
    return out;
  }
  push_all(self, &out, &self->launch->facts);
  push_all(self, &out, &a->facts);
  push(self, &out, a->mask);
  if (!plain)
    push_all(self, &out, promised);
  finish(self, &out, a->pointer.of);
  if (plain)
    push_all(self, &self->contexts[index], &out);
  return out;
}

bool judge_is_void(judge *self) {
  return judge_implies(self, &self->launch->facts, sym_false(self->syms));
}

void judge_log(judge *self, const analysis_dump *log) {
  self->log = log;
}

static void log_goal(judge *self, const sym_vec *facts, sym goal, proof p) {
  if (self->log && self->log->obligations) {
    strbuf *out = self->log->obligations;
    sym_print(self->syms, goal, out);
    strbuf_printf(out, "  (%zu facts)\n  %s\n", facts->count,
                  p.proved ? proof_method_name(p.method) : "not proved");
  }
  if (self->log && self->log->smt2)
    prover_smt2(self->prover, facts->at, facts->count, goal, self->log->smt2);
}

proof judge_prove(judge *self, const sym_vec *facts, sym goal) {
  proof p = prover_prove(self->prover, facts->at, facts->count, goal);
  log_goal(self, facts, goal, p);
  return p;
}

proof judge_prove_pair(judge *self, const sym_vec *facts, sym goal) {
  proof p = prover_prove(self->pairs, facts->at, facts->count, goal);
  log_goal(self, facts, goal, p);
  return p;
}

bool judge_implies(judge *self, const sym_vec *facts, sym goal) {
  return prover_implies_fast(self->prover, facts->at, facts->count, goal);
}

static void log_inside(judge *self, const access *a, const sym_vec *facts,
                       const sym *index, unsigned rank, proof p) {
  symtab *t = self->syms;
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  launch_tensor(self->launch, a->pointer.tensor, extent, stride);
  for (unsigned d = 0; d < rank; d++)
    if (index[d] != SYM_NONE)
      log_goal(self, facts,
               sym_and(t, sym_ge(t, index[d], sym_int(t, 0)),
                       sym_lt(t, index[d], extent[d])),
               p);
}

proof judge_inside(judge *self, const access *a, const sym_vec *facts,
                   const sym *strides, sym *index) {
  sym extent[TYPE_MAX_RANK], own[TYPE_MAX_RANK], found[TYPE_MAX_RANK] = {0};
  unsigned rank = self->program->tensors.at[a->pointer.tensor].rank;
  launch_tensor(self->launch, a->pointer.tensor, extent, own);
  proof p = prover_inside(self->prover, facts->at, facts->count, a->pointer.of,
                          extent, strides ? strides : own, rank, found);
  if (index)
    memcpy(index, found, sizeof found);
  log_inside(self, a, facts, found, rank, p);
  return p;
}

proof judge_inside_dense(judge *self, const access *a, const sym_vec *facts) {
  symtab *t = self->syms;
  const tensor *x = &self->program->tensors.at[a->pointer.tensor];
  sym count = sym_int(t, 1);
  if (!x->known || !launch_is_dense(self->program, a->pointer.tensor))
    return (proof){0};
  for (unsigned d = 0; d < x->rank; d++)
    count = sym_mul(t, count, launch_sym(self->launch, x->extent[d]));
  return judge_prove(self, facts,
                     sym_and(t, sym_ge(t, a->pointer.of, sym_int(t, 0)),
                             sym_lt(t, a->pointer.of, count)));
}

/* ------------------------------------------------------------- premises */

static sym int_parameter(judge *self, size_t p) {
  return launch_number(self->launch, self->program->params.at[p].value);
}

/* The condition under which an argument-wide type is int32. Where it fails the
 * type has 64 bits. */
static sym narrow_condition(judge *self, type t) {
  symtab *s = self->syms;
  sym all = sym_true(s);
  for (size_t p = 0; p < self->program->params.count && p < 64; p++)
    if (t.wide >> p & 1)
      all = sym_and(s, all,
                    sym_le(s, int_parameter(self, p), sym_int(s, INT32_MAX)));
  return all;
}

/* Fits 64 bits, by a margin that constants can still express. */
static sym fits_wide(judge *self, sym value) {
  symtab *s = self->syms;
  int64_t top = ((int64_t)1 << 62) - 1;
  return sym_and(s, sym_ge(s, value, sym_int(s, -top - 1)),
                 sym_le(s, value, sym_int(s, top)));
}

sym judge_fits(judge *self, uint32_t index, sym value) {
  type t = self->result->premises.at[index].type;
  symtab *s = self->syms;
  unsigned bits = scalar_bits(t.elem);
  bool is_signed = scalar_is_signed(t.elem);
  /* For 64 bits a tighter range, which constants can still express. */
  unsigned digits = bits == 64 ? 62 : bits - (is_signed ? 1 : 0);
  int64_t top = ((int64_t)1 << digits) - 1;
  sym least = sym_int(s, is_signed ? -top - 1 : 0);
  return sym_and(s, sym_ge(s, value, least), sym_le(s, value, sym_int(s, top)));
}

/* How hard a goal is tried: what fails where a premise stands often follows at
 * once under the mask of the access that relies on it, so no solver is asked
 * before both have been tried without. */
typedef enum effort { EFFORT_FAST, EFFORT_SOLVER } effort;

static proof prove_with(judge *self, const sym_vec *facts, sym goal,
                        effort how) {
  if (how == EFFORT_SOLVER)
    return judge_prove(self, facts, goal);
  return prover_prove_fast(self->prover, facts->at, facts->count, goal);
}

/* The 64-bit reading of a type whose width an argument decides. */
static proof prove_wide(judge *self, type t, const sym_vec *facts, sym value,
                        effort how, sym_vec *open) {
  sym narrow = narrow_condition(self, t);
  *open = (sym_vec){0};
  if (!t.wide || judge_implies(self, facts, narrow))
    return (proof){.proved = true, .method = METHOD_FOLD};
  push_all(self, open, facts);
  push(self, open, sym_not(self->syms, narrow));
  return prove_with(self, open, fits_wide(self, value), how);
}

static proof prove_narrow(judge *self, uint32_t index, const sym_vec *facts,
                          sym value, effort how, sym_vec *open) {
  type t = self->result->premises.at[index].type;
  *open = (sym_vec){0};
  push_all(self, open, facts);
  push(self, open, narrow_condition(self, t));
  return prove_with(self, open, judge_fits(self, index, value), how);
}

static bool leave(premise_state *state, sym_vec facts, sym value, proof p) {
  state->state = PREMISE_OPEN;
  state->proof = p;
  state->facts = facts;
  state->value = value;
  return false;
}

/* Proves the readings of the premise's type that matter to the need. */
static bool prove_premise(judge *self, need n, const sym_vec *facts, sym value,
                          effort how) {
  premise_state *state = &self->premises[n.premise], before = *state;
  sym_vec open;
  proof p = prove_narrow(self, n.premise, facts, value, how, &open);
  state->proof = p;
  if (p.proved && !n.address) {
    p = prove_wide(self, self->result->premises.at[n.premise].type, facts,
                   value, how, &open);
    state->wide = p.proved;
  }
  if (!p.proved && how == EFFORT_FAST)
    *state = before; /* nothing is settled yet */
  return p.proved || (how == EFFORT_SOLVER && leave(state, open, value, p));
}

static bool proved_at_home(judge *self, need n, effort how) {
  premise_state *state = &self->premises[n.premise];
  const premise *p = &self->result->premises.at[n.premise];
  if (state->state == PREMISE_PROVED && (n.address || state->wide))
    return true;
  if (state->state == PREMISE_OPEN)
    return false;
  sym_vec *home = &self->homes[n.premise];
  if (!home->count)
    *home = judge_facts(self, &p->facts, p->value);
  if (!prove_premise(self, n, home, p->value, how))
    return false;
  state->state = PREMISE_PROVED;
  return true;
}

/* A need that only a consumer's own facts can discharge holds for that consumer
 * alone: the premise stays open for others. */
static bool proved_among(judge *self, need n, sym_vec facts, effort how) {
  premise_state before = self->premises[n.premise];
  access_function_facts(self->launch, self->result, n.value, &facts);
  if (n.when != SYM_NONE)
    push(self, &facts, n.when);
  bool proved = prove_premise(self, n, &facts, n.value, how);
  if (proved) {
    proof how_proved = self->premises[n.premise].proof;
    self->premises[n.premise] = before;
    self->premises[n.premise].proof = how_proved;
  }
  self->premises[n.premise].masked = true;
  return proved;
}

/* Under the access's mask too. */
static bool proved_under(judge *self, need n, const access *a,
                         const sym_vec *promised, effort how) {
  return n.value != SYM_NONE &&
         proved_among(self, n, judge_access_facts(self, a, promised), how);
}

/* What only the path to the consumer and its lanes tell. */
static bool proved_on_path(judge *self, need n, const sym_vec *path,
                           effort how) {
  return n.value != SYM_NONE &&
         proved_among(self, n, judge_facts(self, path, n.value), how);
}

static void leave_open(judge *self, uint32_t premise, premise_vec *open) {
  self->premises[premise].failed = true;
  for (size_t i = 0; i < open->count; i++)
    if (open->at[i] == premise)
      return;
  VEC_PUSH(self->arena, open, premise);
}

premise_vec judge_discharge_needs(judge *self, needs n) {
  premise_vec open = {0};
  for (uint32_t i = 0; i < n.count; i++)
    if (!proved_at_home(self, n.at[i], EFFORT_SOLVER))
      leave_open(self, n.at[i].premise, &open);
  return open;
}

/* A premise that needs a promise says so in its own verdict. */
static bool proved_by_promise(judge *self, need n, const access *a,
                              const sym_vec *promised, const verdict *v) {
  if (!promised->count || !proved_under(self, n, a, promised, EFFORT_SOLVER))
    return false;
  self->premises[n.premise].requires = v->requires;
  self->premises[n.premise].asserts = v->asserts;
  return true;
}

static bool discharged(judge *self, need n, const access *a) {
  static const effort order[] = {EFFORT_FAST, EFFORT_SOLVER};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    if (proved_at_home(self, n, order[k]) ||
        proved_under(self, n, a, NULL, order[k]))
      return true;
  return false;
}

static bool discharged_on_path(judge *self, need n, const sym_vec *path) {
  static const effort order[] = {EFFORT_FAST, EFFORT_SOLVER};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    if (proved_at_home(self, n, order[k]) ||
        proved_on_path(self, n, path, order[k]))
      return true;
  return false;
}

bool judge_discharge_on_path(judge *self, needs n, const sym_vec *path) {
  bool all = true;
  for (uint32_t i = 0; i < n.count; i++)
    if (!discharged_on_path(self, n.at[i], path)) {
      self->premises[n.at[i].premise].failed = true;
      all = false;
    }
  return all;
}

premise_vec judge_discharge(judge *self, const access *a,
                            const sym_vec *promised, const verdict *v) {
  premise_vec open = judge_discharge_needs(self, a->path_needs);
  for (uint32_t i = 0; i < a->mask_needs.count; i++)
    if (!discharged_on_path(self, a->mask_needs.at[i], &a->facts))
      leave_open(self, a->mask_needs.at[i].premise, &open);
  for (uint32_t i = 0; i < a->pointer.needs.count; i++) {
    need n = a->pointer.needs.at[i];
    if (!discharged(self, n, a) && !proved_by_promise(self, n, a, promised, v))
      leave_open(self, n.premise, &open);
  }
  return open;
}

const premise_state *judge_premise(const judge *self, uint32_t index) {
  return &self->premises[index];
}

/* ------------------------------------------------------- looking at syms */

static bool application_of_memory(const judge *self, sym atom) {
  sym_kind kind = sym_kind_of(self->syms, atom);
  if (kind != SYM_APPLY && kind != SYM_APPLYB)
    return false;
  uint32_t fn = sym_apply_fn(self->syms, atom);
  const inst *i = self->result->functions.at[fn].inst;
  if (!i || i->kind != NODE_OP)
    return false;
  op_effect effect = op_effect_of(i->op);
  return effect == EFFECT_READ || effect == EFFECT_ATOMIC;
}

const access *judge_load_behind(const judge *self, sym atom) {
  if (!application_of_memory(self, atom))
    return NULL;
  uint32_t fn = sym_apply_fn(self->syms, atom);
  const inst *i = self->result->functions.at[fn].inst;
  for (size_t k = 0; k < self->result->accesses.count; k++) {
    const access *a = &self->result->accesses.at[k];
    if (a->inst == i && a->effect == EFFECT_READ &&
        a->pointer.form == VALUE_POINTER && a->pointer.tensor != TENSOR_LOST)
      return a;
  }
  return NULL;
}

bool judge_content_of(const judge *self, sym atom, uint32_t *tensor) {
  const access *a = judge_load_behind(self, atom);
  if (!a || !self->result->functions.at[sym_apply_fn(self->syms, atom)].content)
    return false;
  *tensor = a->pointer.tensor;
  return true;
}

static sym *all_atoms(const judge *self, sym e, size_t *n) {
  *n = sym_atoms(self->syms, e, NULL, 0);
  sym *atoms = ARENA_ARRAY(self->arena, sym, *n ? *n : 1);
  sym_atoms(self->syms, e, atoms, *n);
  return atoms;
}

bool judge_depends_on_content(const judge *self, sym e) {
  size_t n;
  sym *atoms = all_atoms(self, e, &n);
  for (size_t i = 0; i < n; i++)
    if (application_of_memory(self, atoms[i]))
      return true;
  return false;
}

static bool content_is_stated(const judge *self, sym atom) {
  const access *a = judge_load_behind(self, atom);
  if (!a)
    return false;
  const tensor *x = &self->program->tensors.at[a->pointer.tensor];
  return x->has_range && !x->distinct;
}

/* A clause ties the elements of the tensor to each other. */
static bool has_order(const tensor *x) {
  return x->distinct || x->except_count || x->sorted || x->tied;
}

bool judge_content_is_free(const judge *self, sym e) {
  size_t n;
  sym *atoms = all_atoms(self, e, &n);
  for (size_t i = 0; i < n; i++) {
    const access *a = judge_load_behind(self, atoms[i]);
    if (!a)
      continue;
    if (has_order(&self->program->tensors.at[a->pointer.tensor]))
      return false;
  }
  return true;
}

static bool host_keeps(const judge *self, sym var) {
  const tile_program *p = self->program;
  for (size_t i = 0; i < exprs_symbol_count(p->exprs); i++)
    if (self->launch->symbol[i] == var)
      return launch_host_keeps(p, i);
  return false;
}

static bool atoms_may_refute(const judge *self, sym e) {
  size_t n;
  sym *atoms = all_atoms(self, e, &n);
  for (size_t i = 0; i < n; i++) {
    sym_kind kind = sym_kind_of(self->syms, atoms[i]);
    bool lost = kind == SYM_VAR &&
                (sym_var_role(self->syms, atoms[i]) == ROLE_UNKNOWN ||
                 host_keeps(self, atoms[i]));
    bool applied = kind == SYM_APPLY || kind == SYM_APPLYB;
    if (lost || (applied && !content_is_stated(self, atoms[i])))
      return false;
  }
  return true;
}

bool judge_may_refute(const judge *self, const sym_vec *path, sym e) {
  for (size_t i = 0; path && i < path->count; i++)
    if (!atoms_may_refute(self, path->at[i]))
      return false;
  return atoms_may_refute(self, e);
}

bool judge_lost(const judge *self, sym e) {
  return !sym_is_exact(self->syms, e);
}

bool judge_is_launch_level(const judge *self, sym e) {
  return sym_is_exact(self->syms, e) &&
         !sym_mentions_role(self->syms, e, ROLE_PROGRAM) &&
         !sym_mentions_role(self->syms, e, ROLE_TURN) &&
         !sym_mentions_role(self->syms, e, ROLE_LANE);
}
