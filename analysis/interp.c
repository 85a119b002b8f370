/* analysis/interp.c: walks a tile program over symbols.
 *
 * Every result is "any value of its type" unless a value rule says better, so
 * a missing rule costs precision, never truth. Memory effects are recorded
 * from the op table, not by the rules, so no rule can hide an access. */
#include "analysis/interp.h"
#include "base/panic.h"
#include "ops/rules.h"

static const value NO_VALUE = {VALUE_OTHER, SYM_NONE,  TENSOR_LOST,
                               UINT32_MAX,  {NULL, 0}, false};

/* ---------------------------------------------------- services for rules */

symtab *interp_syms(interp *in) {
  return in->syms;
}

const launch *interp_launch(const interp *in) {
  return in->launch;
}

arena *interp_arena(interp *in) {
  return in->arena;
}

type interp_type(const interp *in, value_id v) {
  return in->program->values.at[v].type;
}

bool interp_range(interp *in, type t, sym *least, sym *greatest) {
  if (t.pointer || !scalar_is_int(t.elem))
    return false;
  unsigned bits = t.wide ? 64 : scalar_bits(t.elem);
  symtab *s = in->syms;
  if (scalar_is_signed(t.elem)) {
    int64_t top = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
    *least = sym_int(s, -top - 1);
    *greatest = sym_int(s, top);
    return true;
  }
  *least = sym_int(s, 0);
  *greatest = bits == 64 ? SYM_NONE : sym_int(s, ((int64_t)1 << bits) - 1);
  return true;
}

sym interp_narrow(interp *in, type t) {
  symtab *s = in->syms;
  sym all = sym_true(s);
  for (size_t p = 0; p < in->program->params.count && p < 64; p++)
    if (t.wide >> p & 1) {
      sym v = launch_number(in->launch, in->program->params.at[p].value);
      all = sym_and(s, all, sym_le(s, v, sym_int(s, INT32_MAX)));
      all = sym_and(s, all, sym_ge(s, v, sym_int(s, INT32_MIN)));
    }
  return all;
}

void interp_lane_facts(const launch *l, type t, sym_vec *out) {
  symtab *s = l->syms;
  arena *a = l->program->arena;
  for (unsigned d = 0; d < t.rank; d++) {
    sym extent = launch_sym(l, t.dim[d]);
    int64_t one;
    if (sym_is_int(s, extent, &one) && one == 1)
      continue;
    sym lane = launch_lane(l, t.rank - 1 - d);
    VEC_PUSH(a, out, sym_ge(s, lane, sym_int(s, 0)));
    VEC_PUSH(a, out, sym_lt(s, lane, extent));
  }
}

uint32_t interp_new_function(interp *in, const inst *i, sym least,
                             sym greatest) {
  fn_range r = {.least = least, .greatest = greatest, .inst = i};
  VEC_PUSH(in->arena, &in->result->functions, r);
  return (uint32_t)in->result->functions.count - 1;
}

value interp_apply(interp *in, uint32_t fn, type t) {
  sym args[TYPE_MAX_RANK + INTERP_MAX_LOOPS];
  size_t n = 0;
  int64_t one;
  for (unsigned d = 0; d < t.rank; d++) {
    sym extent = launch_sym(in->launch, t.dim[d]);
    if (!(sym_is_int(in->syms, extent, &one) && one == 1))
      args[n++] = launch_lane(in->launch, t.rank - 1 - d);
  }
  for (uint32_t k = 0; k < in->turn_count; k++)
    args[n++] = in->turns[k];
  value v = NO_VALUE;
  if (t.pointer || t.elem == SC_ANY || scalar_is_float(t.elem))
    return v;
  v.form = t.elem == SC_BOOL ? VALUE_TRUTH : VALUE_INT;
  v.of = t.elem == SC_BOOL ? sym_apply_bool(in->syms, fn, args, n)
                           : sym_apply(in->syms, fn, args, n);
  return v;
}

