/* checks/bounds.c: TC101 and TC102: every live lane of a load, store or atomic
 * is inside its tensor. Where a loaded number alone decides it, the verdict is
 * one of TC104 (indirect.c).
 *
 * The obligation of an access: under the launch's facts, the path and the
 * mask, the offset is that of an element of the tensor. Where the tensor's
 * extents are the caller's to choose and nothing ties them to the launch, the
 * weakest extent that would do becomes a requirement; the fault is refuted
 * only when it stays with a tensor as large as the caller likes. */
#include "checks/fix.h"
#include "checks/require.h"

static bool is_load(const access *a) {
  return a->effect == EFFECT_READ;
}

static const char *buffer_name(const check_input *in, const access *a) {
  if (a->pointer.form != VALUE_POINTER || a->pointer.tensor == TENSOR_LOST)
    return NULL;
  return in->program->tensors.at[a->pointer.tensor].name;
}

static const char *action(const access *a) {
  switch (a->effect) {
  case EFFECT_READ:
    return "load";
  case EFFECT_WRITE:
    return "store";
  case EFFECT_ATOMIC:
    return "atomic update";
  case EFFECT_NONE:
  case EFFECT_ANY:
    break;
  }
  return "access";
}

static void say(const check_input *in, const access *a, verdict *v) {
  const char *what = is_load(a) ? "reads" : "writes";
  v->message = v->buffer ? arena_printf(in->arena, "%s %s outside `%s`",
                                        action(a), what, v->buffer)
                         : arena_printf(in->arena,
                                        "%s through a pointer that "
                                        "is not followed",
                                        action(a));
}

static bool opaque_access(const check_input *in, const access *a, verdict *v) {
  if (!a->opaque && a->pointer.form == VALUE_POINTER &&
      a->pointer.tensor != TENSOR_LOST && a->pointer.of != SYM_NONE)
    return false;
  v->kind = VERDICT_UNKNOWN;
  v->why = REASON_UNSUPPORTED;
  const char *text = a->opaque ? a->inst->text : NULL;
  v->why_detail = text ? arena_printf(in->arena, "%s is not understood", text)
                       : "the pointer comes from something that is not "
                         "understood";
  return true;
}

/* Conditions under which the address is surely, or at least perhaps, that of
 * no element; the interpreter decides. */
static size_t bad_conditions(judge *j, const access *a, const bool *free_axis,
                             const sym *index, sym *bad) {
  symtab *t = judge_launch(j)->syms;
  const tensor *x = &judge_launch(j)->program->tensors.at[a->pointer.tensor];
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  bool all_fixed = true, any_index = false;
  size_t n = 0;
  sym zero = sym_int(t, 0), below = sym_lt(t, a->pointer.of, zero);
  launch_tensor(judge_launch(j), a->pointer.tensor, extent, stride);
  sym outside = sym_false(t);
  for (unsigned d = 0; d < x->rank; d++) {
    all_fixed = all_fixed && !free_axis[d];
    any_index = any_index || index[d] != SYM_NONE;
    if (index[d] == SYM_NONE)
      continue;
    outside = sym_or(t, outside, sym_lt(t, index[d], zero));
    if (!free_axis[d])
      outside = sym_or(t, outside, sym_ge(t, index[d], extent[d]));
  }
  if (all_fixed) {
    sym past = sym_ge(t, a->pointer.of,
                      launch_span(judge_launch(j), a->pointer.tensor));
    bad[n++] = sym_or(t, below, past);
  } else {
    bad[n++] = below;
  }
  if (any_index)
    bad[n++] = outside;
  return n;
}

static bool refute(const check_input *in, judge *j, const access *a,
                   const bool *free_axis, const sym *index, verdict *v) {
  sym bad[2];
  bool mismatch = false;
  sym_vec enlarged = require_free_extents(in, j);
  sym_vec facts = judge_access_facts(j, a, NULL);
  size_t n = bad_conditions(j, a, free_axis, index, bad);
  for (size_t k = 0; k < n && !v->witness; k++)
    v->witness = judge_refute(j, &facts, bad[k], a->inst, FAULT_OUTSIDE,
                              &enlarged, &mismatch);
  if (!v->witness) {
    if (mismatch) {
      v->why = REASON_REPLAY;
      v->why_detail = "a counterexample was found that the interpreter did "
                      "not confirm";
    }
    return false;
  }
  v->kind = VERDICT_REFUTED;
  v->fix = fix_mask(in, a);
  note_tensor(in, v, a->pointer.tensor);
  return true;
}

static void proved(const check_input *in, verdict *v, proof p) {
  v->kind = v->requires.count ? VERDICT_PROVED_IF : VERDICT_PROVED;
  v->method = proof_method_name(p.method);
  if (in->program->decided.count)
    verdict_pinned(in, v);
}

