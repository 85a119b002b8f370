/* parser/call_misc.c: random numbers, promises, compile time, refusals. */
#include "parser/calls.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------- random numbers */

/* Seed and offsets; false after *out holds the result. */
static bool random_operands(lower *l, const call *c, value_id out[2],
                            thing *result) {
  out[0] = call_value(l, c, 0);
  out[1] = call_value(l, c, 1);
  if (call_shapeless(l, c)) {
    *result = shapeless(l, c->at, c->name, c->all, c->count);
    return false;
  }
  if (!out[0] || !out[1] || value_type(l, out[0])->pointer ||
      value_type(l, out[1])->pointer || value_type(l, out[0])->rank) {
    *result = call_refused(l, c, UNSUPPORTED_TYPES);
    return false;
  }
  return true;
}

static type random_type(const lower *l, const call *c, value_id offsets) {
  bool integers = strncmp(c->name, "randint", 7) == 0;
  return type_with_shape(type_scalar(integers ? SC_I32 : SC_F32),
                         value_type(l, offsets));
}

thing call_random(lower *l, const call *c) {
  thing out;
  value_id operands[2];
  if (!random_operands(l, c, operands, &out))
    return out;
  type result = random_type(l, c, operands[1]);
  int64_t rounds = 10;
  if (c->given[2] &&
      !(expr_is_int(l->p->exprs, fixed_number(l, &c->slot[2]), &rounds) &&
        rounds == 10))
    return call_opaque(l, c, result);
  return thing_value(
      emit(l, c->at, OP_RANDOM, operands, 2, NULL, 0, &result, c->name));
}

thing call_random4(lower *l, const call *c) {
  thing out;
  value_id operands[2];
  if (!random_operands(l, c, operands, &out))
    return out;
  thing *four = ARENA_ARRAY(l->arena, thing, 4);
  for (int i = 0; i < 4; i++)
    four[i] = call_opaque(l, c, random_type(l, c, operands[1]));
  return thing_tuple(four, 4);
}

thing call_philox(lower *l, const call *c) {
  value_id v = call_value(l, c, 1);
  if (call_shapeless(l, c))
    return shapeless(l, c->at, c->name, c->all, c->count);
  if (!v || value_type(l, v)->pointer)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  thing *four = ARENA_ARRAY(l->arena, thing, 4);
  for (int i = 0; i < 4; i++)
    four[i] = call_opaque(
        l, c, type_with_shape(type_scalar(SC_ANY), value_type(l, v)));
  return thing_tuple(four, 4);
}

/* -------------------------------------------------- promises, debugging */

thing call_hint(lower *l, const call *c) {
  if (!c->given[0] || c->slot[0].kind != THING_VALUE ||
      is_shapeless(l, c->slot[0].id))
    return c->slot[0];
  const thing *values = &c->slot[1];
  expr attrs[TYPE_MAX_RANK];
  uint32_t count = values->kind == THING_TUPLE ? values->count : 1;
  if (!c->given[1] || count > TYPE_MAX_RANK)
    return c->slot[0];
  for (uint32_t i = 0; i < count; i++) {
    const thing *one = values->kind == THING_TUPLE ? &values->items[i] : values;
    attrs[i] = fixed_number(l, one);
    if (!attrs[i])
      return c->slot[0];
  }
  value_id v = c->slot[0].id;
  type result = *value_type(l, v);
  return thing_value(
      emit(l, c->at, OP_HINT, &v, 1, attrs, count, &result, c->name));
}

thing call_assume(lower *l, const call *c) {
  value_id v = call_value(l, c, 0);
  int64_t constant;
  if (!v || is_shapeless(l, v) || value_type(l, v)->pointer)
    return thing_none();
  if (fixed_int(l, &c->slot[0], &constant) && constant)
    return thing_none();
  v = to_bool(l, c->at, v);
  emit(l, c->at, OP_ASSUME, &v, 1, NULL, 0, NULL, NULL);
  return thing_none();
}

thing call_device_assert(lower *l, const call *c) {
  value_id operands[2] = {call_value(l, c, 0), VALUE_NONE};
  if (!operands[0] || is_shapeless(l, operands[0]) ||
      value_type(l, operands[0])->pointer)
    return thing_none();
  operands[0] = to_bool(l, c->at, operands[0]);
  if (call_has(c, 2)) {
    value_id mask = call_value(l, c, 2);
    if (!mask || is_shapeless(l, mask) || value_type(l, mask)->pointer)
      return thing_none();
    operands[1] = to_bool(l, c->at, mask);
    if (!emit_same_shape(l, c->at, &operands[0], &operands[1]))
      return thing_none();
  }
  emit(l, c->at, OP_ASSERT, operands, 2, NULL, 0, NULL, NULL);
  return thing_none();
}