value value_within(interp *in, const inst *i, sym least, sym greatest) {
  if (i->result_count == 0)
    return NO_VALUE;
  type t = interp_type(in, i->results[0]);
  if (t.pointer) {
    value v = NO_VALUE;
    v.form = VALUE_POINTER;
    return v;
  }
  sym lo, hi;
  if (interp_range(in, t, &lo, &hi)) {
    least = least == SYM_NONE ? lo : least;
    greatest = greatest == SYM_NONE ? hi : greatest;
  }
  return interp_apply(in, interp_new_function(in, i, least, greatest), t);
}

value value_any(interp *in, const inst *i) {
  return value_within(in, i, SYM_NONE, SYM_NONE);
}

value value_stated(interp *in, const inst *i, sym least, sym greatest) {
  type t = interp_type(in, i->results[0]);
  if (t.pointer || t.elem != SC_ANY)
    return value_within(in, i, least, greatest);
  t.elem = SC_I64;
  value v = interp_apply(in, interp_new_function(in, i, least, greatest), t);
  v.form = VALUE_OTHER;
  return v;
}

void interp_note_content(interp *in, value v) {
  if (v.of != SYM_NONE && sym_kind_of(in->syms, v.of) == SYM_APPLY)
    in->result->functions.at[sym_apply_fn(in->syms, v.of)].content = true;
}

value value_exact(value_form form, sym of, needs n) {
  value v = NO_VALUE;
  v.form = form;
  v.of = of;
  v.needs = n;
  return v;
}

uint32_t interp_premise(interp *in, const inst *i, type t, sym of) {
  premise p = {.inst = i, .type = t, .value = of};
  for (size_t k = 0; k < in->path.count; k++)
    VEC_PUSH(in->arena, &p.facts, in->path.at[k]);
  interp_lane_facts(in->launch, t, &p.facts);
  VEC_PUSH(in->arena, &in->result->premises, p);
  return (uint32_t)in->result->premises.count - 1;
}

static bool constant_fits(interp *in, type t, sym of) {
  int64_t c, lo, hi;
  sym least, greatest;
  t.wide = 0;
  return sym_is_int(in->syms, of, &c) &&
         interp_range(in, t, &least, &greatest) && greatest != SYM_NONE &&
         sym_is_int(in->syms, least, &lo) &&
         sym_is_int(in->syms, greatest, &hi) && lo <= c && c <= hi;
}

value value_ring(interp *in, const inst *i, sym of, needs n) {
  value v = value_exact(VALUE_INT, of, n);
  type t = interp_type(in, i->results[0]);
  if (!constant_fits(in, t, of))
    v.pending = interp_premise(in, i, t, of);
  return v;
}

static value sink(interp *in, const inst *i, value v, bool address) {
  if (v.pending == UINT32_MAX)
    return v;
  premise *p = &in->result->premises.at[v.pending];
  if (!p->use) {
    p->use = i->index;
    p->use_at = i->at;
  }
  need one = {v.pending, v.of, SYM_NONE, address};
  needs single = {&one, 1};
  v.needs = needs_join(in, v.needs, single);
  v.pending = UINT32_MAX;
  return v;
}

value value_sink(interp *in, const inst *i, value v) {
  return sink(in, i, v, false);
}

value value_sink_address(interp *in, const inst *i, value v) {
  return sink(in, i, v, true);
}

static bool needs_hold(needs n, need one) {
  for (uint32_t i = 0; i < n.count; i++)
    if (n.at[i].premise == one.premise && n.at[i].value == one.value &&
        n.at[i].when == one.when && n.at[i].address == one.address)
      return true;
  return false;
}

needs needs_join(interp *in, needs a, needs b) {
  if (!b.count)
    return a;
  need *all = ARENA_ARRAY(in->arena, need, a.count + b.count);
  if (a.count)
    memcpy(all, a.at, a.count * sizeof *all);
  needs out = {all, a.count};
  for (uint32_t i = 0; i < b.count; i++)
    if (!needs_hold(out, b.at[i]))
      all[out.count++] = b.at[i];
  return out;
}

