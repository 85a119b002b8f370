/* ir/verify_op.c: the signatures of operations (ops/ops.h, SIG_...). */
#include "base/checked.h"
#include "ir/verifier.h"
#include "ops/ops.h"

#include <string.h>

/* Operand k, result 0. */
#define OPERAND(v, k) verifier_operand((v), (k))
#define RESULT(v)     verifier_result((v), 0)

static bool is_bool(const type *t) {
  return t->elem == SC_BOOL && !t->pointer;
}

static bool is_integer(const type *t) {
  return scalar_is_int(t->elem) && !t->pointer;
}

/* SC_ANY may be a float. */
static bool is_float(const type *t) {
  return (scalar_is_float(t->elem) || t->elem == SC_ANY) && !t->pointer;
}

static bool attr_int(const verifier *v, uint32_t index, int64_t *out) {
  return index < v->inst->attr_count &&
         expr_is_int(v->p->exprs, v->inst->attrs[index], out);
}

static bool attr_between(verifier *v, uint32_t index, int64_t low,
                         int64_t high) {
  int64_t value;
  if (attr_int(v, index, &value) && value >= low && value <= high)
    return true;
  return verifier_fail(v, "attribute %u is no constant from %lld to %lld",
                       index, (long long)low, (long long)high);
}

static bool attr_count(verifier *v, uint32_t count) {
  return v->inst->attr_count == count ||
         verifier_fail(v, "it has %u attributes, not %u", v->inst->attr_count,
                       count);
}

static bool needs_text(verifier *v) {
  return v->inst->text || verifier_fail(v, "its text is missing");
}

static bool same(verifier *v, const type *a, const type *b, const char *what) {
  return verifier_same(a, b) || verifier_fail(v, "%s differ in type", what);
}

static bool same_shape(verifier *v, const type *a, const type *b,
                       const char *what) {
  return type_same_shape(a, b) || verifier_fail(v, "%s differ in shape", what);
}

/* ----------------------------------------------------------- no operands */

static bool check_index(verifier *v) {
  const type *r = RESULT(v);
  if (r->elem != SC_I32 || r->pointer)
    return verifier_fail(v, "the result is not i32");
  if (v->inst->op != OP_ARANGE)
    return attr_count(v, 1) && attr_between(v, 0, 0, 2) &&
           (r->rank == 0 || verifier_fail(v, "the result is no scalar"));
  if (!attr_count(v, 2))
    return false;
  expr length = expr_sub(v->p->exprs, v->inst->attrs[1], v->inst->attrs[0]);
  return (r->rank == 1 && length != EXPR_NONE && r->dim[0] == length) ||
         verifier_fail(v, "the result is no tile of the range's length");
}

static bool check_const(verifier *v) {
  const type *r = RESULT(v);
  if (r->rank || r->pointer || r->elem == SC_ANY)
    return verifier_fail(v, "the result is no scalar of a known type");
  if (scalar_is_float(r->elem))
    return attr_count(v, 0);
  return attr_count(v, 1) && (v->inst->attrs[0] != EXPR_NONE ||
                              verifier_fail(v, "its number is unknown"));
}

/* ----------------------------------------------------------- elementwise */

static bool float_only(op_id op) {
  static const op_id list[] = {
      OP_DIV,   OP_EXP,   OP_EXP2,  OP_LOG,   OP_LOG2,    OP_SIN,   OP_COS,
      OP_TANH,  OP_ERF,   OP_SQRT,  OP_RSQRT, OP_SIGMOID, OP_FLOOR, OP_CEIL,
      OP_ROUND, OP_TRUNC, OP_LOG1P, OP_EXPM1, OP_POW,     OP_FMA,
  };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
    if (list[i] == op)
      return true;
  return false;
}

static bool int_only(op_id op) {
  static const op_id list[] = {OP_IDIV, OP_AND, OP_OR, OP_XOR,
                               OP_SHL,  OP_SHR, OP_NOT};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
    if (list[i] == op)
      return true;
  return false;
}

/* All operands and the result have one type, which the operation accepts. */
static bool check_uniform(verifier *v) {
  const type *r = RESULT(v);
  for (uint32_t i = 0; i < v->inst->operand_count; i++)
    if (!same(v, OPERAND(v, i), r, "operands and result"))
      return false;
  if (r->pointer)
    return verifier_fail(v, "pointers have no arithmetic but ptr_add");
  if (float_only(v->inst->op) && !is_float(r))
    return verifier_fail(v, "the operands are no floats");
  if (int_only(v->inst->op) && !is_integer(r) && r->elem != SC_ANY)
    return verifier_fail(v, "the operands are no integers");
  return attr_count(v, 0);
}

