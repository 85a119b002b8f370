/* tests/unit/test_tile.c: the tile program: building, text, verifying. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/tile.h"
#include "ops/ops.h"

#include <math.h>
#include <string.h>

static int set_up(void **state) {
  *state = arena_create();
  return 0;
}

static int tear_down(void **state) {
  arena_destroy(*state);
  return 0;
}

static const char *print(const tile_program *p, arena *a) {
  strbuf out = strbuf_make(a);
  program_print(p, &out);
  return out.text;
}

static tile_program *read(arena *a, const char *text) {
  read_error error;
  tile_program *p = program_read(a, text, strlen(text), &error);
  if (!p)
    fail_msg("%u:%u: %s in\n%s", error.line, error.column, error.message, text);
  return p;
}

/* --- a program by hand --- */

typedef struct maker {
  arena *arena;
  tile_program *p;
  expr n, block;
  type tile_i32, tile_ptr, tile_f32, tile_bool;
} maker;

static value_id op(maker *m, op_id id, const value_id *operands, uint32_t count,
                   const expr *attrs, uint32_t attr_count, const type *result) {
  inst shape = {.op = id,
                .at = {9, 5, 9, 20},
                .operands = (value_id *)operands,
                .operand_count = count,
                .attrs = (expr *)attrs,
                .attr_count = attr_count};
  inst *i = program_append(m->p, m->p->body, shape, result, result != NULL);
  return result ? i->results[0] : VALUE_NONE;
}

static value_id op2(maker *m, op_id id, value_id a, value_id b, type result) {
  return op(m, id, (value_id[]){a, b}, 2, NULL, 0, &result);
}

static value_id splat(maker *m, value_id v, const type *tile) {
  return op(m, OP_SPLAT, &v, 1, NULL, 0, tile);
}

static void add_pointer(maker *m, const char *name, tensor_role role) {
  type t = {.elem = SC_F32, .pointer = true};
  tensor memory = {.name = name,
                   .dtype = SC_F32,
                   .known = true,
                   .parameter = true,
                   .rank = 1,
                   .role = role,
                   .extent = {m->n},
                   .stride = {expr_int(m->p->exprs, 1)},
                   .storage = (uint32_t)m->p->tensors.count,
                   .start = expr_int(m->p->exprs, 0),
                   .line = 20};
  param pointer = {.name = name,
                   .kind = PARAM_POINTER,
                   .type = t,
                   .value_id = program_value(m->p, t, name),
                   .tensor = (uint32_t)m->p->tensors.count,
                   .offset = expr_int(m->p->exprs, 0)};
  VEC_PUSH(m->arena, &m->p->tensors, memory);
  VEC_PUSH(m->arena, &m->p->params, pointer);
}

static void make_launch(maker *m) {
  tile_program *p = m->p;
  symbol n = {.name = "n", .role = SYMBOL_SIZE, .line = 20};
  symbol block = {.name = "BLOCK",
                  .role = SYMBOL_CONST,
                  .pow2 = true,
                  .pinned = true,
                  .pin = 1024};
  p->at = (span){8, 1, 20, 40};
  p->launch_line = 30;
  p->max_numel = INT64_C(1) << 31;
  m->n = exprs_symbol(p->exprs, n);
  m->block = exprs_symbol(p->exprs, block);
  add_pointer(m, "x_ptr", TENSOR_IN);
  add_pointer(m, "out_ptr", TENSOR_OUT);
  type wide = {.elem = SC_I32, .wide = 1u << 2};
  param size = {.name = "n_elements",
                .kind = PARAM_INT,
                .type = wide,
                .value_id = program_value(p, wide, "n_elements"),
                .value = m->n};
  param constexpr = {.name = "BLOCK", .kind = PARAM_CONST, .value = m->block};
  VEC_PUSH(m->arena, &p->params, size);
  VEC_PUSH(m->arena, &p->params, constexpr);
  fact at_least = {expr_compare(p->exprs, EXPR_LE, expr_int(p->exprs, 0), m->n),
                   FACT_SHAPE, 20};
  VEC_PUSH(m->arena, &p->facts, at_least);
  p->grid[0] = expr_cdiv(p->exprs, m->n, m->block);
  p->grid_rank = 1;
  p->grid_line = 31;
}

