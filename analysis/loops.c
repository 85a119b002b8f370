/* analysis/loops.c: loops, by closed forms.
 *
 * A carried value that adds the same amount each turn (pointers included) is
 * init + turn * amount; one that is computed afresh each turn is what the turn
 * before computed. Anything else is lost: any value of its type. To find out,
 * the body is interpreted first with probes for the carried values: functions
 * of the lanes that nobody knows, so that moving lanes changes them.
 *
 * Sound: an amount that mentions no carried unknown, no turn of this loop and
 * no application made inside the body has the same value on every turn, so
 * induction on the turn gives the closed form. */
#include "analysis/interp.h"
#include <assert.h>
#include <stdio.h>

typedef enum carry_kind {
  CARRY_LOST,
  CARRY_FIXED,  /* never changes */
  CARRY_STEPS,  /* init + turn * amount */
  CARRY_AFRESH, /* next(turn - 1), init on turn 0 */
} carry_kind;

typedef struct carry {
  carry_kind kind;
  value init;
  value next;  /* what the body yields */
  sym amount;  /* STEPS */
  sym probe;   /* what stood for it; SYM_NONE for what is not followed */
  uint32_t fn; /* LOST: function number */
} carry;

typedef struct loop {
  const inst *inst;
  const region *body;
  uint32_t first_arg; /* of the carried values among the body's arguments */
  uint32_t count;
  carry *carries;
  sym turn;
  needs bounds;      /* of lo, hi, step and the counter, for what comes after */
  uint32_t first_fn; /* functions from here on: probes, and the body's own */
} loop;

/* An unknown function of the lanes of a type, in the form of `like`. */
static value make_probe(interp *in, value like, type t) {
  value v = like;
  uint32_t fn = interp_new_function(in, NULL, SYM_NONE, SYM_NONE);
  v.pending = UINT32_MAX;
  v.needs = (needs){NULL, 0};
  t.pointer = false;
  t.elem = like.form == VALUE_TRUTH ? SC_BOOL : SC_I64;
  if (like.of != SYM_NONE)
    v.of = interp_apply(in, fn, t).of;
  return v;
}

static void probe(interp *in, loop *l) {
  bool recording = in->recording;
  size_t depth = in->path.count;
  in->recording = false;
  l->first_fn = (uint32_t)in->result->functions.count;
  for (uint32_t k = 0; k < l->count; k++) {
    value_id arg = l->body->args.at[l->first_arg + k];
    value v = make_probe(in, l->carries[k].init, interp_type(in, arg));
    l->carries[k].probe = v.of;
    in->values[arg] = v;
  }
  interp_region(in, l->body);
  for (uint32_t k = 0; k < l->count; k++)
    l->carries[k].next =
        value_sink(in, l->inst, in->values[l->body->yields.at[k]]);
  in->path.count = depth; /* what the body found holds at its places only */
  in->recording = recording;
}

/* e holds a probe or an application that the body made. */
static bool mentions_body(const interp *in, const loop *l, sym e) {
  size_t n = sym_atoms(in->syms, e, NULL, 0);
  sym *atoms = ARENA_ARRAY(in->arena, sym, n ? n : 1);
  sym_atoms(in->syms, e, atoms, n);
  for (size_t i = 0; i < n; i++) {
    sym_kind kind = sym_kind_of(in->syms, atoms[i]);
    if ((kind == SYM_APPLY || kind == SYM_APPLYB) &&
        sym_apply_fn(in->syms, atoms[i]) >= l->first_fn)
      return true;
  }
  return false;
}

static bool invariant(const interp *in, const loop *l, sym e) {
  return !mentions_body(in, l, e) && !sym_mentions(in->syms, e, l->turn);
}

