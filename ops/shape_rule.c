/* ops/shape_rule.c: abstract rules that move lanes, and reductions. */
#include "ops/rules.h"
#include <assert.h>

static int64_t attr_int(interp *in, const inst *i, uint32_t k) {
  int64_t n = 0;
  bool fixed = expr_is_int(interp_launch(in)->program->exprs, i->attrs[k], &n);
  assert(fixed);
  (void)fixed;
  return n;
}

/* Sound: lane indices are counted from the right, so those at and left of the
 * new axis move one to the left. */
value abstract_expand_dims(interp *in, const inst *i, const value *operand) {
  const launch *l = interp_launch(in);
  unsigned rank = interp_type(in, i->results[0]).rank;
  unsigned first = rank - 1 - (unsigned)attr_int(in, i, 0);
  sym from[TYPE_MAX_RANK], to[TYPE_MAX_RANK];
  size_t n = 0;
  for (unsigned k = first; k + 1 < rank; k++) {
    from[n] = launch_lane(l, k);
    to[n++] = launch_lane(l, k + 1);
  }
  return value_relabel(in, operand[0], from, to, n);
}

/* Sound: an axis of extent 1 has no lane index, so stretching it changes
 * nothing. An axis whose extent is 1 only for some sizes has one: its lane is
 * 0 wherever the operand has a single lane. */
value abstract_broadcast(interp *in, const inst *i, const value *operand) {
  const launch *l = interp_launch(in);
  symtab *t = interp_syms(in);
  type from_type = interp_type(in, i->operands[0]);
  type to_type = interp_type(in, i->results[0]);
  sym from[TYPE_MAX_RANK], to[TYPE_MAX_RANK];
  size_t n = 0;
  for (unsigned d = 0; d < from_type.rank; d++) {
    int64_t one;
    sym have = launch_sym(l, from_type.dim[d]);
    sym want = launch_sym(l, to_type.dim[d]);
    if (have == want || (sym_is_int(t, have, &one) && one == 1))
      continue;
    return value_any(in, i);
  }
  return value_relabel(in, operand[0], from, to, n);
}

/* Sound: result axis d is operand axis attr[d]. */
value abstract_trans(interp *in, const inst *i, const value *operand) {
  const launch *l = interp_launch(in);
  unsigned rank = interp_type(in, i->results[0]).rank;
  sym from[TYPE_MAX_RANK], to[TYPE_MAX_RANK];
  for (unsigned d = 0; d < rank; d++) {
    from[d] = launch_lane(l, rank - 1 - (unsigned)attr_int(in, i, d));
    to[d] = launch_lane(l, rank - 1 - d);
  }
  return value_relabel(in, operand[0], from, to, rank);
}

/* Sound: lane l of an axis of n lanes holds what lane n - 1 - l held. */
value abstract_flip(interp *in, const inst *i, const value *operand) {
  const launch *l = interp_launch(in);
  symtab *t = interp_syms(in);
  type own = interp_type(in, i->results[0]);
  unsigned axis = (unsigned)attr_int(in, i, 0);
  sym extent = launch_sym(l, own.dim[axis]);
  sym lane = launch_lane(l, own.rank - 1 - axis);
  int64_t one;
  if (sym_is_int(t, extent, &one) && one == 1)
    return operand[0];
  sym turned = sym_sub(t, sym_sub(t, extent, sym_int(t, 1)), lane);
  return value_relabel(in, operand[0], &lane, &turned, 1);
}

/* v with its lanes moved one to the left. */
static value shifted(interp *in, value v, unsigned rank) {
  sym from[TYPE_MAX_RANK], to[TYPE_MAX_RANK];
  for (unsigned k = 0; k < rank; k++) {
    from[k] = launch_lane(interp_launch(in), k);
    to[k] = launch_lane(interp_launch(in), k + 1);
  }
  return value_relabel(in, v, from, to, rank);
}

/* Sound: lane 0 of the new last axis holds the first operand, lane 1 the
 * second. */
value abstract_join(interp *in, const inst *i, const value *operand) {
  symtab *t = interp_syms(in);
  unsigned rank = interp_type(in, i->operands[0]).rank;
  sym lane = launch_lane(interp_launch(in), 0);
  value first = value_exact(VALUE_TRUTH, sym_eq(t, lane, sym_int(t, 0)),
                            (needs){NULL, 0});
  return value_choose(in, i, first, shifted(in, operand[0], rank),
                      shifted(in, operand[1], rank));
}

