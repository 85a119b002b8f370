/* parser/host_bind.c: binding of arguments to the kernel's parameters, and the
 * grid. */
#include "parser/host_state.h"

#include "base/panic.h"

#include <string.h>

enum { WIDE_PARAMS = 64 }; /* bits of type.wide */

host_argument *host_argument_named(host_run *r, const char *name) {
  for (size_t i = 0; i < r->guesses.count; i++)
    if (strcmp(r->arguments[i].name, name) == 0)
      return &r->arguments[i];
  return NULL;
}

void host_set_param(host_run *r, uint32_t index, param p, static_value v) {
  assert(index < r->p->params.count);
  p.name = r->guesses.at[index].name;
  r->p->params.at[index] = p;
  r->statics[index] = v;
  r->arguments[index].bound = true;
}

static param with_value(host_run *r, uint32_t index, param p) {
  p.value_id = program_value(r->p, p.type, r->guesses.at[index].name);
  return p;
}

void host_bind_pointer(host_run *r, uint32_t index, uint32_t tensor) {
  host_strides(r, tensor);
  host_tensor *t = &r->tensors.at[tensor];
  if (t->unnamed && strcmp(t->name, "tensor") == 0)
    t->name = r->guesses.at[index].name;
  scalar stated = r->guesses.at[index].annotation;
  if (t->dtype == SC_ANY && stated != SC_NONE)
    t->dtype = stated;
  type elem = type_scalar(t->dtype);
  elem.pointer = true;
  param p = {.kind = PARAM_POINTER,
             .type = elem,
             .tensor = host_program_tensor(r, tensor),
             .offset = expr_int(r->t, 0)};
  host_set_param(r, index, with_value(r, index, p), (static_value){0});
  r->arguments[index].value = host_tensor_value(tensor);
}

/* A pointer to memory that nobody says anything about. */
static void bind_unknown_pointer(host_run *r, uint32_t index) {
  const param_guess *g = &r->guesses.at[index];
  host_tensor t = {.name = g->name,
                   .origin = "parameter",
                   .dtype = host_given_dtype(r, g->name),
                   .parameter = true,
                   .identical = true,
                   .line = host_line(r, g->at),
                   .storage = host_storage_add(r, (host_storage){0})};
  if (r->arguments[index].given && !r->kernel_names) {
    /* Some tensor of the host code: nobody can pass a larger one. */
    t.origin = "a value that is not understood";
    t.parameter = false;
    t.unread = t.ranked = t.contiguous = t.anywhere = true;
    t.rank = 1;
    symbol s = {.role = SYMBOL_SIZE, .unbounded = true, .line = t.line};
    t.extent[0] =
        host_symbol(r, arena_printf(r->arena, "%s.numel()", g->name), s);
  }
  const clause *c =
      r->kernel_names ? host_clause_for(r, CLAUSE_TENSOR, g->name) : NULL;
  if (c)
    host_state_tensor(r, c, &t);
  host_bind_pointer(r, index, host_tensor_add(r, t));
}

void host_bind_int(host_run *r, uint32_t index, expr value) {
  const param_guess *g = &r->guesses.at[index];
  bool stated = scalar_is_int(g->annotation);
  param p = {.kind = PARAM_INT, .value = value};
  if (value == EXPR_NONE) {
    symbol s = {
        .role = SYMBOL_INT, .unbounded = true, .line = r->p->launch_line};
    p.value = host_symbol(r, g->name, s);
  }
  p.type = type_scalar(stated ? g->annotation : SC_I32);
  if (!stated && index < WIDE_PARAMS) {
    p.type.wide = UINT64_C(1) << index;
  } else if (!stated) {
    host_notice(r, NOTICE_UNSUPPORTED, node_span(r->syntax, g->at),
                "an integer after the first 64 parameters");
    host_set_param(r, index, (param){.kind = PARAM_OPAQUE}, (static_value){0});
    return;
  }
  host_set_param(r, index, with_value(r, index, p), (static_value){0});
  r->arguments[index].value = host_int(p.value);
}