static void classify(interp *in, loop *l, carry *c) {
  value next = c->next;
  c->kind = CARRY_LOST;
  if (c->init.of == SYM_NONE || next.of == SYM_NONE ||
      next.form != c->init.form ||
      (next.form == VALUE_POINTER && next.tensor != c->init.tensor))
    return;
  if (next.of == c->probe) {
    c->kind = CARRY_FIXED;
    return;
  }
  if (next.form != VALUE_TRUTH) {
    sym amount = sym_sub(in->syms, next.of, c->probe);
    if (invariant(in, l, amount)) {
      c->kind = CARRY_STEPS;
      c->amount = amount;
      return;
    }
  }
  if (!mentions_body(in, l, next.of))
    c->kind = CARRY_AFRESH;
}

static void probe_and_classify(interp *in, loop *l) {
  bool any = false;
  for (uint32_t k = 0; k < l->count; k++)
    any = any || l->carries[k].init.of != SYM_NONE ||
          l->carries[k].init.form == VALUE_POINTER;
  for (uint32_t k = 0; k < l->count; k++)
    l->carries[k].kind = CARRY_LOST;
  if (!any)
    return;
  probe(in, l);
  for (uint32_t k = 0; k < l->count; k++)
    classify(in, l, &l->carries[k]);
}

/* What a step relies on: the needs of the body's result, on every turn but the
 * first, with the carried value of the turn before in place of its probe. */
static needs step_needs(interp *in, const carry *c, sym turn) {
  symtab *s = in->syms;
  value v = c->next;
  sym before = sym_sub(s, turn, sym_int(s, 1));
  sym was = c->kind == CARRY_FIXED
                ? c->init.of
                : sym_add(s, c->init.of, sym_mul(s, before, c->amount));
  sym from = c->probe;
  v = value_relabel(in, v, &from, &was, sym_is_bool(s, from) ? 0 : 1);
  return needs_when(in, v.needs, sym_ge(s, turn, sym_int(s, 1)));
}

/* The carried value on turn `turn` (or after the loop, turn = trip count). */
static value carried_at(interp *in, const loop *l, const carry *c, value_id arg,
                        sym turn) {
  symtab *s = in->syms;
  value v = c->init;
  switch (c->kind) {
  case CARRY_FIXED:
    v = value_sink(in, l->inst, v);
    v.needs = needs_join(in, v.needs, step_needs(in, c, turn));
    return v;
  case CARRY_STEPS:
    v.needs = needs_join(in, c->init.needs, step_needs(in, c, turn));
    v.of = sym_add(s, c->init.of, sym_mul(s, turn, c->amount));
    return v;
  case CARRY_AFRESH: {
    v = c->next;
    sym before = sym_sub(s, turn, sym_int(s, 1));
    v = value_relabel(in, v, &l->turn, &before, 1);
    value init = value_sink(in, l->inst, c->init);
    sym first = sym_eq(s, turn, sym_int(s, 0));
    v.of = v.form == VALUE_TRUTH ? sym_or(s, sym_and(s, first, init.of),
                                          sym_and(s, sym_not(s, first), v.of))
                                 : sym_select(s, first, init.of, v.of);
    v.needs = needs_join(in, needs_detach(in, v.needs), init.needs);
    return v;
  }
  case CARRY_LOST:
    break;
  }
  type t = interp_type(in, arg);
  v = interp_apply(in, c->fn, t);
  if (t.pointer)
    v.form = VALUE_POINTER;
  return v;
}

static void make_lost_functions(interp *in, loop *l) {
  for (uint32_t k = 0; k < l->count; k++) {
    carry *c = &l->carries[k];
    type t = interp_type(in, l->body->args.at[l->first_arg + k]);
    sym lo = SYM_NONE, hi = SYM_NONE;
    if (c->kind != CARRY_LOST)
      continue;
    interp_range(in, t, &lo, &hi);
    c->fn = interp_new_function(in, l->inst, lo, hi);
    if ((scalar_is_int(t.elem) || t.pointer) && !in->result->imprecise_loop)
      in->result->imprecise_loop = l->inst;
  }
}

