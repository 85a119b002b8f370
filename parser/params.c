/* parser/params.c: guesses about parameters from annotations and uses.
 *
 * A parameter is a pointer when it stands, through additions, local names and
 * helpers of the file, where a load, a store or an atomic takes its pointer.
 * What is not understood is an integer: a wrong guess of FLOAT or INT does no
 * harm where the parameter reaches no address, mask or bound. */
#include "parser/params.h"

#include "parser/project.h"

#include <assert.h>
#include <stdlib.h>

enum { HELPER_DEPTH = 5, FOLLOW_DEPTH = 40, BUDGET = 200000, LOCALS = 2000 };

typedef struct local {
  const char *name;
  node value;
  bool open;     /* being followed for pointers */
  bool integers; /* followed for integers, once for all */
} local;

typedef struct use {
  param_guess guess;
  bool pointer;
  bool multiplied; /* operand of *, //, %, a comparison, range or arange */
  bool opaque;     /* called, indexed, or a descriptor's method is called */
  VEC(const char *) strings;
  VEC(int64_t) integers;
} use;

typedef struct reader reader;
struct reader {
  const reader *caller; /* of the function whose helper this one is */
  arena *arena;
  const file_names *names;
  const syntax *syntax;
  node definition;
  use *uses;
  size_t count;
  VEC(local) locals;
  int depth;
  int *budget; /* steps left for all functions together */
};

static syn kind_of(const reader *r, node n) {
  return syntax_kind(r->syntax, n);
}

static const char *text_of(const reader *r, node n) {
  return node_text(r->syntax, n, r->arena);
}

static use *find_use(const reader *r, node n) {
  if (kind_of(r, n) != SYN_identifier)
    return NULL;
  for (size_t i = 0; i < r->count; i++)
    if (node_text_is(r->syntax, n, r->uses[i].guess.name))
      return &r->uses[i];
  return NULL;
}

static node inside_parentheses(const reader *r, node n) {
  for (int i = 0; i < FOLLOW_DEPTH; i++) {
    if (kind_of(r, n) != SYN_parenthesized_expression)
      return n;
    n = node_child(n, 0);
  }
  return n;
}

/* The last name of what is called; "" if it has none. */
static const char *callee_name(const reader *r, node call) {
  node callee = node_field(call, "function");
  if (kind_of(r, callee) == SYN_attribute)
    return text_of(r, node_field(callee, "attribute"));
  const char *full = names_qualified(r->names, callee);
  const char *dot = full ? strrchr(full, '.') : NULL;
  return !full ? "" : dot ? dot + 1 : full;
}

static bool is_one_of(const char *name, const char *const *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(name, list[i]) == 0)
      return true;
  return false;
}

#define ONE_OF(name, list) is_one_of(name, list, sizeof(list) / sizeof *(list))

/* The argument at a place, or with one of two keywords. */
static node argument(const reader *r, node call, uint32_t index,
                     const char *keyword) {
  node list = node_field(call, "arguments");
  uint32_t position = 0;
  for (node n = node_child(list, 0); node_is(n); n = node_next(n)) {
    if (kind_of(r, n) == SYN_keyword_argument) {
      if (node_text_is(r->syntax, node_field(n, "name"), keyword))
        return node_field(n, "value");
    } else if (position++ == index) {
      return n;
    }
  }
  return (node){.id = NULL};
}

/* ------------------------------------------------------------ parameters */

static scalar annotated_scalar(const char *text, bool *pointer) {
  static const struct {
    const char *name;
    scalar s;
  } names[] = {
      {"int1", SC_BOOL},   {"i1", SC_BOOL},     {"bool", SC_BOOL},
      {"int8", SC_I8},     {"i8", SC_I8},       {"int16", SC_I16},
      {"i16", SC_I16},     {"int32", SC_I32},   {"i32", SC_I32},
      {"int64", SC_I64},   {"i64", SC_I64},     {"uint8", SC_U8},
      {"u8", SC_U8},       {"uint16", SC_U16},  {"u16", SC_U16},
      {"uint32", SC_U32},  {"u32", SC_U32},     {"uint64", SC_U64},
      {"u64", SC_U64},     {"float16", SC_F16}, {"fp16", SC_F16},
      {"float32", SC_F32}, {"fp32", SC_F32},    {"bfloat16", SC_BF16},
      {"bf16", SC_BF16},   {"float64", SC_F64}, {"fp64", SC_F64},
      {"float", SC_F32},
  };
  while (*text == '"' || *text == '\'' || *text == '*') {
    *pointer = *pointer || *text == '*';
    text++;
  }
  const char *dot = strrchr(text, '.');
  if (dot)
    text = dot + 1;
  size_t length = strcspn(text, "\"' ");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i].name) == length &&
        strncmp(names[i].name, text, length) == 0)
      return names[i].s;
  return SC_NONE;
}