needs needs_when(interp *in, needs n, sym cond) {
  need *all = ARENA_ARRAY(in->arena, need, n.count ? n.count : 1);
  for (uint32_t i = 0; i < n.count; i++) {
    all[i] = n.at[i];
    all[i].when =
        all[i].when == SYM_NONE ? cond : sym_and(in->syms, cond, all[i].when);
  }
  return (needs){all, n.count};
}

needs needs_detach(interp *in, needs n) {
  need *all = ARENA_ARRAY(in->arena, need, n.count ? n.count : 1);
  for (uint32_t i = 0; i < n.count; i++)
    all[i] = (need){n.at[i].premise, SYM_NONE, SYM_NONE, n.at[i].address};
  return (needs){all, n.count};
}

value value_relabel(interp *in, value v, const sym *from, const sym *to,
                    size_t n) {
  if (v.of != SYM_NONE)
    v.of = sym_substitute(in->syms, v.of, from, to, n);
  need *all = ARENA_ARRAY(in->arena, need, v.needs.count ? v.needs.count : 1);
  for (uint32_t i = 0; i < v.needs.count; i++) {
    all[i] = v.needs.at[i];
    if (all[i].value != SYM_NONE)
      all[i].value = sym_substitute(in->syms, all[i].value, from, to, n);
    if (all[i].when != SYM_NONE)
      all[i].when = sym_substitute(in->syms, all[i].when, from, to, n);
  }
  v.needs.at = all;
  return v;
}

/* Sound: what comes after a division by 0 is undefined anyway; that there is
 * none is TC302's matter. Lane indices mean other axes elsewhere, so a divisor
 * with lanes leaves no fact. */
static void divisor_is_not_zero(interp *in, value divisor) {
  if (!sym_mentions_role(in->syms, divisor.of, ROLE_LANE))
    VEC_PUSH(in->arena, &in->path,
             sym_ne(in->syms, divisor.of, sym_int(in->syms, 0)));
}

void interp_note_division(interp *in, const inst *i, value divisor) {
  if (divisor.form != VALUE_INT)
    return;
  division d = {.inst = i, .divisor = divisor.of};
  for (size_t k = 0; k < in->path.count; k++)
    VEC_PUSH(in->arena, &d.facts, in->path.at[k]);
  interp_lane_facts(in->launch, interp_type(in, i->results[0]), &d.facts);
  d.needs = needs_join(in, divisor.needs, in->path_needs);
  if (in->recording)
    VEC_PUSH(in->arena, &in->result->divisions, d);
  divisor_is_not_zero(in, divisor);
}

void interp_note_claim(interp *in, const inst *i, sym holds, sym excess,
                       bool weak, needs n) {
  claim_site c = {.inst = i, .holds = holds, .excess = excess, .weak = weak};
  for (size_t k = 0; k < in->path.count; k++)
    VEC_PUSH(in->arena, &c.facts, in->path.at[k]);
  c.needs = n;
  c.path_needs = in->path_needs;
  if (in->recording)
    VEC_PUSH(in->arena, &in->result->claims, c);
}

/* ------------------------------------------------------------- accesses */

static value operand_value(const interp *in, const inst *i, uint32_t k) {
  if (k >= i->operand_count || i->operands[k] == VALUE_NONE)
    return NO_VALUE;
  return in->values[i->operands[k]];
}

static type access_shape(const interp *in, const inst *i) {
  if (i->operand_count && i->operands[0] != VALUE_NONE)
    return interp_type(in, i->operands[0]);
  return type_scalar(SC_NONE);
}

static void record_access(interp *in, const inst *i) {
  op_effect effect = op_effect_of(i->op);
  bool opaque = effect == EFFECT_ANY;
  if (effect == EFFECT_NONE || !in->recording)
    return;
  int64_t may_access = 1;
  if (opaque && i->attr_count &&
      expr_is_int(in->program->exprs, i->attrs[0], &may_access) && !may_access)
    return;
  access a = {.inst = i, .effect = effect, .opaque = opaque};
  a.pointer = operand_value(in, i, 0);
  uint32_t mask_at = effect == EFFECT_READ ? 1 : 2;
  value mask = opaque ? NO_VALUE : operand_value(in, i, mask_at);
  a.mask = mask.form == VALUE_TRUTH ? mask.of : sym_true(in->syms);
  a.any_mask = !opaque && mask_at < i->operand_count &&
               i->operands[mask_at] != VALUE_NONE && mask.form != VALUE_TRUTH;
  a.mask_needs = mask.needs;
  a.path_needs = in->path_needs;
  for (size_t k = 0; k < in->path.count; k++)
    VEC_PUSH(in->arena, &a.facts, in->path.at[k]);
  interp_lane_facts(in->launch, access_shape(in, i), &a.facts);
  VEC_PUSH(in->arena, &in->result->accesses, a);
}

