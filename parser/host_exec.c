/* parser/host_exec.c: statements of the host code. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

/* A call of the function on the way to its own launch is another one. */
bool host_holds_launch(const host_run *r, node at) {
  return r->calls == 0 && node_is(r->launch) && node_is(at) &&
         node_start(at) <= node_start(r->launch) &&
         node_end(r->launch) <= node_end(at);
}

/* ---------------------------------------------------------------- targets */

/* Names a tensor after the variable that first holds it. */
static void name_value(host_run *r, const char *name, host_value v) {
  if (v.kind == HOST_TENSOR) {
    host_tensor *t = &r->tensors.at[v.tensor];
    if (t->unnamed && !(t->spelled && t->base && strcmp(t->base, name) == 0))
      t->name = arena_strdup(r->arena, name);
    t->unnamed = false;
  } else if (v.kind == HOST_UNKNOWN && v.slot) {
    host_slot *s = host_slot_at(r, v.slot);
    if (!s->name)
      s->name = arena_strdup(r->host->work, name);
  }
}

/* A local that clauses speak of: its value is the clause's symbol. */
static host_value stated_value(host_run *r, const char *name, host_value v,
                               uint32_t line) {
  expr known = host_introduced_symbol(r, name);
  expr e = v.kind == HOST_INT ? v.number : EXPR_NONE;
  if (known != EXPR_NONE) {
    if (e == EXPR_NONE)
      return v.kind == HOST_INT || v.kind == HOST_UNKNOWN ? host_int(known) : v;
    host_fact(r, expr_compare(r->t, EXPR_EQ, known, e), FACT_HOST, line);
    return v;
  }
  bool unknown = v.kind == HOST_UNKNOWN || (v.kind == HOST_INT && !e);
  if (!unknown || !host_clause_names(r, name))
    return v;
  symbol s = {.role = SYMBOL_INT, .unbounded = true, .line = line};
  return host_int(host_symbol(r, name, s));
}

static void assign_name(host_run *r, node target, host_value v) {
  const char *name = host_text(r, target);
  bool launching = r->frame && !r->frame->inlined;
  name_value(r, name, v);
  if (launching && host_bound_times(r, name) == 1) {
    uint32_t tensor;
    bool open = v.kind == HOST_UNKNOWN && v.slot;
    if (open && !host_slot_at(r, v.slot)->parameter &&
        host_clause_for(r, CLAUSE_TENSOR, name)) {
      host_slot_at(r, v.slot)->name = arena_strdup(r->host->work, name);
      if (host_as_tensor(r, v, &tensor))
        v = host_tensor_value(tensor);
    } else if (v.kind == HOST_UNKNOWN || v.kind == HOST_INT) {
      v = stated_value(r, name, v, host_line(r, target));
    }
    if (v.kind == HOST_INT && v.number != EXPR_NONE)
      host_note_extent(r, name, v.number);
  }
  host_bind(r, name, v);
}

static bool is_sequence_target(syn kind) {
  return kind == SYN_pattern_list || kind == SYN_tuple_pattern ||
         kind == SYN_list_pattern || kind == SYN_tuple || kind == SYN_list ||
         kind == SYN_expression_list;
}

/* Learns the rank from `a, b = x.shape`. */
static void ask_unpacked(host_run *r, host_value v, int count, int star) {
  bool shape = v.kind == HOST_SHAPE || v.kind == HOST_STRIDES;
  if (v.kind == HOST_STRIDES)
    host_ask_strides(r, v.tensor);
  if (shape && star < 0) {
    host_ask_rank(r, v.tensor, count);
  } else if (v.kind == HOST_TUPLE && v.folded && star < 0) {
    host_ask_rank(r, v.tensor,
                  count - (int)v.count + r->tensors.at[v.tensor].rank);
  }
}

/* `a, *rest, z = x.shape`: the axes from both ends. */
static void assign_starred(host_run *r, node target, host_value v, int star) {
  int count = (int)node_count(target), i = 0;
  for (node n = node_child(target, 0); node_is(n); n = node_next(n), i++) {
    host_value axis = host_int(expr_int(r->t, i < star ? i : i - count));
    if (i == star)
      host_assign(r, node_child(n, 0), host_unknown());
    else
      host_assign(r, n,
                  host_ask_size(r, v.tensor, axis, v.kind == HOST_STRIDES, n));
  }
}