static bool text_contains(const char *text, const char *part) {
  return strstr(text, part) != NULL;
}

static void read_annotation(const reader *r, use *u, node annotation) {
  const char *text = node_is(annotation) ? text_of(r, annotation) : "";
  const char *full = names_qualified(r->names, node_child(annotation, 0));
  if (text_contains(text, "constexpr") ||
      (full && text_contains(full, "constexpr"))) {
    u->guess.kind = PARAM_CONST;
    return;
  }
  u->guess.annotation = annotated_scalar(text, &u->pointer);
  if (text_contains(text, "pointer_type"))
    u->pointer = true;
}

static void read_parameter(const reader *r, node n, use *u) {
  syn kind = kind_of(r, n);
  node name = n;
  if (kind == SYN_default_parameter || kind == SYN_typed_default_parameter)
    name = node_field(n, "name");
  else if (kind == SYN_typed_parameter)
    name = node_child(n, 0);
  u->guess.kind = PARAM_INT;
  if (kind_of(r, name) == SYN_list_splat_pattern ||
      kind_of(r, name) == SYN_dictionary_splat_pattern) {
    u->guess.variadic = u->opaque = true;
    name = node_child(name, 0);
  }
  u->guess.name = text_of(r, name);
  u->guess.at = n;
  u->guess.default_value = node_field(n, "value");
  read_annotation(r, u, node_field(n, "type"));
}

static void read_parameters(reader *r) {
  node list = node_field(r->definition, "parameters");
  r->uses = ARENA_ARRAY(r->arena, use, node_count(list) + 1);
  for (node n = node_child(list, 0); node_is(n); n = node_next(n)) {
    syn kind = kind_of(r, n);
    if (kind != SYN_keyword_separator && kind != SYN_positional_separator)
      read_parameter(r, n, &r->uses[r->count++]);
  }
}

static void read_locals(reader *r) {
  node body = node_field(r->definition, "body");
  for (node n = body; node_is(n) && r->locals.count < LOCALS;
       n = node_walk(body, n, true)) {
    syn kind = kind_of(r, n);
    if (kind != SYN_assignment && kind != SYN_augmented_assignment)
      continue;
    node left = node_field(n, "left"), right = node_field(n, "right");
    if (!node_is(right))
      continue;
    for (node t = left; node_is(t); t = node_walk(left, t, true))
      if (kind_of(r, t) == SYN_identifier)
        VEC_PUSH(r->arena, &r->locals,
                 ((local){text_of(r, t), right, false, false}));
  }
}

/* -------------------------------------------------------------- pointers */

static bool mark_pointer(reader *r, node n, bool strict, int depth);

/* What a local name may stand for. */
static bool mark_local(reader *r, node n, bool strict, int depth) {
  bool found = false;
  for (size_t i = 0; i < r->locals.count; i++) {
    local *l = &r->locals.at[i];
    if (--*r->budget < 0 || l->open || !node_text_is(r->syntax, n, l->name))
      continue;
    l->open = true;
    found = mark_pointer(r, l->value, strict, depth + 1) || found;
    l->open = false;
  }
  return found;
}

static bool mark_call(reader *r, node n, bool strict, int depth) {
  static const char *const first[] = {
      "multiple_of",    "max_contiguous", "max_constancy",
      "advance",        "broadcast_to",   "expand_dims",
      "make_block_ptr", "reshape",        "make_tensor_descriptor"};
  const char *name = callee_name(r, n);
  if (ONE_OF(name, first))
    return mark_pointer(r, argument(r, n, 0, "base"), strict, depth + 1);
  if (strcmp(name, "where") == 0) {
    bool a = mark_pointer(r, argument(r, n, 1, "x"), strict, depth + 1);
    return mark_pointer(r, argument(r, n, 2, "y"), strict, depth + 1) || a;
  }
  node callee = node_field(n, "function");
  if (strcmp(name, "to") == 0 && kind_of(r, callee) == SYN_attribute)
    return mark_pointer(r, node_field(callee, "object"), strict, depth + 1);
  return false;
}

/* Marks the parameter that is the base of an address; false if none is found.
 * `strict`: one that is multiplied or compared anywhere is none. */