static void make_body(maker *m) {
  exprs *t = m->p->exprs;
  type i32 = type_scalar(SC_I32), i32n = {.elem = SC_I32, .wide = 1u << 2};
  expr axis = expr_int(t, 0), range[2] = {axis, m->block};
  value_id pid = op(m, OP_PROGRAM_ID, NULL, 0, &axis, 1, &i32);
  m->p->values.at[pid].name = "pid";
  value_id size = op(m, OP_CONST, NULL, 0, &m->block, 1, &i32);
  value_id start = op2(m, OP_MUL, pid, size, i32);
  value_id lane = op(m, OP_ARANGE, NULL, 0, range, 2, &m->tile_i32);
  value_id offs =
      op2(m, OP_ADD, splat(m, start, &m->tile_i32), lane, m->tile_i32);
  m->p->values.at[offs].name = "offsets";
  type wide_tile = type_with_shape(i32n, &m->tile_i32);
  value_id limit = splat(m, m->p->params.at[2].value_id, &wide_tile);
  value_id mask = op2(m, OP_LT, offs, limit, m->tile_bool);
  value_id x = splat(m, m->p->params.at[0].value_id, &m->tile_ptr);
  x = op2(m, OP_PTR_ADD, x, offs, m->tile_ptr);
  value_id out = splat(m, m->p->params.at[1].value_id, &m->tile_ptr);
  out = op2(m, OP_PTR_ADD, out, offs, m->tile_ptr);
  value_id loaded = op(m, OP_LOAD, (value_id[]){x, mask, VALUE_NONE}, 3, NULL,
                       0, &m->tile_f32);
  value_id sum = op2(m, OP_ADD, loaded, loaded, m->tile_f32);
  op(m, OP_STORE, (value_id[]){out, sum, mask}, 3, NULL, 0, NULL);
}

static tile_program *vector_add(arena *a) {
  maker m = {.arena = a, .p = program_create(a, "add.py", "add_kernel")};
  make_launch(&m);
  type shape = {.rank = 1, .dim = {m.block}};
  m.tile_i32 = type_with_shape(type_scalar(SC_I32), &shape);
  m.tile_f32 = type_with_shape(type_scalar(SC_F32), &shape);
  m.tile_bool = type_with_shape(type_scalar(SC_BOOL), &shape);
  m.tile_ptr = type_with_shape((type){.elem = SC_F32, .pointer = true}, &shape);
  make_body(&m);
  program_number(m.p);
  return m.p;
}

static const char vector_add_text[] =
    "program \"add.py\" add_kernel at 8:1-20:40 launch 30\n"
    "max_numel 2147483648\n"
    "symbol n size line 20\n"
    "symbol BLOCK const pow2 pinned 1024\n"
    "tensor x_ptr f32 [n] stride (1) in parameter storage 0 line 20\n"
    "tensor out_ptr f32 [n] stride (1) out parameter storage 1 line 20\n"
    "fact n >= 0 : shape line 20\n"
    "grid (cdiv(n, BLOCK), 1, 1) rank 1 line 31\n"
    "param x_ptr %1 x_ptr : ptr<f32> = pointer tensor 0 offset 0\n"
    "param out_ptr %2 out_ptr : ptr<f32> = pointer tensor 1 offset 0\n"
    "param n_elements %3 n_elements : i32^n_elements = int n\n"
    "param BLOCK = const BLOCK\n"
    "body {\n"
    "  %4 pid : i32 = program_id [0] @9:5-9:20\n"
    "  %5 : i32 = const [BLOCK] @9:5-9:20\n"
    "  %6 : i32 = mul %4, %5 @9:5-9:20\n"
    "  %7 : tile<BLOCK x i32> = arange [0, BLOCK] @9:5-9:20\n"
    "  %8 : tile<BLOCK x i32> = splat %6 @9:5-9:20\n"
    "  %9 offsets : tile<BLOCK x i32> = add %8, %7 @9:5-9:20\n"
    "  %10 : tile<BLOCK x i32^n_elements> = splat %3 @9:5-9:20\n"
    "  %11 : tile<BLOCK x bool> = lt %9, %10 @9:5-9:20\n"
    "  %12 : tile<BLOCK x ptr<f32>> = splat %1 @9:5-9:20\n"
    "  %13 : tile<BLOCK x ptr<f32>> = ptr_add %12, %9 @9:5-9:20\n"
    "  %14 : tile<BLOCK x ptr<f32>> = splat %2 @9:5-9:20\n"
    "  %15 : tile<BLOCK x ptr<f32>> = ptr_add %14, %9 @9:5-9:20\n"
    "  %16 : tile<BLOCK x f32> = load %13, %11, _ @9:5-9:20\n"
    "  %17 : tile<BLOCK x f32> = add %16, %16 @9:5-9:20\n"
    "  store %15, %17, %11 @9:5-9:20\n"
    "}\n";