thing call_barrier(lower *l, const call *c) {
  emit(l, c->at, OP_BARRIER, NULL, 0, NULL, 0, NULL, NULL);
  return thing_none();
}

thing call_nothing(lower *l, const call *c) {
  (void)l;
  (void)c;
  return thing_none();
}

thing call_static_assert_(lower *l, const call *c) {
  if (c->given[0] && c->slot[0].kind != THING_VALUE)
    assert_condition(l, c->at, &c->slot[0]);
  return thing_none();
}

/* ---------------------------------------------------------- compile time */

thing call_constexpr(lower *l, const call *c) {
  if (!c->given[0])
    return thing_unknown();
  expr number =
      c->slot[0].kind == THING_VALUE ? fixed_number(l, &c->slot[0]) : EXPR_NONE;
  return number ? thing_int(number) : c->slot[0];
}

thing call_tuple(lower *l, const call *c) {
  if (!c->given[0])
    return thing_tuple(NULL, 0);
  return c->slot[0].kind == THING_TUPLE
             ? c->slot[0]
             : call_refused(l, c, UNSUPPORTED_UNKNOWN_CALL);
}

static thing float_of_text(const char *text) {
  char *end;
  while (*text == ' ')
    text++;
  double real = strtod(text, &end); /* inf, -inf and nan too */
  return end == text || *end ? thing_unknown() : thing_float(real);
}

thing call_to_float(lower *l, const call *c) {
  int64_t n;
  const thing *t = &c->slot[0];
  if (!c->given[0])
    return thing_float(0);
  if (thing_is(t, STATIC_STRING))
    return float_of_text(t->fixed.text);
  if (thing_is(t, STATIC_FLOAT) || thing_is(t, STATIC_UNKNOWN))
    return *t;
  if (t->kind == THING_FIXED && fixed_int(l, t, &n))
    return thing_float((double)n);
  value_id v = call_value(l, c, 0);
  if (!v || value_type(l, v)->pointer)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  return thing_value(emit_cast(l, c->at, v, type_scalar(SC_F32)));
}

thing call_to_int(lower *l, const call *c) {
  const thing *t = &c->slot[0];
  if (c->given[0] && thing_is(t, STATIC_FLOAT) && fabs(t->fixed.real) < 0x1p62)
    return thing_int(expr_int(l->p->exprs, (int64_t)t->fixed.real));
  if (c->given[0] && thing_is(t, STATIC_UNKNOWN))
    return *t;
  expr n = c->given[0] ? fixed_number(l, t) : EXPR_NONE;
  return n ? thing_int(n) : call_refused(l, c, UNSUPPORTED_UNKNOWN_CALL);
}

thing call_to_truth(lower *l, const call *c) {
  if (c->given[0] && c->slot[0].kind != THING_VALUE)
    return thing_bool(fixed_truth(l, &c->slot[0]));
  value_id v = call_value(l, c, 0);
  if (!v || value_type(l, v)->pointer)
    return call_refused(l, c, UNSUPPORTED_TYPES);
  return thing_value(to_bool(l, c->at, v));
}

thing call_len(lower *l, const call *c) {
  if (c->given[0] && c->slot[0].kind == THING_TUPLE)
    return thing_int(expr_int(l->p->exprs, c->slot[0].count));
  return call_refused(l, c, UNSUPPORTED_UNKNOWN_CALL);
}

/* Whether t is of the Python type that a name stands for. */
static truth of_type(const lower *l, const thing *t, const thing *named) {
  const char *full = thing_is(named, STATIC_MODULE) ? named->fixed.text : "";
  if (thing_is(t, STATIC_UNKNOWN) || t->kind == THING_GONE ||
      thing_is_shapeless(l, t))
    return UNSURE;
  if (strcmp(full, "triton.language.tensor") == 0)
    return t->kind == THING_VALUE ? YES : NO;
  if (strcmp(full, "triton.language.constexpr") == 0)
    return t->kind == THING_FIXED ? YES : NO;
  if (strcmp(full, "triton.language.dtype") == 0)
    return thing_is(t, STATIC_DTYPE) ? YES : NO;
  if (strcmp(full, "triton.language.tuple") == 0 ||
      strcmp(full, "builtins.tuple") == 0 || strcmp(full, "builtins.list") == 0)
    return t->kind == THING_TUPLE ? YES : NO;
  if (strcmp(full, "builtins.int") == 0)
    return thing_is(t, STATIC_INT) || thing_is(t, STATIC_BOOL) ? YES : NO;
  if (strcmp(full, "builtins.float") == 0)
    return thing_is(t, STATIC_FLOAT) ? YES : NO;
  if (strcmp(full, "builtins.bool") == 0)
    return thing_is(t, STATIC_BOOL) ? YES : NO;
  if (strcmp(full, "builtins.str") == 0)
    return thing_is(t, STATIC_STRING) ? YES : NO;
  return UNSURE;
}

