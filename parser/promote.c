/* parser/promote.c: Triton's typing of operators.
 *
 * The rules are those of triton/language/semantic.py (computation_type_impl,
 * integer_promote_impl); docs/semantics.md lists them. An element type that
 * nobody states (SC_ANY) makes the result SC_ANY, except next to float32 and
 * float64, which win. */
#include "parser/lowering.h"

#include <assert.h>

typedef enum kind_rank { KIND_BOOL, KIND_INT, KIND_FLOAT } kind_rank;

static kind_rank kind_of(scalar s) {
  return s == SC_BOOL ? KIND_BOOL : scalar_is_float(s) ? KIND_FLOAT : KIND_INT;
}

static type plain(scalar s, uint64_t wide) {
  type t = type_scalar(s);
  t.wide = s == SC_I32 ? wide : 0;
  return t;
}

static bool is_half(scalar s) {
  return s == SC_F16 || s == SC_BF16;
}

/* ---------------------------------------------------------------- types */

static type promote_ints(const type *a, const type *b) {
  bool a_signed = scalar_is_signed(a->elem),
       b_signed = scalar_is_signed(b->elem);
  unsigned a_bits = scalar_bits(a->elem), b_bits = scalar_bits(b->elem);
  if (a->elem == b->elem)
    return plain(a->elem, a->wide | b->wide);
  if (a_signed == b_signed)
    return a_bits > b_bits ? plain(a->elem, a->wide) : plain(b->elem, b->wide);
  const type *sign = a_signed ? a : b, *none = a_signed ? b : a;
  if (sign->wide && none->elem == SC_U32)
    return type_scalar(SC_NONE); /* uint32 or int64, by the argument's value */
  return scalar_bits(none->elem) >= scalar_bits(sign->elem)
             ? plain(none->elem, 0)
             : plain(sign->elem, sign->wide);
}

static type promote_floats(scalar a, scalar b, pair_mode mode) {
  if (a == SC_F64 || b == SC_F64)
    return type_scalar(SC_F64);
  if (a == SC_F32 || b == SC_F32)
    return type_scalar(SC_F32);
  if (a == SC_ANY || b == SC_ANY)
    return type_scalar(SC_ANY);
  if (a == SC_F16 || b == SC_F16)
    return type_scalar(mode == PAIR_DIVIDE ? SC_F32 : SC_F16);
  if (a == SC_BF16 && b == SC_BF16)
    return type_scalar(mode == PAIR_DIVIDE ? SC_F32 : SC_BF16);
  if (a == SC_BF16 || b == SC_BF16)
    return type_scalar(SC_F32);
  if (scalar_is_float(a) && scalar_is_float(b))
    return type_scalar(a == b ? a : SC_F16);
  return type_scalar(SC_NONE);
}

/* A Python number next to a tensor: the tensor's type unless the number's kind
 * is higher; false then. */
static bool promote_number(const type *number, const type *tensor,
                           pair_mode mode, type *out) {
  if (tensor->elem == SC_ANY) {
    *out = type_scalar(SC_ANY);
    return true;
  }
  if (kind_of(number->elem) > kind_of(tensor->elem))
    return false;
  *out = mode == PAIR_DIVIDE && is_half(tensor->elem)
             ? type_scalar(SC_F32)
             : plain(tensor->elem, tensor->wide);
  return true;
}

type promote_types(const type *a, bool a_number, const type *b, bool b_number,
                   pair_mode mode) {
  type out;
  if (a_number != b_number &&
      promote_number(a_number ? a : b, a_number ? b : a, mode, &out))
    return out;
  if (!scalar_is_int(a->elem) || !scalar_is_int(b->elem))
    return promote_floats(a->elem, b->elem, mode);
  if (mode == PAIR_DIVIDE &&
      scalar_is_signed(a->elem) != scalar_is_signed(b->elem))
    return type_scalar(SC_NONE);
  return promote_ints(a, b);
}

/* Whether a constant number is in the range of an integer type. Numbers that
 * only the launch knows pass. */
static bool fits(const lower *l, const thing *number, scalar s) {
  int64_t n;
  if (!thing_is(number, STATIC_INT) || !scalar_is_int(s) ||
      !expr_is_int(l->p->exprs, number->fixed.number, &n))
    return true;
  unsigned bits = scalar_bits(s);
  if (scalar_is_signed(s))
    return bits == 64 ||
           (n >= -((int64_t)1 << (bits - 1)) && n < (int64_t)1 << (bits - 1));
  return n >= 0 && (bits == 64 || n < (int64_t)1 << bits);
}

/* ------------------------------------------------------------- operands */

static bool is_number(const thing *t) {
  return thing_is(t, STATIC_INT) || thing_is(t, STATIC_BOOL) ||
         thing_is(t, STATIC_FLOAT);
}