static void program_by_hand_prints_reads_and_verifies(void **state) {
  tile_program *p = vector_add(*state);
  assert_null(program_verify(p, *state));
  assert_string_equal(print(p, *state), vector_add_text);
  tile_program *again = read(*state, vector_add_text);
  assert_null(program_verify(again, *state));
  assert_string_equal(print(again, *state), vector_add_text);
  assert_int_equal(again->inst_count, p->inst_count);
}

/* --- everything that the text can say --- */

static const char everything[] =
    "program \"dir/a \\\"b\\\".py\" `kernel 1` at 1:1-9:2 launch 12 unread 7\n"
    "max_numel 4096\n"
    "symbol n size line 3\n"
    "symbol `x.shape[0]` stride unbounded line 4\n"
    "symbol k int pin 7\n"
    "symbol B const pow2 pinned 16 unbounded\n"
    "symbol G0 grid\n"
    "symbol x size\n"
    "tensor x f32 [n, B + 1] stride (B + 1, 1) inout parameter contiguous "
    "disjoint written storage 3 range (0, n - 1) any_content distinct sorted "
    "line 4 origin \"torch.empty(\\n\\x01)\"\n"
    "tensor y any unknown in storage 1 adrift anywhere range (?, 5)\n"
    "tensor z i64 [] stride () out storage 0\n"
    "tensor w i32 [n, x] stride (x, 1) in part [1, 0] to [n, k] storage 4 "
    "start n*x own "
    "align 16 except {-1, n - 1}\n"
    "fact n*B <= 4096 : contract line 9\n"
    "fact pow2(B) : default\n"
    "fact n < k or n == 1 : host line 2\n"
    "fact G0 >= 1 : grid\n"
    "fact k % 4 == 0 : option\n"
    "required k <= n : contract line 5\n"
    "grid (G0, 1, 1) rank 0\n"
    "param x %1 : ptr<f32> = pointer tensor 0 offset n*k\n"
    "param n %2 : i32^n = int n\n"
    "param eps %3 : f32 = float\n"
    "param flag %4 : bool = bool\n"
    "param B = const B\n"
    "param ACT = static text \"None\"\n"
    "param desc %5 : any = opaque\n"
    "param k %6 k : i64 = int ? text \"k\"\n"
    "decided B\n"
    "call 1 helper at 5:3-5:20\n"
    "call 2 inner at 6:1-7:1 in 1\n"
    "body {\n"
    "  %7 : i32 = const [0] @4:1-4:2\n"
    "  %8 : i32 = const [-5] call 2\n"
    "  %9 : f32 = const 0.1\n"
    "  %10 : f64 = const 1e+300\n"
    "  %11 : f32 = const -inf\n"
    "  %12 : f32 = const nan\n"
    "  %13 : f32 = const 3.0\n"
    "  %14 : f32 = const -0.0\n"
    "  %15 : i32^n = cast %7\n"
    "  %20 acc : f32, %21 : i32 = for %16 i : i32 = %7 to %2 step %8 carry "
    "(%17 acc : f32 = %9, %18 : i32 = %7) @3:1-8:9 call 1 {\n"
    "    %19 : f32 = add %17, %9\n"
    "    yield %19, %16\n"
    "  }\n"
    "  for %22 : i32 = %7 to %2 step %2 carry () {\n"
    "    barrier\n"
    "  }\n"
    "  %23 : i32 = if %4 @4:4-4:5 {\n"
    "    yield %7\n"
    "  } else {\n"
    "    yield %8\n"
    "  }\n"
    "  if %4 {\n"
    "  } else {\n"
    "    assume %4\n"
    "  }\n"
    "  %28 : i32 = while (%24 : i32 = %23) {\n"
    "    %25 : bool = lt %24, %7\n"
    "    yield %25\n"
    "  } do (%26 : i32) {\n"
    "    %27 `not a name` : i32 = sub %26, %8\n"
    "    yield %27\n"
    "  }\n"
    "  %29 : tile<n x x x 2*B x f32> = splat %9\n"
    "  %30 : tile<2*B x n x x x f32> = trans %29 [2, 0, 1]\n"
    "  %31 : i32 = hint %7 [16] \"multiple_of\"\n"
    "  %32 : f32, %33 : tile<4 x i8> = opaque %1, %9 [1] \"tl.inline_asm\"\n"
    "}\n";