static void assign_sequence(host_run *r, node target, host_value v) {
  int count = (int)node_count(target), star = -1, i = 0;
  for (node n = node_child(target, 0); node_is(n); n = node_next(n), i++)
    if (host_kind_of(r, n) == SYN_list_splat_pattern ||
        host_kind_of(r, n) == SYN_list_splat)
      star = i;
  ask_unpacked(r, v, count, star);
  if (star >= 0 && (v.kind == HOST_SHAPE || v.kind == HOST_STRIDES)) {
    assign_starred(r, target, v, star);
    return;
  }
  const host_value *items;
  uint32_t have = 0;
  bool known = host_items(r, v, &items, &have) && !host_folded(r, v);
  known = known &&
          (star < 0 ? have == (uint32_t)count : have + 1 >= (uint32_t)count);
  i = 0;
  for (node n = node_child(target, 0); node_is(n); n = node_next(n), i++) {
    const char *name = host_text(r, n);
    uint32_t after = (uint32_t)(count - 1 - i);
    if (i == star)
      host_assign(r, node_child(n, 0),
                  known ? host_tuple(r, items + i, have + 1 - (uint32_t)count)
                        : host_unknown());
    else if (known)
      host_assign(r, n,
                  star >= 0 && i > star ? items[have - 1 - after] : items[i]);
    else
      host_assign(r, n, host_open_part(r, v, n, name));
  }
}

/* A list that something else holds too, or something that may be any list. */
static void escape(host_run *r, host_value v) {
  if (v.changing)
    host_forget_object(r, v);
}

/* `x[...] = v`: somebody else writes to x. */
static void assign_element(host_run *r, node target, host_value stored) {
  node base = node_field(target, "value"),
       key = node_field(target, "subscript");
  uint32_t subscripts = node_is(node_field_at(target, "subscript", 1)) ? 2 : 1;
  if (r->record)
    host_record_store(r, target, stored);
  host_value v = host_eval(r, base);
  escape(r, stored);
  if (host_is_murky(r, v))
    host_forget_lists(r);
  if (v.kind == HOST_TENSOR)
    host_touch(r, v.tensor, false);
  else if (subscripts != 1 ||
           !host_change_dictionary(r, v, host_eval(r, key), stored))
    host_forget_object(r, v);
}

/* `a.n = v`: whatever else is a.n under another name is not known now. */
static void assign_attribute(host_run *r, node target, host_value v) {
  host_value object = host_eval(r, node_field(target, "object"));
  const char *name = host_text(r, node_field(target, "attribute"));
  bool memory = strcmp(name, "data") == 0;
  if (memory)
    host_forget_unclear(r, object);
  r->epoch++;
  host_forget_attributes(r, name);
  if (v.changing) {
    escape(r, v);
    v = host_unknown();
  }
  host_bind(r, host_text(r, target), v);
}

void host_assign(host_run *r, node target, host_value v) {
  syn kind = host_kind_of(r, target);
  if (kind == SYN_identifier)
    assign_name(r, target, v);
  else if (is_sequence_target(kind))
    assign_sequence(r, target, v);
  else if (kind == SYN_attribute)
    assign_attribute(r, target, v);
  else if (kind == SYN_subscript)
    assign_element(r, target, v);
  else if (kind == SYN_parenthesized_expression)
    host_assign(r, node_child(target, 0), v);
}

/* ------------------------------------------------------------- forgetting */

typedef bool host_test(host_run *r, const host_value *v, const void *what);

static bool holds(host_run *r, const host_value *v, host_test *test,
                  const void *what, int depth) {
  if (test(r, v, what))
    return true;
  if (v->kind != HOST_TUPLE && v->kind != HOST_DICT)
    return false;
  for (uint32_t i = 0; i < v->count && depth < 8; i++)
    if (holds(r, &v->items[i], test, what, depth + 1))
      return true;
  return false;
}

/* Everything that holds such a value is unknown, in callers too. */
static void forget_values(host_run *r, host_test *test, const void *what) {
  for (size_t k = 0; k < r->frames.count; k++) {
    host_env *env = &r->frames.at[k]->env;
    for (size_t i = 0; i < env->count; i++)
      if (holds(r, &env->at[i].value, test, what, 0))
        env->at[i].value = host_unknown();
  }
}

static bool is_object(host_run *r, const host_value *v, const void *items) {
  (void)r;
  return (v->kind == HOST_TUPLE || v->kind == HOST_DICT ||
          v->kind == HOST_SHAPE || v->kind == HOST_STRIDES) &&
         v->items == items;
}

void host_forget_object(host_run *r, host_value object) {
  if (object.items)
    forget_values(r, is_object, object.items);
}

