/* tests/unit/test_exec.c: the concrete meaning of tile programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/panic.h"
#include "exec/exec.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------ building programs */

enum { MOST_SYMBOLS = 16 };

typedef struct kit {
  arena *a;
  tile_program *p;
  region *r; /* where instructions go */
  int64_t value[MOST_SYMBOLS];
  bool known[MOST_SYMBOLS];
} kit;

static kit kit_make(void) {
  arena *a = arena_create();
  tile_program *p = program_create(a, "test.py", "kernel");
  return (kit){.a = a, .p = p, .r = p->body};
}

static expr number(kit *k, int64_t x) {
  return expr_int(k->p->exprs, x);
}

/* A symbol and its number in this launch. */
static expr symbol_of(kit *k, const char *name, int64_t value) {
  expr e = exprs_symbol(k->p->exprs, (symbol){.name = name});
  size_t index;
  expr_symbol(k->p->exprs, e, &index);
  assert(index < MOST_SYMBOLS);
  k->value[index] = value;
  k->known[index] = true;
  return e;
}

static type tile_of(kit *k, scalar s, int64_t rows, int64_t columns) {
  type t = type_scalar(s);
  if (rows > 0)
    t.dim[t.rank++] = number(k, rows);
  if (columns > 0)
    t.dim[t.rank++] = number(k, columns);
  return t;
}

static type shaped(type elem, type shape) {
  return type_with_shape(elem, &shape);
}

static type pointer_to(scalar s) {
  type t = type_scalar(s);
  t.pointer = true;
  return t;
}

static type type_of(const kit *k, value_id v) {
  return k->p->values.at[v].type;
}

/* Any instruction with one result (or none: SC_NONE). */
static value_id emit(kit *k, op_id op, type t, uint32_t n, ...) {
  value_id operands[4];
  va_list args;
  va_start(args, n);
  for (uint32_t i = 0; i < n; i++)
    operands[i] = va_arg(args, value_id);
  va_end(args);
  inst shape = {.op = op, .operands = operands, .operand_count = n};
  shape.at.line = k->p->inst_count + 1;
  inst *made = program_append(k->p, k->r, shape, &t, t.elem == SC_NONE ? 0 : 1);
  return t.elem == SC_NONE ? VALUE_NONE : made->results[0];
}

static value_id emit_attrs(kit *k, op_id op, type t, value_id operand,
                           uint32_t n, expr a, expr b) {
  expr attrs[2] = {a, b};
  inst shape = {.op = op, .attrs = attrs, .attr_count = n};
  shape.operands = &operand;
  shape.operand_count = operand != VALUE_NONE;
  shape.at.line = k->p->inst_count + 1;
  return program_append(k->p, k->r, shape, &t, 1)->results[0];
}

static type none(void) {
  return type_scalar(SC_NONE);
}

static value_id constant(kit *k, scalar s, int64_t x) {
  return emit_attrs(k, OP_CONST, type_scalar(s), VALUE_NONE, 1, number(k, x),
                    EXPR_NONE);
}

static value_id program_id(kit *k, int64_t axis) {
  return emit_attrs(k, OP_PROGRAM_ID, type_scalar(SC_I32), VALUE_NONE, 1,
                    number(k, axis), EXPR_NONE);
}

static value_id arange(kit *k, int64_t n) {
  return emit_attrs(k, OP_ARANGE, tile_of(k, SC_I32, n, 0), VALUE_NONE, 2,
                    number(k, 0), number(k, n));
}

static value_id splat(kit *k, value_id v, type shape) {
  return emit(k, OP_SPLAT, shaped(type_of(k, v), shape), 1, v);
}

static value_id binary(kit *k, op_id op, value_id a, value_id b) {
  return emit(k, op, type_of(k, a), 2, a, b);
}

static value_id compare(kit *k, op_id op, value_id a, value_id b) {
  return emit(k, op, shaped(type_scalar(SC_BOOL), type_of(k, a)), 2, a, b);
}

static value_id point(kit *k, value_id pointer, value_id offsets) {
  type t = shaped(type_of(k, pointer), type_of(k, offsets));
  if (type_of(k, pointer).rank != t.rank)
    pointer = splat(k, pointer, t);
  return emit(k, OP_PTR_ADD, t, 2, pointer, offsets);
}

static value_id load(kit *k, value_id p, value_id mask, value_id other) {
  type t = type_of(k, p);
  t.pointer = false;
  return emit(k, OP_LOAD, t, 3, p, mask, other);
}

static uint32_t store(kit *k, value_id p, value_id v, value_id mask) {
  emit(k, OP_STORE, none(), 3, p, v, mask);
  return k->p->inst_count;
}

static uint32_t last(const kit *k) {
  return k->p->inst_count;
}

/* A tensor of two axes (extent 0 ends) and the parameter that points to it. */
static value_id tensor_of(kit *k, const char *name, scalar s, tensor_role role,
                          expr e0, expr s0, expr e1, expr s1) {
  tensor t = {.name = name,
              .dtype = s,
              .known = e0 != EXPR_NONE,
              .role = role,
              .storage = (uint32_t)k->p->tensors.count,
              .start = expr_int(k->p->exprs, 0),
              .extent = {e0, e1},
              .stride = {s0, s1}};
  t.rank = e0 == EXPR_NONE ? 0 : e1 == EXPR_NONE ? 1 : 2;
  param p = {.name = name,
             .kind = PARAM_POINTER,
             .type = pointer_to(s),
             .tensor = (uint32_t)k->p->tensors.count,
             .offset = number(k, 0)};
  p.value_id = program_value(k->p, p.type, name);
  VEC_PUSH(k->a, &k->p->tensors, t);
  VEC_PUSH(k->a, &k->p->params, p);
  return p.value_id;
}

static value_id vector_of(kit *k, const char *name, scalar s, tensor_role role,
                          expr n) {
  return tensor_of(k, name, s, role, n, number(k, 1), EXPR_NONE, EXPR_NONE);
}

static value_id int_param(kit *k, const char *name, expr value) {
  type t = type_scalar(SC_I32);
  t.wide = (uint64_t)1 << k->p->params.count;
  param p = {.name = name, .kind = PARAM_INT, .type = t, .value = value};
  p.value_id = program_value(k->p, t, name);
  VEC_PUSH(k->a, &k->p->params, p);
  return p.value_id;
}

/* Starts a loop; instructions go into its body until loop_end. */
typedef struct loop {
  region *outside, *body;
  value_id operands[8], args[8]; /* args[0]: the counter */
  uint32_t carried;
} loop;

static loop loop_begin(kit *k, value_id low, value_id high, value_id step,
                       uint32_t carried, ...) {
  loop l = {.outside = k->r, .body = region_create(k->p), .carried = carried};
  value_id bounds[3] = {low, high, step};
  memcpy(l.operands, bounds, sizeof bounds);
  va_list inits;
  va_start(inits, carried);
  l.args[0] = program_value(k->p, type_of(k, low), "i");
  for (uint32_t i = 0; i < carried; i++) {
    l.operands[i + 3] = va_arg(inits, value_id);
    l.args[i + 1] = program_value(k->p, type_of(k, l.operands[i + 3]), "x");
  }
  va_end(inits);
  for (uint32_t i = 0; i <= carried; i++)
    VEC_PUSH(k->a, &l.body->args, l.args[i]);
  k->r = l.body;
  return l;
}

static inst *loop_end(kit *k, loop *l, ...) {
  type types[8];
  va_list yields;
  va_start(yields, l);
  for (uint32_t i = 0; i < l->carried; i++) {
    value_id v = va_arg(yields, value_id);
    VEC_PUSH(k->a, &l->body->yields, v);
    types[i] = type_of(k, v);
  }
  va_end(yields);
  inst shape = {.kind = NODE_FOR,
                .operands = l->operands,
                .operand_count = l->carried + 3,
                .regions = {l->body, NULL}};
  shape.at.line = k->p->inst_count + 1;
  k->r = l->outside;
  return program_append(k->p, k->r, shape, types, l->carried);
}

/* -------------------------------------------------------------- running */

static exec_machine *launch(kit *k, exec_options o) {
  exec_event refused;
  assignment numbers = {k->value, k->known, MOST_SYMBOLS};
  exec_machine *m = exec_create(k->a, k->p, &numbers, o, &refused);
  if (!m)
    print_message("refused: %s\n", refused.detail);
  assert_non_null(m);
  return m;
}

static exec_event refused_by(kit *k, event_kind asked, event_kind kind) {
  exec_event refused;
  assignment numbers = {k->value, k->known, MOST_SYMBOLS};
  exec_options options = {.only_kind = asked};
  exec_machine *m = exec_create(k->a, k->p, &numbers, options, &refused);
  assert_null(m);
  assert_int_equal(refused.kind, kind);
  assert_non_null(refused.detail);
  return refused;
}

static exec_event refused_launch(kit *k) {
  return refused_by(k, EVENT_NONE, EVENT_LAUNCH);
}

static exec_event run_one(exec_machine *m, int64_t x, int64_t y) {
  int64_t at[3] = {x, y, 0};
  exec_event e;
  size_t found = exec_run(m, at, &e);
  assert_int_equal(found > 0, e.kind != EVENT_NONE);
  return e;
}

