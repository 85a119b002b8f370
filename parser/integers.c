/* parser/integers.c: which unknown element types must be integers.
 *
 * A tensor whose dtype nobody states can hold anything that compiles. When
 * what is loaded from it becomes part of an address or a loop bound, only
 * integers compile; such a kernel is lowered for int32 and for int64 elements,
 * and a property must hold for both. */
#include "parser/integers.h"

#include "ops/ops.h"

typedef struct scan {
  const tile_program *program;
  bool *wanted;     /* by value: must be an integer */
  uint32_t *tensor; /* by value: 1 + tensor that a pointer points into */
  bool *marked;     /* by tensor */
  bool changed;
} scan;

static void want(scan *s, value_id v) {
  if (v == VALUE_NONE || s->wanted[v])
    return;
  s->wanted[v] = true;
  s->changed = true;
}

static void point(scan *s, value_id to, value_id from) {
  if (from == VALUE_NONE || !s->tensor[from] || s->tensor[to])
    return;
  s->tensor[to] = s->tensor[from];
  s->changed = true;
}

/* Both ways: the two are the same value at different places. */
static void tie(scan *s, value_id a, value_id b) {
  if (s->wanted[a])
    want(s, b);
  if (s->wanted[b])
    want(s, a);
  point(s, a, b);
}

/* Operands that are numbers of the same kind as the result. */
static uint32_t first_like(op_id op) {
  return op_signature_of(op) == SIG_WHERE ? 1 : 0;
}

static bool passes_on(op_id op) {
  switch (op_signature_of(op)) {
  case SIG_BINARY:
  case SIG_UNARY:
  case SIG_WHERE:
  case SIG_CAST:
  case SIG_SPLAT:
  case SIG_SHAPE:
  case SIG_JOIN:
  case SIG_REDUCE:
  case SIG_SCAN:
  case SIG_SAME:
  case SIG_CLAIM:
    return true;
  case SIG_INDEX:
  case SIG_CONST:
  case SIG_TERNARY:
  case SIG_COMPARE:
  case SIG_TEST:
  case SIG_ARG:
  case SIG_GATHER:
  case SIG_HISTOGRAM:
  case SIG_DOT:
  case SIG_RANDOM:
  case SIG_PTR_ADD:
  case SIG_LOAD:
  case SIG_STORE:
  case SIG_ATOMIC:
  case SIG_CAS:
  case SIG_EFFECT:
  case SIG_ANY:
    break;
  }
  return false;
}

static void scan_op(scan *s, const inst *i) {
  if (!i->result_count && i->op != OP_LOAD)
    return;
  value_id result = i->results[0];
  if (i->op == OP_PTR_ADD)
    want(s, i->operands[1]);
  if (i->operand_count &&
      (i->op == OP_PTR_ADD || op_signature_of(i->op) == SIG_SHAPE ||
       op_signature_of(i->op) == SIG_SPLAT ||
       op_signature_of(i->op) == SIG_SAME ||
       op_signature_of(i->op) == SIG_CLAIM))
    point(s, result, i->operands[0]);
  if (op_signature_of(i->op) == SIG_WHERE)
    point(s, result, i->operands[1]);
  if (!s->wanted[result])
    return;
  if (passes_on(i->op))
    for (uint32_t k = first_like(i->op); k < i->operand_count; k++)
      want(s, i->operands[k]);
  value_id pointer = i->operand_count ? i->operands[0] : VALUE_NONE;
  bool loads = i->op == OP_LOAD || op_effect_of(i->op) == EFFECT_ATOMIC;
  if (loads && s->tensor[pointer])
    s->marked[s->tensor[pointer] - 1] = true;
}

static void scan_region(scan *s, const region *r);

static void scan_loop(scan *s, const inst *i, uint32_t first_init,
                      uint32_t first_arg) {
  const region *body = i->kind == NODE_FOR ? i->regions[0] : i->regions[1];
  for (uint32_t k = 0; k < first_init; k++)
    want(s, i->operands[k]);
  for (uint32_t k = 0; k < i->result_count; k++) {
    value_id arg = body->args.at[first_arg + k];
    tie(s, arg, i->operands[first_init + k]);
    tie(s, arg, body->yields.at[k]);
    tie(s, i->results[k], arg);
    if (i->kind == NODE_WHILE)
      tie(s, i->regions[0]->args.at[k], arg);
  }
}

static void scan_inst(scan *s, const inst *i) {
  switch (i->kind) {
  case NODE_OP:
    scan_op(s, i);
    return;
  case NODE_FOR:
    scan_loop(s, i, 3, 1);
    break;
  case NODE_WHILE:
    scan_loop(s, i, 0, 0);
    break;
  case NODE_IF:
    for (uint32_t k = 0; k < i->result_count; k++)
      for (int arm = 0; arm < 2; arm++)
        tie(s, i->results[k], i->regions[arm]->yields.at[k]);
    break;
  }
  for (int k = 0; k < 2; k++)
    if (i->regions[k])
      scan_region(s, i->regions[k]);
}

static void scan_region(scan *s, const region *r) {
  for (size_t k = 0; k < r->insts.count; k++)
    scan_inst(s, r->insts.at[k]);
}

size_t integers_find(const tile_program *p, bool *marked) {
  scan s = {.program = p, .marked = marked, .changed = true};
  size_t found = 0;
  s.wanted = ARENA_ARRAY(p->arena, bool, p->values.count + 1);
  s.tensor = ARENA_ARRAY(p->arena, uint32_t, p->values.count + 1);
  for (size_t k = 0; k < p->params.count; k++)
    if (p->params.at[k].kind == PARAM_POINTER && p->params.at[k].value_id)
      s.tensor[p->params.at[k].value_id] = p->params.at[k].tensor + 1;
  while (s.changed) {
    s.changed = false;
    scan_region(&s, p->body);
  }
  for (size_t k = 0; k < p->tensors.count; k++) {
    marked[k] = marked[k] && p->tensors.at[k].dtype == SC_ANY;
    found += marked[k];
  }
  return found;
}

#define COPY_VEC(arena, vec)                                                   \
  do {                                                                         \
    if ((vec).count) {                                                         \
      (vec).at =                                                               \
          arena_copy((arena), (vec).at, (vec).count * sizeof *(vec).at);       \
      (vec).room = (vec).count;                                                \
    }                                                                          \
  } while (0)

tile_program *integers_retype(const tile_program *p, const bool *marked,
                              scalar dtype) {
  tile_program *copy = arena_copy(p->arena, p, sizeof *p);
  COPY_VEC(p->arena, copy->tensors);
  COPY_VEC(p->arena, copy->params);
  COPY_VEC(p->arena, copy->values);
  COPY_VEC(p->arena, copy->calls);
  COPY_VEC(p->arena, copy->facts);
  COPY_VEC(p->arena, copy->decided);
  copy->dead.count = 0;
  copy->body = region_create(copy);
  for (size_t k = 0; k < copy->params.count && dtype != SC_ANY; k++) {
    param *q = &copy->params.at[k];
    if (q->kind != PARAM_POINTER || !marked[q->tensor])
      continue;
    copy->tensors.at[q->tensor].dtype = dtype;
    q->type.elem = dtype;
    if (q->value_id)
      copy->values.at[q->value_id].type.elem = dtype;
  }
  return copy;
}
