/* parser/host_value.c: values of the host code, open ones, choices, facts. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

host_value host_unknown(void) {
  return (host_value){.kind = HOST_UNKNOWN};
}

host_value host_int(expr number) {
  return (host_value){.kind = HOST_INT, .number = number};
}

host_value host_bool(expr condition) {
  return (host_value){.kind = HOST_BOOL, .number = condition};
}

host_value host_none(void) {
  return (host_value){.kind = HOST_NONE};
}

host_value host_tuple(host_run *r, const host_value *items, uint32_t count) {
  host_value v = {.kind = HOST_TUPLE, .count = count};
  /* Never the same address twice: that is the tuple's identity. */
  host_value *copy = ARENA_ARRAY(r->arena, host_value, count + 1);
  for (uint32_t i = 0; i < count; i++)
    copy[i] = items[i];
  v.items = copy;
  return v;
}

span host_span(const host_run *r, node at) {
  return r->outside.line ? r->outside : node_span(r->syntax, at);
}

uint32_t host_line(const host_run *r, node at) {
  return node_is(at) ? host_span(r, at).line : 0;
}

const char *host_text(const host_run *r, node at) {
  return node_text(r->syntax, at, r->arena);
}

syn host_kind_of(const host_run *r, node at) {
  return syntax_kind(r->syntax, at);
}

static void add_notice(host_run *r, notice n) {
  host *h = r->host;
  arena *run = h->names->arena;
  if (r->quiet)
    return;
  for (size_t i = 0; i < h->reported.count; i++)
    if (memcmp(&h->reported.at[i], &n.at, sizeof n.at) == 0)
      return;
  VEC_PUSH(h->work, &h->reported, n.at);
  n.message = arena_strdup(run, n.message);
  n.kernel = r->kernel ? r->kernel->name : NULL;
  VEC_PUSH(run, h->notices, n);
}

void host_notice(host_run *r, notice_kind kind, span at, const char *message) {
  add_notice(r, (notice){.kind = kind, .at = at, .message = message});
}

void host_notice_effect(host_run *r, span at, const char *message,
                        const char *effect) {
  add_notice(r, (notice){.kind = NOTICE_UNSUPPORTED,
                         .at = at,
                         .message = message,
                         .effect = effect});
}

void host_unread(host_run *r, node at, const char *message) {
  if (!node_is(r->launch) || r->p->unread_line)
    return;
  r->p->unread_line = host_line(r, at);
  host_notice_effect(r, host_span(r, at), message,
                     "a counterexample may be one that never comes");
}

/* ------------------------------------------------------------------ slots */

uint32_t host_slot_of(host_run *r, const void *key, uint32_t part) {
  host_slots *s = r->slots;
  for (size_t i = 1; i < s->count; i++)
    if (s->at[i].key == key && s->at[i].part == part)
      return (uint32_t)i;
  host_slot fresh = {.key = key, .part = part};
  VEC_PUSH(r->host->work, s, fresh);
  return (uint32_t)(s->count - 1);
}

host_slot *host_slot_at(host_run *r, uint32_t slot) {
  assert(slot > 0 && slot < r->slots->count);
  return &r->slots->at[slot];
}

host_value host_open(host_run *r, node at, uint32_t part, const char *name) {
  host_value v = host_unknown();
  /* The same text gives another value in another call or turn. */
  if (r->calls > 0)
    return v;
  v.slot = host_slot_of(r, at.id, part);
  host_slot *s = host_slot_at(r, v.slot);
  if (!s->name && name)
    s->name = arena_strdup(r->host->work, name);
  if (!s->line)
    s->line = host_line(r, at);
  return v;
}

host_value host_open_part(host_run *r, host_value whole, node at,
                          const char *name) {
  host_value v = host_open(r, at, 0, name);
  if (v.slot && whole.kind == HOST_UNKNOWN && whole.slot) {
    const host_slot *from = host_slot_at(r, whole.slot);
    host_slot_at(r, v.slot)->outside = from->parameter || from->outside;
  }
  return v;
}

host_value host_settle(host_run *r, host_value v) {
  if (v.kind != HOST_UNKNOWN || !v.slot)
    return v;
  const host_slot *s = host_slot_at(r, v.slot);
  if (s->is_decided)
    return s->decided;
  bool optional = !s->not_none && host_is_optional(r, v.slot);
  if (!s->tensor || (optional && s->absent == EXPR_NONE))
    return v;
  v = host_tensor_value(s->tensor - 1);
  v.absent = optional ? s->absent : EXPR_NONE;
  return v;
}