void interp_give_up(interp *in, const inst *i) {
  access a = {.inst = i, .effect = EFFECT_ANY, .opaque = true};
  a.pointer = NO_VALUE;
  a.mask = sym_true(in->syms);
  a.path_needs = in->path_needs;
  if (in->recording)
    VEC_PUSH(in->arena, &in->result->accesses, a);
}

void interp_control(interp *in, const inst *i, sym turn, sym of) {
  control c = {i, turn, of};
  if (in->recording)
    VEC_PUSH(in->arena, &in->result->controls, c);
}

/* -------------------------------------------------------------- walking */

static const value_rule RULES[] = {
#define OP(id, name, signature, rule, effect, exec) [OP_##id] = abstract_##rule,
#include "ops/ops.def"
#undef OP
};

static void interp_op(interp *in, const inst *i) {
  value *operand = ARENA_ARRAY(in->arena, value, i->operand_count + 4);
  for (uint32_t k = 0; k < i->operand_count + 4; k++)
    operand[k] = operand_value(in, i, k);
  record_access(in, i);
  if (i->result_count) {
    in->values[i->results[0]] = RULES[i->op](in, i, operand);
    for (uint32_t k = 1; k < i->result_count; k++) {
      type t = interp_type(in, i->results[k]);
      sym lo = SYM_NONE, hi = SYM_NONE;
      interp_range(in, t, &lo, &hi);
      value v = interp_apply(in, interp_new_function(in, i, lo, hi), t);
      v.form = t.pointer ? VALUE_POINTER : v.form;
      in->values[i->results[k]] = v;
    }
  }
}

/* cond ? a : b. Sound: both arms are exact numbers after their sinks. Where one
 * is unbound, whoever uses the result came by the other way. */
value value_choose(interp *in, const inst *i, value cond, value a, value b) {
  if (a.unbound || b.unbound)
    return a.unbound ? b : a;
  if (cond.form != VALUE_TRUTH || a.form != b.form ||
      (a.form == VALUE_POINTER && a.tensor != b.tensor))
    return value_any(in, i);
  a = value_sink(in, i, a);
  b = value_sink(in, i, b);
  needs n = needs_join(in, needs_when(in, a.needs, cond.of),
                       needs_when(in, b.needs, sym_not(in->syms, cond.of)));
  value v = a;
  v.needs = needs_join(in, n, cond.needs);
  if (a.of == SYM_NONE || b.of == SYM_NONE)
    v.of = SYM_NONE;
  else if (a.form == VALUE_TRUTH)
    v.of = sym_or(in->syms, sym_and(in->syms, cond.of, a.of),
                  sym_and(in->syms, sym_not(in->syms, cond.of), b.of));
  else
    v.of = sym_select(in->syms, cond.of, a.of, b.of);
  return v;
}

/* A condition that is not followed: a truth about which nothing is known. */
sym interp_condition(interp *in, value cond) {
  symtab *s = in->syms;
  return cond.form == VALUE_TRUTH ? cond.of
                                  : sym_ne(s, sym_unknown(s), sym_int(s, 0));
}

