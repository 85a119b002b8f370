/* ir/verify.c: the structure of a tile program: values are defined before
 * their use, regions and their yields fit their instruction, types are sane,
 * the launch refers to what exists. Every later stage relies on it. */
#include "base/panic.h"
#include "ir/verifier.h"
#include "ops/ops.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *inst_name(const inst *i) {
  switch (i->kind) {
  case NODE_OP:
    return (unsigned)i->op < OP_COUNT ? op_name(i->op) : "operation";
  case NODE_FOR:
    return "for";
  case NODE_IF:
    return "if";
  case NODE_WHILE:
    return "while";
  }
  return "instruction";
}

bool verifier_fail(verifier *v, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (v->why)
    return false;
  if (v->inst)
    v->why = arena_printf(v->arena, "instruction %u (%s, line %u): %s",
                          v->inst->index, inst_name(v->inst), v->inst->at.line,
                          text);
  else
    v->why = arena_strdup(v->arena, text);
  return false;
}

static const type *type_of(const verifier *v, value_id id) {
  return &v->p->values.at[id].type;
}

const type *verifier_operand(const verifier *v, uint32_t index) {
  if (index >= v->inst->operand_count || !v->inst->operands[index])
    return NULL;
  return type_of(v, v->inst->operands[index]);
}

const type *verifier_result(const verifier *v, uint32_t index) {
  assert(index < v->inst->result_count);
  return type_of(v, v->inst->results[index]);
}

bool verifier_same(const type *a, const type *b) {
  return a->elem == b->elem && a->pointer == b->pointer &&
         type_same_shape(a, b);
}

/* ---------------------------------------------------------------- values */

static bool check_type(verifier *v, const type *t) {
  if (t->elem == SC_NONE || t->rank > TYPE_MAX_RANK)
    return verifier_fail(v, "a value has no type");
  for (uint8_t d = 0; d < t->rank; d++)
    if (t->dim[d] == EXPR_NONE)
      return verifier_fail(v, "a tile axis has no extent");
  if (t->wide && (t->elem != SC_I32 || t->pointer))
    return verifier_fail(v, "only an i32 can widen");
  for (uint32_t i = 0; i < 64; i++)
    if ((t->wide >> i & 1) &&
        (i >= v->p->params.count || v->p->params.at[i].kind != PARAM_INT))
      return verifier_fail(v, "a type widens by parameter %u, no integer", i);
  return true;
}

static bool define(verifier *v, value_id id, const inst *by) {
  if (id == VALUE_NONE || id >= v->p->values.count)
    return verifier_fail(v, "value %%%u does not exist", id);
  if (v->defined[id])
    return verifier_fail(v, "value %%%u is defined twice", id);
  if (v->p->values.at[id].def != by)
    return verifier_fail(v, "value %%%u says that it is defined elsewhere", id);
  v->defined[id] = v->visible[id] = true;
  VEC_PUSH(v->arena, &v->opened, id);
  return check_type(v, type_of(v, id));
}

static bool use(verifier *v, value_id id) {
  if (id >= v->p->values.count)
    return verifier_fail(v, "value %%%u does not exist", id);
  return v->visible[id] ||
         verifier_fail(v, "value %%%u is used where it is not defined", id);
}

static void close_region(verifier *v, size_t mark) {
  while (v->opened.count > mark)
    v->visible[VEC_POP(&v->opened)] = false;
}

/* ------------------------------------------------------ structured control */

static bool check_region(verifier *v, const region *r);

/* Values of a list against the types of another: same up to width. */
static bool check_flow(verifier *v, const value_id *from, size_t from_count,
                       const value_id *to, size_t to_count, const char *what) {
  if (from_count != to_count)
    return verifier_fail(v, "%zu %s for %zu values", from_count, what,
                         to_count);
  for (size_t i = 0; i < from_count; i++) {
    if (from[i] == VALUE_NONE || from[i] >= v->p->values.count ||
        to[i] >= v->p->values.count)
      return verifier_fail(v, "one of the %s is missing", what);
    if (!verifier_same(type_of(v, from[i]), type_of(v, to[i])))
      return verifier_fail(v, "%s: type %zu differs", what, i + 1);
  }
  return true;
}

static bool is_scalar_int(const type *t) {
  return t && t->rank == 0 && !t->pointer && t->elem != SC_BOOL &&
         scalar_is_int(t->elem);
}

static bool is_condition(const type *t) {
  return t && t->rank == 0 && !t->pointer && t->elem == SC_BOOL;
}

