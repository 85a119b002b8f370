/* ir/read_body.c: instructions and regions of the text form. */
#include "base/panic.h"
#include "ir/notation.h"
#include "ir/reader.h"
#include "ops/ops.h"

#include <string.h>

/* `@10:11-10:30 call 2 inner 3:5-3:20`, each optional. */
static bool read_place(reader *r, inst *shape) {
  if (reader_take(r, "@") && !reader_span(r, &shape->at))
    return false;
  if (reader_take_word(r, "call") && !reader_u32(r, &shape->call))
    return false;
  return !reader_take_word(r, "inner") || reader_span(r, &shape->inner);
}

/* `%1, _, %3`; nothing at all is an empty list. */
static bool read_operands(reader *r, value_vec *out) {
  const char *word;
  size_t n = reader_peek_word(r, &word);
  if (*word != '%' && !(n == 1 && *word == '_'))
    return true;
  do {
    value_id v = VALUE_NONE;
    if (!reader_take_word(r, "_") && !reader_value(r, &v))
      return false;
    VEC_PUSH(r->arena, out, v);
  } while (reader_take(r, ","));
  return true;
}

static bool define_all(reader *r, const declared_vec *list) {
  for (size_t i = 0; i < list->count; i++)
    if (!reader_define(r, &list->at[i]))
      return false;
  return true;
}

/* Region arguments: defined, and named in the region. */
static bool define_arguments(reader *r, const declared_vec *list,
                             region *into) {
  for (size_t i = 0; i < list->count; i++)
    VEC_PUSH(r->arena, &into->args, list->at[i].id);
  return define_all(r, list);
}

/* Defines the results and appends the instruction. */
static bool append(reader *r, region *into, inst shape,
                   const declared_vec *results) {
  value_vec ids = {0};
  if (!define_all(r, results))
    return false;
  for (size_t i = 0; i < results->count; i++)
    VEC_PUSH(r->arena, &ids, results->at[i].id);
  program_append_results(r->p, into, shape, ids.at, (uint32_t)ids.count);
  return true;
}

/* ---------------------------------------------------------------- an op */

static bool read_attrs(reader *r, inst *shape) {
  VEC(expr) attrs = {0};
  do {
    expr e;
    if (!reader_expr(r, &e))
      return false;
    VEC_PUSH(r->arena, &attrs, e);
  } while (reader_take(r, ","));
  shape->attrs = attrs.at;
  shape->attr_count = (uint32_t)attrs.count;
  return reader_need(r, "]");
}

static bool takes_number(op_id op, const declared_vec *results) {
  return op == OP_CONST && results->count == 1 &&
         scalar_is_float(results->at[0].type.elem);
}

static bool read_op(reader *r, region *into, const declared_vec *results) {
  inst shape = {.kind = NODE_OP};
  value_vec operands = {0};
  const char *word;
  size_t n = reader_peek_word(r, &word);
  shape.op = n ? op_from_name(word, n) : OP_COUNT;
  if (shape.op == OP_COUNT)
    return reader_fail(r, "expected an operation");
  r->at += n;
  if (!read_operands(r, &operands))
    return false;
  shape.operands = operands.at;
  shape.operand_count = (uint32_t)operands.count;
  if (reader_take(r, "[") && !read_attrs(r, &shape))
    return false;
  if (takes_number(shape.op, results) && !reader_number(r, &shape.number))
    return false;
  reader_skip(r);
  if (r->text[r->at] == '"' && !reader_string(r, &shape.text))
    return false;
  return read_place(r, &shape) && reader_end_line(r) &&
         append(r, into, shape, results);
}

/* --------------------------------------------------------------- regions */

/* `(%11 acc : t = %5, ...)`: declarations and their first values. */
static bool read_carried(reader *r, declared_vec *args, value_vec *inits) {
  if (!reader_need(r, "("))
    return false;
  if (reader_take(r, ")"))
    return true;
  do {
    declared d;
    value_id v;
    if (!reader_declared(r, &d) || !reader_need(r, "=") || !reader_value(r, &v))
      return false;
    VEC_PUSH(r->arena, args, d);
    VEC_PUSH(r->arena, inits, v);
  } while (reader_take(r, ","));
  return reader_need(r, ")");
}

static bool read_bound(reader *r, value_vec *operands) {
  value_id v;
  if (!reader_value(r, &v))
    return false;
  VEC_PUSH(r->arena, operands, v);
  return true;
}

static bool read_block(reader *r, region *into) {
  return reader_need(r, "{") && reader_region(r, into);
}

