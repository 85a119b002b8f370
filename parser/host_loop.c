/* parser/host_loop.c: loops, with, try, match, and entering functions.
 *
 * A loop around the launch is executed once, for any turn: what its body binds
 * is unknown at the start of the turn. Any other loop leaves what it binds
 * unknown. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

/* ------------------------------------------------------------------ loops */

/* Executes statements for their effects on tensors; what they bind is
 * unknown before and after. */
void host_any_turns(host_run *r, node body) {
  host_forget(r, body);
  size_t facts = r->p->facts.count, guards = r->guards.count;
  size_t returns = r->frame->returns.count;
  VEC_PUSH(r->arena, &r->guards, EXPR_NONE);
  r->speculating++;
  host_block(r, body);
  r->speculating--;
  r->guards.count = guards;
  if (r->p->facts.count > facts)
    r->p->facts.count = facts;
  if (r->frame->returns.count > returns) {
    host_return *last = &r->frame->returns.at[r->frame->returns.count - 1];
    last->condition = EXPR_NONE;
    last->always = false;
  }
  host_forget(r, body);
}

/* Other turns or calls may have written, or may write, to what exists already.
 */
static void touch_all(host_run *r) {
  for (size_t i = 0; i < r->storages.count; i++)
    r->storages.at[i].touched = r->storages.at[i].later = true;
}

bool host_read_range(host_run *r, node at, host_turns *out) {
  if (host_kind_of(r, at) != SYN_call)
    return false;
  const char *full = host_qualified(r, node_field(at, "function"));
  if (!full || strcmp(full, "range") != 0)
    return false;
  host_call c = host_read_call(r, at);
  if (c.open_args || c.count < 1 || c.count > 3)
    return false;
  expr zero = expr_int(r->t, 0), one = expr_int(r->t, 1);
  int64_t step;
  out->low = c.count > 1 ? host_as_int(r, c.args[0]) : zero;
  out->high = host_as_int(r, c.args[c.count > 1 ? 1 : 0]);
  out->step = c.count > 2 ? host_as_int(r, c.args[2]) : one;
  return expr_is_int(r->t, out->step, &step) ? step > 0
                                             : host_nonnegative(r, out->step);
}

static void turn_counter(host_run *r, node target, host_turns range) {
  const char *name = host_text(r, target);
  uint32_t line = host_line(r, target);
  symbol s = {.role = SYMBOL_INT, .unbounded = true, .line = line};
  expr i = host_symbol(r, name, s), zero = expr_int(r->t, 0);
  if (host_nonnegative(r, range.low))
    VEC_PUSH(r->arena, &r->nonnegative, i);
  host_fact(r, expr_compare(r->t, EXPR_LE, range.low, i), FACT_HOST, line);
  host_fact(r, expr_compare(r->t, EXPR_LT, i, range.high), FACT_HOST, line);
  expr past = expr_fmod(r->t, expr_sub(r->t, i, range.low), range.step);
  host_fact(r, expr_compare(r->t, EXPR_EQ, past, zero), FACT_HOST, line);
  host_assign(r, target, host_int(i));
}

static void one_turn(host_run *r, node at) {
  node target = node_field(at, "left"), over = node_field(at, "right");
  node body = node_field(at, "body");
  host_value sequence = host_eval(r, over);
  host_turns range;
  const host_value *items;
  uint32_t count;
  bool counted = host_kind_of(r, target) == SYN_identifier &&
                 host_read_range(r, over, &range);
  host_forget(r, body);
  if (counted) {
    turn_counter(r, target, range);
  } else if (sequence.kind == HOST_TUPLE && !sequence.folded &&
             host_items(r, sequence, &items, &count) && count > 0 &&
             count <= HOST_PROGRAMS && r->product * count <= HOST_PROGRAMS) {
    host_assign(r, target, items[host_choose(r, count)]);
  } else {
    host_assign(r, target, host_open_part(r, sequence, target, NULL));
  }
}

/* Whether a turn may end the loop or the function early. */
static bool leaves_early(host_run *r, node body) {
  bool down = true;
  for (node n = body; node_is(n); n = node_walk(body, n, down)) {
    syn kind = host_kind_of(r, n);
    down = kind != SYN_function_definition && kind != SYN_lambda &&
           kind != SYN_class_definition;
    if (kind == SYN_break_statement || kind == SYN_continue_statement ||
        kind == SYN_return_statement || kind == SYN_yield)
      return true;
  }
  return false;
}

