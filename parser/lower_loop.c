/* parser/lower_loop.c: for and while.
 *
 * Which names a loop carries, and with what types, shows only when its body is
 * lowered; so a loop is lowered, reviewed and, if need be, lowered again. */
#include <assert.h>

#include "base/panic.h"
#include "parser/carry.h"

typedef struct range_args {
  thing low, high, step;
  bool is_static;
} range_args;

/* ---------------------------------------------------------------- range */

static bool is_range(const lower *l, node call, bool *is_static) {
  if (lower_kind(l, call) != SYN_call)
    return false;
  node callee = node_field(call, "function");
  const char *full = names_qualified(l->names, callee);
  if (!full || scope_find(&l->frame->scope, full))
    return false;
  *is_static = strcmp(full, "triton.language.static_range") == 0;
  return *is_static || strcmp(full, "range") == 0 ||
         strcmp(full, "triton.language.range") == 0;
}

/* Index of a keyword among low, high, step; -1: a hint. */
static int range_keyword(const lower *l, node name) {
  static const char *const names[] = {"arg1",  "arg2", "step",
                                      "start", "end",  "stop"};
  static const int slots[] = {0, 1, 2, 0, 1, 1};
  for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
    if (node_text_is(l->syntax, name, names[i]))
      return slots[i];
  return -1;
}

/* False, after a notice, when the arguments are not understood. */
static bool read_range(lower *l, node call, range_args *out) {
  thing slots[3];
  bool given[3] = {false, false, false};
  uint32_t count = 0;
  node list = node_field(call, "arguments");
  for (node n = node_child(list, 0); node_is(n); n = node_next(n)) {
    int slot = (int)count;
    node value = n;
    if (lower_kind(l, n) == SYN_keyword_argument) {
      slot = range_keyword(l, node_field(n, "name"));
      value = node_field(n, "value");
    } else {
      count++;
    }
    if (slot > 2 || lower_kind(l, n) == SYN_list_splat)
      return false;
    if (slot < 0)
      continue;
    slots[slot] = lower_expr(l, value);
    given[slot] = true;
  }
  exprs *e = l->p->exprs;
  if (!given[0])
    return false;
  out->low = given[1] ? slots[0] : thing_int(expr_int(e, 0));
  out->high = given[1] ? slots[1] : slots[0];
  out->step = given[2] ? slots[2] : thing_int(expr_int(e, 1));
  return true;
}

/* How often a range of known numbers runs; EXPR_NONE if that is not known. */
static expr trip_count(lower *l, const range_args *r) {
  exprs *e = l->p->exprs;
  expr low = fixed_number(l, &r->low), high = fixed_number(l, &r->high);
  int64_t step;
  if (!low || !high || !fixed_int(l, &r->step, &step) || step == 0)
    return EXPR_NONE;
  expr span_ = step > 0 ? expr_sub(e, high, low) : expr_sub(e, low, high);
  expr turns = expr_cdiv(e, span_, expr_int(e, step > 0 ? step : -step));
  return expr_max(e, turns, expr_int(e, 0));
}

/* A bound that is no known scalar integer: any number. */
static value_id opaque_bound(lower *l, node at, const thing *t) {
  value_vec values = {0};
  flatten(l, t, &values);
  return emit_opaque(l, at, "a bound of a loop", values.at,
                     (uint32_t)values.count, false, type_scalar(SC_I64), 0);
}

static value_id bound_value(lower *l, node at, const thing *t) {
  value_id v = to_value(l, at, t);
  bool odd = v && !is_shapeless(l, v) &&
             (value_type(l, v)->rank || value_type(l, v)->pointer ||
              scalar_is_float(value_type(l, v)->elem));
  if (!v || odd)
    refuse(l, at, UNSUPPORTED_RANGE, NULL, false);
  if (v && !odd && !is_shapeless(l, v) && value_type(l, v)->elem == SC_ANY) {
    refuse(l, at, UNSUPPORTED_RANGE_TYPE, NULL, false);
    return emit_cast(l, at, v, type_scalar(SC_I64));
  }
  return v && !odd && !is_shapeless(l, v) ? v : opaque_bound(l, at, t);
}

