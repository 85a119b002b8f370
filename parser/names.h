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
} file_function;

typedef struct file_constant {
  const char *name;
  node value;
} file_constant;

typedef struct file_import {
  const char *name, *full;
} file_import;

typedef struct file_names {
  const syntax *syntax;
  arena *arena;
  VEC(file_function) functions;
  /* Module-level names bound once to a constant the parser can evaluate
   * (numbers, strings, dtypes, tl.constexpr(...)): name -> static value. */
  VEC(file_constant) constants;
  /* Import aliases: "tl" -> "triton.language", "cdiv" -> "triton.cdiv". */
  VEC(file_import) imports;
} file_names;

file_names *names_collect(arena *arena, const syntax *syntax);
/* The full dotted name of an expression made of names and attributes, through
 * the import aliases ("T.load" -> "triton.language.load",
 * "tl.math.exp" -> "triton.language.math.exp"); null if it is none. */
const char *names_qualified(const file_names *self, node expression);
/* The function of that name (jit or not), null if there is none. Methods are
 * found by their plain name only when asked for with their class. */
const file_function *names_function(const file_names *self, const char *name);

#endif
