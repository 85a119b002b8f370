/* parser/functions.h: what the host functions of a file do to memory: the
 * whole-array operators that they execute and the kernels that they launch. */
#ifndef PARSER_FUNCTIONS_H
#define PARSER_FUNCTIONS_H

#include "ir/tile.h"

/* All elements of a tensor, read or written once by one operator. */
typedef struct moved {
  const char *name; /* of the tensor in the host code */
  expr elements;
  scalar dtype; /* SC_ANY: that of the tensor `type_of` (null: nobody knows) */
  const char *type_of;
} moved;
typedef VEC(moved) moved_vec;

typedef enum step_kind {
  STEP_OPERATOR,
  STEP_LAUNCH, /* `name` is the kernel */
  STEP_OPEN,   /* not understood: it may move anything */
} step_kind;

/* What a name stands for in the function around a launch, when another function
 * calls that one: a number or element size in the caller's symbols, a flag. */
typedef struct host_meaning {
  const char *name;    /* "M", "x.shape[0]", "x.itemsize", "causal" */
  expr value;          /* or EXPR_NONE */
  const char *type_of; /* of an element size that is not known: it is that of
                          this tensor of the caller's */
  const char *flag;    /* "True", "False", "None", "not None" */
} host_meaning;

typedef struct host_step {
  step_kind kind;
  span at; /* the operator, call or launch */
  const char *name;
  moved_vec reads, writes; /* OPERATOR */
  expr times;              /* turns of the loops around it, 0 where a condition
                              around it does not hold; EXPR_NONE: see `why` */
  const char *why; /* not null: what it does, or how often, is not known */
  bool called;     /* LAUNCH: it stands in a function that this one calls, and
                      its names mean: */
  VEC(host_meaning) meanings;
  bool vague; /* OPEN: it may be that it has nothing to do with arrays */
} host_step;

/* The symbol that is the extent of an axis of a parameter. */
typedef struct host_axis_name {
  const char *parameter;
  uint8_t axis;
  const char *symbol;
} host_axis_name;

/* One host function, with open flags decided one way. */
typedef struct host_unit {
  const char *name;   /* "Class.method" for methods */
  span at;            /* of the name in the def line */
  const char *choice; /* how open flags were decided, "causal=True"; "" */
  /* Symbols and facts of the function's arguments; no body. */
  tile_program *program;
  VEC(host_step) steps; /* in the order of execution */
  VEC(const char *) assumptions;
  VEC(const char *) turns; /* symbols that count the turns of loops */
  /* Axes of the parameters that are tensors of known rank: symbols only. */
  VEC(host_axis_name) axes;
} host_unit;
typedef VEC(host_unit) host_unit_vec;

#endif