static void everything_survives_the_round_trip(void **state) {
  tile_program *p = read(*state, everything);
  assert_string_equal(print(p, *state), everything);
  const char *why = program_verify(p, *state);
  if (why)
    fail_msg("%s", why);
  assert_string_equal(p->kernel, "kernel 1");
  assert_string_equal(p->tensors.at[0].origin, "torch.empty(\n\x01)");
  assert_true(exprs_symbol_at(p->exprs, 3)->pinned);
  assert_int_equal(p->params.at[1].type.wide, 2);
  const inst *loop = p->body->insts.at[9];
  assert_int_equal(loop->kind, NODE_FOR);
  assert_int_equal(loop->index, 10);
  assert_int_equal(loop->regions[0]->insts.at[0]->index, 11);
  assert_ptr_equal(p->values.at[20].def, loop);
  assert_null(p->values.at[16].def);
  assert_true(isnan(p->body->insts.at[5]->number));
}

static void layout_and_comments_are_free(void **state) {
  const char *text = "# a test\n\n  program \"a\"   k # name\n\n"
                     "body {  # empty\n\n}\n\n# end";
  tile_program *p = read(*state, text);
  assert_string_equal(print(p, *state), "program \"a\" k\nmax_numel 0\n"
                                        "grid (1, 1, 1) rank 0\nbody {\n}\n");
}

/* --- what the verifier refuses --- */

