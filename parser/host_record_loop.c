/* parser/host_record_loop.c: for loops of a recorded run.
 *
 * A loop over a list of known items is executed item by item. A loop over a
 * range is executed once, for any turn, and counts as often as the range is
 * long; what its body binds keeps its shape from turn to turn or is not known.
 * Any other loop turns nobody knows how often. */
#include "parser/host_record.h"

#include "base/map.h"

enum { MOST_ITEMS = 16 };

static bool holds(host_run *r, node body, const char *kind) {
  for (node n = body; node_is(n); n = node_walk(body, n, true))
    if (strcmp(syntax_kind_text(n), kind) == 0)
      return true;
  (void)r;
  return false;
}

/* A loop that its body may leave turns nobody knows how often. */
static void doubt_early_end(host_run *r, node body, size_t mark) {
  if (holds(r, body, "break_statement") || holds(r, body, "return_statement"))
    record_doubtful(r, mark, "the loop around it may end early");
}

static host_env copy_env(host_run *r, const host_env *env) {
  host_env copy = {.count = env->count, .room = env->count};
  copy.at = arena_copy(r->arena, env->at, env->count * sizeof *env->at);
  return copy;
}

/* One value for those of two turns: the same, or arrays of one shape, whose
 * element type is lost if it changes. Unknown: there is none. */
static host_value either(host_run *r, host_value a, host_value b) {
  a = host_settle(r, a);
  b = host_settle(r, b);
  if (host_same(&a, &b))
    return a;
  if (a.kind != HOST_TENSOR || b.kind != HOST_TENSOR)
    return host_unknown();
  host_tensor x = r->tensors.at[a.tensor], y = r->tensors.at[b.tensor];
  bool same = x.ranked && y.ranked && x.rank == y.rank && x.folded == y.folded;
  for (uint8_t d = 0; same && d < x.rank; d++)
    same = x.extent[d] == y.extent[d];
  if (!same)
    return host_unknown();
  bool typed = x.dtype == y.dtype &&
               (x.dtype != SC_ANY ||
                (x.type_of && y.type_of && strcmp(x.type_of, y.type_of) == 0));
  if (typed || (x.dtype == SC_ANY && !x.type_of))
    return a;
  x.dtype = SC_ANY;
  x.type_of = NULL;
  return host_tensor_value(host_tensor_add(r, x));
}

static bool is_lost(host_value v) {
  return v.kind == HOST_UNKNOWN && !v.slot;
}

/* Makes unknown what a turn changed by more than its contents, at the start of
 * a turn and behind it. True if that is more than was unknown before. */
static bool forget_changes(host_run *r, host_env *start) {
  host_env *now = &r->frame->env;
  bool changed = false;
  for (size_t i = 0; i < now->count; i++) {
    host_binding *old = NULL;
    for (size_t k = 0; k < start->count && !old; k++)
      if (strcmp(start->at[k].name, now->at[i].name) == 0)
        old = &start->at[k];
    host_value was = old ? host_settle(r, old->value) : host_unknown();
    host_value one = either(r, was, now->at[i].value);
    now->at[i].value = one;
    if (is_lost(was) || host_same(&was, &one))
      continue;
    old->value = one;
    changed = true;
  }
  return changed;
}

static host_flow for_items(host_run *r, node at, const host_value *items,
                           uint32_t count) {
  node body = node_field(at, "body");
  size_t mark = record_mark(r), guards = r->guards.count;
  uint64_t path = r->record->path;
  for (uint32_t i = 0; i < count; i++) {
    r->record->path = hash_mix(path, i + 1);
    host_assign(r, node_field(at, "left"), items[i]);
    host_flow flow = host_block(r, body);
    r->record->path = path;
    r->guards.count = guards;
    if (flow != HOST_NEXT)
      break;
  }
  doubt_early_end(r, body, mark);
  return HOST_NEXT;
}

static expr make_counter(host_run *r, node at, host_turns range) {
  node target = node_field(at, "left");
  uint32_t line = host_line(r, target);
  symbol s = {.role = SYMBOL_INT, .unbounded = true, .line = line};
  expr i = host_symbol(r, host_text(r, target), s);
  VEC_PUSH(r->arena, &r->record->turns, i);
  if (host_nonnegative(r, range.low))
    VEC_PUSH(r->arena, &r->nonnegative, i);
  return i;
}

static expr length_of(host_run *r, host_turns range) {
  expr n = expr_cdiv(r->t, expr_sub(r->t, range.high, range.low), range.step);
  int64_t low;
  bool from_zero = expr_is_int(r->t, range.low, &low) && low == 0;
  if (from_zero && host_nonnegative(r, range.high))
    return n;
  return expr_max(r->t, n, expr_int(r->t, 0));
}

/* Turns until what changes is known; the last one is recorded. Facts hold only
 * if a turn is made. */
static host_flow for_range(host_run *r, node at, host_turns range) {
  node body = node_field(at, "body"), target = node_field(at, "left");
  host_record *rec = r->record;
  size_t mark = record_mark(r), guards = r->guards.count;
  size_t facts = r->p->facts.count;
  expr times = rec->times, counter = make_counter(r, at, range);
  host_env start = copy_env(r, &r->frame->env);
  rec->times = expr_mul(r->t, times, length_of(r, range));
  r->speculating++;
  for (bool again = true; again;) {
    record_rewind(r, mark);
    r->frame->env = copy_env(r, &start);
    host_assign(r, target, host_int(counter));
    host_block(r, body);
    host_assign(r, target, host_unknown());
    r->guards.count = guards;
    if (r->p->facts.count > facts)
      r->p->facts.count = facts;
    again = forget_changes(r, &start);
  }
  r->speculating--;
  rec->times = times;
  doubt_early_end(r, body, mark);
  return HOST_NEXT;
}

host_flow host_record_for(host_run *r, node at) {
  node over = node_field(at, "right"), body = node_field(at, "body");
  host_turns range;
  const host_value *items;
  uint32_t count;
  host_value sequence = host_eval(r, over);
  if (holds(r, at, "else_clause"))
    record_open(r, at, "for", "a loop with `else` is not understood");
  if (sequence.kind == HOST_TUPLE && !sequence.folded &&
      host_items(r, sequence, &items, &count) && count <= MOST_ITEMS)
    return for_items(r, at, items, count);
  if (host_kind_of(r, node_field(at, "left")) == SYN_identifier &&
      host_read_range(r, over, &range) && range.high != EXPR_NONE &&
      range.low != EXPR_NONE && range.step != EXPR_NONE)
    return for_range(r, at, range);
  size_t mark = record_mark(r);
  host_forget(r, at);
  host_any_turns(r, body);
  record_doubtful(r, mark, "nobody knows how often the loop around it turns");
  return HOST_NEXT;
}
