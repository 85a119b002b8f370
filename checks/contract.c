/* checks/contract.c: TC601: a launch that the kernel allows: its arguments fit
 * the parameters, no grid axis is over its limit, and what clauses on the
 * kernel demand follows from the host code.
 *
 * An axis whose number of programs only the host knows is taken to fit. */
#include "checks/require.h"

typedef struct demand {
  sym condition;
  fault shown;   /* by the interpreter, where it is false */
  uint32_t line; /* of the clause, 0: none */
  int axis;      /* of the grid, -1: no limit of one */
} demand;

typedef VEC(demand) demand_vec;

static bool host_keeps(const launch *l, sym e) {
  for (size_t i = 0; i < exprs_symbol_count(l->program->exprs); i++)
    if (sym_mentions(l->syms, e, l->symbol[i]) &&
        launch_host_keeps(l->program, i))
      return true;
  return false;
}

/* In the same order for both readings of the launch. Axis 0 holds more programs
 * than any tensor has elements. */
static demand_vec read_demands(const check_input *in, judge *j) {
  const launch *l = judge_launch(j);
  const tile_program *p = in->program;
  demand_vec all = {0};
  if (p->misfits.count) {
    demand d = {sym_false(l->syms), FAULT_CONTRACT, 0, -1};
    VEC_PUSH(in->arena, &all, d);
  }
  for (size_t i = 0; i < p->required.count; i++) {
    const fact *f = &p->required.at[i];
    demand d = {launch_sym(l, f->condition), FAULT_CONTRACT, f->line, -1};
    VEC_PUSH(in->arena, &all, d);
  }
  for (int axis = 1; axis < 3; axis++) {
    sym most = sym_int(l->syms, launch_grid_limit(axis));
    demand d = {sym_le(l->syms, l->grid[axis], most), FAULT_GRID, 0, axis};
    if (!host_keeps(l, l->grid[axis]))
      VEC_PUSH(in->arena, &all, d);
  }
  return all;
}

static sym_vec facts_for(judge *j, const demand *d) {
  sym_vec none = {0};
  return d->shown == FAULT_GRID ? judge_facts_before_limits(j, d->condition)
                                : judge_facts(j, &none, d->condition);
}

static proof meets(judge *j, const demand *d) {
  sym_vec facts = facts_for(j, d);
  return judge_prove(j, &facts, d->condition);
}

static void phrase(const check_input *in, const demand *d, verdict *v) {
  const tile_program *p = in->program;
  const char *text =
      sym_text(judge_launch(in->pinned)->syms, d->condition, in->arena);
  if (d->axis >= 0) {
    v->message =
        arena_printf(in->arena, "grid axis %d may have more than %lld programs",
                     d->axis, (long long)launch_grid_limit(d->axis));
    v->fix = arena_printf(
        in->arena, "put the larger number on axis 0, or promise %s", text);
  } else if (d->line) {
    v->message = arena_printf(
        in->arena, "%s does not follow, which line %u demands", text, d->line);
  } else {
    v->message = p->misfits.at[0].text;
  }
}

static void refute(const check_input *in, const demand *d, verdict *v) {
  judge *j = in->pinned;
  sym_vec facts = facts_for(j, d), none = {0};
  sym_vec enlarged =
      d->shown == FAULT_CONTRACT ? require_free_extents(in, j) : none;
  bool mismatch = false;
  if (host_keeps(judge_launch(j), d->condition) ||
      !judge_may_refute(j, &none, d->condition))
    return;
  sym bad = sym_not(judge_launch(j)->syms, d->condition);
  v->witness =
      judge_refute(j, &facts, bad, NULL, d->shown, &enlarged, &mismatch);
  if (v->witness)
    v->kind = VERDICT_REFUTED;
  else if (mismatch)
    v->why = REASON_REPLAY;
}

/* What is neither proved nor refuted is the caller's promise, where it is in
 * the caller's numbers. */
static void promise(const check_input *in, const demand *d, verdict *v) {
  const launch *l = judge_launch(in->pinned);
  if (host_keeps(l, d->condition) || d->condition == sym_false(l->syms))
    return;
  const char *text = sym_text(l->syms, d->condition, in->arena);
  v->kind = VERDICT_PROVED_IF;
  text_add(in->arena, &v->requires, text);
  text_add(in->arena, &v->asserts, arena_printf(in->arena, "assert %s", text));
}

static bool holds_free(const check_input *in) {
  demand_vec all = {0};
  if (in->free)
    all = read_demands(in, in->free);
  for (size_t i = 0; i < all.count; i++)
    if (!meets(in->free, &all.at[i]).proved)
      return false;
  return in->free || in->program->decided.count == 0;
}

void check_contract(check_input *in) {
  judge *j = in->pinned;
  if (!in->program->launch_line)
    return;
  demand_vec all = read_demands(in, j);
  verdict v = verdict_at(in, CHECK_601, in->program->launch_at);
  v.kind = VERDICT_PROVED;
  v.method = proof_method_name(METHOD_FOLD);
  for (size_t i = 0; i < all.count; i++) {
    proof p = meets(j, &all.at[i]);
    if (p.proved) {
      v.method = proof_method_name(p.method);
      continue;
    }
    phrase(in, &all.at[i], &v);
    verdict_unknown(&v, j, p, all.at[i].condition);
    if (host_keeps(judge_launch(j), all.at[i].condition))
      v.why = REASON_UNSUPPORTED;
    refute(in, &all.at[i], &v);
    if (v.kind == VERDICT_REFUTED)
      break;
    promise(in, &all.at[i], &v);
    if (v.kind == VERDICT_UNKNOWN)
      break;
  }
  if (v.kind == VERDICT_PROVED || v.kind == VERDICT_PROVED_IF)
    v.all_blocks = holds_free(in);
  if (!v.all_blocks && v.kind != VERDICT_REFUTED && v.kind != VERDICT_UNKNOWN)
    verdict_pinned(in, &v);
  VEC_PUSH(in->arena, in->out, v);
}
