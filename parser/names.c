/* parser/names.c: imports, functions, jit kernels, module constants. */
#include "parser/names.h"

#include <assert.h>

#include "base/map.h"

enum { DOTS_LIMIT = 16, ALIAS_LIMIT = 8 };

/* Keys are interned names; values are indices + 1. Run arena. */
struct names_index {
  intern *ids;
  map *bound; /* how often the module scope binds the name */
  map *functions;
  map *constants;
  map *imports;
};

#define COMPETING UINT64_MAX /* in functions: several definitions */

static syn kind_of(const file_names *self, node n) {
  return syntax_kind(self->syntax, n);
}

static const char *text_of(const file_names *self, node n) {
  return node_text(self->syntax, n, self->arena);
}

static uint64_t look_up(const file_names *self, const map *m,
                        const char *name) {
  uint64_t value = 0;
  map_get(m, intern_id(self->index->ids, name), &value);
  return value;
}

static void record(const file_names *self, map *m, const char *name,
                   uint64_t value) {
  map_put(m, intern_id(self->index->ids, name), value);
}

static const char *last_name(const char *full) {
  const char *dot = strrchr(full, '.');
  return dot ? dot + 1 : full;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* ------------------------------------------------------ qualified names */

static const char *qualify(const file_names *self, node expression,
                           int alias_depth);

/* What a name that is not followed by a dot stands for. */
static const char *qualify_name(const file_names *self, const char *name,
                                int alias_depth) {
  const char *import = names_import(self, name);
  if (import)
    return import;
  node value = names_constant(self, name);
  syn kind = kind_of(self, value);
  if (alias_depth < ALIAS_LIMIT &&
      (kind == SYN_attribute || kind == SYN_identifier)) {
    const char *full = qualify(self, value, alias_depth + 1);
    if (full)
      return full;
  }
  if (look_up(self, self->index->bound, name))
    return name;
  /* Pieces of files often come without their imports. */
  return strcmp(name, "tl") == 0 ? "triton.language" : name;
}

static const char *qualify(const file_names *self, node expression,
                           int alias_depth) {
  const char *parts[DOTS_LIMIT];
  int count = 0;
  node n = expression;
  for (; kind_of(self, n) == SYN_attribute; n = node_field(n, "object")) {
    if (count == DOTS_LIMIT)
      return NULL;
    parts[count++] = text_of(self, node_field(n, "attribute"));
  }
  if (kind_of(self, n) != SYN_identifier)
    return NULL;
  const char *root = qualify_name(self, text_of(self, n), alias_depth);
  if (count == 0)
    return root;
  strbuf full = strbuf_make(self->arena);
  strbuf_put(&full, root);
  while (count > 0) {
    strbuf_putc(&full, '.');
    strbuf_put(&full, parts[--count]);
  }
  return full.text;
}

const char *names_qualified(const file_names *self, node expression) {
  return qualify(self, expression, 0);
}

const char *names_import(const file_names *self, const char *name) {
  uint64_t at = look_up(self, self->index->imports, name);
  return at ? self->imports.at[at - 1].full : NULL;
}

bool names_bound(const file_names *self, const char *name) {
  return look_up(self, self->index->bound, name) != 0;
}

uint32_t names_bindings(const file_names *self, const char *name) {
  return (uint32_t)look_up(self, self->index->bound, name);
}

node names_constant(const file_names *self, const char *name) {
  uint64_t at = look_up(self, self->index->constants, name);
  return at ? self->constants.at[at - 1].value : (node){.id = NULL};
}

const file_function *names_function(const file_names *self, const char *name) {
  uint64_t at = look_up(self, self->index->functions, name);
  if (at == 0 || at == COMPETING)
    return NULL;
  return &self->functions.at[at - 1];
}

const file_function *names_function_at(const file_names *self,
                                       node definition) {
  for (size_t i = 0; i < self->functions.count; i++)
    if (node_same(self->functions.at[i].definition, definition))
      return &self->functions.at[i];
  return NULL;
}

/* -------------------------------------------------------------- imports */

/* A dotted name without the blanks that may stand in it. */
static const char *dotted_text(const file_names *self, node n) {
  strbuf out = strbuf_make(self->arena);
  const char *raw = text_of(self, n);
  for (const char *p = raw; *p; p++)
    if (*p != ' ' && *p != '\t' && *p != '\\' && *p != '\n' && *p != '\r')
      strbuf_putc(&out, *p);
  return out.text;
}

static void add_import(file_names *self, node statement, const char *name,
                       const char *full) {
  VEC_PUSH(self->arena, &self->every_import,
           ((file_import){name, full, statement}));
  uint64_t at = look_up(self, self->index->imports, name);
  if (at) {
    /* The same name from two modules (try, except ImportError) means the same
     * thing; two different names do not. */
    file_import *known = &self->imports.at[at - 1];
    if (strcmp(last_name(known->full), last_name(full)) != 0)
      known->full = arena_printf(self->arena, "?.%s", name);
    return;
  }
  VEC_PUSH(self->arena, &self->imports, ((file_import){name, full, statement}));
  record(self, self->index->imports, name, self->imports.count);
}

/* `import a.b`, `import a.b as c`. */
static void read_import(file_names *self, node statement) {
  for (uint32_t i = 0; i < node_count(statement); i++) {
    node n = node_child(statement, i);
    if (kind_of(self, n) == SYN_aliased_import) {
      add_import(self, statement, text_of(self, node_field(n, "alias")),
                 dotted_text(self, node_field(n, "name")));
    } else if (kind_of(self, n) == SYN_dotted_name) {
      const char *root = text_of(self, node_child(n, 0));
      add_import(self, statement, root, root);
    }
  }
}

/* `from a.b import c, d as e`. */
static void read_import_from(file_names *self, node statement) {
  node from = node_field(statement, "module_name");
  const char *module = dotted_text(self, from);
  const char *dot = ends_with(module, ".") ? "" : ".";
  for (uint32_t i = 0; i < node_count(statement); i++) {
    node n = node_child(statement, i);
    if (node_same(n, from))
      continue;
    if (strcmp(syntax_kind_text(n), "wildcard_import") == 0)
      VEC_PUSH(self->arena, &self->stars, module);
    bool aliased = kind_of(self, n) == SYN_aliased_import;
    if (!aliased && kind_of(self, n) != SYN_dotted_name)
      continue;
    node what = aliased ? node_field(n, "name") : n;
    node as = aliased ? node_field(n, "alias") : n;
    add_import(self, statement, text_of(self, as),
               arena_printf(self->arena, "%s%s%s", module, dot,
                            dotted_text(self, what)));
  }
}

/* ---------------------------------------------------- module constants */

static void count_binding(file_names *self, const char *name) {
  uint64_t seen = look_up(self, self->index->bound, name);
  record(self, self->index->bound, name, seen + 1);
}

/* Every plain name below a target. */
static void count_target(file_names *self, node target) {
  bool down = true;
  for (node n = target; node_is(n); n = node_walk(target, n, down)) {
    syn kind = kind_of(self, n);
    down = kind != SYN_attribute && kind != SYN_subscript && kind != SYN_call;
    if (kind == SYN_identifier)
      count_binding(self, text_of(self, n));
  }
}

static void add_constant(file_names *self, node target, node value) {
  if (kind_of(self, target) != SYN_identifier)
    return;
  const char *name = text_of(self, target);
  VEC_PUSH(self->arena, &self->constants, ((file_constant){name, value}));
}

static void read_assignment(file_names *self, node statement) {
  node target = node_field(statement, "left");
  node value = node_field(statement, "right");
  if (!node_is(value))
    return; /* a bare annotation */
  count_target(self, target);
  node last = value;
  while (kind_of(self, last) == SYN_assignment)
    last = node_field(last, "right");
  if (kind_of(self, target) == SYN_pattern_list &&
      kind_of(self, last) == SYN_expression_list &&
      node_count(target) == node_count(last)) {
    node t = node_child(target, 0), v = node_child(last, 0);
    for (; node_is(t) && node_is(v); t = node_next(t), v = node_next(v))
      add_constant(self, t, v);
  } else if (node_is(last)) {
    add_constant(self, target, last);
  }
}

/* What one node of the module scope binds. */
static void read_binding(file_names *self, node n) {
  syn kind = kind_of(self, n);
  if (kind == SYN_assignment)
    read_assignment(self, n);
  else if (kind == SYN_augmented_assignment || kind == SYN_for_statement)
    count_target(self, node_field(n, "left"));
  else if (kind == SYN_named_expression || kind == SYN_function_definition ||
           kind == SYN_class_definition)
    count_target(self, node_field(n, "name"));
  else if (strcmp(syntax_kind_text(n), "as_pattern") == 0)
    count_target(self, node_field(n, "alias"));
}

static void read_module_scope(file_names *self) {
  node root = syntax_root(self->syntax);
  bool down = true;
  for (node n = root; node_is(n); n = node_walk(root, n, down)) {
    syn kind = kind_of(self, n);
    down = kind != SYN_function_definition && kind != SYN_class_definition &&
           kind != SYN_lambda;
    read_binding(self, n);
  }
}

/* Keeps the constants that are bound exactly once and not imported too. */
static void settle_constants(file_names *self) {
  size_t kept = 0;
  for (size_t i = 0; i < self->constants.count; i++) {
    file_constant c = self->constants.at[i];
    if (look_up(self, self->index->bound, c.name) != 1 ||
        names_import(self, c.name))
      continue;
    self->constants.at[kept++] = c;
    record(self, self->index->constants, c.name, kept);
  }
  self->constants.count = kept;
}

/* An import and an assignment of the same name: `tl = None` after a failed
 * import and a module's function of the same last name mean the import. */
static void settle_imports(file_names *self) {
  for (size_t i = 0; i < self->constants.count; i++) {
    file_constant c = self->constants.at[i];
    uint64_t at = look_up(self, self->index->imports, c.name);
    if (!at || kind_of(self, c.value) == SYN_none)
      continue;
    file_import *import = &self->imports.at[at - 1];
    const char *full = kind_of(self, c.value) == SYN_attribute
                           ? text_of(self, node_field(c.value, "attribute"))
                           : "";
    if (strcmp(full, last_name(import->full)) != 0)
      import->full = arena_printf(self->arena, "?.%s", c.name);
  }
}

/* ------------------------------------------------------------ functions */

/* True when a name stands for triton.jit or something like it. */
static bool means_jit(const file_names *self, node expression) {
  static const char *const others[] = {"numba.", "jax.", "torch.", "cupy.",
                                       "tvm.",   "nki.", "cupyx."};
  const char *full = names_qualified(self, expression);
  if (!full)
    return false;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (strncmp(full, others[i], strlen(others[i])) == 0)
      return false;
  const char *last = last_name(full);
  return strcmp(last, "jit") == 0 || ends_with(last, "_jit");
}

/* `triton.jit`, `triton.jit(...)`, `functools.partial(triton.jit, ...)`. */
static bool jit_decorator(const file_names *self, node expression) {
  if (kind_of(self, expression) != SYN_call)
    return means_jit(self, expression);
  node callee = node_field(expression, "function");
  if (means_jit(self, callee))
    return true;
  const char *full = names_qualified(self, callee);
  node first = node_child(node_field(expression, "arguments"), 0);
  return full && strcmp(last_name(full), "partial") == 0 &&
         means_jit(self, first);
}

static void read_decorator(const file_names *self, node decorator,
                           file_function *f) {
  node expression = node_child(decorator, 0);
  if (jit_decorator(self, expression))
    f->jit = true;
  if (kind_of(self, expression) != SYN_call)
    return;
  const char *full = names_qualified(self, node_field(expression, "function"));
  if (!full)
    return;
  const char *last = last_name(full);
  if (ends_with(last, "autotune") || strcmp(last, "libtuner") == 0)
    f->autotune = expression;
  else if (strcmp(last, "heuristics") == 0)
    f->heuristics = expression;
}

/* Sets the class and nesting of a definition from what is around it. */
static void read_surroundings(const file_names *self, file_function *f) {
  bool direct = true;
  for (node n = node_parent(f->definition); node_is(n); n = node_parent(n)) {
    syn kind = kind_of(self, n);
    if (kind == SYN_class_definition && direct)
      f->class_name = text_of(self, node_field(n, "name"));
    if (kind == SYN_function_definition)
      f->nested = true;
    if (kind == SYN_class_definition || kind == SYN_function_definition)
      direct = false;
  }
}

/* True when the definition stands in the arm of an if or try, where another
 * one of the same name may be the one that counts. */
static bool conditional(const file_names *self, node definition) {
  for (node n = node_parent(definition); node_is(n); n = node_parent(n)) {
    syn kind = kind_of(self, n);
    if (kind == SYN_if_statement || kind == SYN_try_statement)
      return true;
    if (kind == SYN_function_definition || kind == SYN_class_definition)
      return false;
  }
  return false;
}

static void index_function(file_names *self, const file_function *f) {
  const char *name = f->name;
  if (f->class_name)
    name = arena_printf(self->arena, "%s.%s", f->class_name, f->name);
  uint64_t at = look_up(self, self->index->functions, name);
  uint64_t value = self->functions.count;
  if (at == COMPETING)
    return;
  if (at) {
    const file_function *known = &self->functions.at[at - 1];
    if (f->nested && !known->nested)
      return; /* the module's own counts for the rest of the file */
    bool replaces = known->nested && !f->nested;
    if (!replaces && (f->nested || conditional(self, f->definition) ||
                      conditional(self, known->definition)))
      value = COMPETING;
  }
  record(self, self->index->functions, name, value);
}

static void read_function(file_names *self, node definition) {
  node name = node_field(definition, "name");
  if (!node_is(name) || !node_is(node_field(definition, "body")))
    return;
  file_function f = {.name = text_of(self, name), .definition = definition};
  node around = node_parent(definition);
  if (kind_of(self, around) == SYN_decorated_definition) {
    f.decorated = around;
    for (uint32_t i = 0; i < node_count(around); i++)
      if (kind_of(self, node_child(around, i)) == SYN_decorator)
        read_decorator(self, node_child(around, i), &f);
  }
  read_surroundings(self, &f);
  VEC_PUSH(self->arena, &self->functions, f);
  index_function(self, &f);
}

/* `f = triton.jit(g)`, `f = triton.autotune(...)(triton.jit(g))`. */
static void read_wrapping(file_names *self, node assignment) {
  node target = node_field(assignment, "left");
  node call = node_field(assignment, "right");
  node tuner = {.id = NULL};
  if (kind_of(self, target) != SYN_identifier)
    return;
  for (int depth = 0; depth < ALIAS_LIMIT; depth++) {
    if (kind_of(self, call) != SYN_call)
      return;
    node callee = node_field(call, "function");
    node first = node_child(node_field(call, "arguments"), 0);
    if (jit_decorator(self, callee)) {
      if (kind_of(self, first) != SYN_identifier)
        return;
      const char *wrapped = text_of(self, first);
      uint64_t at = look_up(self, self->index->functions, wrapped);
      if (!at || at == COMPETING)
        return;
      self->functions.at[at - 1].jit = true;
      if (node_is(tuner))
        self->functions.at[at - 1].autotune = tuner;
      const char *name = text_of(self, target);
      if (!look_up(self, self->index->functions, name))
        record(self, self->index->functions, name, at);
      return;
    }
    if (kind_of(self, callee) == SYN_call) {
      const char *full = names_qualified(self, node_field(callee, "function"));
      if (full && ends_with(full, "autotune"))
        tuner = callee;
    }
    call = first;
  }
}

/* ----------------------------------------------- constants that change */

static bool is_scope(syn kind) {
  return kind == SYN_function_definition || kind == SYN_lambda;
}

/* Whether a function binds the name itself. */
static bool binds(const file_names *self, node function, const char *name) {
  bool found = false;
  for (node n = function; node_is(n); n = node_walk(function, n, true)) {
    syn kind = kind_of(self, n);
    node target = {.id = NULL};
    if (kind == SYN_global_statement && strstr(text_of(self, n), name))
      return false;
    if (kind == SYN_assignment || kind == SYN_for_statement)
      target = node_field(n, "left");
    else if (is_scope(kind))
      target = node_field(n, "parameters");
    for (node x = target; node_is(x) && !found; x = node_walk(target, x, true))
      found = kind_of(self, x) == SYN_identifier &&
              kind_of(self, node_parent(x)) != SYN_subscript &&
              node_text_is(self->syntax, x, name);
  }
  return found;
}

static bool is_shadowed(const file_names *self, node at, const char *name) {
  for (node n = node_parent(at); node_is(n); n = node_parent(n))
    if (is_scope(kind_of(self, n)) && binds(self, n, name))
      return true;
  return false;
}

/* Whether a value is a list, a dictionary or the like. */
static bool is_container(syn kind) {
  return kind == SYN_list || kind == SYN_dictionary ||
         kind == SYN_list_comprehension || kind == SYN_call;
}

/* `tl.constexpr(1)`: nobody changes it. */
static bool is_constexpr(const file_names *self, node value) {
  const char *full = kind_of(self, value) == SYN_call
                         ? names_qualified(self, node_field(value, "function"))
                         : NULL;
  return full && strcmp(full, "triton.language.constexpr") == 0;
}

/* ... that holds others that could change. */
static bool is_deep(const file_names *self, node value) {
  for (node n = value; node_is(n); n = node_walk(value, n, true))
    if (!node_same(n, value) && is_container(kind_of(self, n)))
      return true;
  return false;
}

static bool one_of(const char *text, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(text, list[i]) == 0)
      return true;
  return false;
}

