/* ops/rules.h: every abstract rule that the value column of ops/ops.def
 * names. A rule that is named and not written is a link error. */
#ifndef OPS_RULES_H
#define OPS_RULES_H

#include "analysis/value.h"

#define OP(id, name, signature, value_, effect, exec)                          \
  value abstract_##value_(interp *in, const inst *i, const value *operand);
#include "ops/ops.def"
#undef OP

/* cond ? a : b, for where and for the results of branches. */
value value_choose(interp *in, const inst *i, value cond, value a, value b);

#endif