static bool may_change(host_run *r, const host_value *v, const void *none) {
  (void)r, (void)none;
  return v->changing;
}

void host_forget_lists(host_run *r) {
  forget_values(r, may_change, NULL);
}

static bool is_of_storage(host_run *r, const host_value *v, const void *what) {
  host_value t = host_settle(r, *v);
  const host_value *other = what;
  if (t.kind != HOST_TENSOR || other->kind != HOST_TENSOR)
    return t.kind == HOST_UNKNOWN && t.slot && t.slot == other->slot;
  return r->tensors.at[t.tensor].storage ==
         r->tensors.at[other->tensor].storage;
}

void host_forget_tensor(host_run *r, host_value tensor) {
  tensor = host_settle(r, tensor);
  forget_values(r, is_of_storage, &tensor);
}

/* What is given other memory may be a parameter, or any tensor. */
void host_forget_unclear(host_run *r, host_value v) {
  v = host_settle(r, v);
  bool own =
      v.kind == HOST_UNKNOWN && v.slot && host_slot_at(r, v.slot)->parameter;
  if (own || v.kind == HOST_TENSOR)
    host_forget_tensor(r, v);
  else
    host_forget_tensors(r);
}

static bool may_be_tensor(host_run *r, const host_value *v, const void *none) {
  (void)none;
  host_value t = host_settle(r, *v);
  return t.kind == HOST_TENSOR || (t.kind == HOST_UNKNOWN && t.slot);
}

void host_forget_tensors(host_run *r) {
  forget_values(r, may_be_tensor, NULL);
}

static bool is_anything(host_run *r, const host_value *v, const void *none) {
  (void)r, (void)v, (void)none;
  return true;
}

void host_forget_all(host_run *r) {
  forget_values(r, is_anything, NULL);
}

void host_forget_attributes(host_run *r, const char *attribute) {
  for (size_t k = 0; k < r->frames.count; k++) {
    host_env *env = &r->frames.at[k]->env;
    for (size_t i = 0; i < env->count; i++) {
      const char *dot = strrchr(env->at[i].name, '.');
      if (dot && (!attribute || strcmp(dot + 1, attribute) == 0))
        env->at[i].value = host_unknown();
    }
  }
}

static void forget_target(host_run *r, node target) {
  bool down = true;
  for (node n = target; node_is(n); n = node_walk(target, n, down)) {
    syn kind = host_kind_of(r, n);
    down = kind != SYN_attribute && kind != SYN_subscript && kind != SYN_call;
    if (kind == SYN_identifier || kind == SYN_attribute)
      host_bind(r, host_text(r, n), host_unknown());
  }
}

/* What a node binds, if it binds something. */
node host_bound_target(const host_run *r, node n) {
  syn kind = host_kind_of(r, n);
  if (kind == SYN_assignment || kind == SYN_augmented_assignment ||
      kind == SYN_for_statement)
    return node_field(n, "left");
  if (kind == SYN_named_expression || kind == SYN_function_definition ||
      kind == SYN_class_definition)
    return node_field(n, "name");
  if (kind == SYN_delete_statement || kind == SYN_global_statement)
    return n;
  if (strcmp(syntax_kind_text(n), "as_pattern") == 0)
    return node_field(n, "alias");
  return (node){.id = NULL};
}

/* The value of the name at the root of an expression. */
static host_value root_value(host_run *r, node at) {
  while (host_kind_of(r, at) == SYN_subscript ||
         host_kind_of(r, at) == SYN_attribute)
    at = host_kind_of(r, at) == SYN_subscript ? node_field(at, "value")
                                              : node_field(at, "object");
  const host_value *v = host_kind_of(r, at) == SYN_identifier
                            ? host_lookup(r, host_text(r, at))
                            : NULL;
  return v ? *v : host_unknown();
}

/* Lists and tensors that a node may change without binding a name. */
static void forget_effects(host_run *r, node n) {
  syn kind = host_kind_of(r, n), parent = host_kind_of(r, node_parent(n));
  if (kind == SYN_subscript &&
      (node_same(node_field(node_parent(n), "left"), n) ||
       parent == SYN_delete_statement)) {
    host_forget_object(r, root_value(r, n));
  } else if (kind == SYN_augmented_assignment) {
    host_forget_object(r, root_value(r, node_field(n, "left")));
  } else if (kind == SYN_call) {
    node callee = node_field(n, "function");
    host_value self = root_value(r, callee);
    if (host_kind_of(r, callee) == SYN_attribute)
      host_forget_object(r, self);
    if (host_kind_of(r, callee) == SYN_attribute &&
        host_reshapes_in_place(host_text(r, node_field(callee, "attribute"))))
      host_forget_unclear(r, self);
    host_call_effects(r, n);
  } else if (kind == SYN_attribute &&
             node_same(node_field(node_parent(n), "left"), n)) {
    const char *name = host_text(r, node_field(n, "attribute"));
    host_forget_attributes(r, name);
    if (strcmp(name, "data") == 0)
      host_forget_unclear(r, root_value(r, n));
  }
}