/* A parameter that is True or False. */
bool host_is_flag(host_run *r, uint32_t slot) {
  const host_slot *s = host_slot_at(r, slot);
  syn kind = host_kind_of(r, s->default_value);
  return s->parameter &&
         (kind == SYN_true || kind == SYN_false ||
          (s->annotation && strcmp(s->annotation, "bool") == 0));
}

bool host_is_murky(host_run *r, host_value v) {
  if (v.kind == HOST_UNKNOWN && v.slot) {
    const host_slot *s = host_slot_at(r, v.slot);
    return !s->parameter && !s->outside;
  }
  return v.murky || v.kind == HOST_UNKNOWN ||
         (v.kind == HOST_INT && v.number == EXPR_NONE);
}

static bool may_be_int(host_run *r, const host_slot *s) {
  if (s->tensor_used || s->tensor)
    return false;
  if (!s->parameter)
    return s->const_name || s->int_name;
  syn kind = host_kind_of(r, s->default_value);
  if (kind == SYN_float || kind == SYN_string || kind == SYN_true ||
      kind == SYN_false || kind == SYN_tuple || kind == SYN_list)
    return false;
  const char *a = s->annotation;
  return !a || strstr(a, "int") != NULL;
}

/* The default value of a parameter as a literal. */
static bool default_int(host_run *r, const host_slot *s, int64_t *value) {
  if (host_kind_of(r, s->default_value) != SYN_integer)
    return false;
  return expr_is_int(r->t, host_eval(r, s->default_value).number, value);
}

symbol *host_symbol_of(host_run *r, expr e) {
  size_t index;
  if (e == EXPR_NONE || expr_kind_of(r->t, e) != EXPR_SYMBOL)
    return NULL;
  expr_symbol(r->t, e, &index);
  return exprs_symbol_at(r->t, index);
}

/* The facts of the range are made in host_finish.c. */
void host_range(host_run *r, expr e, const char *name) {
  bool low = true, high = true;
  host_stated_bounds(r, name, &low, &high);
  host_symbol_of(r, e)->unbounded |= !low || !high;
  if (low)
    VEC_PUSH(r->arena, &r->nonnegative, e);
  if (high)
    VEC_PUSH(r->arena, &r->limited, e);
}

static expr slot_symbol(host_run *r, uint32_t slot) {
  host_slot s = *host_slot_at(r, slot);
  if (s.symbol != EXPR_NONE)
    return s.symbol;
  const char *name = s.parameter    ? s.name
                     : s.const_name ? s.const_name
                                    : s.int_name;
  symbol fresh = {.role = s.const_name ? SYMBOL_CONST : SYMBOL_INT,
                  .line = s.line,
                  .unbounded = !s.parameter && !s.const_name};
  int64_t pin;
  if (s.const_name && default_int(r, &s, &pin)) {
    fresh.pinned = true;
    fresh.pin = pin;
    if (pin < 1) {
      fresh.role = SYMBOL_INT;
      fresh.unbounded = true;
    }
  }
  expr e = host_symbol(r, name, fresh);
  if (fresh.role == SYMBOL_INT && !fresh.unbounded)
    host_range(r, e, name);
  host_slot_at(r, slot)->symbol = e;
  return e;
}

/* ------------------------------------------------------------ conversions */

expr host_as_int(host_run *r, host_value v) {
  v = host_settle(r, v);
  if (v.kind == HOST_INT)
    return v.number;
  if (v.kind == HOST_BOOL)
    return expr_select(r->t, v.number, expr_int(r->t, 1), expr_int(r->t, 0));
  if (v.kind == HOST_CHOICE)
    return host_choice_number(r, v);
  if (v.kind != HOST_UNKNOWN || !v.slot)
    return EXPR_NONE;
  if (!may_be_int(r, host_slot_at(r, v.slot)))
    return EXPR_NONE;
  return slot_symbol(r, v.slot);
}

static expr truth_constant(host_run *r, bool truth) {
  return expr_int(r->t, truth);
}