/* `v` may be a number that the host code tells. */
static void bind_scalar(host_run *r, uint32_t index, param_kind kind,
                        scalar elem, host_value v) {
  scalar stated = r->guesses.at[index].annotation;
  if (kind == PARAM_FLOAT && scalar_is_float(stated))
    elem = stated;
  param p = {.kind = kind,
             .type = type_scalar(elem),
             .has_number = v.kind == HOST_FLOAT && v.has_real,
             .number = v.real,
             .value = v.kind == HOST_BOOL ? v.number : EXPR_NONE};
  host_set_param(r, index, with_value(r, index, p), (static_value){0});
}

static static_value to_static(host_run *r, host_value v, int depth) {
  static_value s = {.kind = STATIC_UNKNOWN};
  s.another = v.another;
  if (v.kind == HOST_INT && v.number != EXPR_NONE)
    s = (static_value){.kind = STATIC_INT, .number = v.number};
  else if (v.kind == HOST_BOOL && v.number != EXPR_NONE)
    s = (static_value){.kind = STATIC_BOOL, .number = v.number};
  else if (v.kind == HOST_FLOAT && v.has_real)
    s = (static_value){.kind = STATIC_FLOAT, .real = v.real};
  else if (v.kind == HOST_STRING && v.text)
    s = (static_value){.kind = STATIC_STRING, .text = v.text};
  else if (v.kind == HOST_NONE)
    s.kind = STATIC_NONE;
  else if (v.kind == HOST_DTYPE && v.dtype != SC_ANY)
    s = (static_value){.kind = STATIC_DTYPE, .dtype = v.dtype};
  else if (v.kind == HOST_FUNCTION)
    s = (static_value){.kind = STATIC_FUNCTION,
                       .where = v.where,
                       .file = v.names == r->host->names ? NULL : v.names};
  else if (((v.kind == HOST_TUPLE && !v.folded) || v.kind == HOST_CHOICE) &&
           depth < 4 && v.count <= HOST_ITEMS) {
    static_value *items = ARENA_ARRAY(r->arena, static_value, v.count + 1);
    for (uint32_t i = 0; i < v.count; i++)
      items[i] = to_static(r, v.items[i], depth + 1);
    s = (static_value){.kind = STATIC_TUPLE, .items = items, .count = v.count};
    if (v.kind == HOST_CHOICE) {
      s.kind = STATIC_CHOICE;
      s.number = v.number;
    }
  }
  return s;
}

static const char *tuple_text(host_run *r, static_value s);

static const char *static_text(host_run *r, static_value s) {
  int64_t n = 0;
  if (s.kind == STATIC_INT)
    return expr_text(r->t, s.number, r->arena);
  if (s.kind == STATIC_BOOL && expr_is_int(r->t, s.number, &n))
    return n ? "True" : "False";
  if (s.kind == STATIC_BOOL)
    return expr_text(r->t, s.number, r->arena);
  if (s.kind == STATIC_CHOICE && expr_is_int(r->t, s.number, &n) && n >= 0 &&
      n < s.count)
    return static_text(r, s.items[n]);
  if (s.kind == STATIC_CHOICE)
    return arena_printf(r->arena, "one of %u: %s", s.count,
                        expr_text(r->t, s.number, r->arena));
  if (s.kind == STATIC_FLOAT)
    return arena_printf(r->arena, "%g", s.real);
  if (s.kind == STATIC_STRING)
    return arena_printf(r->arena, "\"%s\"", s.text);
  if (s.kind == STATIC_NONE)
    return "None";
  if (s.kind == STATIC_DTYPE)
    return scalar_name(s.dtype);
  if (s.kind == STATIC_FUNCTION)
    return arena_printf(r->arena, "function at line %u", host_line(r, s.where));
  if (s.kind == STATIC_TUPLE)
    return tuple_text(r, s);
  return "unknown";
}