/* The bounds in the type of the counter: the promoted type of all three. */
static type loop_bounds(lower *l, node at, const range_args *r,
                        value_id out[3]) {
  const thing *things[3] = {&r->low, &r->high, &r->step};
  type types[3], common = type_scalar(SC_NONE);
  for (int i = 0; i < 3; i++) {
    bool number = things[i]->kind == THING_FIXED &&
                  literal_type(l, things[i]).elem != SC_NONE &&
                  !thing_is(things[i], STATIC_FLOAT);
    out[i] = number ? VALUE_NONE : bound_value(l, at, things[i]);
    types[i] = number ? literal_type(l, things[i]) : *value_type(l, out[i]);
    common = i == 0
                 ? types[0]
                 : promote_types(&common, false, &types[i], false, PAIR_PLAIN);
    if (common.elem == SC_NONE) /* uint32 or int64, by an argument's value */
      common = type_scalar(SC_I64);
  }
  for (int i = 0; i < 3; i++)
    out[i] = out[i] ? emit_cast(l, at, out[i], common)
                    : number_as(l, at, things[i], common);
  return common;
}

/* ------------------------------------------------------------- unrolling */

static bool in_fixed_place(lower *l, node n, const char *index) {
  static const char *const shapes[] = {
      "arange", "zeros", "full", "static_assert", "static_range", "constexpr"};
  syn kind = lower_kind(l, n);
  if (kind == SYN_if_statement || kind == SYN_elif_clause)
    return mentions(l, node_field(n, "condition"), index);
  if (kind == SYN_conditional_expression)
    return mentions(l, node_child(n, 1), index);
  if (kind == SYN_subscript || kind == SYN_list || kind == SYN_tuple)
    return mentions(l, n, index);
  if (kind == SYN_assignment && node_is(node_field(n, "type")))
    return mentions(l, node_field(n, "right"), index);
  if (kind != SYN_call)
    return false;
  node callee = node_field(n, "function");
  const char *full = names_qualified(l->names, callee);
  const char *dot = full ? strrchr(full, '.') : NULL;
  bool fixed = names_own_function(l, callee);
  for (size_t i = 0; full && i < sizeof shapes / sizeof shapes[0]; i++)
    fixed = fixed || strcmp(dot ? dot + 1 : full, shapes[i]) == 0;
  return fixed && mentions(l, node_field(n, "arguments"), index);
}

/* True when the body uses the index where only a known number can stand. */
static bool needs_fixed_index(lower *l, node body, const char *index) {
  for (node n = body; node_is(n); n = node_walk(body, n, true))
    if (in_fixed_place(l, n, index))
      return true;
  return false;
}

static void unroll(lower *l, node n, const range_args *r, int64_t turns) {
  exprs *e = l->p->exprs;
  const char *index = lower_text(l, node_field(n, "left"));
  expr value = fixed_number(l, &r->low), step = fixed_number(l, &r->step);
  thing returned;
  l->frame->loops++;
  for (int64_t i = 0; i < turns; i++) {
    scope_bind(&l->frame->scope, index, thing_int(value));
    lower_block(l, node_field(n, "body"), 0, NULL, &returned);
    value = expr_add(e, value, step);
  }
  l->frame->loops--;
}

/* The number of turns of a static_range: a constant, or one that the launch
 * pins (which is then recorded as decided). -1: not known or too large. */
static int64_t static_turns(lower *l, const range_args *r) {
  exprs *e = l->p->exprs;
  expr turns = trip_count(l, r);
  int64_t n;
  if (!turns || !expr_is_int(e, expr_pin(e, turns), &n) || n > UNROLL_LIMIT)
    return -1;
  return n;
}

static void record_turns(lower *l, const range_args *r, int64_t n) {
  exprs *e = l->p->exprs;
  decide(l, expr_compare(e, EXPR_EQ, trip_count(l, r), expr_int(e, n)));
}

/* -------------------------------------------------------- run-time loops */

static inst *append_loop(lower *l, node at, node_kind kind, region *regions[2],
                         const value_vec *operands, const carry_vec *carries) {
  const type *types;
  uint32_t count;
  carry_types(l, carries, &types, &count);
  inst shape = {
      .kind = kind,
      .at = lower_span(l, at),
      .inner = lower_inner(l, at),
      .call = l->frame->call,
      .operand_count = (uint32_t)operands->count,
      .operands = operands->at,
      .regions = {regions[0], regions[1]},
  };
  return program_append(l->p, l->region, shape, types, count);
}

/* True when the loop has to be lowered again. When that happened too often,
 * what it carries is opaque, which fits any turn. */
static bool try_again(lower *l, carry_vec *carries) {
  if (!carry_review(l, carries))
    return false;
  if (++l->retries >= LOWER_RETRIES)
    carry_give_up(carries);
  return true;
}