static exec_event run_all(kit *k, exec_options o) {
  exec_event e;
  exec_run_all(launch(k, o), &e);
  return e;
}

static float peek_float(exec_machine *m, uint32_t tensor, int64_t offset) {
  uint64_t bits = 0;
  assert_true(exec_peek(m, tensor, offset, &bits));
  uint32_t low = (uint32_t)bits;
  float x;
  memcpy(&x, &low, sizeof x);
  return x;
}

static int64_t peek_int(exec_machine *m, uint32_t tensor, int64_t offset) {
  uint64_t bits = 0;
  assert_true(exec_peek(m, tensor, offset, &bits));
  return (int64_t)bits;
}

static const exec_options stop = {.stop_at_first = true};

/* ----------------------------------------------------------- vector add */

/* out[pid*16 + i] = x + y, with or without the mask. Tensors: x, y, out. */
static kit vector_add(int64_t n, bool masked) {
  kit k = kit_make();
  expr size = symbol_of(&k, "n", n);
  value_id x = vector_of(&k, "x", SC_F32, TENSOR_IN, size);
  value_id y = vector_of(&k, "y", SC_F32, TENSOR_IN, size);
  value_id out = vector_of(&k, "out", SC_F32, TENSOR_OUT, size);
  value_id np = int_param(&k, "n", size);
  k.p->grid[0] = expr_cdiv(k.p->exprs, size, number(&k, 16));
  value_id start =
      binary(&k, OP_MUL, program_id(&k, 0), constant(&k, SC_I32, 16));
  type t = tile_of(&k, SC_I32, 16, 0);
  value_id offs = binary(&k, OP_ADD, splat(&k, start, t), arange(&k, 16));
  value_id mask = compare(&k, OP_LT, offs, splat(&k, np, t));
  if (!masked)
    mask = VALUE_NONE;
  value_id a = load(&k, point(&k, x, offs), mask, VALUE_NONE);
  value_id b = load(&k, point(&k, y, offs), mask, VALUE_NONE);
  store(&k, point(&k, out, offs), binary(&k, OP_ADD, a, b), mask);
  return k;
}

static void vector_add_masked(void **state) {
  (void)state;
  kit k = vector_add(37, true);
  exec_machine *m = launch(&k, (exec_options){.fill = FILL_RANDOM, .seed = 7});
  exec_event e;
  assert_int_equal(exec_run_all(m, &e), 0);
  for (int64_t i = 0; i < 37; i++)
    assert_true(peek_float(m, 2, i) ==
                peek_float(m, 0, i) + peek_float(m, 1, i));
  assert_int_equal(exec_cell_at(m, 2, 36), CELL_WRITTEN);
  assert_int_equal(exec_cell_at(m, 2, 37), CELL_EMPTY);
  assert_int_equal(exec_cell_at(m, 0, 3), CELL_FILLED);
  arena_destroy(k.a);
}

static void vector_add_unmasked(void **state) {
  (void)state;
  kit k = vector_add(37, false);
  exec_event e = run_all(&k, stop);
  assert_int_equal(e.kind, EVENT_OUTSIDE);
  assert_int_equal(e.program[0], 2);
  assert_int_equal(e.lane_count, 1);
  assert_int_equal(e.lane[0], 5);
  assert_int_equal(e.tensor, 0);
  assert_int_equal(e.offset, 37);
  exec_event all;
  /* Eleven lanes of two loads and a store. */
  assert_int_equal(exec_run_all(launch(&k, (exec_options){0}), &all), 33);
  /* Only the store is asked about. */
  e = run_all(
      &k, (exec_options){.only_inst = last(&k), .only_kind = EVENT_OUTSIDE});
  assert_int_equal(e.inst, last(&k));
  assert_int_equal(e.tensor, 2);
  arena_destroy(k.a);
}

/* ------------------------------------------------------------ 2-D strides */

static kit strided_copy(int64_t rows, int64_t columns, int64_t stride) {
  kit k = kit_make();
  expr m = symbol_of(&k, "M", rows), n = symbol_of(&k, "N", columns);
  expr s = symbol_of(&k, "S", stride), one = number(&k, 1);
  value_id x = tensor_of(&k, "x", SC_F16, TENSOR_IN, m, s, n, one);
  value_id y = tensor_of(&k, "y", SC_F16, TENSOR_OUT, m, n, n, one);
  value_id sp = int_param(&k, "S", s), np = int_param(&k, "N", n);
  type t = tile_of(&k, SC_I32, 4, 8);
  value_id r = emit_attrs(&k, OP_EXPAND_DIMS, tile_of(&k, SC_I32, 4, 1),
                          arange(&k, 4), 1, one, EXPR_NONE);
  value_id c = emit_attrs(&k, OP_EXPAND_DIMS, tile_of(&k, SC_I32, 1, 8),
                          arange(&k, 8), 1, number(&k, 0), EXPR_NONE);
  r = emit(&k, OP_BROADCAST, t, 1, r);
  c = emit(&k, OP_BROADCAST, t, 1, c);
  value_id from =
      binary(&k, OP_ADD, binary(&k, OP_MUL, r, splat(&k, sp, t)), c);
  value_id to = binary(&k, OP_ADD, binary(&k, OP_MUL, r, splat(&k, np, t)), c);
  value_id v = load(&k, point(&k, x, from), VALUE_NONE, VALUE_NONE);
  store(&k, point(&k, y, to), v, VALUE_NONE);
  return k;
}

static void copy_2d(void **state) {
  (void)state;
  kit k = strided_copy(4, 8, 11);
  exec_machine *m = launch(&k, (exec_options){.fill = FILL_RANDOM});
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  for (int64_t r = 0; r < 4; r++)
    for (int64_t c = 0; c < 8; c++)
      assert_int_equal(peek_int(m, 1, r * 8 + c), peek_int(m, 0, r * 11 + c));
  arena_destroy(k.a);
  /* Column 7 of a tensor of 7 columns lies in the gap between rows: inside
   * the span, and no element. */
  k = strided_copy(4, 7, 11);
  exec_event e = run_all(&k, stop);
  assert_int_equal(e.kind, EVENT_OUTSIDE);
  assert_int_equal(e.lane_count, 2);
  assert_int_equal(e.lane[0], 0);
  assert_int_equal(e.lane[1], 7);
  assert_int_equal(e.offset, 7);
  arena_destroy(k.a);
}

/* Which offsets are elements, by enumeration. */
static void odd_strides(void **state) {
  (void)state;
  static const int64_t cases[][6] = {
      /* extents, strides */
      {3, 4, 2, 7, 3, 0},    {2, 3, 4, 1, 2, 6},   {5, 3, 2, 6, 10, 15},
      {1, 4, 3, 9, 5, -7},   {0, 4, 3, 1, 1, 1},   {4, 4, 4, 5, 7, 11},
      {2, 2, 2, 12, 18, 27}, {3, 5, 1, 2, 2, 100}, {6, 2, 3, -4, 6, 9},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t *n = cases[i], *s = cases[i] + 3;
    kit k = kit_make();
    value_id x =
        tensor_of(&k, "x", SC_F32, TENSOR_IN, number(&k, n[0]),
                  number(&k, s[0]), number(&k, n[1]), number(&k, s[1]));
    tensor *t = &k.p->tensors.at[0];
    t->rank = 3;
    t->extent[2] = number(&k, n[2]);
    t->stride[2] = number(&k, s[2]);
    expr at = symbol_of(&k, "at", 0);
    value_id where = int_param(&k, "at", at);
    load(&k, point(&k, x, where), VALUE_NONE, VALUE_NONE);
    for (int64_t offset = -30; offset < 150; offset++) {
      bool element = false;
      for (int64_t a = 0; a < n[0]; a++)
        for (int64_t b = 0; b < n[1]; b++)
          for (int64_t c = 0; c < n[2]; c++)
            element |= a * s[0] + b * s[1] + c * s[2] == offset;
      k.value[0] = offset;
      assert_int_equal(run_all(&k, stop).kind,
                       element ? EVENT_NONE : EVENT_OUTSIDE);
    }
    arena_destroy(k.a);
  }
}

/* ------------------------------------------------------------------ loops */

/* Sums rows of x by a carried pointer; out[pid] = sum of K elements, read in
 * steps of 8; a bug reads `extra` turns too many. */
static kit pointer_loop(int64_t size, int64_t turns, inst **made) {
  kit k = kit_make();
  expr n = symbol_of(&k, "K", size), count = symbol_of(&k, "T", turns);
  value_id x = vector_of(&k, "x", SC_F32, TENSOR_IN, n);
  value_id out = vector_of(&k, "out", SC_F32, TENSOR_OUT, number(&k, 8));
  value_id tp = int_param(&k, "T", count);
  value_id offs = arange(&k, 8);
  value_id px = point(&k, x, offs);
  type f = tile_of(&k, SC_F32, 8, 0);
  value_id zero = splat(&k, constant(&k, SC_F32, 0), f);
  loop l = loop_begin(&k, constant(&k, SC_I32, 0), tp, constant(&k, SC_I32, 1),
                      2, px, zero);
  value_id v = load(&k, l.args[1], VALUE_NONE, VALUE_NONE);
  value_id sum = binary(&k, OP_ADD, l.args[2], v);
  value_id step = splat(&k, constant(&k, SC_I32, 8), tile_of(&k, SC_I32, 8, 0));
  value_id next = point(&k, l.args[1], step);
  *made = loop_end(&k, &l, next, sum);
  store(&k, point(&k, out, offs), (*made)->results[1], VALUE_NONE);
  return k;
}

