/* parser/static.h: values that Python knows before the kernel runs.
 *
 * Host code and the compile-time part of a kernel both compute with these. An
 * integer is a launch expression, so a size that only the launch knows is a
 * perfectly good compile-time value. */
#ifndef PARSER_STATIC_H
#define PARSER_STATIC_H

#include "ir/tile.h"
#include "parser/syntax.h"

typedef enum static_kind {
  STATIC_UNKNOWN, /* not understood; poisons what is computed from it */
  STATIC_INT,     /* number: a launch expression, integer */
  STATIC_BOOL,    /* number: a launch expression, condition (constants: 0, 1) */
  STATIC_FLOAT,
  STATIC_STRING,
  STATIC_NONE,
  STATIC_CHOICE,   /* one of the items: the number-th, a launch expression */
  STATIC_DTYPE,    /* tl.float32, torch.int8, ...: scalar */
  STATIC_TUPLE,    /* items; lists too */
  STATIC_TENSOR,   /* host: index into the program's tensors, element offset */
  STATIC_FUNCTION, /* a def or lambda: node; or one of several: items */
  STATIC_MODULE,   /* tl, triton, torch, math, ...: text is the full name */
} static_kind;

typedef struct static_value {
  static_kind kind;
  expr number;
  double real;
  const char *text;
  scalar dtype;
  uint32_t tensor;
  expr offset;
  const struct static_value *items;
  uint32_t count;
  bool another; /* UNKNOWN: a text that is none of the others of its CHOICE */
  node where;   /* FUNCTION: its definition */
  /* FUNCTION: the file of its definition; MODULE: the file whose import it is;
   * null: the file that is checked. */
  const struct file_names *file;
} static_value;

#endif
