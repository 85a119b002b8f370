/* ops/memory_rule.c: abstract rules of pointers, loads and atomics. */
#include "ops/rules.h"

/* Sound: the offset is taken in 64 bits after its own arithmetic, so a
 * narrower offset must be the exact number; addition to a 64-bit address is a
 * ring operation, and an address that is proved to be inside a tensor is
 * exact whatever was wrapped on the way. */
value abstract_ptr_add(interp *in, const inst *i, const value *operand) {
  value p = operand[0];
  if (p.form != VALUE_POINTER || operand[1].form != VALUE_INT ||
      p.of == SYM_NONE) {
    value lost = value_any(in, i);
    lost.needs = needs_join(in, p.needs, operand[1].needs);
    return lost;
  }
  type t = interp_type(in, i->operands[1]);
  bool wide = scalar_bits(t.elem) == 64;
  value offset = wide ? operand[1] : value_sink_address(in, i, operand[1]);
  p.of = sym_add(interp_syms(in), p.of, offset.of);
  p.needs = needs_join(in, p.needs, offset.needs);
  return p;
}

/* Ends of the contents of the tensor behind a pointer, by its values clause. */
static bool content_range(interp *in, value pointer, sym *least,
                          sym *greatest) {
  const launch *l = interp_launch(in);
  if (pointer.form != VALUE_POINTER || pointer.tensor == TENSOR_LOST)
    return false;
  const tensor *t = &l->program->tensors.at[pointer.tensor];
  if (!t->has_range)
    return false;
  if (t->least != EXPR_NONE)
    *least = launch_sym(l, t->least);
  if (t->greatest != EXPR_NONE)
    *greatest = launch_sym(l, t->greatest);
  return true;
}

/* Sound: a live lane reads some value of the element type, within the range
 * that a values clause promises; a lane that is masked off holds `other`, or
 * any value when there is none. A tensor with a values clause that a kernel
 * also stores to is the business of whoever wrote the clause: the promise is
 * about every value that is ever read. */
value abstract_load(interp *in, const inst *i, const value *operand) {
  sym least = SYM_NONE, greatest = SYM_NONE;
  bool stated = content_range(in, operand[0], &least, &greatest);
  value live = stated ? value_stated(in, i, least, greatest) : value_any(in, i);
  interp_note_content(in, live);
  bool masked = i->operand_count > 1 && i->operands[1] != VALUE_NONE;
  if (!masked || live.of == SYM_NONE)
    return live;
  value other = operand[2].form == live.form ? operand[2] : value_any(in, i);
  return value_choose(in, i, operand[1], live, other);
}

/* Sound: the old value of an element is any value of its type. */
value abstract_atomic(interp *in, const inst *i, const value *operand) {
  (void)operand;
  return value_any(in, i);
}
