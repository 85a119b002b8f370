/* parser/emit.c: instructions, conversions and notices. */
#include "parser/lowering.h"

#include <assert.h>
#include <math.h>

#include "base/panic.h"
#include "ops/ops.h"

span lower_span(const lower *l, node at) {
  return l->frame->outside.line ? l->frame->outside : node_span(l->syntax, at);
}

span lower_inner(const lower *l, node at) {
  return l->frame->outside.line ? node_span(l->syntax, at) : (span){0};
}

const char *lower_text(const lower *l, node at) {
  return node_text(l->syntax, at, l->arena);
}

syn lower_kind(const lower *l, node at) {
  return syntax_kind(l->syntax, at);
}

/* -------------------------------------------------------------- notices */

static const char *sentence_of(unsupported why) {
  static const char *const sentences[] = {
#define UNSUPPORTED(id, text) text,
#include "parser/unsupported.def"
#undef UNSUPPORTED
  };
  assert(why < UNSUPPORTED_COUNT);
  return sentences[why];
}

static const char *filled(arena *arena, const char *sentence,
                          const char *detail) {
  const char *hole = strstr(sentence, "%s");
  if (!hole)
    return sentence;
  return arena_printf(arena, "%.*s%.60s%s", (int)(hole - sentence), sentence,
                      detail ? detail : "this", hole + 2);
}

void refuse(lower *l, node at, unsupported why, const char *detail,
            bool accesses) {
  notice n = {
      .kind = NOTICE_UNSUPPORTED,
      .at = lower_span(l, at),
      .message = filled(l->run, sentence_of(why), detail),
      .effect = accesses ? "the memory that it touches is not checked"
                         : "what is computed from it is not known",
      .kernel = l->p->kernel,
  };
  span inner = lower_inner(l, at);
  if (inner.line)
    n.message = arena_printf(l->run, "%s (in %s, line %u)", n.message,
                             syntax_source(l->syntax)->path, inner.line);
  bool everywhere = why == UNSUPPORTED_NESTING || why == UNSUPPORTED_SIZE;
  for (size_t i = 0; i < l->notices->count; i++) {
    const notice *known = &l->notices->at[i];
    bool here = memcmp(&known->at, &n.at, sizeof n.at) == 0;
    if ((here || everywhere) && strcmp(known->message, n.message) == 0)
      return;
  }
  if (l->notices->count < LOWER_NOTICES)
    VEC_PUSH(l->run, l->notices, n);
}

/* --------------------------------------------------------------- values */

const type *value_type(const lower *l, value_id id) {
  assert(id != VALUE_NONE && id < l->p->values.count);
  return &l->p->values.at[id].type;
}

static uint8_t marks_of(const lower *l, value_id id) {
  return id < l->marks.count ? l->marks.at[id] : 0;
}

void mark_value(lower *l, value_id id, uint8_t marks) {
  while (l->marks.count <= id)
    VEC_PUSH(l->arena, &l->marks, 0);
  l->marks.at[id] = marks;
}

bool is_shapeless(const lower *l, value_id id) {
  return marks_of(l, id) & MARK_SHAPELESS;
}

bool may_hold_pointer(const lower *l, value_id id) {
  return value_type(l, id)->pointer || (marks_of(l, id) & MARK_POINTER);
}

bool thing_has_pointer(const lower *l, const thing *t) {
  if (t->kind == THING_VALUE)
    return may_hold_pointer(l, t->id);
  for (uint32_t i = 0; t->kind == THING_TUPLE && i < t->count; i++)
    if (thing_has_pointer(l, &t->items[i]))
      return true;
  return false;
}

bool thing_is_shapeless(const lower *l, const thing *t) {
  if (t->kind == THING_VALUE)
    return is_shapeless(l, t->id);
  return t->kind == THING_GONE;
}

value_id emit(lower *l, node at, op_id op, const value_id *operands,
              uint32_t count, const expr *attrs, uint32_t attr_count,
              const type *result, const char *text) {
  inst shape = {
      .kind = NODE_OP,
      .op = op,
      .at = lower_span(l, at),
      .inner = lower_inner(l, at),
      .call = l->frame->call,
      .operand_count = count,
      .attr_count = attr_count,
      .operands = (value_id *)operands,
      .attrs = (expr *)attrs,
      .text = text,
  };
  inst *made = program_append(l->p, l->region, shape, result, result ? 1 : 0);
  return result ? made->results[0] : VALUE_NONE;
}

