/* ir/verifier.h: the inside of the verifier: structure and launch (verify.c),
 * signatures of operations (verify_op.c). */
#ifndef IR_VERIFIER_H
#define IR_VERIFIER_H

#include "ir/tile.h"

enum { VERIFY_NEST = 1000 };

typedef struct verifier {
  const tile_program *p;
  arena *arena;
  const char *why;  /* the first breach; null: none */
  const inst *inst; /* being checked; null: the launch */
  unsigned nest;
  bool *visible;        /* by value id: defined before, in an open region */
  bool *defined;        /* by value id: defined anywhere before */
  VEC(value_id) opened; /* visible values, in order of definition */
} verifier;

/* Keeps the first sentence; always false. */
bool verifier_fail(verifier *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The type of an operand; null where an optional one is absent. */
const type *verifier_operand(const verifier *v, uint32_t index);
const type *verifier_result(const verifier *v, uint32_t index);
/* The same shape, element type and pointer-ness (not the same width). */
bool verifier_same(const type *a, const type *b);

/* Operands, results, attributes and types of a NODE_OP. */
bool verifier_op(verifier *v);

#endif