/* Decides an open flag: true first; or makes it a symbol. */
static expr decide_flag(host_run *r, uint32_t slot) {
  host_slot *s = host_slot_at(r, slot);
  expr truth = r->host->joined ? host_switch_truth(r, s->name, s->line)
                               : truth_constant(r, host_choose(r, 2) == 0);
  s = host_slot_at(r, slot);
  s->is_decided = true;
  s->decided = host_bool(truth);
  return truth;
}

expr host_truth(host_run *r, host_value v) {
  v = host_settle(r, v);
  switch (v.kind) {
  case HOST_BOOL:
    return v.number;
  case HOST_INT:
    return expr_compare(r->t, EXPR_NE, v.number, expr_int(r->t, 0));
  case HOST_NONE:
    return truth_constant(r, false);
  case HOST_STRING:
    return v.text ? truth_constant(r, *v.text != '\0') : EXPR_NONE;
  case HOST_FLOAT:
    return v.has_real ? truth_constant(r, v.real != 0) : EXPR_NONE;
  case HOST_TUPLE:
  case HOST_DICT:
    return truth_constant(r, v.count != 0);
  case HOST_FUNCTION:
  case HOST_DTYPE:
  case HOST_CONFIG:
    return truth_constant(r, true);
  case HOST_UNKNOWN:
    if (v.slot && host_slot_at(r, v.slot)->truth_known)
      return truth_constant(r, host_slot_at(r, v.slot)->truth);
    if (!v.slot || (r->lazy && !r->host->joined) || r->reached)
      return EXPR_NONE;
    if (host_is_flag(r, v.slot))
      return decide_flag(r, v.slot);
    return EXPR_NONE;
  case HOST_CHOICE:
    return host_choice_truth(r, v);
  case HOST_TENSOR:
  case HOST_SHAPE:
  case HOST_STRIDES:
  case HOST_META:
  case HOST_CONFIGS:
    break;
  }
  return EXPR_NONE;
}

/* ---------------------------------------------------------------- choices */

uint32_t host_choose(host_run *r, uint32_t n) {
  assert(n > 0);
  if (n == 1 || r->reached)
    return 0;
  if (r->product * n > HOST_PROGRAMS) {
    r->too_many = true;
    return 0;
  }
  r->product *= n;
  size_t i = r->taken.count;
  uint32_t choice = i < r->script->count ? r->script->at[i] : 0;
  if (choice >= n)
    choice = n - 1;
  VEC_PUSH(r->host->work, &r->taken, choice);
  VEC_PUSH(r->host->work, &r->arity, n);
  return choice;
}

/* ------------------------------------------------------------------ facts */

static void push_fact(host_run *r, expr condition, fact_origin origin,
                      uint32_t line) {
  int64_t value;
  if (condition == EXPR_NONE)
    return;
  if (expr_is_int(r->t, condition, &value)) {
    if (value == 0)
      r->dead = true;
    return;
  }
  if (expr_kind_of(r->t, condition) == EXPR_AND) {
    expr parts[3];
    size_t n = expr_operands(r->t, condition, parts);
    for (size_t i = 0; i < n; i++)
      push_fact(r, parts[i], origin, line);
    return;
  }
  for (size_t i = 0; i < r->p->facts.count; i++)
    if (r->p->facts.at[i].condition == condition)
      return;
  fact f = {condition, origin, line};
  VEC_PUSH(r->arena, &r->p->facts, f);
}

void host_fact(host_run *r, expr condition, fact_origin origin, uint32_t line) {
  if (r->reached)
    return;
  for (size_t i = 0; i < r->guards.count; i++) {
    if (r->guards.at[i] == EXPR_NONE)
      return;
    condition = expr_or(r->t, expr_not(r->t, r->guards.at[i]), condition);
  }
  push_fact(r, condition, origin, line);
}

expr host_known(host_run *r, expr condition) {
  if (condition == EXPR_NONE)
    return EXPR_NONE;
  expr opposite = expr_not(r->t, condition);
  for (size_t i = 0; i < r->p->facts.count; i++) {
    expr fact_ = r->p->facts.at[i].condition;
    if (fact_ == condition || fact_ == opposite)
      return expr_int(r->t, fact_ == condition);
  }
  return condition;
}

void host_define(host_run *r, expr condition, uint32_t line) {
  if (!r->reached)
    push_fact(r, condition, FACT_HOST, line);
}

