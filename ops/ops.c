/* ops/ops.c: the columns of ops/ops.def that are plain facts. */
#include "ops/ops.h"
#include "base/panic.h"

#include <string.h>

static const struct op_row {
  const char *name;
  op_signature signature;
  op_effect effect;
} rows[OP_COUNT] = {
#define OP(id, name, signature, value, effect, exec)                           \
  [OP_##id] = {name, signature, EFFECT_##effect},
#include "ops/ops.def"
#undef OP
};

static const struct op_row *row(op_id op) {
  assert((unsigned)op < OP_COUNT);
  return &rows[op];
}

const char *op_name(op_id op) {
  return row(op)->name;
}

op_signature op_signature_of(op_id op) {
  return row(op)->signature;
}

bool op_is_barrier(op_id op) {
  return op == OP_BARRIER;
}

op_effect op_effect_of(op_id op) {
  return row(op)->effect;
}

op_id op_from_name(const char *name, size_t length) {
  for (unsigned op = 0; op < OP_COUNT; op++)
    if (strlen(rows[op].name) == length &&
        memcmp(rows[op].name, name, length) == 0)
      return (op_id)op;
  return OP_COUNT;
}