/* Sound: the last lane has the number of the half that is kept. */
value abstract_split(interp *in, const inst *i, const value *operand) {
  unsigned rank = interp_type(in, i->operands[0]).rank;
  sym from[TYPE_MAX_RANK], to[TYPE_MAX_RANK];
  for (unsigned k = 0; k < rank; k++) {
    from[k] = launch_lane(interp_launch(in), k);
    to[k] = k == 0 ? sym_int(interp_syms(in), attr_int(in, i, 0))
                   : launch_lane(interp_launch(in), k - 1);
  }
  return value_relabel(in, operand[0], from, to, rank);
}

/* Number of the lane in row-major order. */
static sym flat_lane(interp *in, type t) {
  const launch *l = interp_launch(in);
  symtab *s = interp_syms(in);
  sym flat = sym_int(s, 0), step = sym_int(s, 1);
  for (unsigned k = 0; k < t.rank; k++) {
    sym extent = launch_sym(l, t.dim[t.rank - 1 - k]);
    int64_t one;
    if (!(sym_is_int(s, extent, &one) && one == 1))
      flat = sym_add(s, flat, sym_mul(s, launch_lane(l, k), step));
    step = sym_mul(s, step, extent);
  }
  return flat;
}

/* Sound: row-major order is kept, so each operand lane is a digit of the
 * result's row-major number. */
value abstract_reshape(interp *in, const inst *i, const value *operand) {
  const launch *l = interp_launch(in);
  symtab *s = interp_syms(in);
  type from_type = interp_type(in, i->operands[0]);
  sym flat = flat_lane(in, interp_type(in, i->results[0]));
  sym from[TYPE_MAX_RANK], to[TYPE_MAX_RANK];
  sym step = sym_int(s, 1);
  for (unsigned k = 0; k < from_type.rank; k++) {
    sym extent = launch_sym(l, from_type.dim[from_type.rank - 1 - k]);
    sym digit = sym_fdiv(s, flat, step);
    from[k] = launch_lane(l, k);
    to[k] = k + 1 == from_type.rank ? digit : sym_fmod(s, digit, extent);
    step = sym_mul(s, step, extent);
  }
  return value_relabel(in, operand[0], from, to, from_type.rank);
}

/* Sound: any value of the result's type. */
value abstract_reduce(interp *in, const inst *i, const value *operand) {
  (void)operand;
  return value_any(in, i);
}

/* A maximum or minimum is the value at some lane of the reduced axis. The
 * lane is an unknown of its own; its range cannot be told apart from other
 * lanes' here, so only values that do not depend on the axis survive.
 * Sound: such a value is the same at every lane. */
static value reduce_extreme(interp *in, const inst *i, value v) {
  type t = interp_type(in, i->operands[0]);
  unsigned axis = t.rank - 1 - (unsigned)attr_int(in, i, 0);
  if (v.form != VALUE_INT ||
      sym_mentions(interp_syms(in), v.of, launch_lane(interp_launch(in), axis)))
    return value_any(in, i);
  v = value_sink(in, i, v);
  v.needs = needs_detach(in, v.needs);
  sym from[TYPE_MAX_RANK], to[TYPE_MAX_RANK];
  size_t n = 0;
  for (unsigned k = axis + 1; k < t.rank; k++) {
    from[n] = launch_lane(interp_launch(in), k);
    to[n++] = launch_lane(interp_launch(in), k - 1);
  }
  return value_relabel(in, v, from, to, n);
}

/* Sound: see reduce_extreme. */
value abstract_reduce_max(interp *in, const inst *i, const value *operand) {
  return reduce_extreme(in, i, operand[0]);
}

/* Sound: see reduce_extreme. */
value abstract_reduce_min(interp *in, const inst *i, const value *operand) {
  return reduce_extreme(in, i, operand[0]);
}

/* Sound: the index of an element along the axis. */
value abstract_arg_reduce(interp *in, const inst *i, const value *operand) {
  (void)operand;
  symtab *s = interp_syms(in);
  type t = interp_type(in, i->operands[0]);
  sym extent = launch_sym(interp_launch(in), t.dim[attr_int(in, i, 0)]);
  return value_within(in, i, sym_int(s, 0), sym_sub(s, extent, sym_int(s, 1)));
}

/* Sound: no bin counts more lanes than there are. */
value abstract_histogram(interp *in, const inst *i, const value *operand) {
  (void)operand;
  sym lanes =
      launch_sym(interp_launch(in), interp_type(in, i->operands[0]).dim[0]);
  return value_within(in, i, sym_int(interp_syms(in), 0), lanes);
}
