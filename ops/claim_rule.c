/* ops/claim_rule.c: abstract rules of what block pointers and descriptors
 * claim. The value is the first operand; the claim is TC103's matter. */
#include "ops/rules.h"

/* Sound: the first operand itself. The claim is about exact numbers: both are
 * sunk. */
value abstract_block_axis(interp *in, const inst *i, const value *operand) {
  symtab *t = interp_syms(in);
  value x = value_sink(in, i, operand[0]);
  value extent = value_sink(in, i, operand[1]);
  needs n = needs_join(in, x.needs, extent.needs);
  sym zero = sym_int(t, 0);
  bool told = x.form == VALUE_INT && x.of != SYM_NONE &&
              extent.form == VALUE_INT && extent.of != SYM_NONE;
  if (!told) {
    interp_note_claim(in, i, SYM_NONE, SYM_NONE, false, n);
    return operand[0];
  }
  sym end = sym_add(t, x.of, launch_sym(interp_launch(in), i->attrs[0]));
  interp_note_claim(in, i, sym_ge(t, x.of, zero), sym_neg(t, x.of), false,
                    x.needs);
  interp_note_claim(in, i, sym_le(t, end, extent.of),
                    sym_sub(t, end, extent.of), false, n);
  return operand[0];
}

/* The first element of the tensor behind a pointer is a multiple of so many
 * bytes. */
static bool aligned_tensor(interp *in, value p, int64_t bytes) {
  const tile_program *program = interp_launch(in)->program;
  return p.form == VALUE_POINTER && p.tensor != TENSOR_LOST &&
         program->tensors.at[p.tensor].align % bytes == 0 &&
         program->tensors.at[p.tensor].align > 0;
}

/* Sound: the first operand itself. The address of an element is that of the
 * tensor's first plus elements times their size; where the size is not known,
 * a multiple of so many elements is one of so many bytes. */
value abstract_aligned(interp *in, const inst *i, const value *operand) {
  symtab *t = interp_syms(in);
  int64_t bytes = 1, size = 0;
  expr_is_int(interp_launch(in)->program->exprs, i->attrs[0], &bytes);
  expr_is_int(interp_launch(in)->program->exprs, i->attrs[1], &size);
  bool pointer = operand[0].form == VALUE_POINTER;
  value x = pointer ? operand[0] : value_sink(in, i, operand[0]);
  int64_t every = size == 0 ? bytes : bytes % size == 0 ? bytes / size : bytes;
  sym holds = SYM_NONE;
  if (x.of != SYM_NONE &&
      (pointer ? aligned_tensor(in, x, bytes) : x.form == VALUE_INT))
    holds = sym_eq(t, sym_fmod(t, x.of, sym_int(t, every)), sym_int(t, 0));
  interp_note_claim(in, i, holds, SYM_NONE, size == 0, x.needs);
  return operand[0];
}
