/* parser/lower_stmt.c: statements, and the kernel as a whole. */
#include "parser/lowering.h"

#include <assert.h>

#include "ops/ops.h"

/* ---------------------------------------------------------- assignments */

thing decayed(lower *l, node at, const thing *t) {
  if (t->kind == THING_TUPLE)
    return all_values(l, at, t);
  if (t->kind != THING_FIXED || literal_type(l, t).elem == SC_NONE)
    return *t;
  value_id v = to_value(l, at, t);
  return v ? thing_value(v) : *t;
}

static void bind_name(lower *l, node target, thing value) {
  const char *name = lower_text(l, target);
  scope_bind(&l->frame->scope, name, value);
  if (value.kind == THING_VALUE && !l->p->values.at[value.id].name)
    l->p->values.at[value.id].name = name;
}

/* The item of an opaque value that is unpacked. */
static thing opaque_item(lower *l, node at, const thing *from) {
  return shapeless(l, at, "item", from, 1);
}

static void unpack(lower *l, node target, node at, const thing *value) {
  uint32_t count = node_count(target);
  bool opaque = value->kind == THING_VALUE && is_shapeless(l, value->id);
  bool fits = value->kind == THING_TUPLE && value->count == count;
  thing rest = *value;
  if (!fits && !opaque)
    rest = refused(l, at, UNSUPPORTED_UNPACK, NULL, value, 1);
  node part = node_child(target, 0);
  for (uint32_t i = 0; i < count; i++, part = node_next(part)) {
    thing item = fits ? value->items[i] : opaque_item(l, at, &rest);
    lower_assign(l, part, at, item);
  }
}

void lower_assign(lower *l, node target, node at, thing value) {
  syn kind = lower_kind(l, target);
  if (kind == SYN_parenthesized_expression) {
    target = node_child(target, 0);
    kind = lower_kind(l, target);
  }
  if (kind == SYN_identifier)
    bind_name(l, target, value);
  else if ((kind == SYN_pattern_list || kind == SYN_tuple_pattern ||
            kind == SYN_list_pattern) &&
           node_height(target) <= TUPLE_DEPTH)
    unpack(l, target, at, &value);
  else
    refused(l, target, UNSUPPORTED_TARGET_KIND, syntax_kind_text(target),
            &value, 1);
}

static bool is_constexpr_annotation(const lower *l, node annotation) {
  const char *full = node_is(annotation)
                         ? names_qualified(l->names, node_child(annotation, 0))
                         : NULL;
  const char *dot = full ? strrchr(full, '.') : NULL;
  return full && strcmp(dot ? dot + 1 : full, "constexpr") == 0;
}

static void lower_assignment(lower *l, node n) {
  node targets[16];
  uint32_t count = 0;
  node right = n;
  while (lower_kind(l, right) == SYN_assignment && count < 16) {
    targets[count++] = node_field(right, "left");
    right = node_field(right, "right");
  }
  if (!node_is(right))
    return; /* a bare annotation */
  thing value = lower_expr(l, right);
  bool keep = is_constexpr_annotation(l, node_field(n, "type"));
  if (!keep)
    value = decayed(l, right, &value);
  for (uint32_t i = 0; i < count; i++)
    lower_assign(l, targets[i], n, value);
}

static void lower_augmented(lower *l, node n) {
  node target = node_field(n, "left");
  const char *op = node_operator(l->syntax, n, l->arena);
  char plain[4] = {0};
  size_t length = strlen(op);
  if (lower_kind(l, target) != SYN_identifier || length < 2 ||
      length > sizeof plain) {
    refused_below(l, n, UNSUPPORTED_TARGET_KIND, syntax_kind_text(target));
    return;
  }
  memcpy(plain, op, length - 1);
  thing left = lower_expr(l, target);
  thing right = lower_expr(l, node_field(n, "right"));
  thing value =
      apply_binary(l, n, arena_strdup(l->arena, plain), &left, &right);
  lower_assign(l, target, n, decayed(l, n, &value));
}

/* -------------------------------------------------------------- returns */