static void carried_pointer(void **state) {
  (void)state;
  inst *made;
  kit k = pointer_loop(64, 8, &made);
  exec_machine *m = launch(&k, (exec_options){.fill = FILL_RANDOM});
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  for (int64_t i = 0; i < 8; i++) {
    float sum = 0;
    for (int64_t t = 0; t < 8; t++)
      sum += peek_float(m, 0, t * 8 + i);
    assert_true(sum == peek_float(m, 1, i));
  }
  arena_destroy(k.a);
  k = pointer_loop(62, 8, &made);
  exec_event e = run_all(&k, stop);
  assert_int_equal(e.kind, EVENT_OUTSIDE);
  assert_int_equal(e.turn_count, 1);
  assert_int_equal(e.turns[0], 7);
  assert_int_equal(e.lane[0], 6);
  assert_int_equal(e.offset, 62);
  arena_destroy(k.a);
}

static void long_loop_in_bounded_memory(void **state) {
  (void)state;
  inst *made;
  kit k = pointer_loop(64, 1 << 20, &made);
  k.p->tensors.at[0].known = false;
  k.p->tensors.at[0].rank = 0;
  assert_int_equal(run_all(&k, stop).kind, EVENT_NONE);
  exec_event e = run_all(&k, (exec_options){.step_limit = 1000});
  assert_int_equal(e.kind, EVENT_LIMIT);
  arena_destroy(k.a);
}

static uint32_t first_load(const kit *k) {
  for (size_t i = 1; i < k->p->values.count; i++) {
    const inst *def = k->p->values.at[i].def;
    if (def && def->kind == NODE_OP && def->op == OP_LOAD)
      return def->index;
  }
  return 0;
}

static void enter_at_turn(void **state) {
  (void)state;
  inst *made;
  kit k = pointer_loop(803, 101, &made); /* turn 100 reads 800..807 */
  exec_options o = {.stop_at_first = true,
                    .only_inst = first_load(&k),
                    .only_kind = EVENT_OUTSIDE};
  exec_event full = run_all(&k, o);
  assert_int_equal(full.kind, EVENT_OUTSIDE);
  assert_int_equal(full.turns[0], 100);
  o.enter_at_turn = true;
  o.turn[0] = 100;
  o.step_limit = 400;
  exec_event quick = run_all(&k, o);
  assert_int_equal(quick.kind, EVENT_OUTSIDE);
  assert_int_equal(quick.inst, full.inst);
  assert_int_equal(quick.turns[0], full.turns[0]);
  assert_int_equal(quick.lane[0], full.lane[0]);
  assert_int_equal(quick.offset, full.offset);
  arena_destroy(k.a);
  /* Two thousand million turns ahead. */
  k = pointer_loop(((int64_t)1 << 34) - 4, INT32_MAX, &made);
  o.only_inst = first_load(&k);
  o.turn[0] = INT32_MAX - 1;
  k.value[0] = (int64_t)(INT32_MAX - 1) * 8 + 3;
  quick = run_all(&k, o);
  assert_int_equal(quick.kind, EVENT_OUTSIDE);
  assert_int_equal(quick.lane[0], 3);
  assert_true(quick.offset == k.value[0]);
  arena_destroy(k.a);
}

/* What turns left out would have computed ends the run when it is needed. */
static void enter_is_honest(void **state) {
  (void)state;
  inst *made;
  kit k = pointer_loop(64, 8, &made);
  value_id sum = made->results[1];
  type i = tile_of(&k, SC_I32, 8, 0);
  uint32_t access = first_load(&k);
  exec_options o = {.stop_at_first = true,
                    .only_inst = access,
                    .enter_at_turn = true,
                    .turn = {5}};
  exec_machine *m = launch(&k, o);
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_int_equal(exec_cell_at(m, 1, 0), CELL_UNKNOWN);
  value_id at = emit(&k, OP_CAST, i, 1, sum);
  load(&k, point(&k, k.p->params.at[0].value_id, at), VALUE_NONE, VALUE_NONE);
  assert_int_equal(run_all(&k, o).kind, EVENT_OPAQUE);
  arena_destroy(k.a);
}

/* A carried integer that doubles is no induction: its turns are run. */
static void enter_runs_what_it_must(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_F32, TENSOR_IN, number(&k, 100));
  loop l = loop_begin(&k, constant(&k, SC_I32, 0), constant(&k, SC_I32, 10),
                      constant(&k, SC_I32, 1), 1, constant(&k, SC_I32, 1));
  load(&k, point(&k, x, l.args[1]), VALUE_NONE, VALUE_NONE);
  uint32_t access = last(&k);
  loop_end(&k, &l, binary(&k, OP_ADD, l.args[1], l.args[1]));
  exec_event e = run_all(&k, (exec_options){.stop_at_first = true,
                                            .only_inst = access,
                                            .enter_at_turn = true,
                                            .turn = {7}});
  assert_int_equal(e.kind, EVENT_OUTSIDE);
  assert_int_equal(e.turns[0], 7);
  assert_int_equal(e.offset, 128);
  arena_destroy(k.a);
}

static void negative_and_zero_steps(void **state) {
  (void)state;
  for (int64_t step = -3; step <= 0; step += 3) {
    kit k = kit_make();
    value_id out = vector_of(&k, "out", SC_I32, TENSOR_OUT, number(&k, 16));
    loop l = loop_begin(&k, constant(&k, SC_I32, 10), constant(&k, SC_I32, 0),
                        constant(&k, SC_I32, step), 1, constant(&k, SC_I32, 0));
    inst *made = loop_end(&k, &l, binary(&k, OP_ADD, l.args[1], l.args[0]));
    store(&k, out, made->results[0], VALUE_NONE);
    exec_machine *m = launch(&k, stop);
    exec_event e = run_one(m, 0, 0);
    if (step < 0) {
      assert_int_equal(e.kind, EVENT_NONE);
      assert_int_equal(peek_int(m, 0, 0), 10 + 7 + 4 + 1);
    } else {
      assert_int_equal(e.kind, EVENT_LIMIT);
    }
    arena_destroy(k.a);
  }
}

/* Swapping carried values: all are read before any is replaced. */
static void carried_swap(void **state) {
  (void)state;
  kit k = kit_make();
  value_id out = vector_of(&k, "out", SC_I32, TENSOR_OUT, number(&k, 2));
  loop l = loop_begin(&k, constant(&k, SC_I32, 0), constant(&k, SC_I32, 3),
                      constant(&k, SC_I32, 1), 2, constant(&k, SC_I32, 5),
                      constant(&k, SC_I32, 9));
  inst *made = loop_end(&k, &l, l.args[2], l.args[1]);
  store(&k, out, made->results[0], VALUE_NONE);
  store(&k, point(&k, out, constant(&k, SC_I32, 1)), made->results[1],
        VALUE_NONE);
  exec_machine *m = launch(&k, stop);
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_int_equal(peek_int(m, 0, 0), 9);
  assert_int_equal(peek_int(m, 0, 1), 5);
  arena_destroy(k.a);
}

/* while n > 1: n = n // 2, steps += 1; if odd: out = 1 */
static void while_and_if(void **state) {
  (void)state;
  kit k = kit_make();
  value_id out = vector_of(&k, "out", SC_I32, TENSOR_OUT, number(&k, 1));
  value_id one = constant(&k, SC_I32, 1), zero = constant(&k, SC_I32, 0);
  region *test = region_create(k.p), *body = region_create(k.p);
  type i32 = type_scalar(SC_I32);
  value_id n0 = program_value(k.p, i32, "n"), c0 = program_value(k.p, i32, "c");
  value_id n1 = program_value(k.p, i32, "n"), c1 = program_value(k.p, i32, "c");
  VEC_PUSH(k.a, &test->args, n0);
  VEC_PUSH(k.a, &test->args, c0);
  VEC_PUSH(k.a, &body->args, n1);
  VEC_PUSH(k.a, &body->args, c1);
  region *outside = k.r;
  value_id inits[2] = {constant(&k, SC_I32, 1000), zero};
  k.r = test;
  value_id go = compare(&k, OP_GT, n0, one);
  VEC_PUSH(k.a, &test->yields, go);
  k.r = body;
  value_id half = binary(&k, OP_IDIV, n1, constant(&k, SC_I32, 2));
  value_id more = binary(&k, OP_ADD, c1, one);
  VEC_PUSH(k.a, &body->yields, half);
  VEC_PUSH(k.a, &body->yields, more);
  k.r = outside;
  type types[2] = {i32, i32};
  inst *made = program_append(k.p, k.r,
                              (inst){.kind = NODE_WHILE,
                                     .operands = inits,
                                     .operand_count = 2,
                                     .regions = {test, body}},
                              types, 2);
  region *yes = region_create(k.p), *no = region_create(k.p);
  value_id odd = compare(&k, OP_EQ, made->results[1], constant(&k, SC_I32, 9));
  k.r = yes;
  value_id seven = constant(&k, SC_I32, 7);
  k.r = outside;
  VEC_PUSH(k.a, &yes->yields, seven);
  VEC_PUSH(k.a, &no->yields, zero);
  inst *chosen = program_append(k.p, k.r,
                                (inst){.kind = NODE_IF,
                                       .operands = &odd,
                                       .operand_count = 1,
                                       .regions = {yes, no}},
                                types, 1);
  store(&k, out, chosen->results[0], VALUE_NONE);
  exec_machine *m = launch(&k, stop);
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_int_equal(peek_int(m, 0, 0), 7);
  arena_destroy(k.a);
}

