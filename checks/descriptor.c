/* checks/descriptor.c: TC103: boundary_check of a block pointer names every
 * axis that can leave the block pointer's own shape; a descriptor's base and
 * strides are aligned as the hardware wants them.
 *
 * Each claim of the tile program is proved where it stands. What no code here
 * launches, and what rests on plain integer arguments, becomes a requirement.
 */
#include "checks/require.h"

static bool proves(judge *j, const claim_site *c, proof *p) {
  if (c->holds == SYM_NONE)
    return false;
  sym_vec facts = judge_facts(j, &c->facts, c->holds);
  *p = judge_prove(j, &facts, c->holds);
  return p->proved;
}

/* The caller is asked: nobody launches the kernel here, or plain arguments
 * that nobody describes decide. */
static bool is_callers(const check_input *in, judge *j, sym e) {
  exprs *t = in->program->exprs;
  const launch *l = judge_launch(j);
  bool any = in->program->launch_line == 0;
  for (size_t i = 0; i < exprs_symbol_count(t); i++)
    if (sym_mentions(l->syms, e, l->symbol[i]))
      any = any || is_plain_argument(in->program, i);
  return any;
}

/* The claim in numbers that a caller can see: itself, or that its greatest
 * excess is at most 0. SYM_NONE: there is none. */
static sym condition(judge *j, const claim_site *c) {
  symtab *t = judge_launch(j)->syms;
  int64_t constant;
  if (judge_is_launch_level(j, c->holds))
    return c->holds;
  if (c->excess == SYM_NONE)
    return SYM_NONE;
  sym_vec facts = judge_facts(j, &c->facts, c->holds);
  sym bound = judge_upper_bound(j, &facts, c->excess);
  if (bound == SYM_NONE || sym_is_int(t, bound, &constant))
    return SYM_NONE;
  return sym_le(t, bound, sym_int(t, 1));
}

static bool promise(const check_input *in, judge *j, const claim_site *c,
                    verdict *v) {
  int64_t constant;
  if (c->holds == SYM_NONE || !is_callers(in, j, c->holds))
    return false;
  sym e = condition(j, c);
  if (e == SYM_NONE || sym_is_int(judge_launch(j)->syms, e, &constant))
    return false;
  const char *text = sym_text(judge_launch(j)->syms, e, in->arena);
  v->kind = VERDICT_PROVED_IF;
  v->method = proof_method_name(METHOD_BOUNDS);
  text_add(in->arena, &v->requires, text);
  if (in->program->launch_line)
    text_add(in->arena, &v->asserts,
             arena_printf(in->arena, "assert %s", text));
  return true;
}

/* Proved under the pins; for all blocks where that can be shown too. */
static void proved(const check_input *in, size_t k, proof p, verdict *v) {
  proof q = {0};
  v->kind = VERDICT_PROVED;
  v->method = proof_method_name(p.method);
  v->all_blocks =
      in->free ? proves(in->free, &judge_result(in->free)->claims.at[k], &q)
               : in->program->decided.count == 0;
  if (!v->all_blocks)
    verdict_pinned(in, v);
}

static void refute(const check_input *in, judge *j, const claim_site *c,
                   verdict *v) {
  bool mismatch = false;
  if (c->weak || !in->program->launch_line ||
      !judge_may_refute(j, &c->facts, c->holds))
    return;
  sym_vec facts = judge_facts(j, &c->facts, c->holds);
  sym_vec enlarged = require_free_extents(in, j);
  v->witness = judge_refute(j, &facts, sym_not(judge_launch(j)->syms, c->holds),
                            c->inst, FAULT_CLAIM, &enlarged, &mismatch);
  if (v->witness)
    v->kind = VERDICT_REFUTED;
  else if (mismatch)
    v->why = REASON_REPLAY;
}

static void doubt(verdict *v) {
  v->kind = VERDICT_UNKNOWN;
  v->requires = v->asserts = (text_list){0};
  v->why = REASON_NONLINEAR;
  v->why_detail = "the numbers behind it may leave their type (TC301)";
}

static verdict one_claim(const check_input *in, size_t k) {
  judge *j = in->pinned;
  const claim_site *c = &judge_result(j)->claims.at[k];
  verdict v = verdict_start(in, CHECK_103, c->inst, NULL);
  proof p = {0};
  v.message = c->inst->text;
  bool needs_hold = judge_discharge_needs(j, c->path_needs).count == 0;
  needs_hold = judge_discharge_on_path(j, c->needs, &c->facts) && needs_hold;
  if (proves(j, c, &p))
    proved(in, k, p, &v);
  else if (promise(in, j, c, &v) && in->free)
    verdict_pinned(in, &v);
  if (v.kind != VERDICT_UNKNOWN) {
    if (!needs_hold)
      doubt(&v);
    return v;
  }
  verdict_unknown(&v, j, p, c->holds);
  if (c->holds == SYM_NONE) {
    v.why = REASON_UNSUPPORTED;
    v.why_detail = "the numbers behind it are not followed";
  } else {
    refute(in, j, c, &v);
  }
  return v;
}

void check_descriptor(check_input *in) {
  for (size_t k = 0; k < judge_result(in->pinned)->claims.count; k++) {
    verdict v = one_claim(in, k);
    VEC_PUSH(in->arena, in->out, v);
  }
}
