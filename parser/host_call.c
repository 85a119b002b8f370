/* parser/host_call.c: calls of Python, math, triton and the own functions. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

/* -------------------------------------------------------------- arguments */

typedef VEC(host_value) value_vec;
typedef VEC(const char *) name_vec;

static void read_splat(host_run *r, node splat, value_vec *args, host_call *c) {
  const host_value *items;
  uint32_t count;
  host_value v = host_settle(r, host_eval(r, node_child(splat, 0)));
  if (!host_items(r, v, &items, &count) || c->folded) {
    c->open_args = true;
    return;
  }
  if (host_folded(r, v)) {
    c->folded = (uint32_t)args->count + host_folded(r, v);
    c->open_args = true;
    c->count = (uint32_t)args->count;
  }
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH(r->arena, args, items[i]);
}

static void read_dictionary_splat(host_run *r, node splat, name_vec *names,
                                  value_vec *values, bool *open) {
  host_value v = host_eval(r, node_child(splat, 0));
  if (v.kind != HOST_DICT) {
    *open = true;
    return;
  }
  for (uint32_t i = 0; i < v.count; i++) {
    VEC_PUSH(r->arena, names, v.keys[i]);
    VEC_PUSH(r->arena, values, v.items[i]);
  }
}

/* `num_warps=4 if f() else 8`: nothing is decided for it. */
static bool is_launch_option(const host_run *r, const char *name) {
  for (size_t i = 0; i < r->guesses.count; i++)
    if (strcmp(r->guesses.at[i].name, name) == 0)
      return false;
  return host_is_tuning(name);
}

host_call host_read_call(host_run *r, node call) {
  node list = node_field(call, "arguments");
  host_call c = {.at = call};
  value_vec args = {0}, values = {0};
  name_vec names = {0};
  if (host_kind_of(r, list) == SYN_generator_expression) {
    host_value v = host_comprehension(r, list);
    VEC_PUSH(r->arena, &args, v);
    list.id = NULL;
  }
  for (node n = node_child(list, 0); node_is(n); n = node_next(n)) {
    syn kind = host_kind_of(r, n);
    if (kind == SYN_keyword_argument) {
      const char *name = host_text(r, node_field(n, "name"));
      bool lazy = r->lazy;
      r->lazy = lazy || is_launch_option(r, name);
      host_value v = host_eval(r, node_field(n, "value"));
      r->lazy = lazy;
      VEC_PUSH(r->arena, &names, name);
      VEC_PUSH(r->arena, &values, v);
    } else if (kind == SYN_dictionary_splat) {
      read_dictionary_splat(r, n, &names, &values, &c.open_names);
    } else if (kind == SYN_list_splat) {
      read_splat(r, n, &args, &c);
    } else if (!c.open_args || c.folded) {
      host_value v = host_eval(r, n);
      VEC_PUSH(r->arena, &args, v);
    }
  }
  c.args = args.at;
  c.all_count = (uint32_t)args.count;
  if (!c.folded)
    c.count = c.all_count;
  c.names = names.at;
  c.values = values.at;
  c.named = (uint32_t)names.count;
  return c;
}

const host_value *host_keyword(const host_call *c, const char *name) {
  for (uint32_t i = 0; i < c->named; i++)
    if (strcmp(c->names[i], name) == 0)
      return &c->values[i];
  return NULL;
}

const host_value *host_argument_at(const host_call *c, uint32_t index,
                                   const char *name) {
  if (index < c->count)
    return &c->args[index];
  return name ? host_keyword(c, name) : NULL;
}

/* ------------------------------------------------------ unknown functions */

static void touch(host_run *r, host_value v, bool by_launch) {
  const host_value *items = v.items;
  if (v.kind == HOST_UNKNOWN && v.slot)
    host_slot_at(r, v.slot)->truth_known = false; /* an emptied list, say */
  if (v.changing)
    host_forget_object(r, v);
  if (v.kind == HOST_FUNCTION)
    host_forget_function(r, v);
  if (v.kind == HOST_TENSOR) {
    host_touch(r, v.tensor, by_launch);
  } else if (v.kind == HOST_TUPLE || v.kind == HOST_DICT) {
    for (uint32_t i = 0; i < v.count; i++)
      touch(r, items[i], by_launch);
  }
}

static void touch_arguments(host_run *r, const host_call *c, bool by_launch) {
  for (uint32_t i = 0; i < c->count; i++)
    touch(r, c->args[i], by_launch);
  for (uint32_t i = 0; i < c->named; i++)
    touch(r, c->values[i], by_launch);
}

/* Whether some function of the file that goes by the callee's last name gives
 * tensors other memory, sizes or strides. */