static bool check_compare(verifier *v) {
  const type *a = OPERAND(v, 0);
  if (v->inst->operand_count > 1 && !same(v, a, OPERAND(v, 1), "the operands"))
    return false;
  if (!is_bool(RESULT(v)))
    return verifier_fail(v, "the result is not bool");
  return same_shape(v, a, RESULT(v), "operands and result") && attr_count(v, 0);
}

static bool check_where(verifier *v) {
  if (!is_bool(OPERAND(v, 0)))
    return verifier_fail(v, "the condition is not bool");
  return same_shape(v, OPERAND(v, 0), RESULT(v), "condition and result") &&
         same(v, OPERAND(v, 1), RESULT(v), "the first value and the result") &&
         same(v, OPERAND(v, 2), RESULT(v), "the second value and the result") &&
         attr_count(v, 0);
}

static bool check_cast(verifier *v) {
  return same_shape(v, OPERAND(v, 0), RESULT(v), "operand and result") &&
         attr_count(v, 0);
}

static bool check_splat(verifier *v) {
  type elem = type_with_shape(*OPERAND(v, 0), RESULT(v));
  if (OPERAND(v, 0)->rank != 0 || RESULT(v)->rank == 0)
    return verifier_fail(v, "a splat makes a tile of a scalar");
  return same(v, &elem, RESULT(v), "scalar and elements") && attr_count(v, 0);
}

static bool check_hint(verifier *v) {
  return same(v, OPERAND(v, 0), RESULT(v), "operand and result") &&
         needs_text(v);
}

/* ----------------------------------------------------------------- shape */

static bool check_expand(verifier *v) {
  const type *a = OPERAND(v, 0), *r = RESULT(v);
  int64_t axis, one;
  if (!attr_count(v, 1) || !attr_between(v, 0, 0, (int64_t)r->rank - 1))
    return false;
  attr_int(v, 0, &axis);
  if (r->rank != a->rank + 1 || !expr_is_int(v->p->exprs, r->dim[axis], &one) ||
      one != 1)
    return verifier_fail(v, "the result lacks a new axis of 1");
  for (uint8_t d = 0; d < a->rank; d++)
    if (a->dim[d] != r->dim[d < axis ? d : d + 1])
      return verifier_fail(v, "the result changes an old axis");
  return true;
}

static bool check_broadcast(verifier *v) {
  const type *a = OPERAND(v, 0), *r = RESULT(v);
  int64_t one;
  if (a->rank != r->rank)
    return verifier_fail(v, "operand and result differ in rank");
  for (uint8_t d = 0; d < a->rank; d++)
    if (a->dim[d] != r->dim[d] &&
        !(expr_is_int(v->p->exprs, a->dim[d], &one) && one == 1))
      return verifier_fail(v, "axis %u stretches and is not 1", d);
  return attr_count(v, 0);
}

static bool check_trans(verifier *v) {
  const type *a = OPERAND(v, 0), *r = RESULT(v);
  unsigned seen = 0;
  int64_t from = 0;
  if (a->rank != r->rank || !attr_count(v, a->rank))
    return verifier_fail(v, "operand and result differ in rank");
  for (uint8_t d = 0; d < a->rank; d++) {
    if (!attr_between(v, d, 0, (int64_t)a->rank - 1))
      return false;
    attr_int(v, d, &from);
    seen |= 1u << from;
    if (r->dim[d] != a->dim[from])
      return verifier_fail(v, "axis %u of the result has another extent", d);
  }
  return seen == (1u << a->rank) - 1 ||
         verifier_fail(v, "the attributes are no permutation");
}

/* Number of lanes; false when it is not a constant. */
static bool lane_count(const verifier *v, const type *t, int64_t *out) {
  int64_t extent;
  *out = 1;
  for (uint8_t d = 0; d < t->rank; d++)
    if (!expr_is_int(v->p->exprs, t->dim[d], &extent) ||
        !mul_ok(*out, extent, out))
      return false;
  return true;
}

