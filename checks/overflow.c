/* checks/overflow.c: TC301: no integer arithmetic of 32 bits or fewer that
 * reaches the address of a live lane, a comparison, a bound or a branch leaves
 * its type.
 *
 * The premises were proved while the bounds of the accesses that rely on them
 * were (check_bounds); here each instruction behind one gets its verdict. A
 * result that wraps and wraps back before it is used is no fault: only the
 * value at its use counts. */
#include "checks/require.h"

static bool used(const judge *j, uint32_t k) {
  return judge_result(j)->premises.at[k].use != 0;
}

static bool asked(const judge *j, uint32_t k) {
  const premise_state *s = judge_premise(j, k);
  return s->state == PREMISE_PROVED || s->failed || s->masked;
}

/* Some plain integer argument, the size of no tensor, decides how large the
 * value gets: the caller can promise that it is small. */
static bool about_arguments(const check_input *in, judge *j, sym bound) {
  exprs *t = in->program->exprs;
  const launch *l = judge_launch(j);
  for (size_t i = 0; i < exprs_symbol_count(t); i++) {
    bool argument =
        in->program->launch_line == 0 || is_plain_argument(in->program, i);
    if (argument && sym_mentions(l->syms, bound, l->symbol[i]))
      return true;
  }
  return false;
}

static const char *limit_text(const judge *j, const premise *p) {
  unsigned bits = scalar_bits(p->type.elem);
  (void)j;
  switch (bits) {
  case 8:
    return scalar_is_signed(p->type.elem) ? "2**7" : "2**8";
  case 16:
    return scalar_is_signed(p->type.elem) ? "2**15" : "2**16";
  case 32:
    return scalar_is_signed(p->type.elem) ? "2**31" : "2**32";
  default:
    return "2**63";
  }
}

/* Domain in which the value fits, as a condition on the caller; null when
 * there is none in the caller's terms. */
static sym domain(judge *j, const premise *p, const premise_state *s) {
  sym bound = judge_upper_bound(j, &s->facts, s->value);
  symtab *t = judge_launch(j)->syms;
  int64_t constant;
  if (bound == SYM_NONE || sym_is_int(t, bound, &constant))
    return SYM_NONE;
  unsigned bits = scalar_bits(p->type.elem);
  if (bits <= 32 &&
      judge_implies(j, &s->facts,
                    sym_gt(t, bound, sym_int(t, (int64_t)1 << bits))))
    return SYM_NONE; /* no launch meets it */
  if (!judge_prove(j, &s->facts, sym_ge(t, s->value, sym_int(t, 0))).proved)
    return SYM_NONE;
  return bound;
}

static const char *domain_text(const check_input *in, judge *j, uint32_t k,
                               sym bound) {
  if (bound == SYM_NONE)
    return NULL;
  return arena_printf(in->arena, "%s <= %s",
                      sym_text(judge_launch(j)->syms, bound, in->arena),
                      limit_text(j, &judge_result(j)->premises.at[k]));
}

/* A number that the host makes, or that nobody fixes, and that spans no tile:
 * the number of programs of a persistent kernel, a group size. */
static bool is_loose_constexpr(const check_input *in, size_t i) {
  const symbol *s = exprs_symbol_at(in->program->exprs, i);
  return s->role == SYMBOL_CONST && !s->pinned &&
         !launch_spans_tile(in->program, i);
}

/* A size or an integer that the caller of the host function gives, in the value
 * or in what the way to it says about ids, turns and lanes. */
static bool is_callers_size(const check_input *in, judge *j,
                            const premise_state *s, size_t i) {
  const symbol *x = exprs_symbol_at(in->program->exprs, i);
  const launch *l = judge_launch(j);
  if ((x->role != SYMBOL_SIZE && x->role != SYMBOL_INT) || x->pinned ||
      !in->program->launch_line || launch_hides(in->program, i))
    return false;
  bool mentioned = sym_mentions(l->syms, s->value, l->symbol[i]);
  for (size_t f = 0; f < s->facts.count && !mentioned; f++)
    mentioned = !judge_is_launch_level(j, s->facts.at[f]) &&
                sym_mentions(l->syms, s->facts.at[f], l->symbol[i]);
  return mentioned;
}

