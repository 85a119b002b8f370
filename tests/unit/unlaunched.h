/* tests/unit/unlaunched.h: lowers a kernel of a Python text without reading
 * any host code: integers and constexprs become symbols of their own names,
 * pointers get tensors of which nothing but the element type is known. */
#ifndef TESTS_UNIT_UNLAUNCHED_H
#define TESTS_UNIT_UNLAUNCHED_H

#include "parser/lower.h"
#include "parser/params.h"

typedef struct lowered {
  tile_program *program;
  notice_vec notices;
  const char *text;  /* of the program */
  const char *wrong; /* the verifier's sentence, or null */
  bool compiles;     /* what lower_kernel said */
} lowered;

/* What a test says of a parameter: "NAME=*TYPE" makes it a pointer,
 * "NAME=TYPE" a number of that type, "NAME=int" an integer typed by its value,
 * "NAME=5" a constexpr; "NAME=none", "NAME=true", "NAME=false",
 * "NAME='text'". Others are as params_guess says. */
typedef struct lower_setup {
  const char *const *rows;
  size_t count;
} lower_setup;

static inline const char *setup_of(lower_setup s, const char *name) {
  size_t n = strlen(name);
  for (size_t i = 0; i < s.count; i++)
    if (strncmp(s.rows[i], name, n) == 0 && s.rows[i][n] == '=')
      return s.rows[i] + n + 1;
  return NULL;
}

static inline void add_pointer(tile_program *p, param *out, scalar dtype) {
  tensor t = {.name = out->name,
              .dtype = dtype,
              .parameter = true,
              .storage = (uint32_t)p->tensors.count};
  out->kind = PARAM_POINTER;
  out->tensor = (uint32_t)p->tensors.count;
  out->offset = expr_int(p->exprs, 0);
  out->type = type_scalar(dtype);
  out->type.pointer = true;
  VEC_PUSH(p->arena, &p->tensors, t);
}

/* A constexpr whose value the test states; false for none. */
static inline bool add_stated(tile_program *p, param *out, binding *b,
                              const char *stated) {
  bool flag = strcmp(stated, "true") == 0 || strcmp(stated, "false") == 0;
  out->kind = PARAM_STATIC;
  out->text = stated;
  if (flag)
    b->value = (static_value){
        .kind = STATIC_BOOL,
        .number = expr_int(p->exprs, strcmp(stated, "true") == 0)};
  else if (strcmp(stated, "none") == 0)
    b->value = (static_value){.kind = STATIC_NONE};
  else if (stated[0] == '\'')
    b->value = (static_value){
        .kind = STATIC_STRING,
        .text = arena_strndup(p->arena, stated + 1, strlen(stated) - 2)};
  else
    return false;
  return true;
}

/* A symbol of that name, or of one like it: parameters may share a name in a
 * text that is no Python. */
static inline expr add_symbol(tile_program *p, const char *name,
                              symbol_role role, bool pow2) {
  while (exprs_find(p->exprs, name) != EXPR_NONE)
    name = arena_printf(p->arena, "%s_", name);
  return exprs_symbol(p->exprs,
                      (symbol){.name = name, .role = role, .pow2 = pow2});
}

static inline void add_int(tile_program *p, param *out, scalar forced) {
  size_t index = p->params.count;
  out->kind = PARAM_INT;
  out->type = type_scalar(forced != SC_NONE ? forced : SC_I32);
  if (forced == SC_NONE && index < 64)
    out->type.wide = (uint64_t)1 << index;
  out->value = add_symbol(p, out->name, SYMBOL_INT, false);
}

static inline void add_const(tile_program *p, param *out, binding *b,
                             const param_guess *g, const char *stated) {
  out->kind = PARAM_CONST;
  out->value = stated ? expr_int(p->exprs, strtoll(stated, NULL, 0))
                      : add_symbol(p, g->name, SYMBOL_CONST, g->spans_tile);
  b->value = (static_value){.kind = STATIC_INT, .number = out->value};
}

static inline void add_param(tile_program *p, const param_guess *g, binding *b,
                             const char *stated) {
  param out = {.name = g->name, .kind = g->kind};
  scalar s = stated ? scalar_from_name(stated, strlen(stated)) : SC_NONE;
  b->name = g->name;
  if (stated && stated[0] == '*')
    add_pointer(p, &out, scalar_from_name(stated + 1, strlen(stated) - 1));
  else if (stated && strcmp(stated, "int") == 0)
    add_int(p, &out, SC_NONE);
  else if (s != SC_NONE && scalar_is_int(s))
    add_int(p, &out, s);
  else if (!stated || !add_stated(p, &out, b, stated)) {
    if (stated || g->kind == PARAM_CONST)
      add_const(p, &out, b, g, stated);
    else if (g->kind == PARAM_POINTER)
      add_pointer(p, &out, SC_ANY);
    else if (g->kind == PARAM_INT)
      add_int(p, &out, g->annotation);
    else
      out.type = type_scalar(g->kind == PARAM_FLOAT  ? SC_F32
                             : g->kind == PARAM_BOOL ? SC_BOOL
                                                     : SC_ANY);
  }
  if (out.kind != PARAM_CONST && out.kind != PARAM_STATIC)
    out.value_id = program_value(p, out.type, g->name);
  VEC_PUSH(p->arena, &p->params, out);
}

/* Lowers the function of that name; null for the first jit function. */
static inline lowered lower_text_of(arena *a, const char *text, size_t length,
                                    const char *name, lower_setup setup) {
  lowered out = {0};
  source *s = source_from_text(a, "k.py", text, length);
  syntax *tree = syntax_parse(a, s);
  file_names *names = names_collect(a, tree);
  const file_function *f = NULL;
  for (size_t i = 0; i < names->functions.count && !f; i++)
    if (names->functions.at[i].jit &&
        (!name || strcmp(name, names->functions.at[i].name) == 0))
      f = &names->functions.at[i];
  if (f) {
    tile_program *p = program_create(a, "k.py", f->name);
    param_guess_vec guesses = params_guess(a, names, f);
    binding *bindings = ARENA_ARRAY(a, binding, guesses.count + 1);
    p->at = node_span(tree, f->definition);
    p->max_numel = ((int64_t)1 << 31) - (1 << 20);
    for (size_t i = 0; i < guesses.count; i++)
      add_param(p, &guesses.at[i], &bindings[i],
                setup_of(setup, guesses.at[i].name));
    out.compiles = lower_kernel(p, names, f->definition, bindings,
                                guesses.count, a, &out.notices);
    out.wrong = program_verify(p, a);
    strbuf b = strbuf_make(a);
    program_print(p, &b);
    out.program = p;
    out.text = b.text;
  }
  syntax_destroy(tree);
  return out;
}

#endif