static const struct {
  const char *body, *why;
} broken[] = {
    {"%9 : i32 = add %2, %3\n", "operands and result differ in type"},
    {"%9 : i32 = add %2, _\n", "operand 1 is missing"},
    {"%9 : i32 = add %2\n", "it has 1 operands"},
    {"%9 : f32 = idiv %3, %3\n", "no integers"},
    {"%9 : i32 = exp %2\n", "no floats"},
    {"%9 : i32 = lt %2, %2\n", "not bool"},
    {"%9 : i32 = program_id [3]\n", "no constant from 0 to 2"},
    {"%9 : i32 = program_id\n", "0 attributes, not 1"},
    {"%9 : tile<B x i32> = arange [1, B]\n", "the range's length"},
    {"%9 : i64 = program_id [0]\n", "not i32"},
    {"%9 : f32 = load %1, %2\n", "the mask is not bool"},
    {"%9 : i32 = load %1\n", "has not the pointer's element type"},
    {"%9 : f32 = load %3\n", "no pointer"},
    {"%9 : f32 = load %1, _, %2\n", "the `other` value has not"},
    {"store %1, %3, %2\n", "the mask is not bool"},
    {"%9 : f32 = atomic_add %1, %2\n", "the stored value has not"},
    {"%9 : ptr<f32> = ptr_add %1, %3\n", "the offset is no integer"},
    {"%9 : ptr<f32> = add %1, %1\n", "ptr_add"},
    {"%9 : tile<B x i32> = splat %3\n", "scalar and elements differ"},
    {"%9 : tile<B x ? x i32> = splat %2\n", "a tile axis has no extent"},
    {"%9 : i32 = const [?]\n", "its number is unknown"},
    {"assume %2\n", "the condition is missing or not bool"},
    {"%9 : i32 = hint %2 [4]\n", "its text is missing"},
    {"%9 : i32 = opaque %2 [2] \"x\"\n", "no constant from 0 to 1"},
    {"%9 : i32 = reduce_sum %6 [2]\n", "no constant from 0 to 1"},
    {"%9 : tile<4 x i32> = reduce_sum %6 [1]\n", "less an axis"},
    {"%9 : tile<4 x B x i32> = trans %6 [0, 1]\n", "another extent"},
    {"%9 : tile<4 x B x 2 x i32> = expand_dims %6 [2]\n", "new axis of 1"},
    {"%9 : tile<4 x 4 x i32> = broadcast %6\n", "stretches and is not 1"},
    {"%9 : tile<3 x i32> = reshape %7\n", "4 lanes cannot become 3"},
    {"%9 : tile<4 x 4 x i32> = dot %6, %6\n", "the contracted extents differ"},
    {"if %2 {\n} else {\n}\n", "the condition is no scalar bool"},
    {"%9 : i32 = if %4 {\nyield %2\n} else {\n}\n", "0 yields for 1 values"},
    {"%9 : i32 = if %4 {\nyield %2\n} else {\nyield %3\n}\n",
     "yields: type 1 differs"},
    {"if %4 {\n%9 : i32 = neg %2\n} else {\n%10 : i32 = neg %9\n}\n",
     "used where it is not defined"},
    {"for %9 : i64 = %2 to %2 step %2 carry () {\n}\n", "the counter"},
    {"for %9 : i32 = %2 to %3 step %2 carry () {\n}\n", "bounds and step"},
    {"for %9 : i32 = %2 to %2 step %2 carry (%10 : f32 = %2) {\nyield %10\n}\n",
     "first values: type 1 differs"},
    {"for %9 : i32 = %2 to %2 step %2 carry (%10 : i32 = %2) {\n}\n",
     "0 yields for 1 values"},
    {"while () {\nyield %2\n} do () {\n}\n", "not one scalar bool"},
    {"%9 : i32 = neg %2 @5:9-5:3\n", "ends before it starts"},
    {"%9 : i32 = neg %2 call 7\n", "call 7 does not exist"},
    {"%9 : tile<B x f32^n> = splat %3\n", "only an i32 can widen"},
    {"%9 : i32^p = cast %2\n", "no integer"},
};

static void broken_bodies_are_refused(void **state) {
  static const char head[] =
      "program \"a\" k\nsymbol n size\nsymbol B const\n"
      "tensor p f32 [n] stride (1) in storage 0\n"
      "param p %1 : ptr<f32> = pointer tensor 0 offset 0\n"
      "param n %2 : i32 = int n\nparam f %3 : f32 = float\n"
      "param c %4 : bool = bool\nparam o %6 : tile<B x 4 x i32> = opaque\n"
      "param q %7 : tile<4 x i32> = opaque\nbody {\n";
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    tile_program *p =
        read(*state, arena_printf(*state, "%s%s}\n", head, broken[i].body));
    const char *why = program_verify(p, *state);
    if (!why || !strstr(why, broken[i].why))
      fail_msg("%s: %s", broken[i].body, why ? why : "accepted");
  }
}

