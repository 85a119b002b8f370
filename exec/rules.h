/* exec/rules.h: one concrete rule for each exec column of ops/ops.def.
 *
 * A rule computes the results of one instruction from its operands. Types are
 * those of ir/verify.c; shapes of operands are equal where the signature says
 * so. */
#ifndef EXEC_RULES_H
#define EXEC_RULES_H

#include "exec/machine.h"

#define OP(id, name, signature, value, effect, exec)                           \
  void exec_##exec(exec_machine *m, const inst *in);
#include "ops/ops.def"
#undef OP

#endif