static bool mark_pointer(reader *r, node n, bool strict, int depth) {
  n = inside_parentheses(r, n);
  syn kind = kind_of(r, n);
  if (depth > FOLLOW_DEPTH)
    return false;
  if (kind == SYN_identifier) {
    use *u = find_use(r, n);
    if (!u)
      return mark_local(r, n, strict, depth);
    if (strict && u->multiplied)
      return false;
    u->pointer = true;
    return true;
  }
  if (kind == SYN_binary_operator) {
    const char *op = node_operator(r->syntax, n, r->arena);
    if (strcmp(op, "+") != 0 && strcmp(op, "-") != 0)
      return false;
    return mark_pointer(r, node_field(n, "left"), strict, depth + 1) ||
           (op[0] == '+' &&
            mark_pointer(r, node_field(n, "right"), strict, depth + 1));
  }
  if (kind == SYN_conditional_expression) {
    bool a = mark_pointer(r, node_child(n, 0), strict, depth + 1);
    return mark_pointer(r, node_child(n, 2), strict, depth + 1) || a;
  }
  if (kind == SYN_subscript)
    return mark_pointer(r, node_field(n, "value"), strict, depth + 1);
  return kind == SYN_call && mark_call(r, n, strict, depth);
}

static void mark_base(reader *r, node n) {
  if (node_is(n) && !mark_pointer(r, n, true, 0))
    mark_pointer(r, n, false, 0);
}

/* ------------------------------------------------------------- other uses */

/* Every parameter below n, through local names, is used as an integer. */
static void mark_integers(reader *r, node root, int depth) {
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    if (kind_of(r, n) != SYN_identifier)
      continue;
    use *u = find_use(r, n);
    if (u)
      u->guess.integer_used = true;
    for (size_t i = 0; depth < 8 && i < r->locals.count; i++) {
      local *l = &r->locals.at[i];
      if (l->integers || !node_text_is(r->syntax, n, l->name))
        continue;
      l->integers = true;
      mark_integers(r, l->value, depth + 1);
    }
  }
}

static void mark_shape(const reader *r, node root) {
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    use *u = find_use(r, n);
    if (u)
      u->guess.spans_tile = true;
    for (size_t i = 0;
         !u && kind_of(r, n) == SYN_identifier && i < r->locals.count; i++) {
      use *v = node_text_is(r->syntax, n, r->locals.at[i].name)
                   ? find_use(r, r->locals.at[i].value)
                   : NULL;
      if (v)
        v->guess.spans_tile = true;
    }
  }
}

/* A condition: names that stand in it for themselves. */
static void mark_truth(const reader *r, node n, int depth) {
  n = inside_parentheses(r, n);
  syn kind = kind_of(r, n);
  use *u = find_use(r, n);
  if (u)
    u->guess.truth_tested = true;
  if (depth > FOLLOW_DEPTH ||
      (kind != SYN_boolean_operator && kind != SYN_not_operator))
    return;
  for (node c = node_child(n, 0); node_is(c); c = node_next(c))
    mark_truth(r, c, depth + 1);
}

static void add_literal(const reader *r, use *u, node n) {
  if (kind_of(r, n) == SYN_string && node_count(n) == 3) {
    const char *text = text_of(r, node_child(n, 1));
    VEC_PUSH(r->arena, &u->strings, text);
  } else if (kind_of(r, n) == SYN_integer) {
    VEC_PUSH(r->arena, &u->integers, strtoll(text_of(r, n), NULL, 0));
  } else if (kind_of(r, n) == SYN_none) {
    u->guess.none_tested = true;
  }
}

static void read_comparison(const reader *r, node n) {
  for (uint32_t i = 0; i + 1 < node_count(n); i++) {
    node a = inside_parentheses(r, node_child(n, i));
    node b = inside_parentheses(r, node_child(n, i + 1));
    const char *op = node_compare_operator(r->syntax, n, i, r->arena);
    use *u = find_use(r, a), *v = find_use(r, b);
    bool order = op[0] == '<' || op[0] == '>';
    if (u)
      u->multiplied = u->multiplied || order;
    if (v)
      v->multiplied = v->multiplied || order;
    if (order)
      continue;
    if (u)
      add_literal(r, u, b);
    if (v)
      add_literal(r, v, a);
    syn kind = kind_of(r, b);
    if (u && (kind == SYN_tuple || kind == SYN_list || kind == SYN_set))
      for (node c = node_child(b, 0); node_is(c); c = node_next(c))
        add_literal(r, u, c);
  }
}