/* Functions that leave their arguments as they are. */
static bool only_looks(const file_names *self, node call) {
  static const char *const names[] = {
      "len",      "list",       "tuple",      "dict",     "set",
      "sorted",   "min",        "max",        "sum",      "print",
      "any",      "all",        "zip",        "range",    "enumerate",
      "reversed", "filter",     "map",        "repr",     "str",
      "autotune", "isinstance", "heuristics", "libtuner", "product",
      "deepcopy", "copy",       "frozenset"};
  const char *full = names_qualified(self, node_field(call, "function"));
  if (!full)
    return false;
  const char *last = last_name(full);
  return one_of(last, names, sizeof names / sizeof *names) ||
         ends_with(last, "autotune");
}

/* `names.get(...)`, `names.items()`: look only. */
static bool is_looking_method(const file_names *self, node attribute) {
  static const char *const names[] = {"get",  "keys",  "values", "items",
                                      "copy", "index", "count"};
  return one_of(text_of(self, node_field(attribute, "attribute")), names,
                sizeof names / sizeof *names);
}

static bool is_target(node n) {
  return node_same(node_field(node_parent(n), "left"), n);
}

/* Whether this use of a container may change it, or give it another name. */
static bool may_change(const file_names *self, node use, bool deep) {
  bool part = false;
  node n = use;
  for (;;) {
    node up = node_parent(n);
    syn kind = kind_of(self, up);
    if (kind == SYN_subscript && node_same(node_field(up, "value"), n))
      part = true;
    else if (kind == SYN_call && node_same(node_field(up, "function"), n)) {
      if (kind_of(self, n) != SYN_attribute || !is_looking_method(self, n))
        return true;
    } else if (kind != SYN_attribute && kind != SYN_parenthesized_expression)
      break;
    n = up;
  }
  node up = node_parent(n);
  syn kind = kind_of(self, up);
  const char *text = syntax_kind_text(up);
  bool stores = kind == SYN_assignment || kind == SYN_augmented_assignment;
  if (stores && is_target(n))
    return part || kind_of(self, n) == SYN_attribute ||
           kind == SYN_augmented_assignment;
  if (kind == SYN_delete_statement)
    return true;
  bool fresh = part && !deep; /* a number or a string */
  while (strcmp(text, "keyword_argument") == 0 ||
         strcmp(text, "argument_list") == 0 || kind == SYN_list_splat ||
         kind == SYN_dictionary_splat) {
    if (kind == SYN_list_splat || kind == SYN_dictionary_splat)
      fresh = fresh || !deep;
    up = node_parent(up);
    kind = kind_of(self, up);
    text = syntax_kind_text(up);
  }
  if (kind == SYN_call)
    return !fresh && !only_looks(self, up);
  if (kind == SYN_for_statement)
    return deep;
  bool names = kind == SYN_assignment || kind == SYN_return_statement ||
               kind == SYN_lambda || kind == SYN_list || kind == SYN_tuple ||
               kind == SYN_expression_list || kind == SYN_named_expression ||
               kind == SYN_default_parameter ||
               kind == SYN_typed_default_parameter ||
               kind == SYN_conditional_expression || kind == SYN_yield ||
               strcmp(text, "pair") == 0;
  return names && !fresh;
}