static bool is_operand(const thing *t) {
  return t->kind == THING_VALUE || is_number(t) || thing_is(t, STATIC_UNKNOWN);
}

static bool any_shapeless(const lower *l, const thing *a, const thing *b) {
  return thing_is_shapeless(l, a) || thing_is_shapeless(l, b);
}

static bool is_pointer(const lower *l, const thing *t) {
  return t->kind == THING_VALUE && value_type(l, t->id)->pointer;
}

/* A thing as a scalar or tile of that element type. */
static value_id as_type(lower *l, node at, const thing *t, type elem) {
  if (is_number(t))
    return number_as(l, at, t, elem);
  return emit_cast(l, at, to_value(l, at, t), elem);
}

bool promote_pair(lower *l, node at, const thing *a, const thing *b,
                  pair_mode mode, pair *out) {
  assert(is_operand(a) && is_operand(b) && !any_shapeless(l, a, b));
  bool a_number = is_number(a), b_number = is_number(b);
  thing x = *a, y = *b;
  if (!a_number)
    x = thing_value(to_value(l, at, a));
  if (!b_number)
    y = thing_value(to_value(l, at, b));
  type a_type = a_number ? literal_type(l, a) : *value_type(l, x.id);
  type b_type = b_number ? literal_type(l, b) : *value_type(l, y.id);
  assert(!a_type.pointer && !b_type.pointer);
  type to = promote_types(&a_type, a_number, &b_type, b_number, mode);
  if (to.elem == SC_NONE || !fits(l, &x, to.elem) || !fits(l, &y, to.elem))
    return false;
  out->a = as_type(l, at, &x, to);
  out->b = as_type(l, at, &y, to);
  if (!out->a || !out->b || !emit_same_shape(l, at, &out->a, &out->b))
    return false;
  out->type = *value_type(l, out->a);
  return true;
}

/* The result of two operands that do not go together. */
static thing misfit(lower *l, node at, const char *what, const thing *a,
                    const thing *b) {
  thing both[2] = {*a, *b};
  if (thing_is(a, STATIC_NONE) || thing_is(b, STATIC_NONE))
    mark_impossible(l);
  bool values = a->kind == THING_VALUE && b->kind == THING_VALUE;
  bool shapes =
      values && value_type(l, a->id)->rank && value_type(l, b->id)->rank;
  return refused(l, at, shapes ? UNSUPPORTED_SHAPES : UNSUPPORTED_TYPES, what,
                 both, 2);
}

/* ------------------------------------------------------------- pointers */

/* An offset in elements as Triton extends it: by its own signedness. */
static value_id offset_value(lower *l, node at, const thing *t) {
  if (is_number(t))
    return number_as(l, at, t, type_scalar(SC_I64));
  value_id v = to_value(l, at, t);
  scalar s = value_type(l, v)->elem;
  if (scalar_is_float(s) || value_type(l, v)->pointer)
    return VALUE_NONE;
  if (s == SC_ANY || (!scalar_is_signed(s) && s != SC_U64))
    return emit_cast(l, at, v, type_scalar(SC_I64));
  return v;
}

static thing pointer_add(lower *l, node at, const thing *pointer,
                         const thing *offset, bool minus) {
  const char *what = minus ? "-" : "+";
  value_id p = pointer->id, v = offset_value(l, at, offset);
  if (v && minus)
    v = emit_unary(l, at, OP_NEG, v, *value_type(l, v));
  if (!v || !emit_same_shape(l, at, &p, &v))
    return misfit(l, at, what, pointer, offset);
  return thing_value(emit_binary(l, at, OP_PTR_ADD, p, v, *value_type(l, p)));
}

static thing pointer_binary(lower *l, node at, const char *op, const thing *a,
                            const thing *b) {
  bool left = is_pointer(l, a), right = is_pointer(l, b);
  if (strcmp(op, "+") == 0 && left != right)
    return left ? pointer_add(l, at, a, b, false)
                : pointer_add(l, at, b, a, false);
  if (strcmp(op, "-") == 0 && left && !right)
    return pointer_add(l, at, a, b, true);
  thing both[2] = {*a, *b};
  return refused(l, at, UNSUPPORTED_POINTER_VALUE, op, both, 2);
}

/* ------------------------------------------------------------ operators */

static const struct {
  const char *text;
  op_id op;
  bool ints, floats;
} operators[] = {
    {"+", OP_ADD, true, true},    {"-", OP_SUB, true, true},
    {"*", OP_MUL, true, true},    {"/", OP_DIV, true, true},
    {"//", OP_IDIV, true, false}, {"%", OP_IREM, true, true},
    {"**", OP_POW, false, true},  {"&", OP_AND, true, false},
    {"|", OP_OR, true, false},    {"^", OP_XOR, true, false},
    {"<<", OP_SHL, true, false},  {">>", OP_SHR, true, false},
    {"<", OP_LT, true, true},     {"<=", OP_LE, true, true},
    {">", OP_GT, true, true},     {">=", OP_GE, true, true},
    {"==", OP_EQ, true, true},    {"!=", OP_NE, true, true},
};