typedef struct counted {
  node statement;
  value_id bounds[3];
  type counter;
  bool turned; /* runs upwards from the end; the index is high - i + low */
} counted;

/* The index in a turn. */
static value_id index_of(lower *l, const counted *c, value_id counter) {
  if (!c->turned)
    return counter;
  node at = c->statement;
  value_id down = emit_binary(l, at, OP_SUB, c->bounds[1], counter, c->counter);
  return emit_binary(l, at, OP_ADD, down, c->bounds[0], c->counter);
}

/* One go at a for loop. False: to be undone and lowered again. */
static bool go_for(lower *l, const counted *c, carry_vec *carries) {
  node n = c->statement;
  region *into = l->region;
  scope before = scope_copy(&l->frame->scope);
  value_vec operands = {0};
  for (int i = 0; i < 3; i++)
    VEC_PUSH(l->arena, &operands, c->bounds[i]);
  carry_inits(l, n, carries, &operands);
  region *body = region_create(l->p);
  const char *index = lower_text(l, node_field(n, "left"));
  value_id counter = program_value(l->p, c->counter, c->turned ? NULL : index);
  VEC_PUSH(l->arena, &body->args, counter);
  l->region = body;
  carry_enter(l, carries, body);
  scope_bind(&l->frame->scope, index, thing_value(index_of(l, c, counter)));
  thing returned;
  l->frame->loops++;
  lower_block(l, node_field(n, "body"), 0, NULL, &returned);
  l->frame->loops--;
  if (try_again(l, carries)) {
    l->frame->scope = before;
    return false;
  }
  carry_yields(l, n, carries, body);
  l->region = into;
  region *regions[2] = {body, NULL};
  inst *loop = append_loop(l, n, NODE_FOR, regions, &operands, carries);
  carry_leave(l, node_field(n, "body"), carries, loop, before);
  return true;
}

static bool any_told(const carry_vec *carries) {
  for (size_t i = 0; i < carries->count; i++)
    if (carries->at[i].told)
      return true;
  return false;
}

/* The range as the loop counts: a negative step that is no plain number is
 * turned round, as Triton does; sets *turned then. */
static range_args upwards(lower *l, node n, const range_args *r, bool *turned) {
  exprs *e = l->p->exprs;
  range_args up = *r;
  expr step = thing_is(&r->step, STATIC_INT) ? r->step.fixed.number : EXPR_NONE;
  int64_t constant;
  *turned = false;
  if (!step || expr_is_int(e, step, &constant))
    return up;
  int sign = fixed_sign(l, step);
  if (sign == 0) {
    refuse(l, n, UNSUPPORTED_STEP_SIGN, NULL, true);
    emit_opaque(l, n, "a loop whose direction is not known", NULL, 0, true,
                type_scalar(SC_ANY), 0);
  }
  if (sign >= 0)
    return up;
  *turned = true;
  up.low = r->high;
  up.high = r->low;
  up.step = thing_int(expr_sub(e, expr_int(e, 0), step));
  return up;
}

/* Returns false when a carried name changes its type. */
static bool run_for(lower *l, node n, const range_args *r) {
  counted c = {.statement = n};
  carry_vec carries = {0};
  range_args up = upwards(l, n, r, &c.turned);
  c.counter = loop_bounds(l, node_field(n, "right"), &up, c.bounds);
  carry_find(l, n, node_field(n, "body"), &carries);
  if (l->retries >= LOWER_RETRIES)
    carry_give_up(&carries);
  trial before = trial_begin(l);
  while (!go_for(l, &c, &carries))
    trial_undo(l, before);
  return !any_told(&carries);
}

static void lower_static_range(lower *l, node n, const range_args *r) {
  const char *index = lower_text(l, node_field(n, "left"));
  int64_t turns = static_turns(l, r);
  if (turns >= 0 &&
      (turns <= 1 || needs_fixed_index(l, node_field(n, "body"), index))) {
    record_turns(l, r, turns);
    unroll(l, n, r, turns);
    return;
  }
  trial before = trial_begin(l);
  if (run_for(l, n, r) || turns < 0)
    return;
  trial_undo(l, before);
  record_turns(l, r, turns);
  unroll(l, n, r, turns);
}

/* `for x in (a, b, c)`. */
static void lower_for_items(lower *l, node n, const thing *items) {
  thing returned;
  l->frame->loops++;
  for (uint32_t i = 0; i < items->count; i++) {
    lower_assign(l, node_field(n, "left"), n, items->items[i]);
    lower_block(l, node_field(n, "body"), 0, NULL, &returned);
  }
  l->frame->loops--;
}