static bool may_reshape(host_run *r, node callee) {
  node last = host_kind_of(r, callee) == SYN_attribute
                  ? node_field(callee, "attribute")
                  : callee;
  const char *name = host_text(r, last);
  const file_names *names = r->names;
  for (size_t i = 0; i < names->functions.count; i++) {
    node body = names->functions.at[i].definition;
    if (strcmp(names->functions.at[i].name, name) != 0)
      continue;
    for (node n = body; node_is(n); n = node_walk(body, n, true)) {
      if (host_kind_of(r, n) != SYN_attribute)
        continue;
      const char *what = host_text(r, node_field(n, "attribute"));
      if (host_reshapes_in_place(what) ||
          (strcmp(what, "data") == 0 &&
           node_same(node_field(node_parent(n), "left"), n)))
        return true;
    }
  }
  return false;
}

/* A function that is not known may write to what it gets. */
static host_value unknown_call(host_run *r, const host_call *c) {
  if (r->record)
    host_record_unknown_call(r, c->at);
  touch_arguments(r, c, false);
  r->epoch++;
  host_forget_attributes(r, NULL);
  node callee = node_field(c->at, "function");
  if (may_reshape(r, callee))
    host_forget_tensors(r);
  if (node_text_is(r->syntax, callee, "exec")) /* may bind any name */
    host_forget_all(r);
  if (node_text_is(r->syntax, callee, "setattr") && c->count &&
      c->args[0].kind == HOST_TENSOR)
    host_forget_tensor(r, c->args[0]);
  return host_open(r, c->at, 0, NULL);
}

/* Functions that only look at their arguments. */
static bool is_pure(const char *full) {
  static const char *const names[] = {
      "print",  "len",     "isinstance", "range", "str",
      "list",   "tuple",   "dict",       "sum",   "round",
      "type",   "getattr", "hasattr",    "zip",   "enumerate",
      "sorted", "any",     "all",        "repr",  "reversed"};
  static const char *const roots[] = {"math.",     "triton.", "logging.",
                                      "numpy.",    "os.",     "warnings.",
                                      "functools."};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(full, names[i]) == 0)
      return true;
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    if (strncmp(full, roots[i], strlen(roots[i])) == 0)
      return true;
  return false;
}

void host_call_effects(host_run *r, node call) {
  const char *full = host_qualified(r, node_field(call, "function"));
  bool own = full && names_function(r->names, full);
  if (node_same(call, r->launch) ||
      (full && !own &&
       (is_pure(full) || strncmp(full, "torch.", 6) == 0 ||
        strcmp(full, "min") == 0 || strcmp(full, "max") == 0)))
    return;
  node list = node_field(call, "arguments");
  for (node n = node_child(list, 0); node_is(n); n = node_next(n)) {
    node at =
        host_kind_of(r, n) == SYN_keyword_argument ? node_field(n, "value") : n;
    const host_value *v = host_kind_of(r, at) == SYN_identifier
                              ? host_lookup(r, host_text(r, at))
                              : NULL;
    if (v && v->changing)
      host_forget_object(r, *v);
  }
}

/* -------------------------------------------------- functions of the file */

static node first_parameter(node function) {
  return node_child(node_field(function, "parameters"), 0);
}

/* The name and default of one parameter; false for *args and the like. */
static bool plain_parameter(host_run *r, node at, const char **name,
                            node *value) {
  syn kind = host_kind_of(r, at);
  *value = (node){.id = NULL};
  if (kind == SYN_identifier) {
    *name = host_text(r, at);
    return true;
  }
  if (kind == SYN_typed_parameter) {
    *name = host_text(r, node_child(at, 0));
    return host_kind_of(r, node_child(at, 0)) == SYN_identifier;
  }
  if (kind != SYN_default_parameter && kind != SYN_typed_default_parameter)
    return false;
  *name = host_text(r, node_field(at, "name"));
  *value = node_field(at, "value");
  return true;
}

static void bind_arguments(host_run *r, node function, const host_call *c) {
  uint32_t index = 0;
  for (node n = first_parameter(function); node_is(n); n = node_next(n)) {
    const char *name;
    node value;
    syn kind = host_kind_of(r, n);
    if (kind == SYN_keyword_separator || kind == SYN_positional_separator)
      continue;
    if (!plain_parameter(r, n, &name, &value)) {
      node inner = node_child(n, 0);
      if (host_kind_of(r, inner) == SYN_identifier)
        host_bind(r, host_text(r, inner), host_unknown());
      index = UINT32_MAX / 2;
      continue;
    }
    const host_value *given = host_argument_at(c, index++, name);
    if (given)
      host_bind(r, name, *given);
    else if (node_is(value) && !c->open_args && !c->open_names)
      host_bind(r, name, host_eval(r, value));
    else
      host_bind(r, name, host_unknown());
  }
}