static const char *tuple_text(host_run *r, static_value s) {
  strbuf out = strbuf_make(r->arena);
  strbuf_putc(&out, '(');
  for (uint32_t i = 0; i < s.count; i++)
    strbuf_printf(&out, "%s%s", i ? ", " : "", static_text(r, s.items[i]));
  strbuf_putc(&out, ')');
  return out.text;
}

void host_bind_static(host_run *r, uint32_t index, host_value v) {
  static_value s = to_static(r, v, 0);
  param p = {.kind = PARAM_STATIC, .text = static_text(r, s)};
  host_set_param(r, index, p, s);
  r->arguments[index].value = v;
}

/* By the kernel's uses of it alone. */
void host_bind_unknown(host_run *r, uint32_t index) {
  switch (r->guesses.at[index].kind) {
  case PARAM_POINTER:
    bind_unknown_pointer(r, index);
    return;
  case PARAM_INT:
    host_bind_int(r, index, EXPR_NONE);
    return;
  case PARAM_FLOAT:
    bind_scalar(r, index, PARAM_FLOAT, SC_F32, host_unknown());
    return;
  case PARAM_BOOL:
    bind_scalar(r, index, PARAM_BOOL, SC_BOOL, host_unknown());
    return;
  case PARAM_CONST:
  case PARAM_STATIC:
  case PARAM_OPAQUE:
    break;
  }
  host_set_param(r, index, (param){.kind = PARAM_OPAQUE}, (static_value){0});
}

/* An open value: what the kernel does with it tells what it is. */
static void bind_open(host_run *r, uint32_t index, host_value v) {
  const param_guess *g = &r->guesses.at[index];
  uint32_t tensor;
  host_slot *s = v.slot ? host_slot_at(r, v.slot) : NULL;
  if (s && s->tensor_used && host_as_tensor(r, v, &tensor)) {
    host_bind_pointer(r, index, tensor);
    return;
  }
  if (g->kind == PARAM_POINTER && s && host_as_tensor(r, v, &tensor)) {
    host_bind_pointer(r, index, tensor);
    return;
  }
  bool real = s && s->parameter &&
              (host_kind_of(r, s->default_value) == SYN_float ||
               (s->annotation && strcmp(s->annotation, "float") == 0));
  if (real) {
    bool literal = host_kind_of(r, s->default_value) == SYN_float;
    bind_scalar(r, index, PARAM_FLOAT, SC_F32,
                literal ? host_eval(r, s->default_value) : host_unknown());
    return;
  }
  if (s && host_is_flag(r, v.slot)) {
    bind_scalar(r, index, PARAM_BOOL, SC_BOOL, v);
    return;
  }
  if (g->kind == PARAM_INT && s) {
    if (!s->parameter && !s->int_name) {
      s->int_name = arena_strdup(r->host->work, g->name);
      r->changed = true;
    }
    host_bind_int(r, index, host_as_int(r, v));
    return;
  }
  if (g->kind == PARAM_OPAQUE && s && s->symbol != EXPR_NONE) {
    host_bind_int(r, index, s->symbol);
    return;
  }
  host_bind_unknown(r, index);
}

/* A tensor or None, whichever: a pointer, and the condition that it is None.
 * Sound: a program for None that compiles does nothing with the pointer but ask
 * whether it is None. */
static bool bind_perhaps_none(host_run *r, uint32_t index, host_value v,
                              expr absent) {
  const param_guess *g = &r->guesses.at[index];
  uint32_t tensor;
  if (!r->host->joined || g->kind != PARAM_POINTER || g->truth_tested ||
      !host_as_tensor(r, v, &tensor))
    return false;
  host_bind_pointer(r, index, tensor);
  r->statics[index].number = absent;
  return true;
}