void host_forget_function(host_run *r, host_value function) {
  host_frame *frame = r->frame;
  node at = function.where;
  const file_function *known = host_known_function(r, function);
  if (r->depth >= HOST_DEPTH || (known && known->jit))
    return; /* kernels change no lists */
  if (function.frame)
    r->frame = function.frame;
  host_visit before = host_enter_file(r, function.names, r->launch);
  r->depth++;
  for (node n = at; node_is(n); n = node_walk(at, n, true))
    forget_effects(r, n);
  r->depth--;
  host_leave_file(r, before);
  r->frame = frame;
}

static void forget_below(host_run *r, node below, bool effects) {
  bool down = true;
  for (node n = below; node_is(n); n = node_walk(below, n, down)) {
    syn kind = host_kind_of(r, n);
    node target = host_bound_target(r, n);
    down = kind != SYN_function_definition && kind != SYN_lambda &&
           kind != SYN_class_definition;
    if (node_is(target))
      forget_target(r, target);
    if (effects)
      forget_effects(r, n);
  }
}

void host_forget(host_run *r, node below) {
  forget_below(r, below, true);
}

void host_forget_names(host_run *r, node below) {
  forget_below(r, below, false);
}

/* ------------------------------------------------------------- statements */

bool host_is_tuning(const char *name) {
  return strcmp(name, "num_warps") == 0 || strcmp(name, "num_stages") == 0 ||
         strcmp(name, "num_ctas") == 0;
}

/* A local of the function that launches, or of one around it, that nothing of
 * the launch is computed from. */
static bool is_idle(const host_run *r, const char *name) {
  node around = r->frame ? r->frame->definition : (node){.id = NULL};
  return r->host->joined && node_is(r->launch) && node_is(around) &&
         !r->frame->inlined && host_holds_launch(r, around) &&
         !host_is_relevant(r, name);
}

static host_value assignment(host_run *r, node at) {
  node right = node_field(at, "right"), left = node_field(at, "left");
  if (!node_is(right))
    return host_unknown();
  bool lazy = r->lazy;
  if (host_kind_of(r, left) == SYN_identifier &&
      (host_is_tuning(host_text(r, left)) || is_idle(r, host_text(r, left))))
    r->lazy = true; /* no program for each */
  host_value v = host_kind_of(r, right) == SYN_assignment ? assignment(r, right)
                                                          : host_eval(r, right);
  r->lazy = lazy;
  host_assign(r, left, v);
  return v;
}

static void augmented(host_run *r, node at) {
  if (r->record && host_record_augmented(r, at))
    return;
  node target = node_field(at, "left");
  host_value right = host_eval(r, node_field(at, "right"));
  if (host_kind_of(r, target) == SYN_subscript) {
    assign_element(r, target, host_unknown());
    return;
  }
  host_value left = host_eval(r, target);
  if (left.kind == HOST_TENSOR) {
    host_touch(r, left.tensor, false);
    return;
  }
  if (left.changing)
    host_forget_object(r, left);
  char *op = arena_strdup(r->arena, node_operator(r->syntax, at, r->arena));
  size_t n = strlen(op);
  if (n && op[n - 1] == '=')
    op[n - 1] = '\0';
  host_assign(r, target, host_binary(r, op, left, right, at));
}

static void expression(host_run *r, node at) {
  syn kind = host_kind_of(r, at);
  if (kind == SYN_assignment)
    assignment(r, at);
  else if (kind == SYN_augmented_assignment)
    augmented(r, at);
  else
    host_eval(r, at);
}

static void mark_returned(host_run *r, host_value v) {
  if (v.kind == HOST_TENSOR)
    r->storages.at[r->tensors.at[v.tensor].storage].returned = true;
  if (v.kind == HOST_TUPLE || v.kind == HOST_DICT)
    for (uint32_t i = 0; i < v.count; i++)
      mark_returned(r, v.items[i]);
}