static bool yields(host_run *r, const host_value *function) {
  host_visit before = host_enter_file(r, function->names, function->where);
  bool found = false;
  for (node n = function->where; node_is(n) && !found;
       n = node_walk(function->where, n, true))
    found = host_kind_of(r, n) == SYN_yield || host_kind_of(r, n) == SYN_await;
  host_leave_file(r, before);
  return found;
}

/* Earlier returns first: `if c: return a` and then `return b`. */
static host_value returned_value(host_run *r, const host_frame *f, node call) {
  if (f->returns.count == 0)
    return host_none();
  host_return last = f->returns.at[f->returns.count - 1];
  host_value v = last.always ? last.value : host_unknown();
  const char *name = "result";
  node callee = node_field(call, "function");
  if (host_kind_of(r, callee) == SYN_identifier)
    name = host_text(r, callee);
  for (size_t i = f->returns.count - 1; i-- > 0;) {
    host_return one = f->returns.at[i];
    v = host_merge_open(r, one.condition, one.value, v, name,
                        host_line(r, call));
  }
  return v;
}

host_value host_apply(host_run *r, host_value function, const host_call *c) {
  node at = function.where;
  bool lambda = strcmp(syntax_kind_text(at), "lambda") == 0;
  if (r->calls >= HOST_CALLS || (!lambda && yields(r, &function)))
    return unknown_call(r, c);
  host_frame *caller = r->frame;
  host_visit before = host_enter_file(r, function.names, c->at);
  host_frame *f = host_frame_of(r, at, function.frame);
  f->inlined = true;
  size_t guards = r->guards.count;
  uint64_t path = host_record_enter(r, c->at);
  r->frame = f;
  r->calls++;
  bind_arguments(r, at, c);
  if (r->record)
    host_record_arguments(r);
  host_value v;
  if (lambda) {
    v = host_eval(r, node_field(at, "body"));
  } else {
    host_flow flow = host_block(r, node_field(at, "body"));
    host_visit inside = host_enter_file(r, before.names, c->at);
    v = returned_value(r, f, c->at);
    host_leave_file(r, inside);
    if (flow == HOST_NEXT && f->returns.count)
      v = host_unknown();
  }
  r->calls--;
  r->frame = caller;
  r->guards.count = guards;
  host_record_leave(r, path);
  host_leave_file(r, before);
  return v;
}

/* --------------------------------------------------------------- dispatch */

/* Whether a call of the name is a call of the function, perhaps an earlier one
 * with equal arguments. */
static bool plainly_decorated(host_run *r, const host_value *f,
                              const file_function *known) {
  static const char *const plain[] = {
      "functools.lru_cache",  "functools.cache",        "staticmethod",
      "torch.no_grad",        "torch.compiler.disable", "torch._dynamo.disable",
      "torch.inference_mode", "torch.jit.ignore"};
  host_visit before = host_enter_file(r, f->names, known->definition);
  bool all = true;
  for (node n = node_child(known->decorated, 0); node_is(n); n = node_next(n)) {
    node name = node_child(n, 0);
    if (strcmp(syntax_kind_text(n), "decorator") != 0)
      continue;
    if (host_kind_of(r, name) == SYN_call)
      name = node_field(name, "function");
    const char *full = names_qualified(r->names, name);
    bool known_one = false;
    for (size_t i = 0; full && i < sizeof plain / sizeof *plain; i++)
      known_one = known_one || strcmp(full, plain[i]) == 0;
    all = all && known_one;
  }
  host_leave_file(r, before);
  return all;
}

/* What a cached function made it may have given to somebody else before. */
static bool is_number(host_value v) {
  return v.kind == HOST_INT || v.kind == HOST_FLOAT || v.kind == HOST_BOOL ||
         v.kind == HOST_STRING || v.kind == HOST_NONE;
}

static host_value call_function(host_run *r, host_value f, const host_call *c) {
  const file_function *known = host_known_function(r, f);
  if (known && (known->jit || !plainly_decorated(r, &f, known)))
    return unknown_call(r, c);
  host_value v = host_apply(r, f, c);
  bool cached = known && node_is(known->decorated) &&
                strstr(host_text(r, node_child(known->decorated, 0)), "cache");
  return cached && !is_number(v) ? unknown_call(r, c) : v;
}