/* Whether an argument that may be None is bound as what it is, or decided. */
static bool bind_optional(host_run *r, uint32_t index, host_value *v) {
  bool open = v->kind == HOST_UNKNOWN && v->slot &&
              host_is_optional(r, v->slot) &&
              !host_slot_at(r, v->slot)->not_none;
  int64_t none;
  if (open) {
    /* Nobody has decided yet whether it is None. */
    expr absent = r->host->joined ? host_absence(r, v->slot) : EXPR_NONE;
    bool known = expr_is_int(r->t, absent, &none);
    if (!known && bind_perhaps_none(r, index, *v, absent))
      return true;
    if (!known)
      host_decide_none(r, v->slot);
    *v = host_settle(r, *v);
    return false;
  }
  if (v->kind != HOST_TENSOR || v->absent == EXPR_NONE)
    return false;
  expr absent = host_known(r, v->absent);
  v->absent = EXPR_NONE;
  if (!expr_is_int(r->t, absent, &none)) {
    if (bind_perhaps_none(r, index, *v, absent))
      return true;
    none = host_choose(r, 2) == 1;
    host_fact(r, none ? absent : expr_not(r->t, absent), FACT_HOST,
              r->p->launch_line);
  }
  if (none)
    *v = host_none();
  return false;
}

static void bind_runtime_choice(host_run *r, uint32_t index, host_value v) {
  expr number = host_choice_number(r, v);
  if (number != EXPR_NONE)
    host_bind_int(r, index, number);
  else
    host_bind_static(r, index, v);
}

void host_bind_param(host_run *r, uint32_t index) {
  host_value v = host_settle(r, r->arguments[index].value);
  if (bind_optional(r, index, &v))
    return;
  r->arguments[index].value = v;
  switch (v.kind) {
  case HOST_TENSOR:
    host_bind_pointer(r, index, v.tensor);
    return;
  case HOST_INT:
    host_bind_int(r, index, v.number);
    return;
  case HOST_FLOAT:
    bind_scalar(r, index, PARAM_FLOAT, SC_F32, v);
    return;
  case HOST_BOOL:
    bind_scalar(r, index, PARAM_BOOL, SC_BOOL, v);
    return;
  case HOST_CHOICE:
    bind_runtime_choice(r, index, v);
    return;
  case HOST_NONE:
  case HOST_STRING:
  case HOST_DTYPE:
  case HOST_FUNCTION:
    host_bind_static(r, index, v);
    return;
  case HOST_UNKNOWN:
    bind_open(r, index, v);
    return;
  case HOST_TUPLE:
  case HOST_DICT:
  case HOST_SHAPE:
  case HOST_STRIDES:
  case HOST_META:
  case HOST_CONFIG:
  case HOST_CONFIGS:
    break;
  }
  host_set_param(r, index, (param){.kind = PARAM_OPAQUE}, (static_value){0});
}

/* -------------------------------------------------------------- arguments */

static void give(host_run *r, uint32_t index, host_value v) {
  r->arguments[index].given = true;
  r->arguments[index].value = v;
}

/* Arguments of `kernel = f.warmup(...)` for what a launch of it leaves out. */
static void match_compiled(host_run *r, host_value compiled) {
  for (uint32_t i = 0; i < compiled.count; i++) {
    host_argument *a = host_argument_named(r, compiled.keys[i]);
    if (a && !a->given)
      give(r, (uint32_t)(a - r->arguments), compiled.items[i]);
  }
}

/* A launch of a compiled kernel may leave the constexprs out. */
static bool leaves_constants_out(const host_run *r, const host_call *c,
                                 bool compiled) {
  return compiled && !c->open_args && c->count < r->guesses.count;
}