value_id emit_unary(lower *l, node at, op_id op, value_id a, type result) {
  return emit(l, at, op, &a, 1, NULL, 0, &result, NULL);
}

value_id emit_binary(lower *l, node at, op_id op, value_id a, value_id b,
                     type result) {
  value_id operands[2] = {a, b};
  return emit(l, at, op, operands, 2, NULL, 0, &result, NULL);
}

value_id emit_int(lower *l, node at, expr number, type scalar_type) {
  assert(scalar_type.rank == 0 && !scalar_type.pointer && number);
  return emit(l, at, OP_CONST, NULL, 0, &number, 1, &scalar_type, NULL);
}

value_id emit_float(lower *l, node at, double number, scalar elem) {
  type t = type_scalar(elem);
  inst shape = {
      .kind = NODE_OP,
      .op = OP_CONST,
      .at = lower_span(l, at),
      .inner = lower_inner(l, at),
      .call = l->frame->call,
      .number = number,
  };
  return program_append(l->p, l->region, shape, &t, 1)->results[0];
}

void mark_impossible(lower *l) {
  if (!l->undecided)
    l->impossible = true;
}

/* --------------------------------------------------------------- opaque */

value_id emit_opaque(lower *l, node at, const char *text,
                     const value_id *operands, uint32_t count, bool accesses,
                     type result, uint8_t marks) {
  expr access = expr_int(l->p->exprs, accesses);
  value_id v =
      emit(l, at, OP_OPAQUE, operands, count, &access, 1, &result, text);
  mark_value(l, v, marks);
  return v;
}

static thing opaque_of_things(lower *l, node at, const char *text,
                              const thing *things, uint32_t count,
                              bool may_access) {
  value_vec values = {0};
  bool pointer = false;
  for (uint32_t i = 0; i < count; i++) {
    pointer = pointer || thing_has_pointer(l, &things[i]);
    flatten(l, &things[i], &values);
  }
  uint8_t marks = MARK_SHAPELESS | (pointer ? MARK_POINTER : 0);
  return thing_value(emit_opaque(l, at, text, values.at, (uint32_t)values.count,
                                 pointer && may_access, type_scalar(SC_ANY),
                                 marks));
}

thing emit_unknown(lower *l, node at, const char *text, const thing *things,
                   uint32_t count) {
  return opaque_of_things(l, at, text, things, count, true);
}

thing shapeless(lower *l, node at, const char *text, const thing *things,
                uint32_t count) {
  return opaque_of_things(l, at, text, things, count, false);
}

thing refused(lower *l, node at, unsupported why, const char *detail,
              const thing *things, uint32_t count) {
  bool pointer = false;
  for (uint32_t i = 0; i < count; i++)
    pointer = pointer || thing_has_pointer(l, &things[i]);
  refuse(l, at, why, detail, pointer);
  return emit_unknown(l, at, filled(l->arena, sentence_of(why), detail), things,
                      count);
}

/* --------------------------------------------------------------- shapes */

value_id emit_cast(lower *l, node at, value_id v, type elem) {
  const type *t = value_type(l, v);
  if (is_shapeless(l, v)) {
    thing one = thing_value(v);
    return shapeless(l, at, "cast", &one, 1).id;
  }
  assert(!t->pointer && !elem.pointer);
  if (t->elem == elem.elem && t->wide == elem.wide)
    return v;
  return emit_unary(l, at, OP_CAST, v, type_with_shape(elem, t));
}

value_id emit_reshape(lower *l, node at, value_id v, const type *shape) {
  type result = type_with_shape(*value_type(l, v), shape);
  if (type_same_shape(value_type(l, v), shape))
    return v;
  return emit_unary(l, at, OP_RESHAPE, v, result);
}