static bool check_for(verifier *v) {
  const inst *i = v->inst;
  const region *turn = i->regions[0];
  if (i->operand_count < 3 || !turn || i->regions[1])
    return verifier_fail(v, "a for has bounds, a step and one region");
  for (uint32_t k = 0; k < 3; k++)
    if (!is_scalar_int(verifier_operand(v, k)) ||
        verifier_operand(v, k)->elem != verifier_operand(v, 0)->elem)
      return verifier_fail(v, "bounds and step are no integers of one type");
  if (turn->args.count == 0 || turn->args.at[0] >= v->p->values.count ||
      !verifier_same(type_of(v, turn->args.at[0]), verifier_operand(v, 0)))
    return verifier_fail(v, "the counter has not the type of its bounds");
  const value_id *carried = turn->args.at + 1;
  size_t count = turn->args.count - 1;
  return check_flow(v, i->operands + 3, i->operand_count - 3, carried, count,
                    "first values") &&
         check_region(v, turn) &&
         check_flow(v, turn->yields.at, turn->yields.count, carried, count,
                    "yields") &&
         check_flow(v, i->results, i->result_count, carried, count, "results");
}

static bool check_if(verifier *v) {
  const inst *i = v->inst;
  if (i->operand_count != 1 || !is_condition(verifier_operand(v, 0)))
    return verifier_fail(v, "the condition is no scalar bool");
  for (size_t k = 0; k < 2; k++) {
    const region *r = i->regions[k];
    if (!r || r->args.count)
      return verifier_fail(v, "an if has two regions without arguments");
    if (!check_region(v, r) ||
        !check_flow(v, r->yields.at, r->yields.count, i->results,
                    i->result_count, "yields"))
      return false;
  }
  return true;
}

static bool check_while(verifier *v) {
  const inst *i = v->inst;
  const region *test = i->regions[0], *turn = i->regions[1];
  if (!test || !turn)
    return verifier_fail(v, "a while has two regions");
  if (!check_flow(v, i->operands, i->operand_count, test->args.at,
                  test->args.count, "first values") ||
      !check_region(v, test))
    return false;
  if (test->yields.count != 1 || !is_condition(type_of(v, test->yields.at[0])))
    return verifier_fail(v, "the condition is not one scalar bool");
  return check_flow(v, test->args.at, test->args.count, turn->args.at,
                    turn->args.count, "carried values") &&
         check_region(v, turn) &&
         check_flow(v, turn->yields.at, turn->yields.count, turn->args.at,
                    turn->args.count, "yields") &&
         check_flow(v, i->results, i->result_count, turn->args.at,
                    turn->args.count, "results");
}

static bool check_kind(verifier *v) {
  const inst *i = v->inst;
  if (i->kind == NODE_OP) {
    if (i->regions[0] || i->regions[1])
      return verifier_fail(v, "an operation has no regions");
    return verifier_op(v);
  }
  if (i->attr_count || i->text)
    return verifier_fail(v, "control has no attributes and no text");
  if (i->kind == NODE_FOR)
    return check_for(v);
  return i->kind == NODE_IF ? check_if(v) : check_while(v);
}

/* ---------------------------------------------------------- instructions */

static bool check_span(verifier *v, span s) {
  bool nowhere = !s.line && !s.column && !s.end_line && !s.end_column;
  bool sane = s.line && s.column && s.end_column &&
              (s.end_line > s.line ||
               (s.end_line == s.line && s.end_column >= s.column));
  return nowhere || sane ||
         verifier_fail(v, "the span %u:%u-%u:%u ends before it starts", s.line,
                       s.column, s.end_line, s.end_column);
}

static bool check_results_exist(verifier *v) {
  const inst *i = v->inst;
  for (uint32_t k = 0; k < i->result_count; k++)
    if (i->results[k] == VALUE_NONE || i->results[k] >= v->p->values.count)
      return verifier_fail(v, "a result does not exist");
  return true;
}

static bool check_inst(verifier *v, const inst *i) {
  const inst *outer = v->inst;
  v->inst = i;
  if (!check_span(v, i->at) || !check_span(v, i->inner) ||
      !check_results_exist(v))
    return false;
  if (i->call && i->call >= v->p->calls.count)
    return verifier_fail(v, "call %u does not exist", i->call);
  for (uint32_t k = 0; k < i->operand_count; k++)
    if (i->operands[k] && !use(v, i->operands[k]))
      return false;
  for (uint32_t k = 0; k < i->result_count; k++)
    if (!check_type(v, type_of(v, i->results[k])))
      return false;
  if (!check_kind(v))
    return false;
  for (uint32_t k = 0; k < i->result_count; k++)
    if (!define(v, i->results[k], i))
      return false;
  v->inst = outer;
  return true;
}

static bool check_region(verifier *v, const region *r) {
  size_t mark = v->opened.count;
  if (v->nest == VERIFY_NEST)
    return verifier_fail(v, "regions are nested too deeply");
  v->nest++;
  for (size_t i = 0; i < r->args.count; i++)
    if (!define(v, r->args.at[i], NULL))
      return false;
  for (size_t i = 0; i < r->insts.count; i++)
    if (!check_inst(v, r->insts.at[i]))
      return false;
  for (size_t i = 0; i < r->yields.count; i++)
    if (r->yields.at[i] == VALUE_NONE || !use(v, r->yields.at[i]))
      return verifier_fail(v, "a yield is missing");
  close_region(v, mark);
  v->nest--;
  return true;
}