static void match_arguments(host_run *r, const host_call *c, bool compiled) {
  uint32_t next = 0;
  bool skip = leaves_constants_out(r, c, compiled);
  for (uint32_t i = 0; i < r->guesses.count; i++) {
    const param_guess *g = &r->guesses.at[i];
    if (g->variadic)
      break;
    if (skip && g->kind == PARAM_CONST)
      continue;
    if (next < c->count)
      give(r, i, c->args[next++]);
    else if (c->open_args && !host_keyword(c, g->name))
      give(r, i, host_unknown());
  }
  for (uint32_t i = 0; i < r->guesses.count; i++) {
    const host_value *v = host_keyword(c, r->guesses.at[i].name);
    if (v)
      give(r, i, *v);
  }
}

/* Default values stand in the module, whatever locals are called. */
static void give_defaults(host_run *r) {
  host_frame *frame = r->frame;
  r->frame = NULL;
  for (uint32_t i = 0; i < r->guesses.count; i++) {
    node value = r->guesses.at[i].default_value;
    if (!r->arguments[i].given && node_is(value))
      give(r, i, host_eval(r, value));
  }
  r->frame = frame;
}

static void start_params(host_run *r) {
  size_t n = r->guesses.count;
  r->arguments = ARENA_ARRAY(r->arena, host_argument, n + 1);
  r->statics = ARENA_ARRAY(r->arena, static_value, n + 1);
  for (size_t i = 0; i < n; i++) {
    param blank = {.name = r->guesses.at[i].name, .kind = PARAM_OPAQUE};
    VEC_PUSH(r->arena, &r->p->params, blank);
    r->arguments[i].name = r->guesses.at[i].name;
  }
}

static bool is_constant(const host_run *r, uint32_t i) {
  return r->guesses.at[i].kind == PARAM_CONST;
}

static void bind_given(host_run *r, bool constants) {
  for (uint32_t i = 0; i < r->guesses.count && !r->dead; i++) {
    host_argument a = r->arguments[i];
    if (!a.given || a.bound || is_constant(r, i) != constants)
      continue;
    if (constants)
      host_bind_constant(r, i);
    else
      host_bind_param(r, i);
  }
}

/* Where the call stands with the kernel's parameters: Python, or Triton,
 * refuses what does not fit. */
static void add_misfit(host_run *r, const char *text) {
  misfit_add(r->p, text, r->p->launch_line);
}

static void check_arguments(host_run *r, const host_call *c) {
  uint32_t places = 0;
  bool variadic = false;
  for (uint32_t i = 0; i < r->guesses.count; i++) {
    const param_guess *g = &r->guesses.at[i];
    variadic = variadic || g->variadic;
    places += !g->variadic;
    if (!variadic && i < c->count && host_keyword(c, g->name))
      add_misfit(r, arena_printf(r->arena, "`%s` is given twice", g->name));
  }
  if (!variadic && c->count > places)
    add_misfit(r, arena_printf(r->arena,
                               "%u positional arguments for %u parameters",
                               c->count, places));
}

/* Whether nothing but Triton's own decorators stands between a launch and the
 * kernel: others may give arguments. */
static bool plainly_decorated(host_run *r) {
  node at = r->kernel->decorated;
  for (node n = node_child(at, 0); node_is(n); n = node_next(n)) {
    node name = node_child(n, 0);
    if (strcmp(syntax_kind_text(n), "decorator") != 0)
      continue;
    if (host_kind_of(r, name) == SYN_call)
      name = node_field(name, "function");
    const char *full = names_qualified(r->names, name);
    if (!full || (strcmp(full, "triton.jit") != 0 &&
                  strcmp(full, "triton.autotune") != 0 &&
                  strcmp(full, "triton.heuristics") != 0))
      return false;
  }
  return true;
}

/* A parameter without a value, where all that may give one is known. The
 * launch options of a configuration are arguments, too. */
static void check_missing(host_run *r, const host_call *c) {
  if (c->open_args || c->open_names || r->tuning_open || !plainly_decorated(r))
    return;
  for (uint32_t i = 0; i < r->guesses.count; i++) {
    const param_guess *g = &r->guesses.at[i];
    if (!r->arguments[i].given && !g->variadic && !node_is(g->default_value) &&
        !host_is_tuning(g->name))
      add_misfit(r, arena_printf(r->arena, "`%s` is not given", g->name));
  }
}