/* Executes every turn by itself; false: the loop is none where that is possible
 * and nothing has been done. Sound: the turns are those of Python in its order.
 * Places in the text have several values, so slots are not used. */
static bool each_turn(host_run *r, node at, host_value sequence,
                      host_flow *flow) {
  node body = node_field(at, "body"), over = node_field(at, "right");
  const host_value *items;
  uint32_t count;
  *flow = HOST_NEXT;
  if (sequence.kind != HOST_TUPLE || sequence.folded || r->reached ||
      !host_items(r, sequence, &items, &count) || count > HOST_ITEMS ||
      r->calls >= HOST_CALLS || r->steps > HOST_STEPS / 2 ||
      node_is(node_field(at, "alternative")) || leaves_early(r, body) ||
      (sequence.changing && host_kind_of(r, over) != SYN_list))
    return false;
  r->calls++;
  for (uint32_t i = 0; i < count && *flow == HOST_NEXT && !r->dead; i++) {
    host_assign(r, node_field(at, "left"), items[i]);
    *flow = host_block(r, body);
  }
  r->calls--;
  return true;
}

host_flow host_for(host_run *r, node at) {
  node body = node_field(at, "body");
  size_t guards = r->guards.count;
  if (r->record)
    return host_record_for(r, at);
  if (r->reached || !host_holds_launch(r, body)) {
    host_flow flow;
    host_value sequence = host_eval(r, node_field(at, "right"));
    if (!host_holds_launch(r, at) && each_turn(r, at, sequence, &flow))
      return flow;
    host_forget(r, at);
    host_any_turns(r, body);
    if (!r->reached && host_holds_launch(r, at)) {
      node otherwise = node_field(at, "alternative");
      return host_block(r, node_field(otherwise, "body"));
    }
    return HOST_NEXT;
  }
  touch_all(r);
  one_turn(r, at);
  if (!r->dead)
    host_block(r, body);
  r->guards.count = guards;
  host_forget(r, body);
  return HOST_NEXT;
}

host_flow host_while(host_run *r, node at) {
  node body = node_field(at, "body");
  size_t guards = r->guards.count;
  if (r->reached || !host_holds_launch(r, body)) {
    host_forget(r, at);
    host_any_turns(r, body);
    if (!r->reached && host_holds_launch(r, at))
      return host_block(r, node_field(node_field(at, "alternative"), "body"));
    return HOST_NEXT;
  }
  touch_all(r);
  host_forget(r, at);
  host_assume(r, node_field(at, "condition"), true);
  if (!r->dead)
    host_block(r, body);
  r->guards.count = guards;
  host_forget(r, body);
  return HOST_NEXT;
}

/* ----------------------------------------------------------- with and try */

/* Managers that let every exception through. */
static bool lets_through(host_run *r, node item) {
  static const char *const roots[] = {"torch.", "triton."};
  static const char *const last[] = {
      "open",        "device",       "stream",   "no_grad",
      "nullcontext", "enable_grad",  "autocast", "record_function",
      "device_of",   "device_guard", "range",    "inference_mode",
      "Lock",        "annotate"};
  node callee = item;
  while (host_kind_of(r, callee) == SYN_call)
    callee = node_field(callee, "function");
  const char *full = host_qualified(r, callee);
  const char *text = full ? full : host_text(r, callee);
  const char *dot = strrchr(text, '.');
  for (size_t i = 0; full && i < sizeof roots / sizeof *roots; i++)
    if (strncmp(full, roots[i], strlen(roots[i])) == 0)
      return true;
  for (size_t i = 0; i < sizeof last / sizeof *last; i++)
    if (strcmp(dot ? dot + 1 : text, last[i]) == 0)
      return true;
  return false;
}

/* Executes a body that an exception may end early, after which the code goes
 * on: no condition in it holds afterwards, and what it binds is unknown. */