value_id emit_expand(lower *l, node at, value_id v, uint32_t axis) {
  type result = *value_type(l, v);
  assert(result.rank < TYPE_MAX_RANK && axis <= result.rank);
  for (uint32_t d = result.rank; d > axis; d--)
    result.dim[d] = result.dim[d - 1];
  result.dim[axis] = expr_int(l->p->exprs, 1);
  result.rank++;
  if (result.rank == 1)
    return emit_unary(l, at, OP_SPLAT, v, result);
  expr attr = expr_int(l->p->exprs, (int64_t)axis);
  return emit(l, at, OP_EXPAND_DIMS, &v, 1, &attr, 1, &result, NULL);
}

/* Gives v, of the rank of shape, the very extents of shape where they are
 * equal; stretches axes of 1. */
static value_id stretch(lower *l, node at, value_id v, const type *shape) {
  type same = *value_type(l, v);
  bool stretched = false;
  for (unsigned d = 0; d < shape->rank; d++) {
    if (same.dim[d] == shape->dim[d])
      continue;
    if (extent_is_one(l, same.dim[d]))
      stretched = true;
    else if (extent_same(l, same.dim[d], shape->dim[d]))
      same.dim[d] = shape->dim[d];
    else
      return VALUE_NONE;
  }
  v = emit_reshape(l, at, v, &same);
  if (!stretched)
    return v;
  return emit_unary(l, at, OP_BROADCAST, v,
                    type_with_shape(*value_type(l, v), shape));
}

value_id emit_shape(lower *l, node at, value_id v, const type *shape) {
  const type *t = value_type(l, v);
  if (t->rank > shape->rank)
    return VALUE_NONE;
  if (t->rank == 0)
    return shape->rank == 0
               ? v
               : emit_unary(l, at, OP_SPLAT, v, type_with_shape(*t, shape));
  for (unsigned left = shape->rank - t->rank; left > 0; left--)
    v = emit_expand(l, at, v, 0);
  return stretch(l, at, v, shape);
}

/* The shape that a and b broadcast to; false if they do not. */
static bool joint_shape(const lower *l, const type *a, const type *b,
                        type *out) {
  unsigned rank = a->rank > b->rank ? a->rank : b->rank;
  *out = type_scalar(SC_NONE);
  out->rank = (uint8_t)rank;
  for (unsigned d = 0; d < rank; d++) {
    bool in_a = d + a->rank >= rank, in_b = d + b->rank >= rank;
    expr x = in_a ? a->dim[d + a->rank - rank] : EXPR_NONE;
    expr y = in_b ? b->dim[d + b->rank - rank] : EXPR_NONE;
    if (!in_a || !in_b)
      out->dim[d] = in_a ? x : y;
    else if (extent_is_one(l, x))
      out->dim[d] = y;
    else if (extent_is_one(l, y) || extent_same(l, x, y))
      out->dim[d] = x;
    else
      return false;
  }
  return true;
}

bool emit_same_shape(lower *l, node at, value_id *a, value_id *b) {
  type shape;
  if (!joint_shape(l, value_type(l, *a), value_type(l, *b), &shape))
    return false;
  *a = emit_shape(l, at, *a, &shape);
  *b = emit_shape(l, at, *b, &shape);
  assert(*a != VALUE_NONE && *b != VALUE_NONE);
  return true;
}

/* -------------------------------------------------------------- numbers */

type literal_type(const lower *l, const thing *t) {
  int64_t n = 0;
  assert(t->kind == THING_FIXED);
  if (t->fixed.kind == STATIC_BOOL)
    return type_scalar(SC_BOOL);
  if (t->fixed.kind == STATIC_FLOAT) {
    double size = fabs(t->fixed.real);
    bool single = isnan(size) || isinf(size) || size == 0 ||
                  (size >= 0x1p-126 && size <= 3.4028234663852886e38);
    return type_scalar(single ? SC_F32 : SC_F64);
  }
  if (t->fixed.kind != STATIC_INT)
    return type_scalar(SC_NONE);
  /* A number that only the launch knows is taken for an int32: what does not
   * fit is the analysis's to find. */
  if (!expr_is_int(l->p->exprs, t->fixed.number, &n))
    return type_scalar(SC_I32);
  if (n >= INT32_MIN && n <= INT32_MAX)
    return type_scalar(SC_I32);
  return type_scalar(n > 0 && n <= UINT32_MAX ? SC_U32 : SC_I64);
}