static void bind_missing(host_run *r) {
  for (uint32_t i = 0; i < r->guesses.count && !r->dead; i++) {
    if (r->arguments[i].bound)
      continue;
    if (is_constant(r, i))
      host_bind_open_constant(r, i);
    else
      host_bind_unknown(r, i);
  }
}

/* ------------------------------------------------------------------- grid */

static expr unknown_axis(host_run *r, int axis) {
  /* Nobody can choose what a launch that is read computes in some way. */
  bool launched = node_is(r->launch);
  symbol s = {
      .role = SYMBOL_GRID, .unbounded = launched, .line = r->p->grid_line};
  expr g = host_symbol(r, arena_printf(r->arena, "G%d", axis), s);
  expr one = expr_int(r->t, !launched);
  expr most = expr_int(r->t, axis == 0 ? INT32_MAX : 65535);
  host_fact(r, expr_compare(r->t, EXPR_LE, one, g), FACT_GRID, s.line);
  host_fact(r, expr_compare(r->t, EXPR_LE, g, most), FACT_GRID, s.line);
  return g;
}

/* An axis that is unknown but has a place in the text: its symbol is known to
 * what else is made of it, from the next run on. */
static expr open_axis(host_run *r, host_value v, int axis) {
  host_slot *s =
      v.kind == HOST_UNKNOWN && v.slot ? host_slot_at(r, v.slot) : NULL;
  if (s && !s->parameter && !s->int_name && !s->const_name) {
    s->int_name = s->name ? s->name : arena_printf(r->host->work, "G%d", axis);
    r->changed = true;
  }
  return unknown_axis(r, axis);
}

static void limit_axis(host_run *r, expr e, int axis) {
  const symbol *s = host_symbol_of(r, e);
  expr one = expr_int(r->t, 0);
  expr most = expr_int(r->t, axis == 0 ? INT32_MAX : 65535);
  uint32_t line = r->p->grid_line;
  if (!s || !s->unbounded)
    return;
  host_fact(r, expr_compare(r->t, EXPR_LE, one, e), FACT_GRID, line);
  host_fact(r, expr_compare(r->t, EXPR_LE, e, most), FACT_GRID, line);
}

void host_settle_grid(host_run *r) {
  if (!r->grid_open)
    return;
  r->grid_open = false;
  for (int d = 0; d < 3; d++)
    r->p->grid[d] = unknown_axis(r, d);
}

/* `kernel[n,]` */
static bool has_comma(node subscript) {
  for (uint32_t i = 0; i < node_any_count(subscript); i++)
    if (strcmp(syntax_kind_text(node_any_child(subscript, i)), ",") == 0)
      return true;
  return false;
}

static host_value grid_value(host_run *r) {
  node callee = node_field(r->launch, "function");
  VEC(host_value) axes = {0};
  for (uint32_t i = 0; node_is(node_field_at(callee, "subscript", i)); i++) {
    host_value v = host_eval(r, node_field_at(callee, "subscript", i));
    VEC_PUSH(r->arena, &axes, v);
  }
  if (axes.count != 1 || has_comma(callee))
    return host_tuple(r, axes.at, (uint32_t)axes.count);
  host_value v = axes.at[0];
  if (v.kind != HOST_FUNCTION)
    return v;
  host_value meta = {.kind = HOST_META};
  host_call c = {.at = r->launch, .args = &meta, .count = 1};
  return host_apply(r, v, &c);
}

/* `n: int`. What nobody knows may well have several axes. */
static bool is_said_int(host_run *r, host_value v) {
  const char *said = v.kind == HOST_UNKNOWN && v.slot
                         ? host_slot_at(r, v.slot)->annotation
                         : NULL;
  return said && strcmp(said, "int") == 0 && host_as_int(r, v) != EXPR_NONE;
}