/* ------------------------------------------------------------ the launch */

static bool check_tensor(verifier *v, const tensor *t) {
  if (!t->name || t->rank > TYPE_MAX_RANK || t->dtype == SC_NONE)
    return verifier_fail(v, "a tensor has no name or no type");
  if (!t->known && t->rank)
    return verifier_fail(v, "tensor %s has a rank and no extents", t->name);
  for (uint8_t d = 0; d < t->rank; d++)
    if (!t->extent[d] || !t->stride[d])
      return verifier_fail(v, "tensor %s has an unknown extent or stride",
                           t->name);
  if (!t->has_range && (t->least || t->greatest))
    return verifier_fail(v, "tensor %s has bounds and no range", t->name);
  return true;
}

static bool param_type_fits(const param *p, uint64_t own) {
  const type *t = &p->type;
  if (p->value_id == VALUE_NONE || p->kind == PARAM_OPAQUE)
    return true;
  if (t->rank || t->pointer != (p->kind == PARAM_POINTER))
    return false;
  switch (p->kind) {
  case PARAM_POINTER:
    return true;
  case PARAM_INT:
    return is_scalar_int(t) && (t->wide & ~own) == 0;
  case PARAM_FLOAT:
    return scalar_is_float(t->elem);
  case PARAM_BOOL:
    return t->elem == SC_BOOL;
  case PARAM_CONST:
  case PARAM_STATIC:
  case PARAM_OPAQUE:
    break;
  }
  return false;
}

static bool check_param(verifier *v, size_t index) {
  const param *p = &v->p->params.at[index];
  if (!p->name)
    return verifier_fail(v, "parameter %zu has no name", index);
  for (size_t i = 0; i < index; i++)
    if (strcmp(v->p->params.at[i].name, p->name) == 0)
      return verifier_fail(v, "two parameters are called %s", p->name);
  if (!param_type_fits(p, index < 64 ? (uint64_t)1 << index : 0))
    return verifier_fail(v, "the value of parameter %s does not fit its kind",
                         p->name);
  if (p->value_id && !define(v, p->value_id, NULL))
    return false;
  if (p->value_id && !type_equal(&p->type, type_of(v, p->value_id)))
    return verifier_fail(v, "parameter %s and its value differ in type",
                         p->name);
  if (p->kind != PARAM_POINTER)
    return true;
  if (p->tensor >= v->p->tensors.count)
    return verifier_fail(v, "parameter %s points to no tensor", p->name);
  return p->offset || verifier_fail(v, "pointer %s has no offset", p->name);
}

static bool check_calls(verifier *v) {
  const tile_program *p = v->p;
  for (size_t i = 1; i < p->calls.count; i++) {
    if (!check_span(v, p->calls.at[i].at))
      return false;
    if (!p->calls.at[i].callee || p->calls.at[i].parent >= i)
      return verifier_fail(v, "call %zu has no callee or a later parent", i);
  }
  return true;
}

static bool check_launch(verifier *v) {
  const tile_program *p = v->p;
  if (!p->path || !p->kernel || !p->body || !p->exprs)
    return verifier_fail(v, "the program has no path, name or body");
  if (!check_span(v, p->at) || !check_calls(v))
    return false;
  for (size_t i = 0; i < p->tensors.count; i++)
    if (!check_tensor(v, &p->tensors.at[i]))
      return false;
  for (size_t i = 0; i < p->facts.count; i++)
    if (!expr_is_condition(p->exprs, p->facts.at[i].condition))
      return verifier_fail(v, "fact %zu is no condition", i + 1);
  for (size_t i = 0; i < 3; i++)
    if (p->grid[i] == EXPR_NONE)
      return verifier_fail(v, "the grid has an unknown axis");
  for (size_t i = 0; i < p->decided.count; i++)
    if (p->decided.at[i] == EXPR_NONE)
      return verifier_fail(v, "a decided symbol is unknown");
  for (size_t i = 0; i < p->params.count; i++)
    if (!check_param(v, i))
      return false;
  return true;
}

const char *program_verify(const tile_program *p, arena *arena) {
  verifier v = {.p = p, .arena = arena};
  v.visible = ARENA_ARRAY(arena, bool, p->values.count);
  v.defined = ARENA_ARRAY(arena, bool, p->values.count);
  if (!check_launch(&v))
    return v.why;
  if (p->body->args.count || p->body->yields.count)
    verifier_fail(&v, "the body has arguments or yields");
  else
    check_region(&v, p->body);
  return v.why;
}