static void interp_if(interp *in, const inst *i) {
  value cond = operand_value(in, i, 0);
  sym holds = interp_condition(in, cond);
  size_t depth = in->path.count;
  needs outer = in->path_needs;
  in->path_needs = needs_join(in, outer, cond.needs);
  interp_control(in, i, SYM_NONE, holds);
  for (int arm = 0; arm < 2; arm++) {
    if (!i->regions[arm])
      continue;
    VEC_PUSH(in->arena, &in->path, arm ? sym_not(in->syms, holds) : holds);
    interp_region(in, i->regions[arm]);
    in->path.count = depth;
  }
  in->path_needs = outer;
  for (uint32_t k = 0; k < i->result_count; k++) {
    inst one = *i;
    one.results = &i->results[k];
    one.result_count = 1;
    value a = in->values[i->regions[0]->yields.at[k]];
    value b = in->values[i->regions[1]->yields.at[k]];
    in->values[i->results[k]] = value_choose(in, &one, cond, a, b);
  }
}

void interp_region(interp *in, const region *r) {
  for (size_t k = 0; k < r->insts.count; k++) {
    const inst *i = r->insts.at[k];
    switch (i->kind) {
    case NODE_OP:
      interp_op(in, i);
      break;
    case NODE_FOR:
      interp_for(in, i);
      break;
    case NODE_IF:
      interp_if(in, i);
      break;
    case NODE_WHILE:
      interp_while(in, i);
      break;
    }
  }
}

static value param_value(interp *in, const param *p) {
  value v = NO_VALUE;
  switch (p->kind) {
  case PARAM_POINTER:
    v.form = VALUE_POINTER;
    v.of = launch_number(in->launch, p->offset);
    v.tensor = p->tensor;
    return v;
  case PARAM_INT:
    v.form = VALUE_INT;
    v.of = launch_number(in->launch, p->value);
    return v;
  case PARAM_BOOL:
    v.form = VALUE_TRUTH;
    v.of =
        p->value != EXPR_NONE && expr_is_condition(in->program->exprs, p->value)
            ? launch_sym(in->launch, p->value)
            : sym_apply_bool(in->syms,
                             interp_new_function(in, NULL, SYM_NONE, SYM_NONE),
                             NULL, 0);
    return v;
  case PARAM_FLOAT:
  case PARAM_CONST:
  case PARAM_STATIC:
  case PARAM_OPAQUE:
    return v;
  }
  panic("parameter of kind %d", (int)p->kind);
}

interp_result *interpret(arena *kernel, const launch *l) {
  interp in = {.arena = kernel,
               .launch = l,
               .program = l->program,
               .syms = l->syms,
               .recording = true};
  in.result = ARENA_NEW(kernel, interp_result);
  fn_range none = {.least = SYM_NONE, .greatest = SYM_NONE};
  VEC_PUSH(kernel, &in.result->functions, none);
  in.values = ARENA_ARRAY(kernel, value, l->program->values.count + 1);
  in.carried_fn = ARENA_ARRAY(kernel, uint32_t, l->program->inst_count + 2);
  for (size_t v = 0; v < l->program->values.count; v++)
    in.values[v] = NO_VALUE;
  for (size_t p = 0; p < l->program->params.count; p++)
    if (l->program->params.at[p].value_id)
      in.values[l->program->params.at[p].value_id] =
          param_value(&in, &l->program->params.at[p]);
  interp_region(&in, l->program->body);
  return in.result;
}

static void one_function_facts(const launch *l, const interp_result *r,
                               sym atom, sym_vec *out) {
  uint32_t fn = sym_apply_fn(l->syms, atom);
  if (fn >= r->functions.count)
    return;
  const fn_range *range = &r->functions.at[fn];
  if (range->least != SYM_NONE)
    VEC_PUSH(l->program->arena, out, sym_ge(l->syms, atom, range->least));
  if (range->greatest != SYM_NONE)
    VEC_PUSH(l->program->arena, out, sym_le(l->syms, atom, range->greatest));
}

void access_function_facts(const launch *l, const interp_result *r, sym e,
                           sym_vec *out) {
  size_t n = sym_atoms(l->syms, e, NULL, 0);
  sym *atoms = ARENA_ARRAY(l->program->arena, sym, n ? n : 1);
  sym_atoms(l->syms, e, atoms, n);
  for (size_t i = 0; i < n; i++)
    if (sym_kind_of(l->syms, atoms[i]) == SYM_APPLY)
      one_function_facts(l, r, atoms[i], out);
}