/* ------------------------------------------------------------------ wraps */

/* x[pid * stride (wraps)] under a mask that is true or false. */
static kit wrapping_address(bool live, uint32_t *product) {
  kit k = kit_make();
  value_id x = tensor_of(&k, "x", SC_F32, TENSOR_IN, EXPR_NONE, EXPR_NONE,
                         EXPR_NONE, EXPR_NONE);
  expr s = symbol_of(&k, "S", 1 << 20);
  value_id sp = int_param(&k, "S", s);
  k.p->grid[0] = number(&k, 1 << 13);
  value_id at = binary(&k, OP_MUL, program_id(&k, 0), sp);
  *product = last(&k);
  value_id wide = emit(&k, OP_CAST, type_scalar(SC_I64), 1, at);
  value_id mask = constant(&k, SC_BOOL, live);
  load(&k, point(&k, x, wide), mask, VALUE_NONE);
  return k;
}

static void wrap_reaches_address(void **state) {
  (void)state;
  uint32_t product;
  kit k = wrapping_address(true, &product);
  exec_options o = {.only_inst = product, .only_kind = EVENT_WRAP};
  exec_machine *m = launch(&k, o);
  assert_int_equal(run_one(m, 2047, 0).kind, EVENT_NONE);
  exec_event e = run_one(m, 2048, 0);
  assert_int_equal(e.kind, EVENT_WRAP);
  assert_int_equal(e.inst, product);
  assert_int_equal(e.at.line, product);
  assert_true(e.value == INT32_MIN);
  assert_non_null(strstr(e.detail, "2147483648"));
  /* The same is no fault of another instruction. */
  o.only_inst = product + 1;
  assert_int_equal(run_one(launch(&k, o), 2048, 0).kind, EVENT_NONE);
  arena_destroy(k.a);
  k = wrapping_address(false, &product);
  o.only_inst = product;
  assert_int_equal(run_one(launch(&k, o), 2048, 0).kind, EVENT_NONE);
  arena_destroy(k.a);
}

/* The product has 64 bits exactly when the argument needs them. */
static void wide_argument(void **state) {
  (void)state;
  kit k = kit_make();
  expr s = symbol_of(&k, "S", (int64_t)1 << 33);
  value_id sp = int_param(&k, "S", s);
  value_id out = vector_of(&k, "out", SC_I64, TENSOR_OUT, number(&k, 1));
  k.p->grid[0] = number(&k, 1 << 13);
  value_id pid = emit(&k, OP_CAST, type_of(&k, sp), 1, program_id(&k, 0));
  value_id at = binary(&k, OP_MUL, pid, sp);
  store(&k, out, emit(&k, OP_CAST, type_scalar(SC_I64), 1, at), VALUE_NONE);
  exec_machine *m = launch(&k, stop);
  assert_int_equal(run_one(m, 4096, 0).kind, EVENT_NONE);
  assert_true(peek_int(m, 0, 0) == (int64_t)1 << 45);
  k.value[0] = (1 << 20) + 1;
  m = launch(&k, stop);
  assert_int_equal(run_one(m, 4096, 0).kind, EVENT_NONE);
  assert_true(peek_int(m, 0, 0) == 4096);
  arena_destroy(k.a);
}

/* A loop counter that leaves its type is used by the loop's own condition. */
static void wrap_of_counter(void **state) {
  (void)state;
  kit k = kit_make();
  loop l =
      loop_begin(&k, constant(&k, SC_I32, INT32_MAX - 10),
                 constant(&k, SC_I32, INT32_MAX), constant(&k, SC_I32, 8), 0);
  inst *made = loop_end(&k, &l);
  exec_event e = run_all(&k, (exec_options){.stop_at_first = true,
                                            .only_inst = made->index,
                                            .only_kind = EVENT_WRAP});
  assert_int_equal(e.kind, EVENT_WRAP);
  assert_int_equal(e.inst, made->index);
  arena_destroy(k.a);
}

static void wrap_in_comparison(void **state) {
  (void)state;
  kit k = kit_make();
  expr n = symbol_of(&k, "n", INT32_MAX);
  value_id np = int_param(&k, "n", n);
  type t = tile_of(&k, SC_I32, 4, 0);
  value_id offs = binary(&k, OP_ADD, splat(&k, np, t), arange(&k, 4));
  uint32_t sum = last(&k);
  /* A difference that undoes the wrap is harmless. */
  value_id back = binary(&k, OP_SUB, offs, splat(&k, np, t));
  compare(&k, OP_LT, back, arange(&k, 4));
  exec_options o = {.only_inst = sum, .only_kind = EVENT_WRAP};
  assert_int_equal(run_all(&k, o).kind, EVENT_NONE);
  compare(&k, OP_LT, offs, splat(&k, np, t));
  exec_event e = run_all(&k, o);
  assert_int_equal(e.kind, EVENT_WRAP);
  assert_int_equal(e.inst, sum);
  assert_int_equal(e.lane[0], 1);
  assert_non_null(strstr(e.detail, "comparison"));
  arena_destroy(k.a);
}

/* Wraps through loops: offs += step, and the access is never live after. */
static kit wrapping_loop(int64_t turns, uint32_t *sum) {
  kit k = kit_make();
  expr count = symbol_of(&k, "T", turns);
  value_id tp = int_param(&k, "T", count);
  value_id x = tensor_of(&k, "x", SC_F32, TENSOR_IN, EXPR_NONE, EXPR_NONE,
                         EXPR_NONE, EXPR_NONE);
  loop l = loop_begin(&k, constant(&k, SC_I32, 0), tp, constant(&k, SC_I32, 1),
                      1, constant(&k, SC_I32, 0));
  load(&k, point(&k, x, l.args[1]), VALUE_NONE, VALUE_NONE);
  value_id next = binary(&k, OP_ADD, l.args[1], constant(&k, SC_I32, 1 << 30));
  *sum = last(&k);
  loop_end(&k, &l, next);
  return k;
}

static void wrap_through_loop(void **state) {
  (void)state;
  uint32_t sum;
  for (int jump = 0; jump < 2; jump++) {
    kit k = wrapping_loop(2, &sum);
    exec_options o = {.only_inst = sum,
                      .only_kind = EVENT_WRAP,
                      .stop_at_first = true,
                      .enter_at_turn = jump,
                      .turn = {1}};
    assert_int_equal(run_all(&k, o).kind, EVENT_NONE);
    k.value[0] = 3; /* the third turn uses 2^31 */
    o.turn[0] = 2;
    exec_event e = run_all(&k, o);
    assert_int_equal(e.kind, EVENT_WRAP);
    assert_int_equal(e.inst, sum);
    assert_int_equal(e.turns[0], 2);
    assert_true(e.value == INT32_MIN);
    arena_destroy(k.a);
  }
}

/* ---------------------------------------------------------------- scalars */

static bool scalar2(op_id op, scalar s, uint64_t a, uint64_t b, uint64_t *out) {
  type types[2] = {type_scalar(s), type_scalar(s)};
  uint64_t bits[2] = {a, b};
  type t = type_scalar(s);
  return exec_scalar(op, types, bits, 2, &t, out);
}

static bool cast(scalar from, scalar to, uint64_t bits, uint64_t *out) {
  type f = type_scalar(from), t = type_scalar(to);
  return exec_scalar(OP_CAST, &f, &bits, 1, &t, out);
}

static uint64_t u(int64_t x) {
  return (uint64_t)x;
}

static void integer_arithmetic(void **state) {
  (void)state;
  uint64_t out;
  assert_true(scalar2(OP_IDIV, SC_I32, u(-7), 2, &out));
  assert_true((int64_t)out == -3);
  assert_true(scalar2(OP_IREM, SC_I32, u(-7), 2, &out));
  assert_true((int64_t)out == -1);
  assert_true(scalar2(OP_IREM, SC_I32, 7, u(-2), &out));
  assert_true((int64_t)out == 1);
  assert_false(scalar2(OP_IDIV, SC_I32, 7, 0, &out));
  assert_false(scalar2(OP_IDIV, SC_I32, u(INT32_MIN), u(-1), &out));
  assert_false(scalar2(OP_IREM, SC_I64, u(INT64_MIN), u(-1), &out));
  assert_true(scalar2(OP_IDIV, SC_U8, 255, 2, &out) && out == 127);
  assert_true(scalar2(OP_ADD, SC_I8, 127, 1, &out));
  assert_true((int64_t)out == -128);
  assert_true(scalar2(OP_ADD, SC_U8, 255, 1, &out) && out == 0);
  assert_true(scalar2(OP_MUL, SC_U32, UINT32_MAX, UINT32_MAX, &out));
  assert_true(out == 1);
  assert_true(scalar2(OP_SHR, SC_I32, u(-8), 1, &out) && (int64_t)out == -4);
  assert_true(scalar2(OP_SHR, SC_U32, 0x80000000u, 31, &out) && out == 1);
  assert_false(scalar2(OP_SHL, SC_I32, 1, 32, &out));
  assert_true(scalar2(OP_MAX, SC_U8, 200, 100, &out) && out == 200);
  assert_true(scalar2(OP_MIN, SC_I8, u(-56), 100, &out) && out == u(-56));
}

