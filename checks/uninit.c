/* checks/uninit.c: TC502: nothing is read from memory that nobody has written.
 *
 * A tensor holds values when the kernel starts, or part of it does, or nothing
 * (torch.empty). Where it does not, the element must be in the part that does,
 * or a store of the same program must have written it before. */
#include "checks/barriers.h"
#include "checks/checks_run.h"

static bool reads(const access *a) {
  return a->effect == EFFECT_READ || a->effect == EFFECT_ATOMIC;
}

static bool followed(const access *a) {
  return !a->opaque && a->pointer.form == VALUE_POINTER &&
         a->pointer.tensor != TENSOR_LOST && a->pointer.of != SYM_NONE;
}

static bool all_known(const sym *index, unsigned rank) {
  for (unsigned d = 0; d < rank; d++)
    if (index[d] == SYM_NONE)
      return false;
  return true;
}

/* The indices are in the part of the tensor that holds values; SYM_NONE when
 * they are not known. */
static sym in_part(const check_input *in, judge *j, const access *a,
                   const sym_vec *facts) {
  const launch *l = judge_launch(j);
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  sym index[TYPE_MAX_RANK] = {SYM_NONE}, all = sym_true(l->syms);
  if (!x->part_written || !judge_inside(j, a, facts, NULL, index).proved ||
      !all_known(index, x->rank))
    return SYM_NONE;
  for (unsigned d = 0; d < x->rank; d++) {
    sym low = launch_sym(l, x->part_low[d]),
        high = launch_sym(l, x->part_high[d]);
    all = sym_and(l->syms, all, sym_ge(l->syms, index[d], low));
    all = sym_and(l->syms, all, sym_lt(l->syms, index[d], high));
  }
  return all;
}

/* e of a store at the turns of the read, and, if `crossed`, with the two lanes
 * exchanged. */
static sym at_read(judge *j, sym e, const access *store, const access *a,
                   bool crossed) {
  const launch *l = judge_launch(j);
  sym lanes[2] = {launch_lane(l, 0), launch_lane(l, 1)};
  sym other[2] = {lanes[1], lanes[0]};
  e = judge_at_turns(j, e, store->inst, a->inst);
  return e == SYM_NONE || !crossed
             ? e
             : sym_substitute(l->syms, e, lanes, other, 2);
}

/* Sound: the store comes before the read in the text. At the read's own turns
 * of the loops around it (which run as often as the read's own do, as all that
 * the store's path and mask ask follows at the read) some lane of it wrote the
 * element that is read, by the same program. */
static bool written_by(judge *j, const access *a, const access *store,
                       const sym_vec *facts, bool crossed) {
  symtab *t = judge_launch(j)->syms;
  if (store->effect != EFFECT_WRITE || store->inst->index > a->inst->index ||
      !followed(store) || store->any_mask ||
      store->pointer.tensor != a->pointer.tensor)
    return false;
  sym place = at_read(j, store->pointer.of, store, a, crossed);
  sym mask = at_read(j, store->mask, store, a, crossed);
  if (place == SYM_NONE ||
      !judge_implies(j, facts, sym_eq(t, place, a->pointer.of)) ||
      !judge_implies(j, facts, mask))
    return false;
  for (size_t i = 0; i < store->facts.count; i++)
    if (!judge_implies(j, facts,
                       at_read(j, store->facts.at[i], store, a, crossed)))
      return false;
  return true;
}

/* Somebody may write there whom a run of one program does not show. (Another
 * program does not count: none is sure to come first.) */
static bool has_unclear_writer(const check_input *in, judge *j,
                               const access *a) {
  const interp_result *r = judge_result(j);
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  for (size_t i = 0; i < r->accesses.count; i++) {
    const access *w = &r->accesses.at[i];
    if (w->effect == EFFECT_READ)
      continue;
    if (!followed(w))
      return true;
    const tensor *y = &in->program->tensors.at[w->pointer.tensor];
    if (tensors_may_share(x, y) && !tensors_are_placed(x, y))
      return true;
  }
  return programs_synchronise(in->program);
}

static void fail(const check_input *in, judge *j, const access *a,
                 const sym_vec *facts, sym bad, bool may_refute, verdict *v) {
  bool mismatch = false;
  verdict_unknown(v, j, (proof){0}, a->pointer.of);
  if (!may_refute || has_unclear_writer(in, j, a) || a->any_mask ||
      !judge_may_refute(j, &a->facts, a->mask) ||
      !judge_may_refute(j, NULL, a->pointer.of))
    return;
  v->witness =
      judge_refute(j, facts, bad, a->inst, FAULT_UNWRITTEN, NULL, &mismatch);
  if (!v->witness)
    return;
  v->kind = VERDICT_REFUTED;
  note_tensor(in, v, a->pointer.tensor);
}

static void judge_read(const check_input *in, judge *j, const access *a,
                       bool may_refute, verdict *v) {
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  const interp_result *r = judge_result(j);
  symtab *t = judge_launch(j)->syms;
  v->kind = VERDICT_PROVED;
  v->method = proof_method_name(METHOD_FOLD);
  if (x->written)
    return;
  sym_vec facts = judge_access_facts(j, a, NULL);
  sym part = in_part(in, j, a, &facts);
  if (part != SYM_NONE) {
    proof how = judge_prove(j, &facts, part);
    v->method = proof_method_name(how.method);
    if (how.proved)
      return;
  }
  v->method = proof_method_name(METHOD_CERTIFICATE);
  for (size_t i = 0; i < r->accesses.count; i++)
    if (written_by(j, a, &r->accesses.at[i], &facts, false) ||
        written_by(j, a, &r->accesses.at[i], &facts, true))
      return;
  sym bad = part == SYM_NONE ? sym_true(t) : sym_not(t, part);
  fail(in, j, a, &facts, bad, may_refute, v);
}

static verdict one_read(const check_input *in, size_t k) {
  const access *a = &judge_result(in->pinned)->accesses.at[k];
  const char *name = in->program->tensors.at[a->pointer.tensor].name;
  verdict v = verdict_start(in, CHECK_502, a->inst, name);
  v.message =
      arena_printf(in->arena,
                   "a program %s an element of `%s` that nobody has "
                   "written",
                   a->effect == EFFECT_ATOMIC ? "updates" : "reads", name);
  verdict fresh = v;
  judge_read(in, in->pinned, a, true, &v);
  if (v.kind != VERDICT_PROVED)
    return v;
  if (in->program->decided.count)
    verdict_pinned(in, &v);
  if (!in->free && !v.configurations.count)
    verdict_all_blocks(in, &v);
  if (!in->free)
    return v;
  judge_read(in, in->free, &judge_result(in->free)->accesses.at[k], false,
             &fresh);
  if (fresh.kind == VERDICT_PROVED) {
    verdict_all_blocks(in, &fresh);
    return fresh;
  }
  verdict_pinned(in, &v);
  return v;
}

void check_uninit(check_input *in) {
  const interp_result *r = judge_result(in->pinned);
  for (size_t k = 0; k < r->accesses.count; k++)
    if (reads(&r->accesses.at[k]) && followed(&r->accesses.at[k])) {
      verdict v = one_read(in, k);
      VEC_PUSH(in->arena, in->out, v);
    }
}
