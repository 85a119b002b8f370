/* parser/bindings.c: the statements that bind a name of the module. */
#include "parser/names.h"

static syn kind_of(const file_names *self, node n) {
  return syntax_kind(self->syntax, n);
}

static void add_definition(const file_names *self, arena *arena, node n,
                           name_binding_vec *out) {
  name_binding b = {.statement = n, .function = names_function_at(self, n)};
  VEC_PUSH(arena, out, b);
}

/* `name = value`; false for any other target with the name in it. */
static bool add_assignment(const file_names *self, const char *name,
                           arena *arena, node n, name_binding_vec *out) {
  node target = node_field(n, "left"), value = node_field(n, "right");
  if (!node_is(value))
    return true; /* a bare annotation */
  if (kind_of(self, target) == SYN_identifier) {
    name_binding b = {.statement = n, .value = value};
    if (node_text_is(self->syntax, target, name))
      VEC_PUSH(arena, out, b);
    return kind_of(self, value) != SYN_assignment;
  }
  for (node t = target; node_is(t); t = node_walk(target, t, true))
    if (kind_of(self, t) == SYN_identifier &&
        node_text_is(self->syntax, t, name))
      return false;
  return true;
}

static void add_imports(const file_names *self, const char *name, arena *arena,
                        node n, name_binding_vec *out) {
  for (size_t i = 0; i < self->every_import.count; i++) {
    const file_import *import = &self->every_import.at[i];
    name_binding b = {.statement = n, .import = import->full};
    if (node_same(import->statement, n) && strcmp(import->name, name) == 0)
      VEC_PUSH(arena, out, b);
  }
}

bool names_all_bindings(const file_names *self, const char *name, arena *arena,
                        name_binding_vec *out) {
  node root = syntax_root(self->syntax);
  bool down = true;
  uint32_t statements = 0;
  for (node n = root; node_is(n); n = node_walk(root, n, down)) {
    syn kind = kind_of(self, n);
    down = kind != SYN_function_definition && kind != SYN_class_definition &&
           kind != SYN_lambda;
    if (kind == SYN_function_definition &&
        node_text_is(self->syntax, node_field(n, "name"), name))
      add_definition(self, arena, n, out);
    else if (kind == SYN_assignment &&
             !add_assignment(self, name, arena, n, out))
      return false;
    else if (kind == SYN_import_statement || kind == SYN_import_from_statement)
      add_imports(self, name, arena, n, out);
  }
  for (size_t i = 0; i < out->count; i++)
    statements += !out->at[i].import;
  /* What else binds it (loops, classes, `global`) was counted too. */
  return statements == names_bindings(self, name);
}