static void read_binary(const reader *r, node n) {
  const char *op = node_operator(r->syntax, n, r->arena);
  node a = inside_parentheses(r, node_field(n, "left"));
  node b = inside_parentheses(r, node_field(n, "right"));
  use *u = find_use(r, a), *v = find_use(r, b);
  bool times =
      strcmp(op, "*") == 0 || strcmp(op, "//") == 0 || strcmp(op, "%") == 0;
  if (u) {
    u->multiplied = u->multiplied || times || strcmp(op, "/") == 0;
    if (op[0] == '/' || kind_of(r, b) == SYN_float)
      u->guess.float_used = u->guess.float_used || strcmp(op, "//") != 0;
  }
  if (v) {
    v->multiplied = v->multiplied || times || strcmp(op, "/") == 0;
    if (op[0] == '/' || kind_of(r, a) == SYN_float)
      v->guess.float_used = v->guess.float_used || strcmp(op, "//") != 0;
  }
}

static void read_attribute(reader *r, node n) {
  use *u = find_use(r, node_field(n, "object"));
  const char *name = u ? text_of(r, node_field(n, "attribute")) : "";
  static const char *const methods[] = {"load", "store", "gather", "scatter",
                                        "atomic_add"};
  node around = node_parent(n);
  if (u && ONE_OF(name, methods) && kind_of(r, around) == SYN_call)
    u->opaque = true;
  if (u && (strcmp(name, "dtype") == 0 || strcmp(name, "type") == 0) &&
      node_text_is(r->syntax, node_field(around, "attribute"), "element_ty"))
    u->pointer = true;
}

static void merge_helper(reader *r, node call, const reader *helper) {
  for (size_t i = 0; i < helper->count; i++) {
    const use *inner = &helper->uses[i];
    node given = argument(r, call, (uint32_t)i, inner->guess.name);
    if (!node_is(given))
      continue;
    if (inner->pointer)
      mark_base(r, given);
    use *u = find_use(r, inside_parentheses(r, given));
    if (inner->guess.integer_used && !inner->pointer)
      mark_integers(r, given, 0);
    if (inner->guess.spans_tile)
      mark_shape(r, given);
    if (!u)
      continue;
    u->guess.truth_tested |= inner->guess.truth_tested;
    u->guess.none_tested |= inner->guess.none_tested;
    u->guess.float_used |= inner->guess.float_used;
    u->multiplied |= inner->multiplied;
    u->opaque |= inner->opaque;
    for (size_t k = 0; k < inner->strings.count; k++)
      VEC_PUSH(r->arena, &u->strings, inner->strings.at[k]);
    for (size_t k = 0; k < inner->integers.count; k++)
      VEC_PUSH(r->arena, &u->integers, inner->integers.at[k]);
  }
}

static reader read_function(const reader *caller, arena *arena,
                            const file_names *names, node definition,
                            int *budget);

static void read_helper(reader *r, node call) {
  node callee = node_field(call, "function");
  syn kind = kind_of(r, callee);
  if (kind != SYN_identifier && kind != SYN_attribute)
    return;
  const file_names *names = r->names;
  const file_function *f = names_function(names, text_of(r, callee));
  const char *full = f ? NULL : names_qualified(names, callee);
  if (full) {
    found_name found = project_find(names, full);
    f = found.kind == FOUND_FUNCTION ? found.function : NULL;
    names = f ? found.names : names;
  }
  if (!f || r->depth >= HELPER_DEPTH || (*r->budget -= 200) < 0)
    return;
  for (const reader *c = r; c; c = c->caller)
    if (node_same(c->definition, f->definition))
      return;
  reader helper = read_function(r, r->arena, names, f->definition, r->budget);
  merge_helper(r, call, &helper);
}

static bool is_access(const char *name) {
  static const char *const names[] = {"load", "store", "make_block_ptr",
                                      "make_tensor_descriptor"};
  return ONE_OF(name, names) || strncmp(name, "atomic_", 7) == 0;
}