/* Nothing that decides where the tensor's elements are is the host's secret. */
static bool geometry_may_refute(judge *j, uint32_t tensor) {
  sym extent[TYPE_MAX_RANK], stride[TYPE_MAX_RANK];
  launch_tensor(judge_launch(j), tensor, extent, stride);
  for (unsigned d = 0; d < judge_launch(j)->program->tensors.at[tensor].rank;
       d++)
    if (!judge_may_refute(j, NULL, extent[d]) ||
        !judge_may_refute(j, NULL, stride[d]))
      return false;
  return true;
}

/* The verdict of one access in one mode, its needs aside. */
static void judge_bounds(const check_input *in, judge *j, const access *a,
                         bool may_refute, verdict *v,
                         layout_promise *promised) {
  if (opaque_access(in, a, v))
    return;
  const tensor *x = &in->program->tensors.at[a->pointer.tensor];
  sym_vec facts = judge_access_facts(j, a, NULL);
  bool free_axis[TYPE_MAX_RANK] = {false};
  sym index[TYPE_MAX_RANK] = {SYM_NONE};
  proof p = {0};
  if (x->known) {
    p = judge_inside(j, a, &facts, NULL, index);
    if (!p.proved)
      p = judge_inside_dense(j, a, &facts);
    if (p.proved) {
      require_contiguity(in, a->pointer.tensor, v);
      proved(in, v, p);
      return;
    }
    require_free_axes(in, j, a->pointer.tensor, free_axis);
  }
  if (require_extent(in, j, a, &facts, free_axis, v, &p, promised)) {
    require_contiguity(in, a->pointer.tensor, v);
    proved(in, v, p);
    return;
  }
  verdict_unknown(v, j, p, a->pointer.of);
  if (!x->known) {
    if (v->why == REASON_NONLINEAR)
      v->why = REASON_EXTENT;
    return;
  }
  if (may_refute && judge_may_refute(j, &a->facts, a->pointer.of) &&
      judge_may_refute(j, NULL, a->mask) &&
      geometry_may_refute(j, a->pointer.tensor) &&
      refute(in, j, a, free_axis, index, v))
    return;
  if (v->why != REASON_REPLAY &&
      require_row_major(in, j, a, &facts, free_axis, v, &p, promised))
    proved(in, v, p);
}

/* A bounds proof stands on the needs of the access: where one stays open, it
 * holds in the domain in which nothing wraps. */
static void stand_on_needs(const check_input *in, judge *j, const access *a,
                           const sym_vec *promised, verdict *v) {
  premise_vec open = judge_discharge(j, a, promised, v);
  if (v->kind != VERDICT_PROVED && v->kind != VERDICT_PROVED_IF)
    return;
  overflow_require_all(in, j, &open,
                       "integer arithmetic on the way to the address may leave "
                       "its type (TC301)",
                       v);
}

static bool holds(const verdict *v) {
  return v->kind == VERDICT_PROVED || v->kind == VERDICT_PROVED_IF;
}

static verdict one_access(const check_input *in, size_t k) {
  const access *a = &judge_result(in->pinned)->accesses.at[k];
  check_id code = is_load(a) || a->effect == EFFECT_ANY ? CHECK_101 : CHECK_102;
  verdict v = verdict_start(in, code, a->inst, buffer_name(in, a));
  say(in, a, &v);
  verdict fresh = v;
  layout_promise promised = {0};
  judge_bounds(in, in->pinned, a, true, &v, &promised);
  stand_on_needs(in, in->pinned, a, &promised.facts, &v);
  if (!in->free) {
    if (!v.configurations.count)
      verdict_all_blocks(in, &v);
    return v;
  }
  if (!holds(&v))
    return v;
  const access *b = &judge_result(in->free)->accesses.at[k];
  promised = (layout_promise){0};
  judge_bounds(in, in->free, b, false, &fresh, &promised);
  stand_on_needs(in, in->free, b, &promised.facts, &fresh);
  if (holds(&fresh) && verdict_same_requirements(&v, &fresh)) {
    verdict_all_blocks(in, &fresh);
    return fresh;
  }
  verdict_pinned(in, &v);
  return v;
}

/* What is proved of launches that do not compile is proved of nothing. */
static void stand_on_compiling(const check_input *in, verdict *v) {
  if (!holds(v) || !in->compiles.requires.count)
    return;
  v->kind = VERDICT_PROVED_IF;
  for (size_t i = 0; i < in->compiles.requires.count; i++)
    text_add(in->arena, &v->requires, in->compiles.requires.at[i]);
  for (size_t i = 0; i < in->compiles.asserts.count; i++)
    text_add(in->arena, &v->asserts, in->compiles.asserts.at[i]);
}

void check_bounds(check_input *in) {
  require_compiles(in, &in->compiles);
  for (size_t k = 0; k < judge_result(in->pinned)->accesses.count; k++) {
    verdict v = one_access(in, k);
    if (indirect_decides(in->pinned, &judge_result(in->pinned)->accesses.at[k]))
      v.code = CHECK_104;
    stand_on_compiling(in, &v);
    VEC_PUSH(in->arena, in->out, v);
  }
}