static host_flow return_statement(host_run *r, node at) {
  node value = node_child(at, 0);
  host_value v = node_is(value) ? host_eval(r, value) : host_none();
  if (r->frame && r->frame->inlined) {
    host_return one = {.always = true, .value = v};
    VEC_PUSH(r->arena, &r->frame->returns, one);
  } else if (r->reached) {
    mark_returned(r, v);
  }
  return HOST_RETURN;
}

static bool in_chain(host_run *r, node definition) {
  return host_holds_launch(r, definition) && !r->reached;
}

static host_flow definition(host_run *r, node at) {
  node inner = at;
  if (host_kind_of(r, at) == SYN_decorated_definition)
    inner = node_field(at, "definition");
  const char *name = host_text(r, node_field(inner, "name"));
  if (host_kind_of(r, inner) != SYN_function_definition) {
    host_bind(r, name, host_unknown());
    return in_chain(r, at) ? host_block(r, node_field(inner, "body"))
                           : HOST_NEXT;
  }
  host_value v = {.kind = HOST_FUNCTION,
                  .where = inner,
                  .frame = r->frame,
                  .names = r->names};
  if (!node_same(inner, at)) /* decorators get it */
    host_forget_function(r, v);
  host_bind(r, name, v);
  if (in_chain(r, at))
    host_enter_function(r, inner);
  return HOST_NEXT;
}

static bool is_simple(syn kind) {
  return kind == SYN_expression_statement || kind == SYN_return_statement ||
         kind == SYN_assert_statement || kind == SYN_raise_statement ||
         kind == SYN_delete_statement;
}

/* The launch inside a statement without statements in it. */
static void launch_here(host_run *r, node at) {
  if (r->reached || !host_holds_launch(r, at))
    return;
  host_conditional_facts(r, at);
  if (!r->dead)
    host_bind_launch(r);
  r->reached = true;
}

static host_flow simple_statement(host_run *r, node at, syn kind) {
  launch_here(r, at);
  if (kind == SYN_return_statement)
    return return_statement(r, at);
  if (kind == SYN_raise_statement)
    return HOST_RAISE;
  if (kind == SYN_delete_statement) {
    for (node n = at; node_is(n); n = node_walk(at, n, true))
      if (host_kind_of(r, n) == SYN_subscript)
        assign_element(r, n, host_unknown());
    host_forget(r, at);
  } else if (kind == SYN_assert_statement) {
    host_assume(r, node_child(at, 0), true);
  } else {
    for (node n = node_child(at, 0); node_is(n); n = node_next(n))
      expression(r, n);
  }
  return HOST_NEXT;
}

/* A local that an import binds too. */
static void forget_imported(host_run *r, node at) {
  for (node n = at; node_is(n); n = node_walk(at, n, true))
    if (host_kind_of(r, n) == SYN_identifier && host_lookup(r, host_text(r, n)))
      host_bind(r, host_text(r, n), host_unknown());
}

static host_flow statement(host_run *r, node at) {
  syn kind = host_kind_of(r, at);
  if (is_simple(kind))
    return simple_statement(r, at, kind);
  if (kind == SYN_if_statement)
    return host_if(r, at);
  if (kind == SYN_for_statement)
    return host_for(r, at);
  if (kind == SYN_while_statement)
    return host_while(r, at);
  if (kind == SYN_with_statement)
    return host_with(r, at);
  if (kind == SYN_try_statement)
    return host_try(r, at);
  if (kind == SYN_match_statement)
    return host_match(r, at);
  if (kind == SYN_function_definition || kind == SYN_decorated_definition ||
      kind == SYN_class_definition)
    return definition(r, at);
  if (kind == SYN_break_statement || kind == SYN_continue_statement)
    return HOST_LEAVE;
  if (kind == SYN_global_statement) {
    forget_target(r, at);
    return HOST_NEXT;
  }
  if (kind == SYN_import_statement || kind == SYN_import_from_statement)
    forget_imported(r, at);
  else if (kind != SYN_pass_statement)
    host_forget(r, at);
  return HOST_NEXT;
}

host_flow host_statement(host_run *r, node at) {
  if (r->depth >= HOST_DEPTH || r->steps >= HOST_STEPS) {
    host_forget(r, at);
    return HOST_NEXT;
  }
  r->depth++;
  r->steps++;
  host_flow flow = statement(r, at);
  r->depth--;
  return flow;
}

host_flow host_block(host_run *r, node block) {
  for (node n = node_child(block, 0); node_is(n); n = node_next(n)) {
    host_flow flow = host_statement(r, n);
    if (flow != HOST_NEXT || r->dead)
      return flow;
  }
  return HOST_NEXT;
}