/* Whether the premise holds under `small`, which some launch meets. */
static bool holds_under(const check_input *in, judge *j, uint32_t k,
                        const premise_state *s, sym small) {
  sym_vec facts = {0};
  for (size_t f = 0; f < s->facts.count; f++)
    VEC_PUSH(in->arena, &facts, s->facts.at[f]);
  VEC_PUSH(in->arena, &facts, small);
  return judge_prove(j, &facts, judge_fits(j, k, s->value)).proved &&
         !judge_implies(j, &s->facts, sym_not(judge_launch(j)->syms, small));
}

/* c <= 2**p for a number c of the value, with the largest p of a few, `least`
 * or more, that lets it fit; null when there is none. Sound: it fits under that
 * condition. */
static const char *limit_of(const check_input *in, judge *j, uint32_t k,
                            const premise_state *s, size_t i, unsigned least) {
  static const unsigned powers[] = {30, 29, 24, 20, 16, 10, 4};
  enum { COUNT = sizeof powers / sizeof *powers, ROUGHLY = 3 };
  const launch *l = judge_launch(j);
  symtab *t = l->syms;
  sym number = l->symbol[i];
  bool small =
      holds_under(in, j, k, s,
                  sym_le(t, number, sym_int(t, (int64_t)1 << powers[ROUGHLY])));
  for (size_t p = small ? 0 : ROUGHLY + 1; p < COUNT && powers[p] >= least;
       p++) {
    sym most = sym_int(t, (int64_t)1 << powers[p]);
    if ((small && p == ROUGHLY) ||
        holds_under(in, j, k, s, sym_le(t, number, most)))
      return arena_printf(in->arena, "%s <= 2**%u",
                          exprs_symbol_at(in->program->exprs, i)->name,
                          powers[p]);
  }
  return NULL;
}

static const char *constexpr_limit(const check_input *in, judge *j, uint32_t k,
                                   const premise_state *s) {
  const launch *l = judge_launch(j);
  const char *out = NULL;
  for (size_t i = 0; !out && i < exprs_symbol_count(in->program->exprs); i++)
    if (is_loose_constexpr(in, i) &&
        sym_mentions(l->syms, s->value, l->symbol[i]))
      out = limit_of(in, j, k, s, i, 4);
  return out;
}

/* Where the host keeps a number to itself, as that of a device's processors, a
 * limit on a size may do: one that real sizes keep. */
static const char *size_limit(const check_input *in, judge *j, uint32_t k,
                              const premise_state *s) {
  const char *out = NULL;
  for (size_t i = 0; !out && i < exprs_symbol_count(in->program->exprs); i++)
    if (is_callers_size(in, j, s, i))
      out = limit_of(in, j, k, s, i, 20);
  return out;
}

/* The condition under which an open premise holds; null when there is none in
 * the caller's terms. */
static const char *condition_of(const check_input *in, judge *j, uint32_t k,
                                const premise_state *s) {
  sym bound = domain(j, &judge_result(j)->premises.at[k], s);
  const char *text = domain_text(in, j, k, bound);
  if (!text)
    text = constexpr_limit(in, j, k, s);
  return text ? text : size_limit(in, j, k, s);
}

void require_condition(const check_input *in, const char *condition,
                       verdict *v) {
  text_add(in->arena, &v->requires, condition);
  if (in->program->launch_line)
    text_add(in->arena, &v->asserts, assert_line(in->arena, condition));
}

bool overflow_require(const check_input *in, judge *j, uint32_t premise,
                      verdict *v) {
  const char *text = condition_of(in, j, premise, judge_premise(j, premise));
  if (text)
    require_condition(in, text, v);
  return text != NULL;
}

void overflow_require_all(const check_input *in, judge *j,
                          const premise_vec *open, const char *unsure,
                          verdict *v) {
  for (size_t i = 0; i < open->count; i++) {
    if (overflow_require(in, j, open->at[i], v)) {
      v->kind = VERDICT_PROVED_IF;
      continue;
    }
    v->kind = VERDICT_UNKNOWN;
    v->why = REASON_NONLINEAR;
    v->why_detail = unsure;
    v->why_at = judge_result(j)->premises.at[open->at[i]].inst->at;
    return;
  }
}

static void hold_if(const check_input *in, const char *condition, verdict *v) {
  v->kind = VERDICT_PROVED_IF;
  v->method = proof_method_name(METHOD_BOUNDS);
  require_condition(in, condition, v);
}