/* A module's list or dictionary that something in the file may change is no
 * constant. */
static void drop_changing(file_names *self) {
  node root = syntax_root(self->syntax);
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    if (kind_of(self, n) != SYN_identifier)
      continue;
    node up = node_parent(n);
    bool other = (kind_of(self, up) == SYN_attribute &&
                  !node_same(node_field(up, "object"), n)) ||
                 (kind_of(self, up) == SYN_keyword_argument &&
                  node_same(node_field(up, "name"), n));
    const char *name = text_of(self, n);
    node value = names_constant(self, name);
    if (other || !node_is(value) || !is_container(kind_of(self, value)) ||
        is_constexpr(self, value))
      continue;
    if (may_change(self, n, is_deep(self, value)) &&
        !is_shadowed(self, n, name))
      record(self, self->index->constants, name, 0);
  }
}

file_names *names_collect(arena *arena, const syntax *syntax) {
  file_names *self = ARENA_NEW(arena, file_names);
  self->syntax = syntax;
  self->arena = arena;
  self->index = ARENA_NEW(arena, names_index);
  self->index->ids = intern_create(arena);
  self->index->bound = map_create(arena);
  self->index->functions = map_create(arena);
  self->index->constants = map_create(arena);
  self->index->imports = map_create(arena);
  node root = syntax_root(syntax);
  for (node n = root; node_is(n); n = node_walk(root, n, true)) {
    syn kind = syntax_kind(syntax, n);
    if (kind == SYN_import_statement)
      read_import(self, n);
    else if (kind == SYN_import_from_statement)
      read_import_from(self, n);
    else if (kind == SYN_global_statement)
      count_target(self, n);
  }
  read_module_scope(self);
  settle_imports(self);
  settle_constants(self);
  drop_changing(self);
  for (node n = root; node_is(n); n = node_walk(root, n, true))
    if (syntax_kind(syntax, n) == SYN_function_definition)
      read_function(self, n);
  for (node n = root; node_is(n); n = node_walk(root, n, true))
    if (syntax_kind(syntax, n) == SYN_assignment)
      read_wrapping(self, n);
  return self;
}