static bool check_reshape(verifier *v) {
  int64_t a, r;
  if (lane_count(v, OPERAND(v, 0), &a) && lane_count(v, RESULT(v), &r) &&
      a != r)
    return verifier_fail(v, "%lld lanes cannot become %lld", (long long)a,
                         (long long)r);
  return attr_count(v, 0);
}

static bool check_flip(verifier *v) {
  const type *a = OPERAND(v, 0);
  return attr_count(v, 1) && a->rank > 0 &&
         attr_between(v, 0, 0, (int64_t)a->rank - 1) &&
         same(v, a, RESULT(v), "operand and result");
}

/* `paired` has the shape of `plain` and a last axis of 2. */
static bool has_pairs(const verifier *v, const type *plain,
                      const type *paired) {
  int64_t two;
  type shape = *paired;
  if (paired->rank != plain->rank + 1 ||
      !expr_is_int(v->p->exprs, paired->dim[plain->rank], &two) || two != 2)
    return false;
  shape.rank = plain->rank;
  return type_same_shape(&shape, plain) && shape.elem == plain->elem &&
         shape.pointer == plain->pointer;
}

static bool check_split(verifier *v) {
  return attr_count(v, 1) && attr_between(v, 0, 0, 1) &&
         (has_pairs(v, RESULT(v), OPERAND(v, 0)) ||
          verifier_fail(v, "the operand has no last axis of 2"));
}

static bool check_shape(verifier *v) {
  type elem = type_with_shape(*OPERAND(v, 0), RESULT(v));
  if (!same(v, &elem, RESULT(v), "the elements of operand and result"))
    return false;
  if (v->inst->op == OP_EXPAND_DIMS)
    return check_expand(v);
  if (v->inst->op == OP_BROADCAST)
    return check_broadcast(v);
  if (v->inst->op == OP_FLIP)
    return check_flip(v);
  if (v->inst->op == OP_SPLIT)
    return check_split(v);
  return v->inst->op == OP_TRANS ? check_trans(v) : check_reshape(v);
}

static bool check_join(verifier *v) {
  return attr_count(v, 0) &&
         same(v, OPERAND(v, 0), OPERAND(v, 1), "the operands") &&
         (has_pairs(v, OPERAND(v, 0), RESULT(v)) ||
          verifier_fail(v, "the result lacks a new last axis of 2"));
}

static bool check_gather(verifier *v) {
  const type *a = OPERAND(v, 0), *index = OPERAND(v, 1), *r = RESULT(v);
  if (!is_integer(index) || a->rank != index->rank || a->rank == 0)
    return verifier_fail(v, "the index is no tile of integers of that rank");
  type elem = type_with_shape(*a, index);
  return attr_count(v, 1) && attr_between(v, 0, 0, (int64_t)a->rank - 1) &&
         same(v, &elem, r, "the source's elements and the result");
}

static bool check_histogram(verifier *v) {
  const type *a = OPERAND(v, 0), *mask = OPERAND(v, 1), *r = RESULT(v);
  if (!is_integer(a) || a->rank != 1 || r->rank != 1 || r->elem != SC_I32 ||
      r->pointer)
    return verifier_fail(v, "operand and result are no 1-D integers");
  return attr_count(v, 0) &&
         (!mask || (is_bool(mask) && same_shape(v, a, mask, "the operands")) ||
          verifier_fail(v, "the mask is not bool"));
}

/* ---------------------------------------------------- along an axis, dot */

static bool check_axis(verifier *v) {
  const type *a = OPERAND(v, 0);
  if (a->rank == 0 || a->pointer)
    return verifier_fail(v, "the operand is no tile of values");
  return attr_between(v, 0, 0, (int64_t)a->rank - 1);
}

/* The result's shape is the operand's without the axis of attribute 0. */
static bool check_drops_axis(verifier *v) {
  const type *a = OPERAND(v, 0), *r = RESULT(v);
  int64_t axis;
  if (!attr_count(v, 1) || !check_axis(v))
    return false;
  attr_int(v, 0, &axis);
  bool fits = r->rank + 1 == a->rank;
  for (uint8_t d = 0; fits && d < r->rank; d++)
    fits = r->dim[d] == a->dim[d < axis ? d : d + 1];
  return fits || verifier_fail(v, "the result is not the operand less an axis");
}

static bool check_reduce(verifier *v) {
  const type *r = RESULT(v);
  type elem = type_with_shape(*OPERAND(v, 0), r);
  return check_drops_axis(v) &&
         same(v, &elem, r, "the elements of operand and result");
}

