/* parser/lower_expr.c: expressions. */
#include "parser/lowering.h"

#include <assert.h>

#include "ops/ops.h"
#include "parser/block.h"
#include "parser/project.h"

value_id lower_value(lower *l, node at, const thing *t) {
  value_id v = to_value(l, at, t);
  if (v)
    return v;
  return refused(l, at, UNSUPPORTED_NO_NUMBER, lower_text(l, at), t, 1).id;
}

thing refused_below(lower *l, node n, unsupported why, const char *detail) {
  thing things[16];
  uint32_t count = 0;
  for (node m = n; node_is(m) && count < 16; m = node_walk(n, m, true)) {
    if (lower_kind(l, m) != SYN_identifier)
      continue;
    const thing *t = scope_find(&l->frame->scope, lower_text(l, m));
    if (t && (t->kind == THING_VALUE || t->kind == THING_TUPLE))
      things[count++] = *t;
  }
  return refused(l, n, why, detail, things, count);
}

/* ---------------------------------------------------------------- names */

static bool is_builtin(const char *name) {
  static const char *const names[] = {
      "range", "min",     "max",     "abs",       "len",      "isinstance",
      "print", "float",   "int",     "bool",      "tuple",    "list",
      "round", "getattr", "hasattr", "type",      "slice",    "sum",
      "str",   "pow",     "zip",     "enumerate", "callable",
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

const file_names *file_of(const lower *l, const thing *t) {
  return t->fixed.file ? t->fixed.file : l->file;
}

thing thing_function(const file_names *names, const file_function *f) {
  return thing_fixed((static_value){.kind = STATIC_FUNCTION,
                                    .text = f->name,
                                    .where = f->definition,
                                    .file = names});
}

static thing module_thing(const file_names *names, const char *full) {
  thing out;
  if (fixed_named(full, &out))
    return out;
  return thing_fixed(
      (static_value){.kind = STATIC_MODULE, .text = full, .file = names});
}

/* The value of a keyword that says how fast or how exactly, not what. */
static bool is_hint(const lower *l, node at) {
  static const char *const names[] = {
      "input_precision",
      "allow_tf32",
      "num_stages",
      "eviction_policy",
      "cache_modifier",
      "fp_downcast_rounding",
      "sem",
      "scope",
      "loop_unroll_factor",
  };
  node around = node_parent(at);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (lower_kind(l, around) == SYN_keyword_argument &&
        node_text_is(l->syntax, node_field(around, "name"), names[i]))
      return true;
  return false;
}

/* The value of a module's name, refused if it is not known. */
static thing known_constant(lower *l, node at, const char *name, thing value) {
  if (thing_is(&value, STATIC_UNKNOWN) && !is_hint(l, at))
    refuse(l, at, UNSUPPORTED_CONSTANT, name, false);
  return value;
}

static thing found_thing(lower *l, node at, const found_name *f) {
  thing none = thing_unknown();
  switch (f->kind) {
  case FOUND_FUNCTION:
    return thing_function(f->names, f->function);
  case FOUND_VALUE:
    return known_constant(l, at, f->name,
                          evaluate_constant(l, f->names, at, f->value));
  case FOUND_CHOICE:
    return known_constant(l, at, f->name,
                          lower_choice(l, at, f->names, f->name));
  case FOUND_OUTSIDE:
    return module_thing(l->file, f->full);
  case FOUND_NOTHING:
    break;
  }
  return none;
}

thing lower_full_name(lower *l, node at, const file_names *names,
                      const char *full) {
  thing out;
  if (fixed_named(full, &out))
    return out;
  found_name f = project_find(names, full);
  return f.kind == FOUND_NOTHING ? module_thing(names, full)
                                 : found_thing(l, at, &f);
}

/* A name that the function around does not bind. */
static thing module_name(lower *l, node at, const char *name) {
  const file_function *function = names_function(l->names, name);
  if (function)
    return thing_function(l->names, function);
  const char *import = names_import(l->names, name);
  if (import)
    return lower_full_name(l, at, l->names, import);
  if (names_bound(l->names, name)) {
    node value = names_constant(l->names, name);
    return known_constant(l, at, name,
                          node_is(value)
                              ? evaluate_constant(l, l->names, at, value)
                              : lower_choice(l, at, l->names, name));
  }
  if (strcmp(name, "tl") == 0 || strcmp(name, "triton") == 0)
    return module_thing(l->names,
                        name[1] == 'l' ? "triton.language" : "triton");
  if (is_builtin(name))
    return module_thing(l->names, arena_printf(l->arena, "builtins.%s", name));
  found_name starred = project_find_starred(l->names, name);
  if (starred.kind != FOUND_NOTHING)
    return found_thing(l, at, &starred);
  refuse(l, at, UNSUPPORTED_NAME, name, true);
  return thing_value(emit_opaque(l, at, "a name that is not bound here", NULL,
                                 0, false, type_scalar(SC_ANY),
                                 MARK_SHAPELESS | MARK_POINTER));
}

bool name_is_bound(const lower *l, const char *name) {
  return scope_find(&l->frame->scope, name) || names_function(l->names, name) ||
         names_import(l->names, name) || names_bound(l->names, name) ||
         is_builtin(name) || strcmp(name, "tl") == 0 ||
         strcmp(name, "triton") == 0 ||
         project_find_starred(l->names, name).kind != FOUND_NOTHING;
}

thing lower_name(lower *l, node at, const char *name) {
  const thing *local = scope_find(&l->frame->scope, name);
  if (!local)
    return module_name(l, at, name);
  if (local->kind != THING_GONE)
    return *local;
  refuse(l, at, UNSUPPORTED_GONE, name, true);
  note_torn(l, local->torn);
  thing v = thing_value(emit_opaque(l, at, "a name without a single meaning",
                                    NULL, 0, false, type_scalar(SC_ANY),
                                    MARK_SHAPELESS | MARK_POINTER));
  scope_bind(&l->frame->scope, name, v); /* refused once */
  return v;
}

/* ------------------------------------------------------------ operators */

static thing lower_binary(lower *l, node n) {
  thing a = lower_expr(l, node_field(n, "left"));
  thing b = lower_expr(l, node_field(n, "right"));
  return apply_binary(l, n, node_operator(l->syntax, n, l->arena), &a, &b);
}

static thing lower_unary(lower *l, node n) {
  thing a = lower_expr(l, node_field(n, "argument"));
  return apply_unary(l, n, node_operator(l->syntax, n, l->arena), &a);
}

/* `left and right`, `left or right` where left is known before the run but
 * not yet decided. */
static thing fixed_and_or(lower *l, node n, bool is_and, const thing *left,
                          expr truth_of_left) {
  trial before = trial_begin(l);
  thing right = lower_expr(l, node_field(n, "right"));
  expr other = fixed_truth(l, &right);
  if (right.kind != THING_VALUE && truth_of_left && other) {
    exprs *e = l->p->exprs;
    return thing_bool(is_and ? expr_and(e, truth_of_left, other)
                             : expr_or(e, truth_of_left, other));
  }
  truth decided = decide(l, truth_of_left);
  if (decided != UNSURE && (decided == NO) == is_and) {
    trial_undo(l, before);
    decide(l, truth_of_left);
    return *left;
  }
  if (decided != UNSURE)
    return right;
  if (right.kind != THING_VALUE)
    return thing_unknown();
  thing condition = truth_of_left ? thing_bool(truth_of_left) : *left;
  return apply_and_or(l, n, is_and, &condition, &right);
}

static thing lower_boolean(lower *l, node n) {
  const char *op = node_operator(l->syntax, n, l->arena);
  bool is_and = strcmp(op, "and") == 0;
  thing left = lower_expr(l, node_field(n, "left"));
  if (left.kind == THING_VALUE) {
    thing right = lower_expr(l, node_field(n, "right"));
    return apply_and_or(l, n, is_and, &left, &right);
  }
  expr truth_of_left = fixed_truth(l, &left);
  int64_t known;
  if (truth_of_left && expr_is_int(l->p->exprs, truth_of_left, &known))
    return (known != 0) == is_and ? lower_expr(l, node_field(n, "right"))
                                  : left;
  return fixed_and_or(l, n, is_and, &left, truth_of_left);
}

static thing lower_comparison(lower *l, node n) {
  uint32_t count = node_count(n);
  thing left = lower_expr(l, node_child(n, 0));
  thing result = thing_unknown();
  for (uint32_t i = 1; i < count; i++) {
    thing right = lower_expr(l, node_child(n, i));
    const char *op = node_compare_operator(l->syntax, n, i - 1, l->arena);
    if (count > 2 && (left.kind == THING_VALUE || right.kind == THING_VALUE)) {
      thing both[2] = {left, right};
      return refused(l, n, UNSUPPORTED_CHAIN, NULL, both, 2);
    }
    thing one = apply_compare(l, n, op, &left, &right);
    if (i == 1)
      result = one;
    else
      result = thing_bool(
          expr_and(l->p->exprs, result.fixed.number, one.fixed.number));
    left = right;
  }
  return result;
}

/* --------------------------------------------- tuples, attributes, [...] */

static thing lower_items(lower *l, node n) {
  VEC(thing) items = {0};
  for (node c = node_child(n, 0); node_is(c); c = node_next(c)) {
    if (lower_kind(l, c) != SYN_list_splat) {
      thing item = lower_expr(l, c);
      VEC_PUSH(l->arena, &items, item);
      continue;
    }
    thing inner = lower_expr(l, node_child(c, 0));
    if (inner.kind != THING_TUPLE)
      return refused(l, c, UNSUPPORTED_STAR, NULL, &inner, 1);
    for (uint32_t i = 0; i < inner.count; i++)
      VEC_PUSH(l->arena, &items, inner.items[i]);
  }
  return thing_tuple(items.at, (uint32_t)items.count);
}

static thing shape_of(lower *l, const type *t) {
  thing *dims = ARENA_ARRAY(l->arena, thing, TYPE_MAX_RANK);
  for (unsigned d = 0; d < t->rank; d++)
    dims[d] = thing_int(t->dim[d]);
  return thing_tuple(dims, t->rank);
}

static thing reversed_axes(lower *l, node n, value_id v) {
  type t = *value_type(l, v), result = t;
  expr attrs[TYPE_MAX_RANK];
  for (unsigned d = 0; d < t.rank; d++) {
    result.dim[d] = t.dim[t.rank - 1 - d];
    attrs[d] = expr_int(l->p->exprs, t.rank - 1 - (int)d);
  }
  return thing_value(emit(l, n, OP_TRANS, &v, 1, attrs, t.rank, &result, NULL));
}

static thing value_attribute(lower *l, node n, value_id v, const char *name) {
  const type *t = value_type(l, v);
  thing self = thing_value(v);
  bool unknown = is_shapeless(l, v);
  if (strcmp(name, "dtype") == 0 || strcmp(name, "type") == 0) {
    thing dtype = thing_dtype(t->elem);
    dtype.pointer_type = t->pointer;
    dtype.block_type = name[0] == 't' && t->rank > 0;
    return dtype;
  }
  if (strcmp(name, "shape") == 0 && !unknown)
    return shape_of(l, t);
  if (strcmp(name, "T") == 0)
    return unknown       ? shapeless(l, n, "T", &self, 1)
           : t->rank < 2 ? self
                         : reversed_axes(l, n, v);
  if (strcmp(name, "numel") == 0 && !unknown) {
    expr product = expr_int(l->p->exprs, 1);
    for (unsigned d = 0; d < t->rank; d++)
      product = expr_mul(l->p->exprs, product, t->dim[d]);
    return thing_int(product);
  }
  expr number = fixed_number(l, &self);
  if (strcmp(name, "value") == 0 && number)
    return thing_int(number);
  return refused(l, n, UNSUPPORTED_ATTRIBUTE, name, &self, 1);
}

static thing lower_attribute(lower *l, node n) {
  const char *name = lower_text(l, node_field(n, "attribute"));
  thing object = lower_expr(l, node_field(n, "object")), out;
  if (object.kind == THING_VALUE)
    return value_attribute(l, n, object.id, name);
  if (thing_is(&object, STATIC_MODULE))
    return lower_full_name(
        l, n, file_of(l, &object),
        arena_printf(l->arena, "%s.%s", object.fixed.text, name));
  if (call_is_block(&object) && block_attribute(l, &object, name, &out))
    return out;
  if (fixed_attribute(l, &object, name, &out))
    return out;
  if (thing_is(&object, STATIC_UNKNOWN))
    return thing_unknown();
  return refused(l, n, UNSUPPORTED_ATTRIBUTE, name, &object, 1);
}

static thing tuple_slice(lower *l, node n, const thing *t, node index) {
  int64_t ends[2] = {0, t->count};
  int which = 0;
  for (uint32_t i = 0; i < node_any_count(index); i++) {
    node part = node_any_child(index, i);
    if (strcmp(syntax_kind_text(part), ":") == 0) {
      which++;
      continue;
    }
    thing end = lower_expr(l, part);
    if (which > 1 || !fixed_int(l, &end, &ends[which]))
      return refused(l, n, UNSUPPORTED_SUBSCRIPT, NULL, t, 1);
    if (ends[which] < 0)
      ends[which] += t->count;
  }
  if (ends[0] < 0 || ends[1] > t->count || ends[0] > ends[1])
    return refused(l, n, UNSUPPORTED_SUBSCRIPT, NULL, t, 1);
  return thing_tuple(t->items + ends[0], (uint32_t)(ends[1] - ends[0]));
}

static thing tuple_item(lower *l, node n, const thing *t) {
  node index = node_field(n, "subscript");
  int64_t i;
  if (lower_kind(l, index) == SYN_slice)
    return tuple_slice(l, n, t, index);
  thing at = lower_expr(l, index);
  if (!fixed_int(l, &at, &i))
    return refused(l, n, UNSUPPORTED_SUBSCRIPT, NULL, t, 1);
  if (i < 0)
    i += t->count;
  if (i < 0 || i >= t->count)
    return refused(l, n, UNSUPPORTED_SUBSCRIPT, NULL, t, 1);
  return t->items[i];
}

/* The parts of `[...]`: a tuple's items, or the parts themselves. */
static node_list subscript_parts(lower *l, node n) {
  node_list parts = {0};
  for (uint32_t i = 0; i < TYPE_MAX_RANK * 2; i++) {
    node part = node_field_at(n, "subscript", i);
    if (!node_is(part))
      break;
    if (i == 0 && lower_kind(l, part) == SYN_tuple) {
      for (node c = node_child(part, 0);
           node_is(c) && parts.count < TYPE_MAX_RANK * 2; c = node_next(c))
        parts.at[parts.count++] = c;
      break;
    }
    parts.at[parts.count++] = part;
  }
  return parts;
}

static bool is_whole_slice(const lower *l, node part) {
  return lower_kind(l, part) == SYN_slice && node_count(part) == 0;
}

/* `x[:, None]` and its like. */
static thing expand_by_subscript(lower *l, node n, value_id v) {
  node_list parts = subscript_parts(l, n);
  uint32_t axis = 0, axes = 0;
  for (uint32_t i = 0; i < parts.count; i++)
    axes += is_whole_slice(l, parts.at[i]);
  thing self = thing_value(v);
  for (uint32_t i = 0; i < parts.count; i++) {
    node part = parts.at[i];
    uint32_t rank = value_type(l, v)->rank;
    if (is_whole_slice(l, part)) {
      if (axis++ >= rank)
        return refused(l, n, UNSUPPORTED_SUBSCRIPT, NULL, &self, 1);
      continue;
    }
    if (lower_kind(l, part) == SYN_ellipsis) {
      uint32_t original = value_type(l, self.id)->rank;
      axis += original > axes ? original - axes : 0;
      continue;
    }
    thing index = lower_expr(l, part);
    if (!thing_is(&index, STATIC_NONE) || axis > rank)
      return refused(l, n, UNSUPPORTED_SUBSCRIPT, NULL, &self, 1);
    if (rank == TYPE_MAX_RANK)
      return refused(l, n, UNSUPPORTED_RANK, NULL, &self, 1);
    v = emit_expand(l, n, v, axis++);
  }
  return thing_value(v);
}

static thing lower_subscript(lower *l, node n) {
  thing base = lower_expr(l, node_field(n, "value"));
  if (base.kind == THING_TUPLE)
    return tuple_item(l, n, &base);
  if (base.kind == THING_VALUE && is_shapeless(l, base.id))
    return shapeless(l, n, "subscript", &base, 1);
  if (base.kind == THING_VALUE)
    return expand_by_subscript(l, n, base.id);
  if (thing_is(&base, STATIC_UNKNOWN))
    return base;
  return refused(l, n, UNSUPPORTED_SUBSCRIPT, NULL, &base, 1);
}

/* ------------------------------------------------------------- dispatch */

static thing lower_named(lower *l, node n) {
  thing value = lower_expr(l, node_field(n, "value"));
  value = decayed(l, n, &value);
  scope_bind(&l->frame->scope, lower_text(l, node_field(n, "name")), value);
  return value;
}

static thing lower_kinds(lower *l, node n) {
  syn kind = lower_kind(l, n);
  if (kind == SYN_identifier)
    return lower_name(l, n, lower_text(l, n));
  if (kind == SYN_integer || kind == SYN_float || kind == SYN_string ||
      kind == SYN_concatenated_string || kind == SYN_true ||
      kind == SYN_false || kind == SYN_none)
    return fixed_literal(l, n);
  if (kind == SYN_parenthesized_expression || kind == SYN_type)
    return lower_expr(l, node_child(n, 0));
  if (kind == SYN_binary_operator)
    return lower_binary(l, n);
  if (kind == SYN_unary_operator || kind == SYN_not_operator)
    return lower_unary(l, n);
  if (kind == SYN_boolean_operator)
    return lower_boolean(l, n);
  if (kind == SYN_comparison_operator)
    return lower_comparison(l, n);
  if (kind == SYN_conditional_expression)
    return lower_ternary(l, n);
  if (kind == SYN_call)
    return lower_call(l, n);
  if (kind == SYN_attribute)
    return lower_attribute(l, n);
  if (kind == SYN_subscript)
    return lower_subscript(l, n);
  if (kind == SYN_tuple || kind == SYN_list || kind == SYN_expression_list)
    return lower_items(l, n);
  if (kind == SYN_named_expression)
    return lower_named(l, n);
  if (kind == SYN_ERROR)
    return refused_below(l, n, UNSUPPORTED_SYNTAX, NULL);
  return refused_below(l, n, UNSUPPORTED_CONSTRUCT, syntax_kind_text(n));
}

thing lower_expr(lower *l, node n) {
  if (!node_is(n))
    return thing_unknown();
  if (l->depth >= LOWER_DEPTH || l->p->inst_count > LOWER_INSTS) {
    bool deep = l->depth >= LOWER_DEPTH;
    return refused_below(l, n, deep ? UNSUPPORTED_NESTING : UNSUPPORTED_SIZE,
                         NULL);
  }
  l->depth++;
  thing result = lower_kinds(l, n);
  l->depth--;
  return result;
}
