/* parser/call_math.c: elementwise functions. */
#include "parser/calls.h"

#include <assert.h>
#include <math.h>

thing call_min_max(lower *l, const call *c) {
  if (!c->given[0] || !c->given[1])
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  return apply_min_max(l, c->at, c->op, &c->slot[0], &c->slot[1]);
}

/* Python's own min and max: of any number of values, or of one tuple. */
thing call_min_max_all(lower *l, const call *c) {
  thing values = c->slot[0];
  if (c->given[0] && values.count == 1 && values.items[0].kind == THING_TUPLE)
    values = values.items[0];
  if (!c->given[0] || values.count == 0)
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  thing result = values.items[0];
  for (uint32_t i = 1; i < values.count; i++)
    result = apply_min_max(l, c->at, c->op, &result, &values.items[i]);
  return result;
}

thing call_clamp(lower *l, const call *c) {
  if (!c->given[0] || !c->given[1] || !c->given[2])
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  thing low = apply_min_max(l, c->at, OP_MAX, &c->slot[0], &c->slot[1]);
  return apply_min_max(l, c->at, OP_MIN, &low, &c->slot[2]);
}

thing call_where(lower *l, const call *c) {
  if (!c->given[0] || !c->given[1] || !c->given[2])
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  thing condition = c->slot[0];
  return apply_where(l, c->at, &condition, &c->slot[1], &c->slot[2]);
}

/* (x + (div - 1)) // div, in the operands' type. */
thing call_cdiv(lower *l, const call *c) {
  if (!c->given[0] || !c->given[1])
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  const thing *x = &c->slot[0], *d = &c->slot[1];
  if (thing_is(x, STATIC_INT) && thing_is(d, STATIC_INT))
    return thing_int(expr_cdiv(l->p->exprs, x->fixed.number, d->fixed.number));
  thing one = thing_int(expr_int(l->p->exprs, 1));
  thing less = apply_binary(l, c->at, "-", d, &one);
  thing sum = apply_binary(l, c->at, "+", x, &less);
  return apply_binary(l, c->at, "//", &sum, d);
}

thing call_next_power(lower *l, const call *c) {
  expr n = c->given[0] ? fixed_number(l, &c->slot[0]) : EXPR_NONE;
  if (!n)
    return call_refused(l, c, UNSUPPORTED_OPERATION);
  return thing_int(expr_pow2ceil(l->p->exprs, n));
}

/* The number of halvings down to 1. */
thing call_log2_(lower *l, const call *c) {
  int64_t n, bits = 0;
  if (!c->given[0] || !fixed_int(l, &c->slot[0], &n) || n < 1)
    return thing_unknown();
  for (; n > 1; n >>= 1)
    bits++;
  return thing_int(expr_int(l->p->exprs, bits));
}

thing call_operator(lower *l, const call *c) {
  const char *op = c->op == OP_ADD ? "+" : c->op == OP_SUB ? "-" : "*";
  if (!c->given[0] || !c->given[1])
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  return apply_binary(l, c->at, op, &c->slot[0], &c->slot[1]);
}

thing call_logical(lower *l, const call *c) {
  if (!c->given[0] || !c->given[1])
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  return apply_and_or(l, c->at, c->op == OP_AND, &c->slot[0], &c->slot[1]);
}

thing call_divide(lower *l, const call *c) {
  if (!c->given[0] || !c->given[1])
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  return apply_binary(l, c->at, "/", &c->slot[0], &c->slot[1]);
}

/* ----------------------------------------------------- float functions */

static int operand_count(op_id op) {
  if (op == OP_FMA)
    return 3;
  return op == OP_POW || op == OP_IREM ? 2 : 1;
}

/* A scalar or tile of floats: integers become float32. */
static value_id float_value(lower *l, const call *c, int slot) {
  value_id v = call_value(l, c, slot);
  if (!v || value_type(l, v)->pointer)
    return VALUE_NONE;
  return scalar_is_int(value_type(l, v)->elem)
             ? emit_cast(l, c->at, v, type_scalar(SC_F32))
             : v;
}