static const struct {
  const char *statement, *why;
} broken_launches[] = {
    {"param p %1 : ptr<f32> = pointer tensor 4 offset 0", "no tensor"},
    {"param p %1 : ptr<f32> = pointer tensor 0 offset ?", "no offset"},
    {"param p %1 : f32 = pointer tensor 0 offset 0", "does not fit its kind"},
    {"param i %1 : f32 = int n", "does not fit its kind"},
    {"param i = const n\nparam i = const n", "two parameters are called i"},
    {"fact n + 5 : host", "fact 1 is no condition"},
    {"fact ? : host", "fact 1 is no condition"},
    {"grid (?, 1, 1) rank 1", "unknown axis"},
    {"tensor t f32 [?] stride (1) in storage 0", "unknown extent or stride"},
    {"call 1 f in 1", "later parent"},
    {"decided ?", "unknown"},
};

static void broken_launches_are_refused(void **state) {
  for (size_t i = 0; i < sizeof broken_launches / sizeof broken_launches[0];
       i++) {
    tile_program *p =
        read(*state, arena_printf(*state,
                                  "program \"a\" k\nsymbol n size\n"
                                  "tensor x f32 [n] stride (1) in storage 0\n"
                                  "%s\nbody {\n}\n",
                                  broken_launches[i].statement));
    const char *why = program_verify(p, *state);
    if (!why || !strstr(why, broken_launches[i].why))
      fail_msg("%s: %s", broken_launches[i].statement, why ? why : "accepted");
  }
}

/* What the reader cannot produce. */
static void broken_structures_are_refused(void **state) {
  tile_program *p = vector_add(*state);
  p->values.at[17].def = NULL;
  assert_non_null(strstr(program_verify(p, *state), "defined elsewhere"));
  p = vector_add(*state);
  p->body->insts.at[4]->operands[0] = 100;
  assert_non_null(strstr(program_verify(p, *state), "does not exist"));
  p = vector_add(*state);
  VEC_PUSH((arena *)*state, &p->body->insts, p->body->insts.at[0]);
  assert_non_null(strstr(program_verify(p, *state), "defined twice"));
  p = vector_add(*state);
  p->body->insts.at[0]->kind = NODE_IF;
  assert_non_null(program_verify(p, *state));
}

/* --- what the reader refuses --- */

static const struct {
  const char *text;
  uint32_t line, column;
  const char *why;
} garbage[] = {
    {"", 1, 1, "expected `program`"},
    {"program", 1, 8, "expected a string in double quotes"},
    {"program \"a", 1, 9, "this quote is never closed"},
    {"program \"a\" k\n", 2, 1, "expected symbol, tensor,"},
    {"program \"a\" k\nbody {\n", 3, 1, "expected `}` before the end"},
    {"program \"a\" k\nbody {\n}\nx", 4, 1, "nothing may follow the body"},
    {"program \"a\" k extra\n", 1, 15, "expected the end of the line"},
    {"program \"a\" k\nsymbol n length\n", 2, 10, "expected size, stride"},
    {"program \"a\" k\nsymbol n size\nsymbol n size\n", 3, 8, "already"},
    {"program \"a\" k\nfact m < 1 : host\n", 2, 6, "no symbol of this name"},
    {"program \"a\" k\ntensor x f32 [1, 2] stride (1) in storage 0\n", 2, 31,
     "one stride for each extent"},
    {"program \"a\" k\ntensor x f31 [1] stride (1) in storage 0\n", 2, 10,
     "expected a scalar type"},
    {"program \"a\" k\ncall 2 f\n", 2, 6, "numbered from 1"},
    {"program \"a\" k\nparam p %1 : i32^q = int 1\n", 2, 18, "no parameter"},
    {"program \"a\" k\nbody {\n  frob %1\n}\n", 3, 3, "expected an operation"},
    {"program \"a\" k\nbody {\n  barrier %1\n}\n", 3, 11, "not defined before"},
    {"program \"a\" k\nbody {\n  %1 : i32 = neg %1\n}\n", 3, 18,
     "not defined before"},
    {"program \"a\" k\nbody {\n  %999 : i32 = const [1]\n}\n", 3, 3,
     "out of range"},
    {"program \"a\" k\nbody {\n  %1 : i32 = const [1]\n  %1 : i32 = const "
     "[1]\n",
     4, 3, "defined twice"},
    {"program \"a\" k\nbody {\n  %1 : f32 = const \"x\"\n}\n", 3, 20,
     "expected a number"},
    {"program \"a\" k\nbody {\n  %1 : tile<f32> = const 1.0\n}\n", 3, 13,
     "at least one axis"},
    {"program \"a\" k\nbody {\n  %1 : i32 = const [1] @1:2\n}\n", 3, 28,
     "expected `-`"},
};

