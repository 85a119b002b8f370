/* ops/ops.h: facts about operations, from the rows of ops/ops.def. */
#ifndef OPS_OPS_H
#define OPS_OPS_H

#include "ir/tile.h"

/* Operand and result types of an operation. "Same" compares shape, element
 * type and pointer-ness. */
typedef enum op_signature {
  SIG_INDEX,     /* -> i32 scalar or 1-D tile */
  SIG_CONST,     /* -> any scalar */
  SIG_SPLAT,     /* scalar -> tile of that element */
  SIG_BINARY,    /* T, T -> T (for shifts too) */
  SIG_TERNARY,   /* T, T, T -> T */
  SIG_COMPARE,   /* T, T -> bool of the same shape */
  SIG_UNARY,     /* T -> T */
  SIG_TEST,      /* T -> bool of the same shape */
  SIG_WHERE,     /* bool, T, T -> T */
  SIG_CAST,      /* T -> U of the same shape */
  SIG_SHAPE,     /* tile -> tile of the same element, shape per op */
  SIG_JOIN,      /* T, T -> T with a new last axis of 2 */
  SIG_GATHER,    /* T, integers of its rank -> T's elements in their shape */
  SIG_HISTOGRAM, /* 1-D integers, bool? -> 1-D i32 */
  SIG_REDUCE,    /* tile -> tile or scalar without one axis */
  SIG_ARG,       /* the same, result i32 */
  SIG_SCAN,      /* T -> T */
  SIG_DOT,       /* a, b, acc? -> tile */
  SIG_RANDOM,    /* seed, offsets -> f32 or i32 of the offsets' shape */
  SIG_PTR_ADD,   /* pointer tile, integers of the same shape -> pointer tile */
  SIG_LOAD,      /* pointers, bool?, element? -> elements */
  SIG_STORE,     /* pointers, elements, bool? -> */
  SIG_ATOMIC,    /* pointers, elements, bool? -> elements */
  SIG_CAS,       /* pointers, elements, bool?, elements -> elements */
  SIG_CLAIM,     /* i64 or pointer, i64? -> the first operand's type */
  SIG_EFFECT,    /* condition?, mask? -> */
  SIG_SAME,      /* T -> T */
  SIG_ANY,       /* anything -> anything */
} op_signature;

typedef enum op_effect {
  EFFECT_NONE,
  EFFECT_READ,
  EFFECT_WRITE,
  EFFECT_ATOMIC, /* reads and writes, atomically */
  EFFECT_ANY,    /* may access anything it can reach */
} op_effect;

const char *op_name(op_id op);
op_signature op_signature_of(op_id op);
/* The lanes of a program wait for each other there. */
bool op_is_barrier(op_id op);
op_effect op_effect_of(op_id op);
/* The op of that name in the text form, OP_COUNT if there is none. */
op_id op_from_name(const char *name, size_t length);

#endif