/* Operand i of a function of several, in the type and shape of the first. */
static bool join_operand(lower *l, const call *c, value_id *first,
                         const thing *other, value_id *out) {
  pair p;
  thing a = thing_value(*first);
  if (other->kind == THING_VALUE && value_type(l, other->id)->pointer)
    return false;
  if (!promote_pair(l, c->at, &a, other, PAIR_PLAIN, &p))
    return false;
  *first = p.a;
  *out = p.b;
  return true;
}

static bool numbers_given(lower *l, const call *c, int count) {
  for (int i = 0; i < count; i++) {
    const thing *t = &c->slot[i];
    bool number =
        c->given[i] &&
        (t->kind == THING_VALUE ||
         (t->kind == THING_FIXED && (t->fixed.kind == STATIC_UNKNOWN ||
                                     literal_type(l, t).elem != SC_NONE)));
    if (!number)
      return false;
  }
  return true;
}

thing call_floats(lower *l, const call *c) {
  int count = operand_count(c->op);
  value_id operands[3] = {0};
  if (!numbers_given(l, c, count))
    return call_refused(l, c, UNSUPPORTED_TYPES);
  if (call_shapeless(l, c))
    return shapeless(l, c->at, c->name, c->all, c->count);
  operands[0] = float_value(l, c, 0);
  bool fits = operands[0] != VALUE_NONE;
  for (int i = 1; fits && i < count; i++)
    fits = join_operand(l, c, &operands[0], &c->slot[i], &operands[i]);
  for (int i = 1; fits && i + 1 < count; i++) {
    thing again = thing_value(operands[i]); /* the first may have grown */
    fits = join_operand(l, c, &operands[0], &again, &operands[i]);
  }
  if (!fits)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  type result = *value_type(l, operands[0]);
  return thing_value(
      emit(l, c->at, c->op, operands, (uint32_t)count, NULL, 0, &result, NULL));
}

thing call_absolute(lower *l, const call *c) {
  exprs *e = l->p->exprs;
  if (c->given[0] && thing_is(&c->slot[0], STATIC_INT)) {
    expr n = c->slot[0].fixed.number;
    return thing_int(expr_max(e, n, expr_sub(e, expr_int(e, 0), n)));
  }
  if (c->given[0] && thing_is(&c->slot[0], STATIC_FLOAT))
    return thing_float(fabs(c->slot[0].fixed.real));
  value_id v = call_value(l, c, 0);
  if (!v || value_type(l, v)->pointer)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  if (is_shapeless(l, v))
    return shapeless(l, c->at, c->name, c->all, c->count);
  return thing_value(emit_unary(l, c->at, OP_ABS, v, *value_type(l, v)));
}

thing call_is_nan(lower *l, const call *c) {
  value_id v = call_value(l, c, 0);
  if (!v || value_type(l, v)->pointer)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  if (is_shapeless(l, v))
    return shapeless(l, c->at, c->name, c->all, c->count);
  type result = type_with_shape(type_scalar(SC_BOOL), value_type(l, v));
  return thing_value(emit_unary(l, c->at, OP_ISNAN, v, result));
}

/* An elementwise function without a row of its own: any element, the joint
 * shape of what is given. */
thing call_elementwise_any(lower *l, const call *c) {
  value_id joint = VALUE_NONE;
  for (uint32_t i = 0; i < c->count; i++) {
    if (c->all[i].kind != THING_VALUE)
      continue;
    value_id v = c->all[i].id;
    if (is_shapeless(l, v) || value_type(l, v)->pointer)
      return call_refused(l, c, UNSUPPORTED_OPERATION);
    if (joint && !emit_same_shape(l, c->at, &joint, &v))
      return call_refused(l, c, UNSUPPORTED_SHAPES);
    joint = v;
  }
  if (!joint)
    return thing_unknown();
  return call_opaque(
      l, c, type_with_shape(type_scalar(SC_ANY), value_type(l, joint)));
}

thing call_softmax(lower *l, const call *c) {
  value_id v = call_value(l, c, 0);
  if (!v || value_type(l, v)->pointer)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  if (is_shapeless(l, v))
    return shapeless(l, c->at, c->name, c->all, c->count);
  refuse(l, c->at, UNSUPPORTED_OPERATION, c->name, false);
  return call_opaque(l, c, *value_type(l, v));
}