static void read_grid(host_run *r) {
  host_value v = host_settle(r, grid_value(r));
  const host_value *items = &v;
  uint32_t count = 1;
  r->p->grid_line = r->p->launch_line;
  bool one = v.kind == HOST_INT || v.kind == HOST_BOOL || is_said_int(r, v);
  bool known = one || host_items(r, v, &items, &count);
  if (known && count > 3 && !host_folded(r, v))
    add_misfit(r, "a grid has at most 3 axes");
  if (known && count > 3)
    count = 3;
  if (!known || count == 0 || host_folded(r, v)) {
    r->grid_open = true;
    return;
  }
  r->p->grid_rank = (uint8_t)count;
  for (uint32_t d = 0; d < count; d++) {
    expr e = host_as_int(r, items[d]);
    r->p->grid[d] = e != EXPR_NONE ? e : open_axis(r, items[d], (int)d);
    limit_axis(r, r->p->grid[d], (int)d);
  }
}

/* ----------------------------------------------------------------- launch */

/* What is launched: a local may hold another kernel on this way. */
static host_value launched(host_run *r) {
  node name = node_field(node_field(r->launch, "function"), "value");
  host_value f = host_eval(r, name);
  const file_function *own = host_kind_of(r, name) == SYN_identifier
                                 ? names_function(r->names, host_text(r, name))
                                 : NULL;
  if (f.kind == HOST_FUNCTION && !node_same(f.where, r->kernel->definition))
    r->dead = true;
  else if (f.kind != HOST_FUNCTION && !own)
    host_unread(r, name, "which kernel this launches is not understood");
  return f;
}

void host_bind_launch(host_run *r) {
  r->launch_frame = r->frame;
  host_value f = launched(r);
  if (r->dead)
    return;
  host_call c = host_read_call(r, r->launch);
  start_params(r);
  bool compiled = f.kind == HOST_FUNCTION && f.keys;
  match_arguments(r, &c, compiled);
  match_compiled(r, f);
  host_override(r);
  bind_given(r, false);
  bind_given(r, true);
  if (!c.open_names) {
    host_read_autotune(r);
    host_read_heuristics(r);
    give_defaults(r);
    bind_given(r, false);
    bind_given(r, true);
  }
  if (!compiled && !r->dead) {
    check_arguments(r, &c);
    check_missing(r, &c);
  }
  bind_missing(r);
  if (r->dead)
    return;
  read_grid(r);
  host_apply_clauses(r);
  host_apply_kernel_clauses(r);
  host_settle_grid(r);
  host_apply_options(r);
}

void host_unlaunched(host_run *r) {
  start_params(r);
  host_read_autotune(r);
  host_read_heuristics(r);
  for (uint32_t i = 0; i < r->guesses.count && !r->dead; i++) {
    const param_guess *g = &r->guesses.at[i];
    if (r->arguments[i].bound)
      continue;
    if (g->kind == PARAM_CONST) {
      host_bind_open_constant(r, i);
    } else if (g->kind == PARAM_INT) {
      symbol s = {.role = SYMBOL_INT, .line = host_line(r, g->at)};
      expr e = host_symbol(r, g->name, s);
      host_range(r, e, g->name);
      host_bind_int(r, i, e);
    }
  }
  for (uint32_t i = 0; i < r->guesses.count && !r->dead; i++) {
    const param_guess *g = &r->guesses.at[i];
    if (r->arguments[i].bound)
      continue;
    if (g->kind == PARAM_POINTER && g->none_tested && host_choose(r, 2) == 1)
      host_bind_static(r, i, host_none());
    else
      host_bind_unknown(r, i);
  }
  if (r->dead)
    return;
  r->grid_open = true;
  host_apply_clauses(r);
  host_settle_grid(r);
  host_apply_options(r);
}