static bool check_arg(verifier *v) {
  const type *r = RESULT(v);
  return check_drops_axis(v) && ((r->elem == SC_I32 && !r->pointer) ||
                                 verifier_fail(v, "the result is not i32"));
}

static bool check_scan(verifier *v) {
  return attr_count(v, 2) && check_axis(v) && attr_between(v, 1, 0, 1) &&
         same(v, OPERAND(v, 0), RESULT(v), "operand and result");
}

static bool check_dot(verifier *v) {
  const type *a = OPERAND(v, 0), *b = OPERAND(v, 1), *acc = OPERAND(v, 2);
  const type *r = RESULT(v);
  uint8_t n = r->rank;
  if ((n != 2 && n != 3) || a->rank != n || b->rank != n)
    return verifier_fail(v, "operands and result are not all of rank 2 or 3");
  if (a->pointer || b->pointer || r->pointer)
    return verifier_fail(v, "pointers have no product");
  if (a->dim[n - 1] != b->dim[n - 2])
    return verifier_fail(v, "the contracted extents differ");
  if (r->dim[n - 2] != a->dim[n - 2] || r->dim[n - 1] != b->dim[n - 1] ||
      (n == 3 && (r->dim[0] != a->dim[0] || r->dim[0] != b->dim[0])))
    return verifier_fail(v, "the result has not the product's shape");
  return (!acc || same(v, acc, r, "accumulator and result")) &&
         attr_count(v, 0);
}

static bool check_random(verifier *v) {
  const type *seed = OPERAND(v, 0), *r = RESULT(v);
  if (seed->rank || !is_integer(seed) || !is_integer(OPERAND(v, 1)))
    return verifier_fail(v, "seed and offsets are no integers");
  if ((r->elem != SC_F32 && r->elem != SC_I32) || r->pointer)
    return verifier_fail(v, "the result is neither f32 nor i32");
  return same_shape(v, OPERAND(v, 1), r, "offsets and result") && needs_text(v);
}

/* ---------------------------------------------------------------- memory */

static bool check_ptr_add(verifier *v) {
  const type *p = OPERAND(v, 0), *offset = OPERAND(v, 1);
  if (!p->pointer)
    return verifier_fail(v, "the first operand is no pointer");
  if (!is_integer(offset))
    return verifier_fail(v, "the offset is no integer");
  return same_shape(v, p, offset, "pointer and offset") &&
         same(v, p, RESULT(v), "pointer and result") && attr_count(v, 0);
}

/* A value of the element type of the pointers, lane by lane. */
static bool fits_pointer(verifier *v, const type *t, const char *what) {
  const type *p = OPERAND(v, 0);
  if (t->pointer || t->elem != p->elem)
    return verifier_fail(v, "%s has not the pointer's element type", what);
  return same_shape(v, p, t, "pointers and values");
}

static bool check_mask(verifier *v, const type *mask) {
  if (!mask)
    return true;
  if (!is_bool(mask))
    return verifier_fail(v, "the mask is not bool");
  return same_shape(v, OPERAND(v, 0), mask, "pointers and mask");
}

static bool check_pointer(verifier *v) {
  return (OPERAND(v, 0)->pointer ||
          verifier_fail(v, "the first operand is no pointer")) &&
         attr_count(v, 0);
}

static bool check_load(verifier *v) {
  const type *other = OPERAND(v, 2);
  return check_pointer(v) && check_mask(v, OPERAND(v, 1)) &&
         (!other || fits_pointer(v, other, "the `other` value")) &&
         fits_pointer(v, RESULT(v), "the result");
}

static bool check_store(verifier *v) {
  return check_pointer(v) && check_mask(v, OPERAND(v, 2)) &&
         fits_pointer(v, OPERAND(v, 1), "the stored value");
}

static bool check_cas(verifier *v) {
  const type *expected = OPERAND(v, 3);
  return check_store(v) &&
         (expected || verifier_fail(v, "what is expected is missing")) &&
         fits_pointer(v, expected, "what is expected") &&
         fits_pointer(v, RESULT(v), "the result");
}

static bool check_atomic(verifier *v) {
  return check_store(v) && fits_pointer(v, RESULT(v), "the result");
}

/* -------------------------------------------------------------- claims */

static bool is_i64(const type *t) {
  return t && t->elem == SC_I64 && !t->pointer && t->rank == 0;
}