static bool read_for(reader *r, region *into, const declared_vec *results) {
  inst shape = {.kind = NODE_FOR};
  declared_vec args = {0};
  value_vec operands = {0};
  declared counter;
  region *turn = shape.regions[0] = region_create(r->p);
  if (!reader_declared(r, &counter))
    return false;
  VEC_PUSH(r->arena, &args, counter);
  if (!reader_need(r, "=") || !read_bound(r, &operands) ||
      !reader_need_word(r, "to") || !read_bound(r, &operands) ||
      !reader_need_word(r, "step") || !read_bound(r, &operands) ||
      !reader_need_word(r, "carry") || !read_carried(r, &args, &operands) ||
      !read_place(r, &shape) || !define_arguments(r, &args, turn) ||
      !read_block(r, turn))
    return false;
  shape.operands = operands.at;
  shape.operand_count = (uint32_t)operands.count;
  return reader_end_line(r) && append(r, into, shape, results);
}

static bool read_if(reader *r, region *into, const declared_vec *results) {
  inst shape = {.kind = NODE_IF};
  value_id condition;
  shape.regions[0] = region_create(r->p);
  shape.regions[1] = region_create(r->p);
  if (!reader_value(r, &condition) || !read_place(r, &shape) ||
      !read_block(r, shape.regions[0]) || !reader_need_word(r, "else") ||
      !read_block(r, shape.regions[1]))
    return false;
  shape.operands = &condition;
  shape.operand_count = 1;
  return reader_end_line(r) && append(r, into, shape, results);
}

/* `do (%7 : i32, ...)`: the arguments of the turn. */
static bool read_turn(reader *r, declared_vec *args) {
  if (!reader_need_word(r, "do") || !reader_need(r, "("))
    return false;
  if (reader_take(r, ")"))
    return true;
  do {
    declared d;
    if (!reader_declared(r, &d))
      return false;
    VEC_PUSH(r->arena, args, d);
  } while (reader_take(r, ","));
  return reader_need(r, ")");
}

static bool read_while(reader *r, region *into, const declared_vec *results) {
  inst shape = {.kind = NODE_WHILE};
  declared_vec carried = {0}, args = {0};
  value_vec operands = {0};
  shape.regions[0] = region_create(r->p);
  shape.regions[1] = region_create(r->p);
  if (!read_carried(r, &carried, &operands) || !read_place(r, &shape) ||
      !define_arguments(r, &carried, shape.regions[0]) ||
      !read_block(r, shape.regions[0]) || !read_turn(r, &args) ||
      !define_arguments(r, &args, shape.regions[1]) ||
      !read_block(r, shape.regions[1]))
    return false;
  shape.operands = operands.at;
  shape.operand_count = (uint32_t)operands.count;
  return reader_end_line(r) && append(r, into, shape, results);
}

static bool read_results(reader *r, declared_vec *out) {
  reader_skip(r);
  if (r->text[r->at] != '%')
    return true;
  do {
    declared d;
    if (!reader_declared(r, &d))
      return false;
    VEC_PUSH(r->arena, out, d);
  } while (reader_take(r, ","));
  return reader_need(r, "=");
}

static bool read_inst(reader *r, region *into) {
  declared_vec results = {0};
  if (!read_results(r, &results))
    return false;
  if (reader_take_word(r, "for"))
    return read_for(r, into, &results);
  if (reader_take_word(r, "if"))
    return read_if(r, into, &results);
  if (reader_take_word(r, "while"))
    return read_while(r, into, &results);
  return read_op(r, into, &results);
}

static bool read_yields(reader *r, region *into) {
  do {
    value_id v;
    if (!reader_value(r, &v))
      return false;
    VEC_PUSH(r->arena, &into->yields, v);
  } while (reader_take(r, ","));
  if (!reader_end_line(r))
    return false;
  reader_skip_lines(r);
  return reader_need(r, "}");
}

static bool read_statements(reader *r, region *into) {
  for (;;) {
    reader_skip_lines(r);
    if (reader_take(r, "}"))
      return true;
    if (r->at == r->length)
      return reader_fail(r, "expected `}` before the end of the text");
    if (reader_take_word(r, "yield"))
      return read_yields(r, into);
    if (!read_inst(r, into))
      return false;
  }
}

bool reader_region(reader *r, region *into) {
  if (r->nest == READER_NEST)
    return reader_fail(r, "regions are nested too deeply (200 levels)");
  r->nest++;
  bool read = read_statements(r, into);
  r->nest--;
  return read;
}
