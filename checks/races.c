/* checks/races.c: TC401, TC402 and TC403: accesses that nothing orders.
 *
 * TC401: no two programs store to one element, unless atomically.
 * TC402: no program reads an element that another one writes.
 * TC403: no two lanes of one program touch one element, one of them writing,
 *        without a barrier between them.
 *
 * The obligation of two accesses, in two instances each: under the facts of
 * both, equal elements imply one program (TC403: one lane). That every access
 * is inside its tensor is a premise: it has a verdict of its own. A verdict
 * stands at the later of two stores, and at the load. */
#include "checks/barriers.h"
#include "checks/places.h"

typedef struct question {
  const check_input *in;
  judge *j;
  check_id code;
  verdict *v;
  bool may_refute;
  proof_method method; /* the hardest so far */
  bool withdrawn;      /* see is_outside */
} question;

static bool writes(const access *a) {
  return a->effect == EFFECT_WRITE || a->effect == EFFECT_ATOMIC ||
         a->effect == EFFECT_ANY;
}

static bool both_atomic(const access *a, const access *b) {
  return a->effect == EFFECT_ATOMIC && b->effect == EFFECT_ATOMIC;
}

/* ----------------------------------------------------------------- verdicts */

static void say(const check_input *in, const access *a, verdict *v) {
  const char *name = v->buffer ? arena_printf(in->arena, "`%s`", v->buffer)
                               : "memory that is not followed";
  const char *verb =
      a->effect == EFFECT_ATOMIC ? "update and store to" : "store to";
  if (v->code == CHECK_401)
    v->message = arena_printf(in->arena, "two programs %s one element of %s",
                              verb, name);
  else if (v->code == CHECK_402)
    v->message = arena_printf(
        in->arena, "a program reads an element of %s that another one writes",
        name);
  else
    v->message = arena_printf(
        in->arena, "two lanes of a program meet in one element of %s", name);
}

static bool unknown(verdict *v, reason why, const char *detail, span at) {
  v->kind = VERDICT_UNKNOWN;
  v->why = why;
  v->why_detail = detail;
  v->why_at = at;
  return false;
}

/* An axis of the grid that nobody states, and that no number of the two
 * accesses tells apart: then it has to have one program. */
static bool require_one_program(question *q, int axis) {
  if (q->in->program->grid_rank || q->in->program->launch_line)
    return false;
  const char *text = arena_printf(q->in->arena, "G%d == 1", axis);
  text_add(q->in->arena, &q->v->requires, text);
  return true;
}

static bool mentions_axis(question *q, const access *a, sym pid) {
  symtab *t = judge_launch(q->j)->syms;
  bool any = sym_mentions(t, a->mask, pid) ||
             (a->pointer.of != SYM_NONE && sym_mentions(t, a->pointer.of, pid));
  for (size_t i = 0; i < a->facts.count; i++)
    any = any || sym_mentions(t, a->facts.at[i], pid);
  return any;
}

static bool refute(question *q, const access *a, const access *b, pair *p,
                   sym goal) {
  static const fault of[] = {FAULT_RACE_STORE, FAULT_RACE_LOAD, FAULT_LANE};
  symtab *t = judge_launch(q->j)->syms;
  bool may = q->may_refute && !a->any_mask && !b->any_mask;
  const access *both[] = {a, b};
  for (int i = 0; i < 2; i++)
    may = may && judge_may_refute(q->j, &both[i]->facts, both[i]->mask) &&
          judge_may_refute(q->j, NULL, both[i]->pointer.of) &&
          judge_content_is_free(q->j, both[i]->pointer.of) &&
          judge_content_is_free(q->j, both[i]->mask);
  if (!may || (!q->in->program->grid_rank && !q->in->program->launch_line))
    return false;
  /* A caller who passes too small a tensor is told so elsewhere. */
  for (int i = 0; i < 2; i++) {
    sym_vec promised = places_promise(q->in, q->j, both[i]);
    for (size_t k = 0; k < promised.count; k++)
      pair_assume(p, promised.at[k]);
  }
  sym_vec facts = pair_facts(p);
  VEC_PUSH(q->in->arena, &facts, sym_not(t, goal));
  q->v->witness =
      judge_refute_pair(q->j, &facts, a->inst, of[q->code - CHECK_401]);
  if (!q->v->witness)
    return false;
  q->v->kind = VERDICT_REFUTED;
  if (a->pointer.tensor != TENSOR_LOST)
    note_tensor(q->in, q->v, a->pointer.tensor);
  return true;
}