static bool check_claim(verifier *v) {
  const type *x = OPERAND(v, 0), *extent = OPERAND(v, 1);
  if (!needs_text(v) || !same(v, x, RESULT(v), "operand and result"))
    return false;
  if (v->inst->op == OP_BLOCK_AXIS)
    return attr_count(v, 1) &&
           ((is_i64(x) && is_i64(extent)) ||
            verifier_fail(v, "offset and extent are no i64 scalars"));
  return attr_count(v, 2) && attr_between(v, 0, 1, 4096) &&
         attr_between(v, 1, 0, 8) &&
         ((!extent && x->rank == 0 && (x->pointer || is_i64(x))) ||
          verifier_fail(v, "the operand is no pointer and no i64 scalar"));
}

/* ---------------------------------------------------------- effects, opaque */

static bool check_effect(verifier *v) {
  const type *condition = OPERAND(v, 0);
  if (v->inst->op == OP_BARRIER)
    return v->inst->operand_count == 0 ||
           verifier_fail(v, "a barrier has no operands");
  if (!condition || !is_bool(condition))
    return verifier_fail(v, "the condition is missing or not bool");
  return check_mask(v, OPERAND(v, 1)) && attr_count(v, 0);
}

static bool check_opaque(verifier *v) {
  return needs_text(v) && attr_count(v, 1) && attr_between(v, 0, 0, 1);
}

/* -------------------------------------------------------------- the table */

static const struct signature {
  uint32_t least, most; /* operands; those from `least` on may be absent */
  uint32_t results;
  bool (*check)(verifier *v);
} signatures[] = {
    [SIG_INDEX] = {0, 0, 1, check_index},
    [SIG_CONST] = {0, 0, 1, check_const},
    [SIG_SPLAT] = {1, 1, 1, check_splat},
    [SIG_BINARY] = {2, 2, 1, check_uniform},
    [SIG_TERNARY] = {3, 3, 1, check_uniform},
    [SIG_COMPARE] = {2, 2, 1, check_compare},
    [SIG_UNARY] = {1, 1, 1, check_uniform},
    [SIG_TEST] = {1, 1, 1, check_compare},
    [SIG_WHERE] = {3, 3, 1, check_where},
    [SIG_CAST] = {1, 1, 1, check_cast},
    [SIG_SHAPE] = {1, 1, 1, check_shape},
    [SIG_JOIN] = {2, 2, 1, check_join},
    [SIG_GATHER] = {2, 2, 1, check_gather},
    [SIG_HISTOGRAM] = {1, 2, 1, check_histogram},
    [SIG_REDUCE] = {1, 1, 1, check_reduce},
    [SIG_ARG] = {1, 1, 1, check_arg},
    [SIG_SCAN] = {1, 1, 1, check_scan},
    [SIG_DOT] = {2, 3, 1, check_dot},
    [SIG_RANDOM] = {2, 2, 1, check_random},
    [SIG_PTR_ADD] = {2, 2, 1, check_ptr_add},
    [SIG_LOAD] = {1, 3, 1, check_load},
    [SIG_STORE] = {2, 3, 0, check_store},
    [SIG_ATOMIC] = {2, 3, 1, check_atomic},
    [SIG_CAS] = {2, 4, 1, check_cas},
    [SIG_CLAIM] = {1, 2, 1, check_claim},
    [SIG_EFFECT] = {0, 2, 0, check_effect},
    [SIG_SAME] = {1, 1, 1, check_hint},
    [SIG_ANY] = {0, UINT32_MAX, UINT32_MAX, check_opaque},
};

bool verifier_op(verifier *v) {
  const inst *i = v->inst;
  if ((unsigned)i->op >= OP_COUNT)
    return verifier_fail(v, "there is no such operation");
  const struct signature *s = &signatures[op_signature_of(i->op)];
  bool open = s->most == UINT32_MAX;
  if (i->operand_count < s->least || i->operand_count > s->most)
    return verifier_fail(v, "it has %u operands", i->operand_count);
  for (uint32_t k = 0; k < i->operand_count; k++)
    if ((open || k < s->least) && !i->operands[k])
      return verifier_fail(v, "operand %u is missing", k);
  if (!open && i->result_count != s->results)
    return verifier_fail(v, "it has %u results, not %u", i->result_count,
                         s->results);
  return s->check(v);
}
