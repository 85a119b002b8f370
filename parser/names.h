/* parser/names.h: what the file's own names mean: imports and their aliases,
 * functions, jit kernels, module-level constants. */
#ifndef PARSER_NAMES_H
#define PARSER_NAMES_H

#include "parser/parser.h"
#include "parser/static.h"

typedef VEC(notice) notice_vec;

typedef struct file_function {
  const char *name;
  const char *class_name; /* enclosing class, null at module level */
  node definition;        /* function_definition */
  node decorated;         /* decorated_definition around it, or no node */
  bool jit; /* triton.jit in any spelling, f = triton.jit(g) too */
  node autotune, heuristics; /* the decorators' call nodes, or no node */
  bool nested;               /* inside another function */
} file_function;

typedef struct file_constant {
  const char *name;
  node value;
} file_constant;

typedef struct file_import {
  const char *name, *full;
  node statement;
} file_import;

typedef struct names_index names_index; /* hash tables, in names.c */
typedef struct file_names file_names;

struct file_names {
  const syntax *syntax;
  arena *arena;
  names_index *index;
  VEC(file_function) functions;
  /* Module-level names bound exactly once, by an assignment, with the
   * expression assigned; whoever needs the value evaluates it. */
  VEC(file_constant) constants;
  /* Import aliases: "tl" -> "triton.language", "cdiv" -> "triton.cdiv". */
  VEC(file_import) imports;
  /* Each import statement's bindings, the competing ones too. */
  VEC(file_import) every_import;
  VEC(const char *) stars; /* modules of `from module import *`, in order */
  /* The other files that this one imports from (parser/project.h); null when
   * nobody looks for them. */
  struct project *project;
  uint32_t index_in_project; /* 0: the file that is checked */
};

/* One of several statements of the module scope that bind a name. */
typedef struct name_binding {
  node statement; /* its own node: function_definition, assignment, import */
  const file_function *function; /* or null */
  node value;                    /* an assignment's, or no node */
  const char *import;            /* the full name, or null */
} name_binding;
typedef VEC(name_binding) name_binding_vec;

file_names *names_collect(arena *arena, const syntax *syntax);
/* The full dotted name of an expression made of names and attributes, through
 * the import aliases ("T.load" -> "triton.language.load",
 * "tl.math.exp" -> "triton.language.math.exp"); null if it is none. */
const char *names_qualified(const file_names *self, node expression);
/* The function of that name (jit or not), null if there is none or if several
 * definitions compete (in the arms of an if). `f = triton.jit(g)` makes f a
 * name of g. Methods are found as "Class.method" only. */
const file_function *names_function(const file_names *self, const char *name);
/* The function whose function_definition node this is; null if none. */
const file_function *names_function_at(const file_names *self, node definition);
/* The expression assigned to a module constant; no node if there is none. */
node names_constant(const file_names *self, const char *name);
/* How many of the module's own statements bind the name, imports aside. */
uint32_t names_bindings(const file_names *self, const char *name);
/* parser/bindings.c: all statements of the module scope that bind a name, in
 * text order; false when there are others than definitions, plain assignments
 * and imports. */
bool names_all_bindings(const file_names *self, const char *name, arena *arena,
                        name_binding_vec *out);
/* Whether the module's own statements bind the name. */
bool names_bound(const file_names *self, const char *name);
/* The full name that an import binds; null if no import binds the name, "?..."
 * if imports of different things compete for it. */
const char *names_import(const file_names *self, const char *name);

#endif