static void interruptible(host_run *r, node body) {
  size_t guards = r->guards.count, returns = r->frame->returns.count;
  VEC_PUSH(r->arena, &r->guards, EXPR_NONE);
  r->speculating++;
  host_block(r, body);
  r->speculating--;
  r->guards.count = guards;
  if (r->frame->returns.count > returns) {
    host_return *one = &r->frame->returns.at[r->frame->returns.count - 1];
    one->condition = EXPR_NONE;
    one->always = false;
  }
  host_forget(r, body);
}

host_flow host_with(host_run *r, node at) {
  node body = node_field(at, "body");
  bool down = true, through = true;
  for (node n = at; node_is(n); n = node_walk(at, n, down)) {
    down = !node_same(n, body);
    const char *kind = syntax_kind_text(n);
    if (strcmp(kind, "with_item") == 0) {
      node value = node_field(n, "value");
      bool as = strcmp(syntax_kind_text(value), "as_pattern") == 0;
      through = through && lets_through(r, as ? node_child(value, 0) : value);
    }
    if (strcmp(kind, "as_pattern") == 0) {
      node alias = node_child(node_field(n, "alias"), 0);
      host_assign(r, alias, host_open(r, alias, 0, NULL));
    }
  }
  if (through || r->reached || host_holds_launch(r, body))
    return host_block(r, body);
  interruptible(r, body);
  return HOST_NEXT;
}

static node block_in(host_run *r, node clause) {
  for (node n = node_child(clause, 0); node_is(n); n = node_next(n))
    if (host_kind_of(r, n) == SYN_block)
      return n;
  return (node){.id = NULL};
}

static bool is_handler(node n) {
  const char *kind = syntax_kind_text(n);
  return strcmp(kind, "except_clause") == 0 ||
         strcmp(kind, "except_group_clause") == 0;
}

static syn last_statement(host_run *r, node clause) {
  node last = block_in(r, clause), n;
  for (n = node_child(last, 0); node_is(node_next(n));)
    n = node_next(n);
  return host_kind_of(r, n);
}

/* Whether the code may go on after a clause has caught an exception: behind
 * the statement, or in the caller. */
static bool catches(host_run *r, node clause) {
  if (is_handler(clause)) {
    syn last = last_statement(r, clause);
    return last != SYN_raise_statement &&
           (last != SYN_return_statement || r->frame->inlined);
  }
  if (strcmp(syntax_kind_text(clause), "finally_clause") != 0)
    return false;
  for (node n = clause; node_is(n); n = node_walk(clause, n, true)) {
    syn kind = host_kind_of(r, n);
    if (kind == SYN_return_statement || kind == SYN_break_statement ||
        kind == SYN_continue_statement)
      return true;
  }
  return false;
}

/* An exception may have been caught: what body and else tell is forgotten. */
static host_flow caught(host_run *r, node at, node body) {
  bool leaves = false;
  interruptible(r, body);
  for (node n = node_child(at, 0); node_is(n); n = node_next(n)) {
    if (node_same(n, body))
      continue;
    bool last = strcmp(syntax_kind_text(n), "finally_clause") == 0;
    if (!last && !r->reached && host_holds_launch(r, n))
      return host_block(r, block_in(r, n));
    leaves = leaves ||
             (is_handler(n) && last_statement(r, n) == SYN_return_statement);
    if (last)
      host_block(r, block_in(r, n));
    else
      host_any_turns(r, block_in(r, n));
  }
  if (leaves) /* what follows may not be executed */
    VEC_PUSH(r->arena, &r->guards, EXPR_NONE);
  return HOST_NEXT;
}

static node else_clause(node at) {
  for (node n = node_child(at, 0); node_is(n); n = node_next(n))
    if (strcmp(syntax_kind_text(n), "else_clause") == 0)
      return n;
  return (node){.id = NULL};
}

host_flow host_try(host_run *r, node at) {
  node body = node_field(at, "body"), otherwise = else_clause(at);
  bool catching = false;
  for (node n = node_child(at, 0); node_is(n); n = node_next(n))
    catching = catching || catches(r, n) ||
               (is_handler(n) && !r->reached && host_holds_launch(r, n));
  bool inside = host_holds_launch(r, body) || host_holds_launch(r, otherwise);
  if (catching && (r->reached || !inside))
    return caught(r, at, body);
  host_flow flow = host_block(r, body);
  for (node n = node_child(at, 0); node_is(n); n = node_next(n)) {
    if (is_handler(n) || node_same(n, body) || flow != HOST_NEXT)
      continue;
    if (r->reached && catching)
      host_any_turns(r, block_in(r, n));
    else
      flow = host_block(r, block_in(r, n));
  }
  return r->reached && catching ? HOST_NEXT : flow;
}