/* Control leaves a loop, which Triton has not: from here on nothing about the
 * order of accesses is known. */
static void refuse_exit(lower *l, node n, const char *what) {
  refuse(l, n, UNSUPPORTED_LOOP_EXIT, what, true);
  emit_opaque(l, n, what, NULL, 0, true, type_scalar(SC_ANY), 0);
}

static flow lower_return(lower *l, node n, thing *returned) {
  node value = node_child(n, 0);
  thing result = node_is(value) ? lower_expr(l, value) : thing_none();
  if (l->frame->loops) {
    refuse_exit(l, n, "return");
    return FLOW_ON;
  }
  bool jit = l->frame->function && l->frame->function->jit;
  *returned = jit ? decayed(l, n, &result) : result;
  return FLOW_RETURNED;
}

/* ----------------------------------------------------------- statements */

void refuse_statement(lower *l, node n, unsupported why) {
  refuse(l, n, why, syntax_kind_text(n), true);
  emit_opaque(l, n, syntax_kind_text(n), NULL, 0, true, type_scalar(SC_ANY), 0);
  text_vec names = {0};
  assigned_names(l, n, &names);
  for (size_t i = 0; i < names.count; i++)
    scope_bind(
        &l->frame->scope, names.at[i],
        thing_value(emit_opaque(
            l, n, "a name bound by a statement that is not understood", NULL, 0,
            false, type_scalar(SC_ANY), MARK_SHAPELESS | MARK_POINTER)));
}

/* `assert` on what is known before the run restricts the launch; on values of
 * the run it is a device_assert. */
static void lower_assert(lower *l, node n) {
  thing condition = lower_expr(l, node_child(n, 0));
  assert_condition(l, n, &condition);
}

void assert_condition(lower *l, node at, const thing *condition) {
  if (condition->kind == THING_VALUE) {
    value_id v = to_bool(l, at, condition->id);
    if (!is_shapeless(l, v))
      emit(l, at, OP_ASSERT, &v, 1, NULL, 0, NULL, NULL);
    return;
  }
  expr e = fixed_truth(l, condition);
  int64_t constant;
  if (!e || l->undecided)
    return;
  if (expr_is_int(l->p->exprs, e, &constant)) {
    if (!constant)
      mark_impossible(l);
    return;
  }
  fact f = {
      .condition = e, .origin = FACT_HOST, .line = lower_span(l, at).line};
  VEC_PUSH(l->arena, &l->p->facts, f);
}

static void lower_expression_statement(lower *l, node n) {
  node e = node_child(n, 0);
  syn kind = lower_kind(l, e);
  if (kind == SYN_assignment)
    lower_assignment(l, e);
  else if (kind == SYN_augmented_assignment)
    lower_augmented(l, e);
  else if (kind != SYN_string && kind != SYN_concatenated_string &&
           kind != SYN_ellipsis)
    lower_expr(l, e);
}

/* No kernel with a `raise` in a part that is compiled does compile. */
static void refuse_raise(lower *l, node n) {
  mark_impossible(l);
  refuse_statement(l, n, UNSUPPORTED_STATEMENT);
}

static void lower_statement(lower *l, node n) {
  syn kind = lower_kind(l, n);
  if (kind == SYN_expression_statement)
    lower_expression_statement(l, n);
  else if (kind == SYN_for_statement)
    lower_for(l, n);
  else if (kind == SYN_while_statement)
    lower_while(l, n);
  else if (kind == SYN_assert_statement)
    lower_assert(l, n);
  else if (kind == SYN_break_statement || kind == SYN_continue_statement)
    refuse_exit(l, n, kind == SYN_break_statement ? "break" : "continue");
  else if (kind == SYN_ERROR)
    refuse_statement(l, n, UNSUPPORTED_SYNTAX);
  else if (kind == SYN_raise_statement)
    refuse_raise(l, n);
  else if (kind != SYN_pass_statement && kind != SYN_import_statement &&
           kind != SYN_import_from_statement && kind != SYN_comment &&
           kind != SYN_global_statement)
    refuse_statement(l, n, UNSUPPORTED_STATEMENT);
}