static int operator_row(const char *text) {
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
    if (strcmp(operators[i].text, text) == 0)
      return (int)i;
  return -1;
}

/* `/` of integers is a division of float32. */
static void divide_as_floats(lower *l, node at, pair *p) {
  if (!scalar_is_int(p->type.elem))
    return;
  p->a = emit_cast(l, at, p->a, type_scalar(SC_F32));
  p->b = emit_cast(l, at, p->b, type_scalar(SC_F32));
  p->type = *value_type(l, p->a);
}

thing apply_binary(lower *l, node at, const char *op, const thing *a,
                   const thing *b) {
  if (a->kind != THING_VALUE && b->kind != THING_VALUE) {
    thing result = fixed_binary(l, op, a, b);
    return result;
  }
  int row = operator_row(op);
  if (!is_operand(a) || !is_operand(b) || row < 0)
    return misfit(l, at, op, a, b);
  thing both[2] = {*a, *b};
  if (any_shapeless(l, a, b))
    return shapeless(l, at, op, both, 2);
  if (is_pointer(l, a) || is_pointer(l, b))
    return pointer_binary(l, at, op, a, b);
  bool divides = op[0] == '/' || op[0] == '%';
  pair p;
  if (!promote_pair(l, at, a, b, divides ? PAIR_DIVIDE : PAIR_PLAIN, &p))
    return misfit(l, at, op, a, b);
  if (operators[row].op == OP_DIV)
    divide_as_floats(l, at, &p);
  if ((scalar_is_float(p.type.elem) && !operators[row].floats) ||
      (scalar_is_int(p.type.elem) && !operators[row].ints))
    return misfit(l, at, op, a, b);
  return thing_value(emit_binary(l, at, operators[row].op, p.a, p.b, p.type));
}

/* `x is None` and its like, where one side is None. */
static thing compare_none(lower *l, const char *op, const thing *other) {
  bool same = strcmp(op, "is") == 0 || strcmp(op, "==") == 0;
  if (thing_is_shapeless(l, other))
    return thing_unknown();
  for (size_t i = 0; other->kind == THING_VALUE && i < l->optional.count; i++)
    if (l->optional.at[i].pointer == other->id) {
      expr absent = l->optional.at[i].absent;
      return thing_bool(same ? absent : expr_not(l->p->exprs, absent));
    }
  return thing_bool(expr_int(l->p->exprs, !same));
}

thing apply_compare(lower *l, node at, const char *op, const thing *a,
                    const thing *b) {
  if (a->kind != THING_VALUE && b->kind != THING_VALUE)
    return fixed_compare(l, op, a, b);
  if (thing_is(a, STATIC_NONE) || thing_is(b, STATIC_NONE))
    return compare_none(l, op, thing_is(a, STATIC_NONE) ? b : a);
  if (strcmp(op, "is") == 0)
    op = "==";
  if (strcmp(op, "is not") == 0)
    op = "!=";
  int row = operator_row(op);
  if (!is_operand(a) || !is_operand(b) || row < 0)
    return misfit(l, at, op, a, b);
  thing both[2] = {*a, *b};
  if (any_shapeless(l, a, b))
    return shapeless(l, at, op, both, 2);
  if (is_pointer(l, a) || is_pointer(l, b))
    return refused(l, at, UNSUPPORTED_POINTER_COMPARE, NULL, both, 2);
  pair p;
  if (!promote_pair(l, at, a, b, PAIR_PLAIN, &p))
    return misfit(l, at, op, a, b);
  type result = type_with_shape(type_scalar(SC_BOOL), &p.type);
  return thing_value(emit_binary(l, at, operators[row].op, p.a, p.b, result));
}

thing apply_unary(lower *l, node at, const char *op, const thing *a) {
  if (a->kind != THING_VALUE)
    return fixed_unary(l, op, a);
  if (is_shapeless(l, a->id))
    return shapeless(l, at, op, a, 1);
  const type *t = value_type(l, a->id);
  if (t->pointer)
    return refused(l, at, UNSUPPORTED_POINTER_VALUE, op, a, 1);
  if (strcmp(op, "not") == 0) {
    value_id v = to_bool(l, at, a->id);
    return thing_value(emit_unary(l, at, OP_NOT, v, *value_type(l, v)));
  }
  if (op[0] == '+')
    return *a;
  if (op[0] == '~' && scalar_is_float(t->elem))
    return refused(l, at, UNSUPPORTED_TYPES, op, a, 1);
  return thing_value(
      emit_unary(l, at, op[0] == '~' ? OP_NOT : OP_NEG, a->id, *t));
}

