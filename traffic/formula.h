/* traffic/formula.h: symbolic expressions compiled for many evaluations.
 *
 * A formula is a short program for a stack machine over numbered slots.
 * Arithmetic is that of sym_eval within 64 bits: what overflows or divides by
 * zero has no value, and a value that is not needed (the other arm of a
 * select, an operand of a decided conjunction) may be missing. */
#ifndef TRAFFIC_FORMULA_H
#define TRAFFIC_FORMULA_H

#include "analysis/sym.h"

typedef struct formula formula;

/* Which parts of an expression are read from slots: those that `outer` says
 * yes to, from the slot that `slot` then gives. Sums and products of parts that
 * `gather` (may be null) says yes to take one slot together. What is neither
 * outer, nor a constant, nor made of operands is missing. */
typedef struct formula_slots {
  bool (*outer)(void *context, sym e);
  bool (*gather)(void *context, sym e);
  uint32_t (*slot)(void *context, sym e);
  void *context;
} formula_slots;

/* Null when e holds something that no slot gives (*missing is that atom) or is
 * too large (*missing is e). The table is not const: sums of outer parts are
 * expressions of their own. */
const formula *formula_compile(arena *arena, symtab *t, sym e,
                               formula_slots slots, sym *missing);
/* False when e has no value there. */
bool formula_eval(const formula *self, const int64_t *slots, int64_t *out);

#endif