static void garbage_is_refused_with_its_place(void **state) {
  for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
    read_error error = {0};
    assert_null(
        program_read(*state, garbage[i].text, strlen(garbage[i].text), &error));
    if (!strstr(error.message, garbage[i].why) ||
        error.line != garbage[i].line || error.column != garbage[i].column)
      fail_msg("%s\nis refused at %u:%u: %s", garbage[i].text, error.line,
               error.column, error.message);
  }
}

static void deep_nesting_is_refused(void **state) {
  strbuf text = strbuf_make(*state);
  read_error error;
  strbuf_put(&text, "program \"a\" k\nparam c %1 : bool = bool\nbody {\n");
  for (int i = 0; i < 100000; i++)
    strbuf_put(&text, "if %1 {\n");
  assert_null(program_read(*state, text.text, text.length, &error));
  assert_non_null(strstr(error.message, "nested too deeply (200 levels)"));
}

/* Every prefix, and every byte changed, is read or refused. */
static void mutilated_text_does_no_harm(void **state) {
  size_t length = strlen(everything);
  char *text = arena_strdup(*state, everything);
  for (size_t i = 0; i < length; i++) {
    arena *a = arena_create();
    read_error error;
    program_read(a, everything, i, &error);
    for (size_t k = 0; k < 3; k++) {
      text[i] = "\0%9"[k];
      tile_program *p = program_read(a, text, length, &error);
      if (p) {
        program_verify(p, a);
        const char *printed = print(p, a);
        assert_string_equal(print(read(a, printed), a), printed);
      }
    }
    text[i] = everything[i];
    arena_destroy(a);
  }
}

/* --- the tables --- */

static void operations_are_found_by_name(void **state) {
  (void)state;
  for (unsigned i = 0; i < OP_COUNT; i++) {
    const char *name = op_name((op_id)i);
    assert_int_equal(op_from_name(name, strlen(name)), i);
  }
  assert_int_equal(op_from_name("load2", 5), OP_COUNT);
  assert_int_equal(op_from_name("loa", 3), OP_COUNT);
  assert_int_equal(op_effect_of(OP_STORE), EFFECT_WRITE);
  assert_int_equal(op_signature_of(OP_FMA), SIG_TERNARY);
}

static void scalars_have_names_and_sizes(void **state) {
  (void)state;
  for (unsigned s = SC_NONE + 1; s <= SC_ANY; s++) {
    const char *name = scalar_name((scalar)s);
    assert_int_equal(scalar_from_name(name, strlen(name)), s);
  }
  assert_int_equal(scalar_from_name("none", 4), SC_NONE);
  assert_int_equal(scalar_bits(SC_BOOL), 1);
  assert_int_equal(scalar_bytes(SC_BOOL), 1);
  assert_int_equal(scalar_bytes(SC_U64), 8);
  assert_int_equal(scalar_bytes(SC_ANY), 0);
  assert_true(scalar_is_int(SC_BOOL) && !scalar_is_signed(SC_BOOL));
  assert_true(scalar_is_float(SC_BF16) && !scalar_is_float(SC_ANY));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(program_by_hand_prints_reads_and_verifies),
      TEST(everything_survives_the_round_trip),
      TEST(layout_and_comments_are_free),
      TEST(broken_bodies_are_refused),
      TEST(broken_launches_are_refused),
      TEST(broken_structures_are_refused),
      TEST(garbage_is_refused_with_its_place),
      TEST(deep_nesting_is_refused),
      TEST(mutilated_text_does_no_harm),
      TEST(operations_are_found_by_name),
      TEST(scalars_have_names_and_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