thing apply_and_or(lower *l, node at, bool is_and, const thing *a,
                   const thing *b) {
  const char *what = is_and ? "and" : "or";
  thing both[2] = {*a, *b};
  if (any_shapeless(l, a, b))
    return shapeless(l, at, what, both, 2);
  value_id x = to_value(l, at, a), y = to_value(l, at, b);
  if (!x || !y || value_type(l, x)->pointer || value_type(l, y)->pointer)
    return misfit(l, at, what, a, b);
  x = to_bool(l, at, x);
  y = to_bool(l, at, y);
  if (!emit_same_shape(l, at, &x, &y))
    return misfit(l, at, what, a, b);
  return thing_value(
      emit_binary(l, at, is_and ? OP_AND : OP_OR, x, y, *value_type(l, x)));
}

/* --------------------------------------------------- where, min and max */

static thing fixed_min_max(lower *l, op_id op, const thing *a, const thing *b) {
  exprs *e = l->p->exprs;
  if (thing_is(a, STATIC_INT) && thing_is(b, STATIC_INT))
    return thing_int(op == OP_MIN
                         ? expr_min(e, a->fixed.number, b->fixed.number)
                         : expr_max(e, a->fixed.number, b->fixed.number));
  thing less = fixed_compare(l, op == OP_MIN ? "<" : ">", b, a);
  truth take_b = decide(l, fixed_truth(l, &less));
  return take_b == UNSURE ? thing_unknown() : take_b == YES ? *b : *a;
}

/* bfloat16 operands of min and max become float32. */
static thing without_bf16(lower *l, node at, const thing *t) {
  if (t->kind != THING_VALUE || value_type(l, t->id)->pointer ||
      value_type(l, t->id)->elem != SC_BF16)
    return *t;
  return thing_value(emit_cast(l, at, t->id, type_scalar(SC_F32)));
}

thing apply_min_max(lower *l, node at, op_id op, const thing *a,
                    const thing *b) {
  const char *what = op == OP_MIN ? "minimum" : "maximum";
  thing both[2] = {*a, *b};
  if (is_number(a) && is_number(b))
    return fixed_min_max(l, op, a, b);
  if (!is_operand(a) || !is_operand(b) || is_pointer(l, a) || is_pointer(l, b))
    return misfit(l, at, what, a, b);
  if (any_shapeless(l, a, b))
    return shapeless(l, at, what, both, 2);
  thing x = without_bf16(l, at, a), y = without_bf16(l, at, b);
  pair p;
  if (!promote_pair(l, at, &x, &y, PAIR_PLAIN, &p))
    return misfit(l, at, what, a, b);
  return thing_value(emit_binary(l, at, op, p.a, p.b, p.type));
}

/* The two arms of a where, to one type and shape. */
static bool where_arms(lower *l, node at, const thing *a, const thing *b,
                       pair *out) {
  if (!is_pointer(l, a) && !is_pointer(l, b))
    return promote_pair(l, at, a, b, PAIR_PLAIN, out);
  if (!is_pointer(l, a) || !is_pointer(l, b) ||
      value_type(l, a->id)->elem != value_type(l, b->id)->elem)
    return false;
  out->a = a->id;
  out->b = b->id;
  return emit_same_shape(l, at, &out->a, &out->b);
}

thing apply_where(lower *l, node at, const thing *condition, const thing *a,
                  const thing *b) {
  thing all[3] = {*condition, *a, *b};
  if (!is_operand(condition) || !is_operand(a) || !is_operand(b) ||
      is_pointer(l, condition))
    return refused(l, at, UNSUPPORTED_TYPES, "where", all, 3);
  if (thing_is_shapeless(l, condition) || any_shapeless(l, a, b))
    return shapeless(l, at, "where", all, 3);
  thing x = *a, y = *b; /* two numbers: each as its own tensor */
  if (is_number(a) && is_number(b)) {
    x = thing_value(to_value(l, at, a));
    y = thing_value(to_value(l, at, b));
  }
  pair arms;
  value_id c = to_bool(l, at, to_value(l, at, condition));
  if (!where_arms(l, at, &x, &y, &arms) ||
      !emit_same_shape(l, at, &c, &arms.a) ||
      !emit_same_shape(l, at, &c, &arms.b))
    return refused(l, at, UNSUPPORTED_SHAPES, "where", all, 3);
  value_id operands[3] = {c, arms.a, arms.b};
  type result = *value_type(l, arms.a);
  return thing_value(
      emit(l, at, OP_WHERE, operands, 3, NULL, 0, &result, NULL));
}