static void casts(void **state) {
  (void)state;
  uint64_t out;
  assert_true(cast(SC_I32, SC_I8, 200, &out) && out == u(-56));
  assert_true(cast(SC_I8, SC_U8, u(-56), &out) && out == 200);
  assert_true(cast(SC_U8, SC_I32, 200, &out) && out == 200);
  assert_true(cast(SC_I8, SC_I32, u(-56), &out) && out == u(-56));
  assert_true(cast(SC_I8, SC_U32, u(-1), &out) && out == UINT32_MAX);
  assert_true(cast(SC_I32, SC_BOOL, 256, &out) && out == 1);
  assert_true(cast(SC_BOOL, SC_I32, 1, &out) && out == 1);
  float x = -2.9f;
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  assert_true(cast(SC_F32, SC_I32, bits, &out) && out == u(-2));
  assert_false(cast(SC_F32, SC_U32, bits, &out));
  x = 3e9f;
  memcpy(&bits, &x, sizeof bits);
  assert_false(cast(SC_F32, SC_I32, bits, &out));
  assert_true(cast(SC_F32, SC_U32, bits, &out) && out == 3000000000u);
}

static void small_floats(void **state) {
  (void)state;
  uint64_t out;
  /* 2048 + 1 and 2048 + 3 in f16: ties to even. */
  assert_true(scalar2(OP_ADD, SC_F16, 0x6800, 0x3c00, &out) && out == 0x6800);
  assert_true(scalar2(OP_ADD, SC_F16, 0x6800, 0x4200, &out) && out == 0x6802);
  /* 65504 + 32 overflows; the least subnormal halves to 0. */
  assert_true(scalar2(OP_ADD, SC_F16, 0x7bff, 0x5000, &out) && out == 0x7c00);
  assert_true(scalar2(OP_MUL, SC_F16, 0x0001, 0x3800, &out) && out == 0);
  assert_true(scalar2(OP_MUL, SC_F16, 0x0003, 0x3800, &out) && out == 2);
  /* 256 + 1 in bf16 */
  assert_true(scalar2(OP_ADD, SC_BF16, 0x4380, 0x3f80, &out));
  assert_true(out == 0x4380);
  assert_true(scalar2(OP_ADD, SC_BF16, 0x4380, 0x4040, &out));
  assert_true(out == 0x4382);
  assert_true(cast(SC_I32, SC_F8E4M3, 1000, &out) && out == 0x7e);
  assert_true(cast(SC_I32, SC_F8E4M3, 17, &out) && out == 0x58);
  assert_true(cast(SC_I32, SC_F8E5M2, u(-3), &out) && out == 0xc2);
  for (uint64_t h = 0; h < 0x7c00; h++) {
    uint64_t wide, back;
    assert_true(cast(SC_F16, SC_F32, h, &wide));
    assert_true(cast(SC_F32, SC_F16, wide, &back) && back == h);
  }
  for (uint64_t h = 0; h < 0x7f80; h += 3) {
    uint64_t wide, back;
    assert_true(cast(SC_BF16, SC_F32, h, &wide) && wide == h << 16);
    assert_true(cast(SC_F32, SC_BF16, wide, &back) && back == h);
  }
}

/* ----------------------------------------------------------------- poison */

/* out[i] = where(i < n, load(x + i, i < n), 5): sound on all lanes, while the
 * load alone is not. */
static void masked_lanes(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_F32, TENSOR_IN, number(&k, 5));
  value_id a = vector_of(&k, "a", SC_F32, TENSOR_OUT, number(&k, 8));
  value_id b = vector_of(&k, "b", SC_F32, TENSOR_OUT, number(&k, 8));
  type t = tile_of(&k, SC_I32, 8, 0);
  value_id offs = arange(&k, 8);
  value_id mask =
      compare(&k, OP_LT, offs, splat(&k, constant(&k, SC_I32, 5), t));
  value_id v = load(&k, point(&k, x, offs), mask, VALUE_NONE);
  value_id five = splat(&k, constant(&k, SC_F32, 5), tile_of(&k, SC_F32, 8, 0));
  value_id w = emit(&k, OP_WHERE, type_of(&k, v), 3, mask, v, five);
  store(&k, point(&k, a, offs), v, VALUE_NONE);
  store(&k, point(&k, b, offs), w, VALUE_NONE);
  exec_machine *m = launch(&k, stop);
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_int_equal(exec_cell_at(m, 1, 4), CELL_WRITTEN);
  assert_int_equal(exec_cell_at(m, 1, 5), CELL_UNDEFINED);
  assert_int_equal(exec_cell_at(m, 2, 5), CELL_WRITTEN);
  assert_true(peek_float(m, 2, 5) == 5.0f);
  m = launch(&k, (exec_options){.fill_masked = true, .masked_value = -2});
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_true(peek_float(m, 1, 5) == -2.0f);
  arena_destroy(k.a);
}

static void undefined_address(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_I32, TENSOR_OUT, number(&k, 5));
  value_id i = load(&k, x, VALUE_NONE, VALUE_NONE); /* holds nothing */
  value_id p = point(&k, x, i);
  value_id off = constant(&k, SC_BOOL, 0);
  value_id bad = compare(&k, OP_LT, i, constant(&k, SC_I32, 3));
  value_id both = binary(&k, OP_AND, bad, off); /* false, whatever bad is */
  load(&k, p, both, VALUE_NONE);
  assert_int_equal(run_all(&k, stop).kind, EVENT_NONE);
  load(&k, p, VALUE_NONE, VALUE_NONE);
  exec_event e = run_all(&k, stop);
  assert_int_equal(e.kind, EVENT_OUTSIDE);
  assert_non_null(strstr(e.detail, "undefined"));
  arena_destroy(k.a);
}

static void division_by_zero(void **state) {
  (void)state;
  kit k = kit_make();
  value_id out = vector_of(&k, "out", SC_I32, TENSOR_OUT, number(&k, 4));
  value_id i = arange(&k, 4);
  type t = tile_of(&k, SC_I32, 4, 0);
  value_id q = binary(&k, OP_IDIV, splat(&k, constant(&k, SC_I32, 6), t), i);
  uint32_t division = last(&k);
  uint32_t write = store(&k, point(&k, out, i), q, VALUE_NONE);
  exec_event e = run_all(&k, stop);
  assert_int_equal(e.kind, EVENT_DIV_ZERO);
  assert_int_equal(e.inst, division);
  assert_int_equal(e.lane[0], 0);
  exec_machine *m = launch(&k, (exec_options){.only_inst = write});
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_int_equal(peek_int(m, 0, 0), 0);
  assert_int_equal(peek_int(m, 0, 3), 2);
  arena_destroy(k.a);
}

static void opaque_values(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_I32, TENSOR_INOUT, number(&k, 4));
  value_id v = emit_attrs(&k, OP_OPAQUE, type_scalar(SC_I32), VALUE_NONE, 1,
                          number(&k, 0), EXPR_NONE);
  store(&k, x, v, VALUE_NONE);
  exec_machine *m = launch(&k, stop);
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_int_equal(exec_cell_at(m, 0, 0), CELL_UNKNOWN);
  load(&k, point(&k, x, v), VALUE_NONE, VALUE_NONE);
  assert_int_equal(run_all(&k, stop).kind, EVENT_OPAQUE);
  arena_destroy(k.a);
}

/* ------------------------------------------------------- rearranged lanes */

/* Stores eight lanes behind what is there. */
static void keep(kit *k, value_id out, int64_t row, value_id v) {
  type t = tile_of(k, SC_I32, 8, 0);
  value_id at = splat(k, constant(k, SC_I32, 8 * row), t);
  store(k, point(k, out, binary(k, OP_ADD, arange(k, 8), at)), v, VALUE_NONE);
}