/* An access that leaves its tensor: what it meets there is the lesser trouble,
 * and goes with it. */
static bool is_outside(const question *q, const access *a) {
  for (size_t i = 0; i < q->in->out->count; i++) {
    const verdict *v = &q->in->out->at[i];
    if (verdict_is_bounds(v) && v->kind == VERDICT_REFUTED &&
        v->at.line == a->inst->at.line && v->at.column == a->inst->at.column)
      return true;
  }
  return false;
}

/* One equality that two instances must show. */
static bool settle(question *q, const access *a, const access *b, pair *p,
                   sym one, sym two) {
  sym goal = sym_eq(judge_launch(q->j)->syms, one, two);
  proof how = pair_prove_equal(p, one, two);
  if (how.proved) {
    if (how.method > q->method)
      q->method = how.method;
    pair_assume(p, goal);
    return true;
  }
  span other = b->inst->at;
  q->withdrawn = is_outside(q, a) || is_outside(q, b);
  if (q->withdrawn)
    return false;
  if (q->code != CHECK_403 && programs_synchronise(q->in->program))
    return unknown(q->v, REASON_SYNCHRONISATION,
                   "a branch depends on what other programs write, so they may "
                   "wait for each other",
                   (span){0});
  if (refute(q, a, b, p, goal))
    return false;
  verdict_unknown(q->v, q->j, how, a->pointer.of);
  if (a != b) {
    q->v->why_at = other;
    q->v->why_detail =
        arena_printf(q->in->arena, "%s: %s", "together with the access there",
                     q->v->why_detail);
  }
  return false;
}

static bool one_program(question *q, const access *a, const access *b,
                        pair *p) {
  const launch *l = judge_launch(q->j);
  for (int axis = 0; axis < 3; axis++) {
    bool seen =
        mentions_axis(q, a, l->pid[axis]) || mentions_axis(q, b, l->pid[axis]);
    if (!seen && !sym_is_int(l->syms, l->pid[axis], NULL) &&
        require_one_program(q, axis))
      continue;
    if (!settle(q, a, b, p, l->pid[axis], pair_second(p, l->pid[axis])))
      return false;
  }
  return true;
}

/* Lanes are counted from the right; an axis of one lane has none. */
static bool one_lane(question *q, const access *a, const access *b, pair *p) {
  const launch *l = judge_launch(q->j);
  const type *t = places_type(q->in->program, a);
  if (!places_same_shape(q->in->program, a, b))
    return settle(q, a, b, p, sym_int(l->syms, 0), sym_int(l->syms, 1));
  for (unsigned d = 0; d < t->rank; d++) {
    sym lane = launch_lane(l, d);
    sym extent = launch_sym(l, t->dim[t->rank - 1 - d]);
    int64_t one;
    if (sym_is_int(l->syms, extent, &one) && one == 1)
      continue;
    if (!settle(q, a, b, p, lane, pair_second(p, lane)))
      return false;
  }
  return true;
}

static bool ask_pair(question *q, const access *a, const access *b) {
  switch (places_relate(q->in, q->j, a, b)) {
  case PLACES_APART:
    return true;
  case PLACES_UNCLEAR: {
    bool self = b->opaque || b->pointer.form != VALUE_POINTER ||
                b->pointer.tensor == TENSOR_LOST;
    return unknown(q->v, REASON_UNSUPPORTED,
                   self ? "an access there may touch the same memory"
                        : "it may overlap the tensor there: nobody knows where "
                          "one of the two starts",
                   b->inst->at);
  }
  case PLACES_ONE_STORAGE:
    break;
  }
  pair *p = pair_create(q->j, a, b, q->code != CHECK_403, NULL);
  if (!places_equal(q->in, q->j, a, b, p, q->v))
    return unknown(q->v, REASON_UNSUPPORTED,
                   "the pointer comes from something that is not understood",
                   (span){0});
  pair_relate_loads(p);
  return q->code == CHECK_403 ? one_lane(q, a, b, p) : one_program(q, a, b, p);
}