/* Names that the patterns of a match statement may bind. */
static void forget_captures(host_run *r, node at) {
  for (node n = at; node_is(n); n = node_walk(at, n, true)) {
    const char *kind = syntax_kind_text(n);
    if (strcmp(kind, "case_pattern") != 0)
      continue;
    for (node x = n; node_is(x); x = node_walk(n, x, true))
      if (host_kind_of(r, x) == SYN_identifier &&
          host_lookup(r, host_text(r, x)))
        host_bind(r, host_text(r, x), host_unknown());
  }
}

host_flow host_match(host_run *r, node at) {
  if (r->record)
    host_record_unread(r, at);
  forget_captures(r, at);
  for (node n = at; node_is(n); n = node_walk(at, n, true)) {
    node body = node_field(n, "consequence");
    if (strcmp(syntax_kind_text(n), "case_clause") == 0 && !r->reached &&
        host_holds_launch(r, body)) {
      host_forget(r, n);
      return host_block(r, body);
    }
  }
  host_forget(r, at);
  return HOST_NEXT;
}

/* -------------------------------------------------------------- functions */

static void bind_parameter(host_run *r, node at, const char *name, node value,
                           node type) {
  host_value v = host_open(r, at, 0, name);
  bool object = strcmp(name, "self") == 0 || strcmp(name, "cls") == 0 ||
                strcmp(name, "ctx") == 0;
  if (v.slot) {
    host_slot *s = host_slot_at(r, v.slot);
    s->name = arena_strdup(r->host->work, name);
    s->parameter = !object;
    s->default_value = value;
    s->annotation =
        node_is(type) ? node_text(r->syntax, type, r->host->work) : NULL;
    if (s->annotation && strstr(s->annotation, "Tensor"))
      s->tensor_used = true;
  }
  host_bind(r, name, v);
}

void host_parameters(host_run *r, node definition) {
  node none = {.id = NULL};
  for (node n = node_child(node_field(definition, "parameters"), 0); node_is(n);
       n = node_next(n)) {
    syn kind = host_kind_of(r, n);
    node type = node_field(n, "type");
    if (kind == SYN_identifier) {
      bind_parameter(r, n, host_text(r, n), none, none);
    } else if (kind == SYN_default_parameter ||
               kind == SYN_typed_default_parameter) {
      bind_parameter(r, n, host_text(r, node_field(n, "name")),
                     node_field(n, "value"), type);
    } else if (kind == SYN_typed_parameter &&
               host_kind_of(r, node_child(n, 0)) == SYN_identifier) {
      bind_parameter(r, n, host_text(r, node_child(n, 0)), none, type);
    } else {
      for (node x = n; node_is(x); x = node_walk(n, x, true))
        if (host_kind_of(r, x) == SYN_identifier)
          host_bind(r, host_text(r, x), host_unknown());
    }
  }
}

/* Locals that the statements after a nested def bind: the function sees what
 * they hold when it is called. */
static void forget_later(host_run *r, node outer, node definition) {
  node body =
      node_is(outer) ? node_field(outer, "body") : syntax_root(r->syntax);
  for (node n = node_child(body, 0); node_is(n); n = node_next(n))
    if (node_start(n) >= node_end(definition))
      host_forget(r, n);
}

void host_enter_function(host_run *r, node definition) {
  host_frame *outer = r->frame;
  if (outer) {
    host_env before = outer->env;
    outer->env.at =
        arena_copy(r->arena, before.at, before.count * sizeof *before.at);
    outer->env.room = before.count;
    forget_later(r, outer->definition, definition);
    touch_all(r);
    r->frame = host_frame_of(r, definition, outer);
    host_parameters(r, definition);
    host_block(r, node_field(definition, "body"));
    r->frame = outer;
    outer->env = before;
    return;
  }
  if (!host_backward(r, definition)) {
    r->frame = host_frame_of(r, definition, NULL);
    host_parameters(r, definition);
  }
  record_rewind(r, 0); /* what forward does is not backward's */
  host_block(r, node_field(definition, "body"));
}