/* False, after one notice, once a limit is reached. */
static bool within_limits(lower *l, node n) {
  if (l->exhausted)
    return false;
  bool deep = l->depth >= LOWER_DEPTH;
  if (!deep && ++l->statements <= LOWER_STATEMENTS &&
      l->p->inst_count <= LOWER_INSTS)
    return true;
  if (!deep)
    l->exhausted = true;
  refuse_statement(l, n, deep ? UNSUPPORTED_NESTING : UNSUPPORTED_SIZE);
  return false;
}

flow lower_block(lower *l, node block, uint32_t from, const rest *after,
                 thing *returned) {
  for (uint32_t i = from; i < node_count(block); i++) {
    node n = node_child(block, i);
    if (!within_limits(l, n))
      continue;
    flow f = FLOW_ON;
    l->depth++;
    if (lower_kind(l, n) == SYN_if_statement) {
      rest here = {.outer = after, .block = block, .index = i + 1};
      f = lower_if(l, n, 0, &here, returned);
    } else if (lower_kind(l, n) == SYN_return_statement) {
      f = lower_return(l, n, returned);
      for (uint32_t k = i + 1; k < node_count(block); k++)
        lower_skip(l, node_child(block, k));
    } else {
      lower_statement(l, n);
    }
    l->depth--;
    if (f == FLOW_RETURNED)
      return f;
  }
  return FLOW_ON;
}

/* ----------------------------------------------------------- the kernel */

static thing parameter_thing(lower *l, param *p, const binding *b) {
  uint8_t marks = 0;
  switch (p->kind) {
  case PARAM_CONST:
    return thing_int(p->value);
  case PARAM_STATIC:
    return thing_of_static(l, &b->value);
  case PARAM_OPAQUE:
    marks = MARK_SHAPELESS | MARK_POINTER;
    p->type = type_scalar(SC_ANY);
    break;
  case PARAM_POINTER:
  case PARAM_INT:
  case PARAM_FLOAT:
  case PARAM_BOOL:
    break;
  }
  if (!p->value_id)
    p->value_id = program_value(l->p, p->type, p->name);
  l->p->values.at[p->value_id].type = p->type;
  if (marks)
    mark_value(l, p->value_id, marks);
  if (p->kind == PARAM_POINTER && b->value.number != EXPR_NONE)
    VEC_PUSH(l->arena, &l->optional,
             ((optional_pointer){p->value_id, b->value.number}));
  return thing_value(p->value_id);
}

thing thing_of_static(lower *l, const static_value *v) {
  if (v->kind != STATIC_TUPLE)
    return thing_fixed(*v);
  thing *items = ARENA_ARRAY(l->arena, thing, v->count + 1);
  for (uint32_t i = 0; i < v->count; i++)
    items[i] = thing_of_static(l, &v->items[i]);
  return thing_tuple(items, v->count);
}

static void bind_parameters(lower *l, const binding *bindings, size_t count) {
  assert(count == l->p->params.count);
  for (size_t i = 0; i < count; i++)
    scope_bind(&l->frame->scope, bindings[i].name,
               parameter_thing(l, &l->p->params.at[i], &bindings[i]));
}

bool lower_kernel(tile_program *p, const file_names *names, node function,
                  const binding *bindings, size_t binding_count, arena *run,
                  notice_vec *notices) {
  frame top = {.function = names_function_at(names, function),
               .names = names,
               .definition = function,
               .scope = {.arena = p->arena}};
  lower l = {
      .p = p,
      .file = names,
      .names = names,
      .syntax = names->syntax,
      .arena = p->arena,
      .run = run,
      .notices = notices,
      .region = p->body,
      .frame = &top,
      .constants = map_create(p->arena),
  };
  bind_parameters(&l, bindings, binding_count);
  thing returned = thing_none();
  lower_block(&l, node_field(function, "body"), 0, NULL, &returned);
  program_number(p);
  return !l.impossible;
}
