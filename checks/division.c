/* checks/division.c: TC302: no integer division or remainder by a value that
 * can be 0. All lanes divide, so no mask excuses one. */
#include "checks/checks_run.h"

static bool not_zero(judge *j, const division *d, proof *p) {
  symtab *t = judge_launch(j)->syms;
  sym zero = sym_int(t, 0);
  sym_vec facts = judge_facts(j, &d->facts, d->divisor);
  *p = judge_prove(j, &facts, sym_gt(t, d->divisor, zero));
  if (p->proved)
    return true;
  proof q = judge_prove(j, &facts, sym_ne(t, d->divisor, zero));
  if (q.proved)
    *p = q;
  return q.proved;
}

/* Every number in e is a plain argument that no fact describes. */
static bool is_about_arguments(const check_input *in, judge *j, sym e) {
  exprs *t = in->program->exprs;
  const launch *l = judge_launch(j);
  for (size_t i = 0; i < exprs_symbol_count(t); i++)
    if (sym_mentions(l->syms, e, l->symbol[i]) &&
        !is_plain_argument(in->program, i))
      return false;
  return true;
}

/* The tensor whose extent the symbol is; count when it is none's or several's.
 */
static size_t tensor_of(const tile_program *p, expr symbol_) {
  size_t found = p->tensors.count;
  for (size_t k = 0; k < p->tensors.count; k++)
    for (unsigned d = 0; d < p->tensors.at[k].rank; d++)
      if (p->tensors.at[k].parameter && p->tensors.at[k].extent[d] == symbol_) {
        if (found != p->tensors.count && found != k)
          return p->tensors.count;
        found = k;
      }
  return found;
}

/* e relates the sizes of several tensors that came in from outside: how they
 * fit together is the caller's matter, unless a clause says. */
static bool relates_tensors(const check_input *in, judge *j, sym e) {
  const tile_program *p = in->program;
  const launch *l = judge_launch(j);
  size_t first = p->tensors.count;
  for (size_t i = 0; i < exprs_symbol_count(p->exprs); i++) {
    if (!sym_mentions(l->syms, e, l->symbol[i]))
      continue;
    size_t k = tensor_of(p, exprs_symbol_expr(p->exprs, i));
    if (k == p->tensors.count)
      continue;
    if (first != p->tensors.count && first != k)
      return true;
    first = k;
  }
  return false;
}

/* A kernel that nobody launches here, or plain arguments that nobody
 * describes: the caller promises. */
static bool promise(const check_input *in, judge *j, const division *d,
                    verdict *v) {
  if (!judge_is_launch_level(j, d->divisor) ||
      (in->program->launch_line && !is_about_arguments(in, j, d->divisor) &&
       !relates_tensors(in, j, d->divisor)))
    return false;
  v->kind = VERDICT_PROVED_IF;
  const char *divisor = sym_text(judge_launch(j)->syms, d->divisor, in->arena);
  text_add(in->arena, &v->requires,
           arena_printf(in->arena, "%s is not 0", divisor));
  if (in->program->launch_line)
    text_add(in->arena, &v->asserts,
             arena_printf(in->arena, "assert %s != 0", divisor));
  return true;
}

static verdict one_division(check_input *in, size_t k) {
  judge *j = in->pinned;
  const division *d = &judge_result(j)->divisions.at[k];
  symtab *t = judge_launch(j)->syms;
  verdict v = verdict_start(in, CHECK_302, d->inst, NULL);
  proof p = {0};
  bool mismatch = false;
  v.message = "the divisor can be 0";
  premise_vec open = judge_discharge_needs(j, d->needs);
  if (not_zero(j, d, &p)) {
    v.kind = VERDICT_PROVED;
    v.method = proof_method_name(p.method);
    overflow_require_all(in, j, &open, "the divisor may leave its type (TC301)",
                         &v);
    proof q;
    if (in->free
            ? not_zero(in->free, &judge_result(in->free)->divisions.at[k], &q)
            : in->program->decided.count == 0)
      verdict_all_blocks(in, &v);
    else
      verdict_pinned(in, &v);
    return v;
  }
  if (promise(in, j, d, &v))
    return v;
  verdict_unknown(&v, j, p, d->divisor);
  sym_vec facts = judge_facts(j, &d->facts, d->divisor);
  if (!judge_may_refute(j, &d->facts, d->divisor))
    return v;
  v.witness = judge_refute(j, &facts, sym_eq(t, d->divisor, sym_int(t, 0)),
                           d->inst, FAULT_DIV_ZERO, NULL, &mismatch);
  if (v.witness)
    v.kind = VERDICT_REFUTED;
  else if (mismatch)
    v.why = REASON_REPLAY;
  return v;
}

void check_division(check_input *in) {
  for (size_t k = 0; k < judge_result(in->pinned)->divisions.count; k++) {
    verdict v = one_division(in, k);
    VEC_PUSH(in->arena, in->out, v);
  }
}
