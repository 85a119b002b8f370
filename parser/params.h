/* parser/params.h: what kind of thing each parameter of a kernel is, read from
 * annotations and from its uses in the body, for kernels that nobody launches
 * and for arguments that the host code does not tell. */
#ifndef PARSER_PARAMS_H
#define PARSER_PARAMS_H

#include "parser/names.h"

typedef struct param_guess {
  const char *name;
  node at;            /* the whole parameter */
  node default_value; /* or no node */
  param_kind kind;    /* POINTER, INT, FLOAT, BOOL, CONST or OPAQUE */
  scalar annotation;  /* `x: tl.int64`, or of a pointer annotated as text
                         ("*fp32"); SC_NONE: none. A parameter annotated
                         tl.constexpr is CONST with SC_NONE */
  /* Uses in the body (of helpers of the file too): */
  bool spans_tile;   /* a tile's extent is made of it: a power of two */
  bool truth_tested; /* `if X`, `X and`, `not X`, `a if X else b` */
  bool none_tested;  /* `X is None`, `X is not None` */
  bool float_used;   /* `X / 2`, `X * 0.5`, tl.sqrt(X) */
  bool integer_used; /* in an address, arange, range or mask */
  bool variadic;     /* `*args`, `**kwargs` */
  /* String literals that it is compared with (`ACTIVATION == "relu"`). */
  const char *const *strings;
  size_t string_count;
  /* Integer literals that it is compared with by == or !=, or by `in`. */
  const int64_t *integers;
  size_t integer_count;
} param_guess;
typedef VEC(param_guess) param_guess_vec;

/* One for each parameter of the function, in order. */
param_guess_vec params_guess(arena *arena, const file_names *names,
                             const file_function *function);

#endif