/* The premise behind a carried integer: the addition that yields it. */
static void claim_steps(interp *in, const loop *l, carry *c, value *v) {
  const inst *adder =
      in->program->values.at[l->body->yields.at[c - l->carries]].def;
  if (c->kind != CARRY_STEPS || v->form != VALUE_INT)
    return;
  value_id arg = l->body->args.at[l->first_arg + (c - l->carries)];
  v->pending =
      interp_premise(in, adder ? adder : l->inst, interp_type(in, arg), v->of);
}

static void bind_carried(interp *in, loop *l) {
  for (uint32_t k = 0; k < l->count; k++) {
    value_id arg = l->body->args.at[l->first_arg + k];
    value v = carried_at(in, l, &l->carries[k], arg, l->turn);
    claim_steps(in, l, &l->carries[k], &v);
    in->values[arg] = v;
  }
}

sym interp_turn(symtab *t, const inst *loop) {
  char name[32];
  snprintf(name, sizeof name, "turn%u", loop->index);
  return sym_var(t, ROLE_TURN, name);
}

static void enter(interp *in, loop *l) {
  assert(in->turn_count < INTERP_MAX_LOOPS);
  in->turns[in->turn_count++] = l->turn;
  VEC_PUSH(in->arena, &in->path,
           sym_ge(in->syms, l->turn, sym_int(in->syms, 0)));
}

static void gather(interp *in, const inst *i, loop *l, uint32_t first_init) {
  l->inst = i;
  l->count = i->operand_count - first_init;
  l->carries = ARENA_ARRAY(in->arena, carry, l->count ? l->count : 1);
  for (uint32_t k = 0; k < l->count; k++)
    l->carries[k].init = in->values[i->operands[first_init + k]];
  l->turn = interp_turn(in->syms, i);
}

static bool negative_step(const interp *in, sym step) {
  int64_t c;
  return sym_is_int(in->syms, step, &c) && c < 0;
}

/* Number of turns. Sound: the loop runs while counter < hi (counter > hi for
 * a negative constant step); a step that is not positive at run time is
 * undefined in Triton. */
static sym trip_count(interp *in, sym lo, sym hi, sym step) {
  symtab *s = in->syms;
  sym distance = sym_sub(s, hi, lo);
  if (negative_step(in, step)) {
    distance = sym_neg(s, distance);
    step = sym_neg(s, step);
  }
  return sym_max(s, sym_int(s, 0), sym_cdiv(s, distance, step));
}

static value loop_bound(interp *in, const inst *i, uint32_t k) {
  value v = value_sink(in, i, in->values[i->operands[k]]);
  if (v.form != VALUE_INT)
    v.of = sym_unknown(in->syms);
  return v;
}

static void bind_counter(interp *in, loop *l, value lo, value hi, value step) {
  symtab *s = in->syms;
  value_id arg = l->body->args.at[0];
  sym counter = sym_add(s, lo.of, sym_mul(s, l->turn, step.of));
  bool down = negative_step(in, step.of);
  VEC_PUSH(in->arena, &in->path,
           down ? sym_gt(s, counter, hi.of) : sym_lt(s, counter, hi.of));
  needs n = needs_join(in, lo.needs, needs_join(in, hi.needs, step.needs));
  in->path_needs = needs_join(in, in->path_needs, n);
  value after =
      value_exact(VALUE_INT, sym_add(s, counter, step.of), (needs){NULL, 0});
  after.pending = interp_premise(in, l->inst, interp_type(in, arg), after.of);
  after = value_sink(in, l->inst, after);
  in->path_needs = needs_join(in, in->path_needs, after.needs);
  l->bounds = needs_join(in, n, needs_detach(in, after.needs));
  in->values[arg] = value_exact(VALUE_INT, counter, n);
}