static void rearrangements(void **state) {
  static const int64_t expected[] = {
      7, 6, 5, 4, 3, 2, 1, 0, /* flip */
      1, 0, 3, 2, 5, 4, 7, 6, /* the halves of pairs exchanged */
      7, 6, 5, 4, 3, 2, 1, 0, /* sorted downwards */
      0, 3, 2, 1, 0, 3, 2, 1, /* gathered from i % 4 by 8 - i - (i < 1) * 8 */
      2, 2, 2, 2, 0, 0, 0, 0, /* histogram of i % 4 */
  };
  (void)state;
  kit k = kit_make();
  value_id out = vector_of(&k, "out", SC_I32, TENSOR_OUT, number(&k, 40));
  value_id i = arange(&k, 8);
  type t = tile_of(&k, SC_I32, 8, 0), half = tile_of(&k, SC_I32, 4, 0);
  type pairs = tile_of(&k, SC_I32, 4, 2);
  expr zero = number(&k, 0), one = number(&k, 1);
  value_id flipped = emit_attrs(&k, OP_FLIP, t, i, 1, zero, EXPR_NONE);
  keep(&k, out, 0, flipped);
  value_id p = emit(&k, OP_RESHAPE, pairs, 1, i);
  value_id left = emit_attrs(&k, OP_SPLIT, half, p, 1, zero, EXPR_NONE);
  value_id right = emit_attrs(&k, OP_SPLIT, half, p, 1, one, EXPR_NONE);
  value_id joined = emit(&k, OP_JOIN, pairs, 2, right, left);
  joined = emit(&k, OP_RESHAPE, t, 1, joined);
  keep(&k, out, 1, joined);
  keep(&k, out, 2, emit_attrs(&k, OP_SORT, t, joined, 2, zero, one));
  value_id four = splat(&k, constant(&k, SC_I32, 4), t);
  value_id eight = splat(&k, constant(&k, SC_I32, 8), t);
  value_id rest = binary(&k, OP_IREM, i, four);
  value_id back = binary(&k, OP_IREM, binary(&k, OP_SUB, eight, i), eight);
  value_id operands[2] = {rest, back};
  inst gather = {.kind = NODE_OP,
                 .op = OP_GATHER,
                 .operand_count = 2,
                 .operands = operands,
                 .attr_count = 1,
                 .attrs = &zero};
  keep(&k, out, 3, program_append(k.p, k.p->body, gather, &t, 1)->results[0]);
  keep(&k, out, 4, emit(&k, OP_HISTOGRAM, t, 1, rest));
  exec_machine *m = launch(&k, stop);
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  for (int64_t at = 0; at < 40; at++)
    assert_int_equal(peek_int(m, 0, at), expected[at]);
  arena_destroy(k.a);
}

/* ------------------------------------------------- reductions and products */

static void reductions(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_I32, TENSOR_IN, number(&k, 32));
  value_id out = vector_of(&k, "out", SC_I32, TENSOR_OUT, number(&k, 64));
  expr zero = number(&k, 0), one = number(&k, 1);
  value_id offs = arange(&k, 32);
  value_id v = load(&k, point(&k, x, offs), VALUE_NONE, VALUE_NONE);
  v = emit(&k, OP_RESHAPE, tile_of(&k, SC_I32, 4, 8), 1, v);
  value_id rows = emit_attrs(&k, OP_REDUCE_SUM, tile_of(&k, SC_I32, 4, 0), v, 1,
                             one, EXPR_NONE);
  value_id most = emit_attrs(&k, OP_REDUCE_MAX, tile_of(&k, SC_I32, 8, 0), v, 1,
                             zero, EXPR_NONE);
  value_id arg = emit_attrs(&k, OP_ARGMAX, tile_of(&k, SC_I32, 4, 0), v, 1, one,
                            EXPR_NONE);
  value_id sums =
      emit_attrs(&k, OP_CUMSUM, tile_of(&k, SC_I32, 4, 0), rows, 2, zero, one);
  type p4 = tile_of(&k, SC_I32, 4, 0), p8 = tile_of(&k, SC_I32, 8, 0);
  value_id i4 = arange(&k, 4), i8 = arange(&k, 8);
  value_id four = constant(&k, SC_I32, 4);
  value_id eight = constant(&k, SC_I32, 8);
  value_id sixteen = constant(&k, SC_I32, 16);
  store(&k, point(&k, out, i4), rows, VALUE_NONE);
  store(&k, point(&k, out, binary(&k, OP_ADD, i4, splat(&k, four, p4))), arg,
        VALUE_NONE);
  store(&k, point(&k, out, binary(&k, OP_ADD, i8, splat(&k, eight, p8))), most,
        VALUE_NONE);
  store(&k, point(&k, out, binary(&k, OP_ADD, i4, splat(&k, sixteen, p4))),
        sums, VALUE_NONE);
  exec_machine *m = launch(&k, stop);
  int64_t total[4] = {0}, best[4] = {0};
  for (int64_t i = 0; i < 32; i++) {
    int64_t value = i * 37 % 23 - 9, row = i / 8;
    exec_poke(m, 0, i, u(value));
    total[row] += value;
    if (value > (best[row] * 37 + row * 8 * 37) % 23 - 9)
      best[row] = i % 8;
  }
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  for (int64_t r = 0; r < 4; r++) {
    assert_int_equal(peek_int(m, 1, r), total[r]);
    assert_int_equal(peek_int(m, 1, 4 + r), best[r]);
  }
  assert_int_equal(peek_int(m, 1, 19), total[3]);
  assert_int_equal(peek_int(m, 1, 16),
                   total[0] + total[1] + total[2] + total[3]);
  for (int64_t c = 0; c < 8; c++) {
    int64_t greatest = INT64_MIN;
    for (int64_t r = 0; r < 4; r++) {
      int64_t value = (r * 8 + c) * 37 % 23 - 9;
      greatest = value > greatest ? value : greatest;
    }
    assert_int_equal(peek_int(m, 1, 8 + c), greatest);
  }
  arena_destroy(k.a);
}

/* out = x @ trans(x) of a 16 x 16 tile, with the last column masked off. */
static kit square_dot(int64_t side, value_id *masked) {
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_F16, TENSOR_IN, number(&k, side * side));
  value_id out =
      vector_of(&k, "out", SC_F32, TENSOR_OUT, number(&k, side * side));
  type t = tile_of(&k, SC_I32, side, side);
  value_id flat = arange(&k, side * side);
  value_id offs = emit(&k, OP_RESHAPE, t, 1, flat);
  value_id limit = splat(&k, constant(&k, SC_I32, side * side - 1), t);
  value_id mask = compare(&k, OP_LT, offs, limit);
  value_id a =
      load(&k, point(&k, x, offs), masked ? mask : VALUE_NONE, VALUE_NONE);
  value_id b = emit_attrs(&k, OP_TRANS, type_of(&k, a), a, 2, number(&k, 1),
                          number(&k, 0));
  value_id d =
      emit(&k, OP_DOT, tile_of(&k, SC_F32, side, side), 3, a, b, VALUE_NONE);
  store(&k, point(&k, out, offs), d, VALUE_NONE);
  return k;
}

static void matrix_product(void **state) {
  (void)state;
  kit k = square_dot(16, NULL);
  exec_machine *m = launch(&k, (exec_options){.fill = FILL_RANDOM, .seed = 3});
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  for (int64_t i = 0; i < 16; i++)
    for (int64_t j = 0; j < 16; j++) {
      float sum = 0;
      for (int64_t c = 0; c < 16; c++) {
        uint64_t p, q;
        cast(SC_F16, SC_F64, u(peek_int(m, 0, i * 16 + c)), &p);
        cast(SC_F16, SC_F64, u(peek_int(m, 0, j * 16 + c)), &q);
        double x, y;
        memcpy(&x, &p, sizeof x);
        memcpy(&y, &q, sizeof y);
        sum += (float)(x * y);
      }
      assert_true(peek_float(m, 1, i * 16 + j) == sum);
    }
  arena_destroy(k.a);
  value_id masked;
  k = square_dot(16, &masked);
  m = launch(&k, stop);
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_int_equal(exec_cell_at(m, 1, 0), CELL_WRITTEN);
  assert_int_equal(exec_cell_at(m, 1, 15 * 16), CELL_UNDEFINED);
  assert_int_equal(exec_cell_at(m, 1, 15), CELL_UNDEFINED);
  arena_destroy(k.a);
  k = square_dot(8, NULL);
  refused_launch(&k);
  arena_destroy(k.a);
}

static void atomics(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_I32, TENSOR_INOUT, number(&k, 2));
  value_id old = vector_of(&k, "old", SC_I32, TENSOR_OUT, number(&k, 8));
  value_id i = arange(&k, 8);
  type t = tile_of(&k, SC_I32, 8, 0);
  value_id two = splat(&k, constant(&k, SC_I32, 2), t);
  value_id p = point(&k, x, binary(&k, OP_IREM, i, two));
  value_id mask = compare(&k, OP_LT, i, splat(&k, constant(&k, SC_I32, 7), t));
  value_id was = emit(&k, OP_ATOMIC_ADD, t, 3, p, i, mask);
  store(&k, point(&k, old, i), was, VALUE_NONE);
  emit(&k, OP_ATOMIC_MAX, t, 3, p, two, mask);
  exec_machine *m = launch(&k, stop);
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_int_equal(peek_int(m, 0, 0), 0 + 2 + 4 + 6);
  assert_int_equal(peek_int(m, 0, 1), 1 + 3 + 5);
  assert_int_equal(peek_int(m, 1, 6), 0 + 2 + 4);
  assert_int_equal(exec_cell_at(m, 1, 7), CELL_UNDEFINED);
  arena_destroy(k.a);
}