const char *host_fresh_name(host_run *r, const char *base) {
  const char *name = base;
  for (unsigned i = 2; exprs_find(r->t, name) != EXPR_NONE; i++)
    name = arena_printf(r->arena, "%s_%u", base, i);
  return name;
}

expr host_symbol(host_run *r, const char *name, symbol s) {
  s.name = arena_strdup(r->arena, host_fresh_name(r, name));
  return exprs_symbol(r->t, s);
}

static bool symbol_nonnegative(const host_run *r, expr e) {
  const symbol *s = expr_symbol(r->t, e, NULL);
  for (size_t i = 0; i < r->nonnegative.count; i++)
    if (r->nonnegative.at[i] == e)
      return true;
  for (size_t i = 0; i < r->naturals.count; i++)
    if (r->naturals.at[i].number == e)
      return true;
  if (s->role == SYMBOL_SIZE || s->role == SYMBOL_STRIDE)
    return true;
  return !s->unbounded && (!s->pinned || s->pin >= 0);
}

/* Sound: every case is closed under the operation for operands >= 0. */
static bool nonnegative(const host_run *r, expr e, int depth) {
  int64_t value;
  if (e == EXPR_NONE || depth > 40)
    return false;
  if (expr_is_int(r->t, e, &value))
    return value >= 0;
  expr_kind kind = expr_kind_of(r->t, e);
  if (kind == EXPR_SYMBOL)
    return symbol_nonnegative(r, e);
  if (kind == EXPR_POW2CEIL || expr_is_condition(r->t, e))
    return true;
  if (kind == EXPR_SUB)
    return false;
  expr parts[3];
  size_t n = expr_operands(r->t, e, parts);
  /* A remainder has the sign of its divisor. */
  size_t first = kind == EXPR_SELECT || kind == EXPR_FMOD ? 1 : 0;
  for (size_t i = first; i < n; i++)
    if (!nonnegative(r, parts[i], depth + 1))
      return false;
  return true;
}

bool host_nonnegative(const host_run *r, expr e) {
  return nonnegative(r, e, 0);
}

/* ------------------------------------------------------------------ names */

/* Names that `nonlocal` or `global` statements below hand to other functions.
 */
static void read_shared(host_run *r, host_frame *f, node root) {
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    bool shares = host_kind_of(r, n) == SYN_global_statement ||
                  strcmp(syntax_kind_text(n), "nonlocal_statement") == 0;
    for (node x = node_child(n, 0); shares && node_is(x); x = node_next(x))
      VEC_PUSH(r->arena, &f->shared, host_text(r, x));
  }
}

host_frame *host_frame_of(host_run *r, node definition, host_frame *outer) {
  host_frame *f = ARENA_NEW(r->arena, host_frame);
  f->outer = outer;
  f->definition = definition;
  read_shared(r, f, node_is(definition) ? definition : syntax_root(r->syntax));
  VEC_PUSH(r->arena, &r->frames, f);
  return f;
}

static bool is_shared(const host_frame *f, const char *name) {
  for (size_t i = 0; i < f->shared.count; i++)
    if (strcmp(f->shared.at[i], name) == 0)
      return true;
  return false;
}

const host_value *host_lookup(host_run *r, const char *name) {
  for (host_frame *f = r->frame; f; f = f->outer)
    for (size_t i = 0; i < f->env.count; i++)
      if (strcmp(f->env.at[i].name, name) == 0)
        return &f->env.at[i].value;
  return NULL;
}

void host_bind(host_run *r, const char *name, host_value v) {
  host_frame *f = r->frame;
  if (!f)
    return; /* a module constant */
  if (is_shared(f, name))
    v = host_unknown();
  for (size_t i = 0; i < f->env.count; i++)
    if (strcmp(f->env.at[i].name, name) == 0) {
      f->env.at[i].value = v;
      return;
    }
  host_binding fresh = {name, v};
  VEC_PUSH(r->arena, &f->env, fresh);
}

static const host_local *find_local(const host_run *r, const char *name) {
  for (size_t i = 0; i < r->locals.count; i++)
    if (strcmp(r->locals.at[i].name, name) == 0)
      return &r->locals.at[i];
  return NULL;
}

uint32_t host_bound_times(const host_run *r, const char *name) {
  const host_local *l = find_local(r, name);
  return l ? l->bound : 0;
}

bool host_is_relevant(const host_run *r, const char *name) {
  const host_local *l = find_local(r, name);
  return l && l->relevant;
}