/* Which pairs a verdict speaks about. */
static bool concerns(check_id code, const access *a, const access *b,
                     bool before) {
  if (both_atomic(a, b))
    return false;
  if (code == CHECK_402 || b->effect == EFFECT_ANY) /* no verdict there */
    return writes(b);
  return before && (writes(b) || (code == CHECK_403 && writes(a)));
}

static bool discharge(question *q, const access *a) {
  static const sym_vec none = {0};
  premise_vec open = judge_discharge(q->j, a, &none, q->v);
  for (size_t i = 0; i < open.count; i++)
    if (!overflow_require(q->in, q->j, open.at[i], q->v))
      return unknown(q->v, REASON_NONLINEAR,
                     "integer arithmetic on the way to the address may leave "
                     "its type (TC301)",
                     judge_result(q->j)->premises.at[open.at[i]].inst->at);
  return true;
}

static void ask(question *q, size_t k) {
  const interp_result *r = judge_result(q->j);
  const access *a = &r->accesses.at[k];
  bool any = false;
  for (size_t i = 0; i < r->accesses.count; i++) {
    const access *b = &r->accesses.at[i];
    if (!concerns(q->code, a, b, i <= k) ||
        places_relate(q->in, q->j, a, b) == PLACES_APART)
      continue;
    any = true;
    if (q->code == CHECK_403 && barrier_between(q->in->program, b, a))
      continue;
    if (!ask_pair(q, a, b) || !discharge(q, b))
      return;
  }
  if (any && !discharge(q, a))
    return;
  q->v->kind = q->v->requires.count ? VERDICT_PROVED_IF : VERDICT_PROVED;
  q->v->method = proof_method_name(q->method);
  if (q->in->program->decided.count)
    verdict_pinned(q->in, q->v);
}

static bool holds(const verdict *v) {
  return v->kind == VERDICT_PROVED || v->kind == VERDICT_PROVED_IF;
}

/* False when there is nothing to say. */
static bool judge_access(const check_input *in, size_t k, check_id code,
                         verdict *out) {
  const access *a = &judge_result(in->pinned)->accesses.at[k];
  bool followed =
      a->pointer.form == VALUE_POINTER && a->pointer.tensor != TENSOR_LOST;
  const char *buffer =
      followed ? in->program->tensors.at[a->pointer.tensor].name : NULL;
  verdict v = verdict_start(in, code, a->inst, buffer);
  say(in, a, &v);
  verdict fresh = v;
  if (in->pinned_only) {
    unknown(&v, REASON_RESOURCE,
            "races of a kernel with so many variants are not looked at",
            (span){0});
    *out = v;
    return true;
  }
  question q = {in, in->pinned, code, &v, true, METHOD_FOLD, false};
  ask(&q, k);
  *out = v;
  if (q.withdrawn)
    return false;
  if (!in->free && !v.configurations.count)
    verdict_all_blocks(in, out);
  if (!in->free || !holds(&v))
    return true;
  question more = {in, in->free, code, &fresh, false, METHOD_FOLD, false};
  ask(&more, k);
  if (holds(&fresh) && verdict_same_requirements(&v, &fresh)) {
    verdict_all_blocks(in, &fresh);
    *out = fresh;
  } else {
    verdict_pinned(in, out);
  }
  return true;
}

static void add(check_input *in, size_t k, check_id code) {
  verdict v;
  if (judge_access(in, k, code, &v))
    VEC_PUSH(in->arena, in->out, v);
}

void check_races(check_input *in) {
  const interp_result *r = judge_result(in->pinned);
  for (size_t k = 0; k < r->accesses.count; k++) {
    op_effect effect = r->accesses.at[k].effect;
    if (effect == EFFECT_ANY || effect == EFFECT_NONE)
      continue;
    add(in, k, effect == EFFECT_READ ? CHECK_402 : CHECK_401);
    add(in, k, CHECK_403);
  }
}