/* text: a condition under which the value fits, or null. */
static void refute(const check_input *in, judge *j, uint32_t k,
                   const char *text, verdict *v) {
  const premise *p = &judge_result(j)->premises.at[k];
  const premise_state *s = judge_premise(j, k);
  bool mismatch = false;
  if (!judge_may_refute(j, &s->facts, s->value) ||
      require_rests_on_free(in, j, s->value))
    return;
  sym bad = sym_not(judge_launch(j)->syms, judge_fits(j, k, s->value));
  sym_vec enlarged = require_free_extents(in, j);
  v->witness = judge_refute(j, &s->facts, bad, p->inst, FAULT_WRAP, &enlarged,
                            &mismatch);
  if (mismatch && !v->witness)
    v->why = REASON_REPLAY;
  if (!v->witness)
    return;
  v->kind = VERDICT_REFUTED;
  v->fix = text ? arena_printf(in->arena,
                               "widen an operand with .to(tl.int64), or "
                               "promise %s",
                               text)
                : "widen an operand with .to(tl.int64)";
}

static void open_premise(const check_input *in, uint32_t k, verdict *v) {
  judge *j = in->pinned;
  const premise *p = &judge_result(j)->premises.at[k];
  const premise_state *s = judge_premise(j, k);
  sym bound = domain(j, p, s);
  const char *text = domain_text(in, j, k, bound);
  const char *limit = text ? NULL : constexpr_limit(in, j, k, s);
  if (limit || (text && about_arguments(in, j, bound))) {
    hold_if(in, limit ? limit : text, v);
    return;
  }
  verdict_unknown(v, j, s->proof, s->value);
  if (scalar_bits(p->type.elem) <= 32 && in->program->launch_line)
    refute(in, j, k, text, v);
  if (v->kind == VERDICT_REFUTED || v->why == REASON_REPLAY)
    return;
  if (!text)
    text = size_limit(in, j, k, s);
  if (text)
    hold_if(in, text, v);
}

static bool proved_in(judge *j, const inst *i) {
  const interp_result *r = judge_result(j);
  for (uint32_t k = 0; k < r->premises.count; k++)
    if (r->premises.at[k].inst == i && used(j, k) &&
        judge_premise(j, k)->failed)
      return false;
  return true;
}

static bool seen_before(const judge *j, uint32_t k) {
  const interp_result *r = judge_result(j);
  for (uint32_t m = 0; m < k; m++)
    if (r->premises.at[m].inst == r->premises.at[k].inst && used(j, m) &&
        asked(j, m))
      return true;
  return false;
}

static uint32_t failed_one(const judge *j, const inst *i) {
  const interp_result *r = judge_result(j);
  for (uint32_t k = 0; k < r->premises.count; k++)
    if (r->premises.at[k].inst == i && judge_premise(j, k)->failed)
      return k;
  return UINT32_MAX;
}

static void one_instruction(check_input *in, uint32_t k) {
  judge *j = in->pinned;
  const premise *p = &judge_result(j)->premises.at[k];
  verdict v = verdict_start(in, CHECK_301, p->inst, NULL);
  v.message =
      arena_printf(in->arena, "this %s may leave %s",
                   p->inst->kind == NODE_OP ? "arithmetic" : "loop counter",
                   scalar_name(p->type.elem));
  uint32_t failed = failed_one(j, p->inst);
  if (failed != UINT32_MAX) {
    open_premise(in, failed, &v);
    if (v.kind == VERDICT_PROVED_IF && in->free)
      verdict_pinned(in, &v);
  } else {
    v.requires = judge_premise(j, k)->requires;
    v.asserts = judge_premise(j, k)->asserts;
    v.kind = v.requires.count ? VERDICT_PROVED_IF : VERDICT_PROVED;
    v.method = proof_method_name(judge_premise(j, k)->proof.method);
    if (in->free ? proved_in(in->free, p->inst)
                 : in->program->decided.count == 0)
      verdict_all_blocks(in, &v);
    else
      verdict_pinned(in, &v);
  }
  VEC_PUSH(in->arena, in->out, v);
}

void check_overflow(check_input *in) {
  const interp_result *r = judge_result(in->pinned);
  for (uint32_t k = 0; k < r->premises.count; k++)
    if (used(in->pinned, k) && asked(in->pinned, k) &&
        !seen_before(in->pinned, k))
      one_instruction(in, k);
}