static void read_call(reader *r, node n) {
  static const char *const shapes[] = {"arange",  "zeros", "full",
                                       "reshape", "view",  "broadcast_to"};
  static const char *const bounds[] = {"arange", "range", "static_range"};
  static const char *const floats[] = {"sqrt", "rsqrt", "exp",
                                       "log",  "exp2",  "log2"};
  const char *name = callee_name(r, n);
  node list = node_field(n, "arguments");
  bool method = kind_of(r, node_field(n, "function")) == SYN_attribute &&
                find_use(r, node_field(node_field(n, "function"), "object"));
  use *called = find_use(r, node_field(n, "function"));
  if (called)
    called->opaque = true;
  if (is_access(name) && !method) {
    mark_base(r, argument(r, n, 0, name[0] == 'm' ? "base" : "pointer"));
    mark_integers(r, argument(r, n, 0, "pointer"), 0);
    mark_integers(r, argument(r, n, name[0] == 'l' ? 1 : 2, "mask"), 0);
  }
  if (ONE_OF(name, shapes))
    mark_shape(r, strcmp(name, "full") == 0 || strcmp(name, "zeros") == 0
                      ? argument(r, n, 0, "shape")
                      : list);
  if (strcmp(name, "make_block_ptr") == 0)
    mark_shape(r, argument(r, n, 4, "block_shape"));
  if (ONE_OF(name, bounds))
    mark_integers(r, list, 0);
  for (node a = node_child(list, 0); ONE_OF(name, floats) && node_is(a);
       a = node_next(a))
    for (node m = a; node_is(m); m = node_walk(a, m, true)) {
      use *u = find_use(r, m);
      if (u)
        u->guess.float_used = true;
    }
  static const char *const tiles[] = {"dot",     "trans",  "sum",
                                      "permute", "argmax", "expand_dims"};
  for (uint32_t i = 0; i < 2 && ONE_OF(name, tiles); i++) {
    use *u = find_use(r, argument(r, n, i, "input"));
    if (u && (i == 0 || name[0] == 'd'))
      u->opaque = true; /* a tile: a helper on its own */
  }
  read_helper(r, n);
}

static void read_node(reader *r, node n) {
  syn kind = kind_of(r, n);
  if (kind == SYN_call)
    read_call(r, n);
  else if (kind == SYN_comparison_operator)
    read_comparison(r, n);
  else if (kind == SYN_attribute)
    read_attribute(r, n);
  else if (kind == SYN_if_statement || kind == SYN_elif_clause ||
           kind == SYN_while_statement)
    mark_truth(r, node_field(n, "condition"), 0);
  else if (kind == SYN_conditional_expression)
    mark_truth(r, node_child(n, 1), 0);
  else if (kind == SYN_boolean_operator || kind == SYN_not_operator)
    mark_truth(r, n, 0);
  else if (kind == SYN_subscript) {
    use *u = find_use(r, node_field(n, "value"));
    if (u)
      u->opaque = true;
  }
}

static reader read_function(const reader *caller, arena *arena,
                            const file_names *names, node definition,
                            int *budget) {
  reader r = {.caller = caller,
              .arena = arena,
              .names = names,
              .syntax = names->syntax,
              .definition = definition,
              .depth = caller ? caller->depth + 1 : 0,
              .budget = budget};
  read_parameters(&r);
  read_locals(&r);
  node body = node_field(definition, "body");
  for (node n = body; node_is(n); n = node_walk(body, n, true))
    if (kind_of(&r, n) == SYN_binary_operator)
      read_binary(&r, n);
  for (node n = body; node_is(n); n = node_walk(body, n, true))
    read_node(&r, n);
  return r;
}

/* --------------------------------------------------------------- decision */

static bool named_pointer(const char *name) {
  size_t n = strlen(name);
  return n >= 3 &&
         (strcmp(name + n - 3, "ptr") == 0 || strcmp(name + n - 3, "Ptr") == 0);
}

static param_kind decide_kind(const reader *r, const use *u) {
  syn def = kind_of(r, u->guess.default_value);
  if (u->guess.kind == PARAM_CONST)
    return PARAM_CONST;
  if (u->guess.variadic || (u->opaque && !u->pointer))
    return PARAM_OPAQUE;
  if (u->pointer || (named_pointer(u->guess.name) && !u->multiplied &&
                     u->guess.annotation == SC_NONE))
    return PARAM_POINTER;
  if (u->guess.annotation == SC_BOOL || def == SYN_true || def == SYN_false)
    return PARAM_BOOL;
  if (u->guess.annotation != SC_NONE)
    return scalar_is_float(u->guess.annotation) ? PARAM_FLOAT : PARAM_INT;
  if (def == SYN_float || (u->guess.float_used && !u->guess.integer_used))
    return PARAM_FLOAT;
  return PARAM_INT;
}

param_guess_vec params_guess(arena *arena, const file_names *names,
                             const file_function *function) {
  int budget = BUDGET;
  reader r = read_function(NULL, arena, names, function->definition, &budget);
  param_guess_vec out = {0};
  for (size_t i = 0; i < r.count; i++) {
    use *u = &r.uses[i];
    u->guess.kind = decide_kind(&r, u);
    u->guess.strings = u->strings.at;
    u->guess.string_count = u->strings.count;
    u->guess.integers = u->integers.at;
    u->guess.integer_count = u->integers.count;
    VEC_PUSH(arena, &out, u->guess);
  }
  return out;
}
