/* ops/index_rule.c: abstract rules of the index space and of constants. */
#include "ops/rules.h"
#include <assert.h>

static const needs NO_NEEDS = {NULL, 0};

static int64_t axis_of(interp *in, const inst *i) {
  int64_t axis = 0;
  expr_is_int(interp_launch(in)->program->exprs, i->attrs[0], &axis);
  assert(axis >= 0 && axis < 3);
  return axis;
}

/* Sound: a program id is an int32 below its grid axis. */
value abstract_program_id(interp *in, const inst *i, const value *operand) {
  (void)operand;
  return value_exact(VALUE_INT, interp_launch(in)->pid[axis_of(in, i)],
                     NO_NEEDS);
}

/* Sound: by definition. */
value abstract_num_programs(interp *in, const inst *i, const value *operand) {
  (void)operand;
  return value_exact(VALUE_INT, interp_launch(in)->grid[axis_of(in, i)],
                     NO_NEEDS);
}

/* Sound: lane l of arange(lo, hi) holds lo + l; an arange of one lane has no
 * lane index, it holds lo. */
value abstract_arange(interp *in, const inst *i, const value *operand) {
  (void)operand;
  symtab *t = interp_syms(in);
  const launch *l = interp_launch(in);
  sym lo = launch_sym(l, i->attrs[0]);
  int64_t one;
  sym extent = launch_sym(l, interp_type(in, i->results[0]).dim[0]);
  if (sym_is_int(t, extent, &one) && one == 1)
    return value_exact(VALUE_INT, lo, NO_NEEDS);
  return value_exact(VALUE_INT, sym_add(t, lo, launch_lane(l, 0)), NO_NEEDS);
}

/* Sound: the constant itself. A symbolic constexpr beyond its type is caught
 * by the premise that value_ring adds. */
value abstract_const(interp *in, const inst *i, const value *operand) {
  (void)operand;
  type t = interp_type(in, i->results[0]);
  if (!scalar_is_int(t.elem) || !i->attr_count || i->attrs[0] == EXPR_NONE)
    return value_any(in, i);
  const launch *l = interp_launch(in);
  sym of = launch_sym(l, i->attrs[0]);
  bool truth = sym_is_bool(interp_syms(in), of);
  symtab *s = interp_syms(in);
  if (t.elem == SC_BOOL)
    return value_exact(VALUE_TRUTH, truth ? of : sym_ne(s, of, sym_int(s, 0)),
                       NO_NEEDS);
  if (truth)
    of = sym_select(s, of, sym_int(s, 1), sym_int(s, 0));
  return value_ring(in, i, of, NO_NEEDS);
}

/* Sound: a splat, a hint: the lanes hold the operand's value. */
value abstract_same(interp *in, const inst *i, const value *operand) {
  (void)in;
  (void)i;
  return operand[0];
}

/* Sound: no result. */
value abstract_nothing(interp *in, const inst *i, const value *operand) {
  (void)operand;
  return value_any(in, i);
}

/* Sound: any value. */
value abstract_any(interp *in, const inst *i, const value *operand) {
  (void)operand;
  return value_any(in, i);
}

/* Sound: floats are not followed. */
value abstract_float(interp *in, const inst *i, const value *operand) {
  (void)operand;
  return value_any(in, i);
}

/* Sound: nobody uses it. */
value abstract_unbound(interp *in, const inst *i, const value *operand) {
  (void)operand;
  value v = value_any(in, i);
  v.unbound = true;
  return v;
}