static void bind_results(interp *in, loop *l, sym trip) {
  for (uint32_t k = 0; k < l->inst->result_count; k++) {
    carry *c = &l->carries[k];
    value_id result = l->inst->results[k];
    value v = carried_at(in, l, c, result, trip);
    v.needs = needs_join(in, v.needs, l->bounds);
    if (v.form == VALUE_INT && c->kind == CARRY_STEPS)
      v.pending = interp_premise(in, l->inst, interp_type(in, result), v.of);
    in->values[result] = v;
  }
}

void interp_for(interp *in, const inst *i) {
  loop l = {.body = i->regions[0], .first_arg = 1};
  if (in->turn_count == INTERP_MAX_LOOPS) {
    interp_give_up(in, i);
    return;
  }
  gather(in, i, &l, 3);
  value lo = loop_bound(in, i, 0), hi = loop_bound(in, i, 1),
        step = loop_bound(in, i, 2);
  size_t depth = in->path.count;
  needs outer = in->path_needs;
  enter(in, &l);
  bind_counter(in, &l, lo, hi, step);
  probe_and_classify(in, &l);
  make_lost_functions(in, &l);
  bind_carried(in, &l);
  interp_region(in, l.body);
  in->path.count = depth;
  in->turn_count--;
  in->path_needs = outer;
  sym trip = trip_count(in, lo.of, hi.of, step.of);
  interp_control(in, i, l.turn, trip);
  bind_results(in, &l, trip);
}

static value run_test(interp *in, loop *l, const region *test) {
  bind_carried(in, l);
  for (uint32_t k = 0; k < l->count; k++)
    in->values[test->args.at[k]] = in->values[l->body->args.at[k]];
  interp_region(in, test);
  return in->values[test->yields.at[0]];
}

/* Sound: a turn after the first is only reached when the test held on the
 * turn before. The test's own exactness on that turn is the induction's
 * hypothesis: its needs are asked for on every turn. */
static void push_earlier_test(interp *in, loop *l, const region *test) {
  bool recording = in->recording;
  symtab *s = in->syms;
  size_t depth = in->path.count;
  in->recording = false;
  value cond = run_test(in, l, test);
  in->path.count = depth;
  in->recording = recording;
  if (cond.form != VALUE_TRUTH || !sym_is_exact(s, cond.of))
    return;
  sym before = sym_sub(s, l->turn, sym_int(s, 1));
  sym earlier = sym_substitute(s, cond.of, &l->turn, &before, 1);
  sym first = sym_eq(s, l->turn, sym_int(s, 0));
  VEC_PUSH(in->arena, &in->path, sym_or(s, first, earlier));
}

/* Sound: a while loop's carried values follow the same closed forms at an
 * unknown turn; after it they are any values (a STEPS value at an unknown
 * turn count says no more). */
void interp_while(interp *in, const inst *i) {
  loop l = {.body = i->regions[1], .first_arg = 0};
  const region *test = i->regions[0];
  if (in->turn_count == INTERP_MAX_LOOPS) {
    interp_give_up(in, i);
    return;
  }
  gather(in, i, &l, 0);
  size_t depth = in->path.count;
  needs outer = in->path_needs;
  enter(in, &l);
  probe_and_classify(in, &l);
  make_lost_functions(in, &l);
  push_earlier_test(in, &l, test);
  value cond = run_test(in, &l, test);
  in->path_needs = needs_join(in, in->path_needs, cond.needs);
  sym goes_on = interp_condition(in, cond);
  interp_control(in, i, l.turn, goes_on);
  VEC_PUSH(in->arena, &in->path, goes_on);
  interp_region(in, l.body);
  in->path.count = depth;
  in->turn_count--;
  in->path_needs = outer;
  for (uint32_t k = 0; k < l.count; k++)
    l.carries[k].kind = CARRY_LOST;
  make_lost_functions(in, &l);
  bind_results(in, &l, l.turn);
}