bool host_reshapes_in_place(const char *name) {
  static const char *const names[] = {
      "resize_",    "resize_as_",  "set_",        "t_",
      "transpose_", "swapaxes_",   "swapdims_",   "squeeze_",
      "unsqueeze_", "as_strided_", "swap_tensors"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/* Methods that change a list or dictionary. */
static bool changes_list(const char *name) {
  static const char *const names[] = {
      "append", "extend",  "insert", "pop",     "remove",      "clear",
      "sort",   "reverse", "update", "popitem", "__setitem__", "setdefault"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/* `kernel.warmup(..., grid=(1,))`: the kernel, with the keyword arguments that
 * a launch of it may leave out. Nothing runs. */
static host_value compiled(host_run *r, host_value kernel, const host_call *c) {
  host_value known = host_tuple(r, c->values, c->named);
  kernel.items = known.items;
  kernel.keys = c->names ? c->names : ARENA_NEW(r->arena, const char *);
  kernel.count = c->named;
  return kernel;
}

static bool is_kernel(host_run *r, host_value v) {
  const file_function *f = host_known_function(r, v);
  return f && f->jit;
}

/* `x.view(-1)`, `self.proj(x)`. */
static host_value call_method(host_run *r, node callee, const host_call *c) {
  host_value self = host_eval(r, node_field(callee, "object"));
  const char *name = host_text(r, node_field(callee, "attribute"));
  if (self.kind == HOST_META && strcmp(name, "get") == 0 && c->count >= 1 &&
      c->args[0].kind == HOST_STRING && c->args[0].text) {
    host_argument *a = host_argument_named(r, c->args[0].text);
    return a && a->given ? a->value : host_unknown();
  }
  host_value v;
  if (strcmp(name, "warmup") == 0 && is_kernel(r, self))
    return compiled(r, self, c);
  if (self.kind == HOST_UNKNOWN &&
      host_context_method(r, node_field(callee, "object"), name, c, &v))
    return v;
  if (host_reshapes_in_place(name)) {
    host_forget_unclear(r, self);
    return host_unknown();
  }
  v = host_method(r, self, name, c);
  if (v.kind != HOST_META)
    return host_spell(r, v, c->at);
  if (host_dictionary_method(r, self, name, c, &v))
    return v;
  if (host_change_list(r, self, name, c))
    return host_none();
  touch(r, self, false);
  if (changes_list(name) && host_is_murky(r, self))
    host_forget_lists(r);
  return unknown_call(r, c);
}

/* Whether the file itself gives a plain name its meaning. */
static bool is_own_name(host_run *r, const char *name) {
  const file_names *names = r->names;
  return names_function(names, name) || node_is(names_constant(names, name));
}

/* Functions given to map, sorted and the like are called. */
static void call_functions(host_run *r, const host_call *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->args[i].kind == HOST_FUNCTION)
      host_forget_function(r, c->args[i]);
  for (uint32_t i = 0; i < c->named; i++)
    if (c->values[i].kind == HOST_FUNCTION)
      host_forget_function(r, c->values[i]);
}

host_value host_eval_call(host_run *r, node call) {
  node callee = node_field(call, "function");
  host_call c = host_read_call(r, call);
  if (node_same(call, r->launch))
    return host_open(r, call, 0, NULL);
  const char *full = host_qualified(r, callee);
  host_value v;
  if (full && !strchr(full, '.') && is_own_name(r, full))
    full = NULL;
  if (full && host_builtin(r, full, &c, &v))
    return v;
  const char *last = full ? strrchr(full, '.') : NULL;
  if (last && c.count && host_reshapes_in_place(last + 1)) {
    for (uint32_t i = 0; i < c.count; i++)
      host_forget_unclear(r, c.args[i]);
    return host_unknown();
  }
  if (full && strncmp(full, "torch.", 6) == 0) {
    v = host_torch(r, full + 6, &c);
    if (v.kind != HOST_META)
      return host_spell(r, v, call);
    return unknown_call(r, &c);
  }
  if (full && strchr(full, '.') && host_imported(r, callee, full, &v) &&
      v.kind == HOST_FUNCTION)
    return call_function(r, v, &c);
  if (full && is_pure(full)) {
    call_functions(r, &c);
    return host_open(r, call, 0, NULL);
  }
  if (host_kind_of(r, callee) == SYN_attribute)
    return call_method(r, callee, &c);
  if (host_kind_of(r, callee) == SYN_subscript) {
    touch_arguments(r, &c, true); /* another launch */
    return host_open(r, call, 0, NULL);
  }
  v = host_eval(r, callee);
  if (v.kind == HOST_FUNCTION)
    return call_function(r, v, &c);
  return unknown_call(r, &c);
}