static void compare_and_swap(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_I32, TENSOR_INOUT, number(&k, 8));
  value_id old = vector_of(&k, "old", SC_I32, TENSOR_OUT, number(&k, 8));
  value_id i = arange(&k, 8);
  type t = tile_of(&k, SC_I32, 8, 0);
  store(&k, point(&k, x, i), i, VALUE_NONE);
  value_id operands[4] = {point(&k, x, i),
                          splat(&k, constant(&k, SC_I32, 9), t), VALUE_NONE,
                          splat(&k, constant(&k, SC_I32, 3), t)};
  inst cas = {.kind = NODE_OP,
              .op = OP_ATOMIC_CAS,
              .operand_count = 4,
              .operands = operands};
  value_id was = program_append(k.p, k.p->body, cas, &t, 1)->results[0];
  store(&k, point(&k, old, i), was, VALUE_NONE);
  exec_machine *m = launch(&k, stop);
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  assert_int_equal(peek_int(m, 0, 3), 9);
  assert_int_equal(peek_int(m, 0, 4), 4);
  assert_int_equal(peek_int(m, 1, 3), 3);
  arena_destroy(k.a);
}

/* An offset and a length on an axis of 8, and elements of 2 bytes. */
static void claims(void **state) {
  static const struct {
    int64_t offset, length, elements;
    bool axis, aligned;
  } rows[] = {{0, 8, 8, true, true},
              {-1, 4, 4, false, false},
              {5, 4, 16, false, true},
              {4, 4, 12, true, false}};
  (void)state;
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    kit k = kit_make();
    value_id pair[2] = {constant(&k, SC_I64, rows[r].offset),
                        constant(&k, SC_I64, 8)};
    value_id n = constant(&k, SC_I64, rows[r].elements);
    expr length = number(&k, rows[r].length);
    expr bytes[2] = {number(&k, 16), number(&k, 2)};
    type i64 = type_scalar(SC_I64);
    inst axis = {.kind = NODE_OP,
                 .op = OP_BLOCK_AXIS,
                 .operand_count = 2,
                 .operands = pair,
                 .attr_count = 1,
                 .attrs = &length,
                 .text = "axis"};
    inst aligned = {.kind = NODE_OP,
                    .op = OP_ALIGNED,
                    .operand_count = 1,
                    .operands = &n,
                    .attr_count = 2,
                    .attrs = bytes,
                    .text = "aligned"};
    program_append(k.p, k.p->body, axis, &i64, 1);
    program_append(k.p, k.p->body, aligned, &i64, 1);
    exec_event e = run_one(launch(&k, stop), 0, 0);
    bool fine = rows[r].axis && rows[r].aligned;
    assert_int_equal(e.kind, fine ? EVENT_NONE : EVENT_CLAIM);
    if (!fine)
      assert_int_equal(e.inst, rows[r].axis ? 5 : 4);
    arena_destroy(k.a);
  }
}

/* ------------------------------------------------------- launches, memory */

static void huge_launch(void **state) {
  (void)state;
  kit k = kit_make();
  int64_t stride = 2200000;
  expr n = symbol_of(&k, "N", 500001), s = symbol_of(&k, "S", stride);
  value_id x =
      tensor_of(&k, "x", SC_F32, TENSOR_INOUT, n, s, EXPR_NONE, EXPR_NONE);
  value_id sp = int_param(&k, "S", s);
  k.p->grid[0] = expr_add(k.p->exprs, n, number(&k, 1));
  type i64 = type_scalar(SC_I64);
  value_id at = binary(&k, OP_MUL, emit(&k, OP_CAST, i64, 1, program_id(&k, 0)),
                       emit(&k, OP_CAST, i64, 1, sp));
  store(&k, point(&k, x, at), constant(&k, SC_F32, 4), VALUE_NONE);
  exec_machine *m = launch(&k, (exec_options){.fill = FILL_RANDOM});
  assert_int_equal(run_one(m, 500000, 0).kind, EVENT_NONE);
  assert_true(peek_float(m, 0, stride * 500000) == 4.0f);
  assert_int_equal(exec_cell_at(m, 0, stride * 499999), CELL_FILLED);
  exec_event e = run_one(m, 500001, 0);
  assert_int_equal(e.kind, EVENT_OUTSIDE);
  assert_true(e.offset == stride * 500001);
  assert_int_equal(run_one(m, 500002, 0).kind, EVENT_NONE); /* no program */
  arena_destroy(k.a);
}

static void refusals(void **state) {
  (void)state;
  kit k = vector_add(37, true);
  fact f = {.condition =
                expr_compare(k.p->exprs, EXPR_LT, exprs_find(k.p->exprs, "n"),
                             number(&k, 37)),
            .line = 12};
  VEC_PUSH(k.a, &k.p->facts, f);
  exec_event e = refused_launch(&k);
  assert_int_equal(e.at.line, 12);
  k.value[0] = 36;
  exec_event none_found;
  assert_int_equal(exec_run_all(launch(&k, stop), &none_found), 0);
  k.value[0] = -1;
  refused_launch(&k);
  k.value[0] = 0; /* an empty grid runs nothing */
  assert_int_equal(run_all(&k, stop).kind, EVENT_NONE);
  k.value[0] = 5;
  k.p->grid[1] = number(&k, 65536);
  refused_by(&k, EVENT_NONE, EVENT_GRID);
  k.p->grid[1] = number(&k, 65535);
  launch(&k, stop);
  k.p->grid[1] = number(&k, 1);
  fact need = {.condition = expr_compare(k.p->exprs, EXPR_LT, number(&k, 5),
                                         exprs_find(k.p->exprs, "n"))};
  VEC_PUSH(k.a, &k.p->required, need);
  launch(&k, stop); /* nobody asks */
  e = refused_by(&k, EVENT_CONTRACT, EVENT_CONTRACT);
  assert_int_equal(e.inst, 0);
  k.value[0] = 6;
  launch(&k, (exec_options){.only_kind = EVENT_CONTRACT});
  misfit_add(k.p, "`x` is not given", 3);
  misfit_add(k.p, "`x` is not given", 3);
  assert_int_equal(k.p->misfits.count, 1);
  e = refused_by(&k, EVENT_CONTRACT, EVENT_CONTRACT);
  assert_string_equal(e.detail, "`x` is not given");
  k.value[0] = 0; /* an empty grid launches nothing */
  launch(&k, (exec_options){.only_kind = EVENT_CONTRACT});
  arena_destroy(k.a);
  k = kit_make();
  expr b = symbol_of(&k, "B", 12);
  type t = type_scalar(SC_I32);
  t.rank = 1;
  t.dim[0] = b;
  emit_attrs(&k, OP_ARANGE, t, VALUE_NONE, 2, number(&k, 0), b);
  refused_launch(&k);
  k.value[0] = 1 << 21;
  refused_launch(&k);
  k.value[0] = 0;
  refused_launch(&k);
  k.value[0] = 16;
  assert_int_equal(run_all(&k, stop).kind, EVENT_NONE);
  arena_destroy(k.a);
}

typedef struct counts {
  size_t reads, writes;
  int64_t last_lane, last_program;
} counts;

static void count_access(void *context, const exec_access *a) {
  counts *c = context;
  c->reads += a->reads;
  c->writes += a->writes;
  c->last_lane = a->lane[0];
  c->last_program = a->program[0];
}

static void recorder_counts(void **state) {
  (void)state;
  kit k = vector_add(37, true);
  counts c = {0};
  exec_event e = run_all(
      &k, (exec_options){.recorder = count_access, .recorder_context = &c});
  assert_int_equal(e.kind, EVENT_NONE);
  assert_int_equal(c.reads, 74);
  assert_int_equal(c.writes, 37);
  assert_int_equal(c.last_program, 2);
  assert_int_equal(c.last_lane, 4);
  arena_destroy(k.a);
}

static void partly_written(void **state) {
  (void)state;
  kit k = kit_make();
  tensor_of(&k, "x", SC_F32, TENSOR_INOUT, number(&k, 3), number(&k, 10),
            number(&k, 5), number(&k, 2));
  tensor *t = &k.p->tensors.at[0];
  t->part_written = true;
  t->part_low[0] = number(&k, 1);
  t->part_low[1] = number(&k, 2);
  t->part_high[0] = number(&k, 3);
  t->part_high[1] = number(&k, 4);
  exec_machine *m = launch(&k, stop);
  for (int64_t i = 0; i < 3; i++)
    for (int64_t j = 0; j < 5; j++)
      assert_int_equal(exec_cell_at(m, 0, i * 10 + j * 2),
                       i >= 1 && j >= 2 && j < 4 ? CELL_FILLED : CELL_EMPTY);
  arena_destroy(k.a);
}

static void filled_contents(void **state) {
  (void)state;
  kit k = kit_make();
  vector_of(&k, "x", SC_I64, TENSOR_IN, number(&k, 50));
  tensor *t = &k.p->tensors.at[0];
  t->has_range = true;
  t->least = number(&k, 10);
  t->greatest = number(&k, 70);
  for (uint64_t seed = 0; seed < 5; seed++)
    for (int mode = 0; mode < 8; mode++) {
      t->distinct = mode & 1;
      t->sorted = mode & 2;
      exec_machine *m =
          launch(&k, (exec_options){.fill = mode & 4 ? FILL_ZERO : FILL_RANDOM,
                                    .seed = seed});
      bool seen[71] = {false};
      for (int64_t i = 0; i < 50; i++) {
        int64_t x = peek_int(m, 0, i);
        assert_in_range(x, 10, 70);
        if (t->distinct)
          assert_false(seen[x]);
        if (t->sorted && i > 0)
          assert_true(x >= peek_int(m, 0, i - 1));
        seen[x] = true;
      }
    }
  arena_destroy(k.a);
}