static value_id float_as(lower *l, node at, double real, type elem) {
  if (scalar_is_float(elem.elem))
    return emit_float(l, at, real, elem.elem);
  if (elem.elem == SC_BOOL)
    return emit_int(l, at, expr_int(l->p->exprs, real != 0), elem);
  if (!(fabs(real) < 0x1p62))
    return VALUE_NONE;
  return emit_int(l, at, expr_int(l->p->exprs, (int64_t)real), elem);
}

value_id number_as(lower *l, node at, const thing *t, type elem) {
  elem.rank = 0;
  if (t->kind != THING_FIXED || elem.pointer)
    return VALUE_NONE;
  if (t->fixed.kind == STATIC_UNKNOWN || elem.elem == SC_ANY) {
    value_id v = to_value(l, at, t);
    return v ? emit_cast(l, at, v, elem) : VALUE_NONE;
  }
  if (t->fixed.kind == STATIC_FLOAT)
    return float_as(l, at, t->fixed.real, elem);
  if (t->fixed.kind != STATIC_INT && t->fixed.kind != STATIC_BOOL)
    return VALUE_NONE;
  int64_t n;
  bool constant = expr_is_int(l->p->exprs, t->fixed.number, &n);
  if (scalar_is_float(elem.elem) && constant)
    return emit_float(l, at, (double)n, elem.elem);
  if (scalar_is_float(elem.elem)) {
    value_id v = emit_int(l, at, t->fixed.number, literal_type(l, t));
    return emit_cast(l, at, v, elem);
  }
  expr number = t->fixed.number;
  if (elem.elem != SC_BOOL && t->fixed.kind == STATIC_BOOL)
    number = fixed_number(l, t);
  if (elem.elem == SC_BOOL && t->fixed.kind == STATIC_INT)
    number =
        expr_compare(l->p->exprs, EXPR_NE, number, expr_int(l->p->exprs, 0));
  return emit_int(l, at, number, elem);
}

/* A constexpr whose value only the host knows: any number, no memory. */
static value_id emit_host_number(lower *l, node at) {
  expr no_access = expr_int(l->p->exprs, 0);
  type any = type_scalar(SC_ANY);
  return emit(l, at, OP_UNKNOWN, NULL, 0, &no_access, 1, &any,
              "a compile-time value that is not known");
}

value_id to_value(lower *l, node at, const thing *t) {
  if (t->kind == THING_VALUE)
    return t->id;
  if (t->kind != THING_FIXED)
    return VALUE_NONE;
  if (t->fixed.kind == STATIC_UNKNOWN)
    return emit_host_number(l, at);
  type natural = literal_type(l, t);
  return natural.elem == SC_NONE ? VALUE_NONE : number_as(l, at, t, natural);
}

value_id to_bool(lower *l, node at, value_id v) {
  const type *t = value_type(l, v);
  if (is_shapeless(l, v) || t->pointer) {
    thing one = thing_value(v);
    return shapeless(l, at, "condition", &one, 1).id;
  }
  return emit_cast(l, at, v, type_scalar(SC_BOOL));
}

/* --------------------------------------------------------------- trials */

trial trial_begin(const lower *l) {
  return (trial){
      .region = l->region,
      .scope = scope_copy(&l->frame->scope),
      .insts = l->region->insts.count,
      .values = l->p->values.count,
      .calls = l->p->calls.count,
      .notices = l->notices->count,
      .decided = l->p->decided.count,
      .facts = l->p->facts.count,
      .marks = l->marks.count,
      .inst_count = l->p->inst_count,
      .impossible = l->impossible,
  };
}

void trial_undo(lower *l, trial t) {
  assert(t.values <= l->p->values.count && t.insts <= t.region->insts.count);
  l->region = t.region;
  l->frame->scope = scope_copy(&t.scope);
  l->region->insts.count = t.insts;
  l->p->values.count = t.values;
  l->p->calls.count = t.calls;
  l->notices->count = t.notices;
  l->p->decided.count = t.decided;
  l->p->facts.count = t.facts;
  if (l->marks.count > t.marks)
    l->marks.count = t.marks;
  l->p->inst_count = t.inst_count;
  l->impossible = t.impossible;
}