thing call_isinstance(lower *l, const call *c) {
  if (!c->given[0] || !c->given[1])
    return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  const thing *types = &c->slot[1];
  uint32_t count = types->kind == THING_TUPLE ? types->count : 1;
  truth any = NO;
  for (uint32_t i = 0; i < count && any != YES; i++) {
    truth one = of_type(l, &c->slot[0],
                        types->kind == THING_TUPLE ? &types->items[i] : types);
    any = one == NO ? any : one;
  }
  return any == UNSURE ? thing_unknown()
                       : thing_bool(expr_int(l->p->exprs, any == YES));
}

/* What is listed is there; what is not may be all the same. */
thing call_has_attribute(lower *l, const call *c) {
  const thing *object = &c->slot[0], *name = &c->slot[1];
  if (!c->given[0] || !c->given[1] || !thing_is(object, STATIC_MODULE) ||
      !thing_is(name, STATIC_STRING))
    return thing_unknown();
  const char *full =
      arena_printf(l->arena, "%s.%s", object->fixed.text, name->fixed.text);
  return call_is_listed(full) ? thing_bool(expr_int(l->p->exprs, 1))
                              : thing_unknown();
}

/* triton/language/standard.py, swizzle2d, line by line. */
thing call_swizzle2d(lower *l, const call *c) {
  for (int i = 0; i < 5; i++)
    if (!c->given[i])
      return call_refused(l, c, UNSUPPORTED_ARGUMENTS);
  node at = c->at;
  const thing *i = &c->slot[0], *j = &c->slot[1], *size_i = &c->slot[2],
              *size_j = &c->slot[3];
  thing size_g = c->slot[4];
  thing row = apply_binary(l, at, "*", i, size_j);
  thing ij = apply_binary(l, at, "+", &row, j);
  thing size_gj = apply_binary(l, at, "*", &size_g, size_j);
  thing group = apply_binary(l, at, "//", &ij, &size_gj);
  thing off_i = apply_binary(l, at, "*", &group, &size_g);
  thing left = apply_binary(l, at, "-", size_i, &off_i);
  size_g = apply_min_max(l, at, OP_MIN, &left, &size_g);
  ij = apply_binary(l, at, "%", &ij, &size_gj);
  thing rest = apply_binary(l, at, "%", &ij, &size_g);
  thing *both = ARENA_ARRAY(l->arena, thing, 2);
  both[0] = apply_binary(l, at, "+", &off_i, &rest);
  both[1] = apply_binary(l, at, "//", &ij, &size_g);
  return thing_tuple(both, 2);
}

/* -------------------------------------------------------------- refusals */

/* One opaque result for each element type named, of the arguments' shape. */
thing call_inline_asm(lower *l, const call *c) {
  value_id joint = VALUE_NONE;
  const thing *args = &c->slot[2], *dtypes = &c->slot[3];
  bool known = c->given[2] && args->kind == THING_TUPLE && c->given[3];
  for (uint32_t i = 0; known && i < args->count; i++) {
    value_id v = to_value(l, c->at, &args->items[i]);
    known = v && !is_shapeless(l, v) && !value_type(l, v)->pointer &&
            (!joint || emit_same_shape(l, c->at, &joint, &v));
    joint = v;
  }
  if (!known || !joint)
    return call_refused(l, c, UNSUPPORTED_ASM);
  refuse(l, c->at, UNSUPPORTED_ASM, NULL, false);
  uint32_t count = dtypes->kind == THING_TUPLE ? dtypes->count : 1;
  thing *results = ARENA_ARRAY(l->arena, thing, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    scalar s =
        dtype_of(dtypes->kind == THING_TUPLE ? &dtypes->items[i] : dtypes);
    type t = type_with_shape(type_scalar(s == SC_NONE ? SC_ANY : s),
                             value_type(l, joint));
    results[i] = call_opaque(l, c, t);
  }
  return dtypes->kind == THING_TUPLE ? thing_tuple(results, count) : results[0];
}