void lower_for(lower *l, node n) {
  range_args r = {.is_static = false};
  node over = node_field(n, "right");
  if (node_is(node_field(n, "alternative")))
    refuse_statement(l, node_field(n, "alternative"), UNSUPPORTED_LOOP_ELSE);
  if (!is_range(l, over, &r.is_static)) {
    bool sequence = lower_kind(l, over) != SYN_call;
    thing items = sequence ? lower_expr(l, over) : thing_unknown();
    if (items.kind == THING_TUPLE && items.count <= UNROLL_LIMIT)
      lower_for_items(l, n, &items);
    else
      refuse_statement(l, n, UNSUPPORTED_ITERATION);
    return;
  }
  int64_t step;
  bool read = lower_kind(l, node_field(n, "left")) == SYN_identifier &&
              read_range(l, over, &r);
  if (!read)
    refuse_statement(l, n, UNSUPPORTED_RANGE);
  else if (fixed_int(l, &r.step, &step) && step == 0)
    refuse_statement(l, n, UNSUPPORTED_STEP);
  else if (r.is_static)
    lower_static_range(l, n, &r);
  else
    run_for(l, n, &r);
}

/* ---------------------------------------------------------------- while */

/* The condition of a turn as a scalar bool. */
static value_id turn_condition(lower *l, node at, const thing *t) {
  value_id v = lower_value(l, at, t);
  if (value_type(l, v)->rank || value_type(l, v)->pointer)
    v = refused(l, at, UNSUPPORTED_CONDITION, NULL, t, 1).id;
  if (value_type(l, v)->elem == SC_BOOL)
    return v;
  return emit_unary(l, at, OP_CAST, v, type_scalar(SC_BOOL));
}

static bool go_while(lower *l, node n, carry_vec *carries) {
  region *into = l->region;
  scope before = scope_copy(&l->frame->scope);
  value_vec operands = {0};
  carry_inits(l, n, carries, &operands);
  region *regions[2] = {region_create(l->p), region_create(l->p)};
  thing returned;
  l->region = regions[0];
  carry_enter(l, carries, regions[0]);
  node test = node_field(n, "condition");
  thing condition = lower_expr(l, test);
  value_id go_on = turn_condition(l, test, &condition);
  VEC_PUSH(l->arena, &regions[0]->yields, go_on);
  l->frame->scope = scope_copy(&before);
  l->region = regions[1];
  carry_enter(l, carries, regions[1]);
  l->frame->loops++;
  lower_block(l, node_field(n, "body"), 0, NULL, &returned);
  l->frame->loops--;
  if (try_again(l, carries)) {
    l->frame->scope = before;
    return false;
  }
  carry_yields(l, n, carries, regions[1]);
  l->region = into;
  inst *loop = append_loop(l, n, NODE_WHILE, regions, &operands, carries);
  carry_leave(l, node_field(n, "body"), carries, loop, before);
  return true;
}

void lower_while(lower *l, node n) {
  carry_vec carries = {0};
  trial start = trial_begin(l);
  if (node_is(node_field(n, "alternative")))
    refuse_statement(l, node_field(n, "alternative"), UNSUPPORTED_LOOP_ELSE);
  carry_find(l, n, node_field(n, "body"), &carries);
  thing first = lower_expr(l, node_field(n, "condition"));
  truth runs = carries.count == 0 && first.kind != THING_VALUE
                   ? decide(l, fixed_truth(l, &first))
                   : UNSURE;
  int64_t constant;
  if (first.kind != THING_VALUE && runs == UNSURE) {
    expr e = fixed_truth(l, &first);
    if (e && expr_is_int(l->p->exprs, e, &constant))
      runs = constant ? YES : NO;
  }
  if (runs == NO)
    return;
  if (runs == YES) {
    refuse_statement(l, n, UNSUPPORTED_ENDLESS);
    return;
  }
  trial_undo(l, start);
  carries.count = 0;
  if (node_is(node_field(n, "alternative")))
    refuse_statement(l, node_field(n, "alternative"), UNSUPPORTED_LOOP_ELSE);
  carry_find(l, n, node_field(n, "body"), &carries);
  if (l->retries >= LOWER_RETRIES)
    carry_give_up(&carries);
  trial before = trial_begin(l);
  while (!go_while(l, n, &carries))
    trial_undo(l, before);
}