/* Values but the one that may repeat occur once. */
static void distinct_but_one(void **state) {
  (void)state;
  kit k = kit_make();
  vector_of(&k, "x", SC_I32, TENSOR_IN, number(&k, 50));
  tensor *t = &k.p->tensors.at[0];
  t->has_range = true;
  t->least = number(&k, -1);
  t->greatest = number(&k, 49);
  t->except[0] = number(&k, -1);
  t->except_count = 1;
  size_t repeated = 0;
  for (uint64_t seed = 0; seed < 20; seed++) {
    exec_machine *m =
        launch(&k, (exec_options){.fill = FILL_RANDOM, .seed = seed});
    size_t seen[51] = {0};
    for (int64_t i = 0; i < 50; i++) {
      int64_t x = peek_int(m, 0, i);
      assert_true(x >= -1 && x <= 49);
      assert_true(seen[x + 1]++ == 0 || x == -1);
    }
    repeated += seen[0] > 1;
  }
  assert_true(repeated > 0);
  arena_destroy(k.a);
}

/* Element i holds i + 0.5; the fourth nothing. */
static bool given_content(void *context, uint32_t tensor, int64_t offset,
                          exec_cell *state, uint64_t *bits) {
  float x = (float)offset + 0.5f;
  uint32_t low;
  memcpy(&low, &x, sizeof low);
  *bits = low;
  *state = offset == 3 ? CELL_EMPTY : CELL_FILLED;
  (*(size_t *)context)++;
  return tensor == 0;
}

static void told_contents(void **state) {
  (void)state;
  kit k = vector_add(16, true);
  size_t asked = 0;
  exec_machine *m = launch(
      &k, (exec_options){.content = given_content, .content_context = &asked});
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  for (int64_t i = 0; i < 16; i++)
    if (i == 3)
      assert_int_equal(exec_cell_at(m, 2, i), CELL_UNDEFINED);
    else /* y is 0 */
      assert_true(peek_float(m, 2, i) == (float)i + 0.5f);
  assert_true(asked >= 32);
  arena_destroy(k.a);
}

static void note_instance(void *context, const exec_access *a) {
  uint64_t *seen = context;
  if (seen[0] != a->instance) {
    seen[0] = a->instance;
    seen[1]++;
  }
  if (a->writes)
    seen[2] += a->bits;
}

/* One execution of an access is one instance, and the bits are those stored. */
static void instances(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_I32, TENSOR_OUT, number(&k, 8));
  k.p->grid[0] = number(&k, 3);
  store(&k, point(&k, x, arange(&k, 8)), arange(&k, 8), VALUE_NONE);
  uint64_t seen[3] = {0};
  run_all(&k,
          (exec_options){.recorder = note_instance, .recorder_context = seen});
  assert_int_equal(seen[1], 3);
  assert_int_equal(seen[2], 3 * 28);
  arena_destroy(k.a);
}

/* Strand j takes elements j, j + 8, ...; strands are combined as a tree. */
static void order_of_sums(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_F32, TENSOR_IN, number(&k, 64));
  value_id out = vector_of(&k, "out", SC_F32, TENSOR_OUT, number(&k, 1));
  value_id v = load(&k, point(&k, x, arange(&k, 64)), VALUE_NONE, VALUE_NONE);
  value_id sum = emit_attrs(&k, OP_REDUCE_SUM, type_scalar(SC_F32), v, 1,
                            number(&k, 0), EXPR_NONE);
  store(&k, point(&k, out, constant(&k, SC_I32, 0)), sum, VALUE_NONE);
  exec_machine *m = launch(&k, stop);
  float strand[8] = {0};
  for (int64_t i = 0; i < 64; i++) {
    float number_ = 1.0f / (float)(3 * i + 1);
    uint32_t bits;
    memcpy(&bits, &number_, sizeof bits);
    exec_poke(m, 0, i, bits);
    strand[i % 8] += number_;
  }
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  float want = ((strand[0] + strand[1]) + (strand[2] + strand[3])) +
               ((strand[4] + strand[5]) + (strand[6] + strand[7]));
  assert_true(peek_float(m, 1, 0) == want);
  arena_destroy(k.a);
}

/* First words of Philox 4x32-10: a published vector, and others by its
 * definition. Offsets of 64 bits fill two words of the counter. */
static void random_numbers(void **state) {
  (void)state;
  static const struct {
    int64_t seed, offset;
    scalar type;
    uint32_t word;
  } rows[] = {{0, 0, SC_I32, 0x6627e8d5},
              {0x5566778811223344, 5, SC_I32, 0xeff80921},
              {1, 0x300000007, SC_I64, 0xb3e6b5ee}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    kit k = kit_make();
    value_id out = vector_of(&k, "out", SC_I32, TENSOR_OUT, number(&k, 1));
    value_id seed = constant(&k, SC_I64, rows[i].seed);
    value_id offset = constant(&k, rows[i].type, rows[i].offset);
    value_id word = emit(&k, OP_RANDOM, type_scalar(SC_I32), 2, seed, offset);
    store(&k, point(&k, out, constant(&k, SC_I32, 0)), word, VALUE_NONE);
    exec_machine *m = launch(&k, stop);
    assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
    assert_int_equal(peek_int(m, 0, 0), (int32_t)rows[i].word);
    arena_destroy(k.a);
  }
}

/* Products are added with one rounding each. */
static void fused_product(void **state) {
  (void)state;
  kit k = kit_make();
  value_id x = vector_of(&k, "x", SC_F32, TENSOR_IN, number(&k, 256));
  value_id out = vector_of(&k, "out", SC_F32, TENSOR_OUT, number(&k, 256));
  type t = tile_of(&k, SC_I32, 16, 16);
  value_id offs = emit(&k, OP_RESHAPE, t, 1, arange(&k, 256));
  value_id a = load(&k, point(&k, x, offs), VALUE_NONE, VALUE_NONE);
  value_id d = emit(&k, OP_DOT, tile_of(&k, SC_F32, 16, 16), 3, a, a, a);
  store(&k, point(&k, out, offs), d, VALUE_NONE);
  exec_machine *m = launch(&k, stop);
  float value[256];
  for (int64_t i = 0; i < 256; i++) {
    uint32_t bits;
    value[i] = (float)(i % 7 - 3) + 1.0f / (float)(i + 3);
    memcpy(&bits, &value[i], sizeof bits);
    exec_poke(m, 0, i, bits);
  }
  assert_int_equal(run_one(m, 0, 0).kind, EVENT_NONE);
  for (int64_t i = 0; i < 16; i++)
    for (int64_t j = 0; j < 16; j++) {
      float sum = value[i * 16 + j];
      for (int64_t c = 0; c < 16; c++)
        sum = fmaf(value[i * 16 + c], value[c * 16 + j], sum);
      assert_true(peek_float(m, 1, i * 16 + j) == sum);
    }
  arena_destroy(k.a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vector_add_masked),
      cmocka_unit_test(vector_add_unmasked),
      cmocka_unit_test(copy_2d),
      cmocka_unit_test(odd_strides),
      cmocka_unit_test(carried_pointer),
      cmocka_unit_test(long_loop_in_bounded_memory),
      cmocka_unit_test(enter_at_turn),
      cmocka_unit_test(enter_is_honest),
      cmocka_unit_test(enter_runs_what_it_must),
      cmocka_unit_test(negative_and_zero_steps),
      cmocka_unit_test(carried_swap),
      cmocka_unit_test(while_and_if),
      cmocka_unit_test(wrap_reaches_address),
      cmocka_unit_test(wide_argument),
      cmocka_unit_test(wrap_of_counter),
      cmocka_unit_test(wrap_in_comparison),
      cmocka_unit_test(wrap_through_loop),
      cmocka_unit_test(integer_arithmetic),
      cmocka_unit_test(casts),
      cmocka_unit_test(small_floats),
      cmocka_unit_test(masked_lanes),
      cmocka_unit_test(undefined_address),
      cmocka_unit_test(division_by_zero),
      cmocka_unit_test(opaque_values),
      cmocka_unit_test(rearrangements),
      cmocka_unit_test(reductions),
      cmocka_unit_test(matrix_product),
      cmocka_unit_test(atomics),
      cmocka_unit_test(compare_and_swap),
      cmocka_unit_test(claims),
      cmocka_unit_test(huge_launch),
      cmocka_unit_test(refusals),
      cmocka_unit_test(recorder_counts),
      cmocka_unit_test(partly_written),
      cmocka_unit_test(filled_contents),
      cmocka_unit_test(distinct_but_one),
      cmocka_unit_test(told_contents),
      cmocka_unit_test(instances),
      cmocka_unit_test(order_of_sums),
      cmocka_unit_test(fused_product),
      cmocka_unit_test(random_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
