/* tests/unit/test_ops_sound.c: abstract rules against the interpreter.
 *
 * Walks the op table: for every operation on scalars and every integer type it
 * builds a program whose address (or mask) is the operation's result, takes
 * the symbolic offset, and compares it with exec_scalar on random operands. A
 * new row of the table is tested without a new test. */
#include "analysis/access.h"
#include "exec/exec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>

typedef struct subject {
  arena *arena;
  launch *launch;
  interp_result *result;
  sym of; /* offset, or mask for bool results */
  expr symbols[3];
  int64_t numbers[3];
} subject;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 11;
}

static value_id append(tile_program *p, op_id op, const value_id *operands,
                       uint32_t n, const expr *attrs, uint32_t attr_count,
                       type result) {
  inst shape = {.kind = NODE_OP,
                .op = op,
                .at = {1, 1, 1, 2},
                .operand_count = n,
                .operands = (value_id *)operands,
                .attr_count = attr_count,
                .attrs = (expr *)attrs};
  bool none = result.elem == SC_NONE;
  inst *i = program_append(p, p->body, shape, &result, none ? 0 : 1);
  return none ? VALUE_NONE : i->results[0];
}

static value_id parameter(subject *s, tile_program *p, unsigned k, scalar t) {
  static const char *const names[] = {"x", "y", "z"};
  symbol symbol_ = {.name = names[k], .role = SYMBOL_INT, .unbounded = true};
  s->symbols[k] = exprs_symbol(p->exprs, symbol_);
  type of = type_scalar(t == SC_BOOL ? SC_I32 : t);
  value_id v = program_value(p, of, names[k]);
  param q = {.name = names[k],
             .kind = PARAM_INT,
             .type = of,
             .value_id = v,
             .value = s->symbols[k]};
  VEC_PUSH(p->arena, &p->params, q);
  if (t != SC_BOOL)
    return v;
  expr zero = expr_int(p->exprs, 0);
  value_id constant = append(p, OP_CONST, NULL, 0, &zero, 1, of);
  value_id both[] = {v, constant};
  return append(p, OP_NE, both, 2, NULL, 0, type_scalar(SC_BOOL));
}

static value_id pointer_to_memory(tile_program *p) {
  tensor memory = {.name = "m", .dtype = SC_I8};
  VEC_PUSH(p->arena, &p->tensors, memory);
  type t = type_scalar(SC_I8);
  t.pointer = true;
  value_id v = program_value(p, t, "m");
  param q = {.name = "m",
             .kind = PARAM_POINTER,
             .type = t,
             .value_id = v,
             .offset = expr_int(p->exprs, 0)};
  VEC_PUSH(p->arena, &p->params, q);
  return v;
}

static void use(tile_program *p, value_id result, scalar elem) {
  value_id memory = pointer_to_memory(p);
  type pointer = p->values.at[memory].type;
  value_id both[] = {memory, result};
  value_id address = elem == SC_BOOL
                         ? memory
                         : append(p, OP_PTR_ADD, both, 2, NULL, 0, pointer);
  value_id operands[] = {address, elem == SC_BOOL ? result : VALUE_NONE,
                         VALUE_NONE};
  append(p, OP_LOAD, operands, 3, NULL, 0, type_scalar(SC_I8));
}

static unsigned arity(op_signature s) {
  return s == SIG_BINARY || s == SIG_COMPARE ? 2 : s == SIG_WHERE ? 3 : 1;
}

static void types_of(op_signature s, scalar t, scalar to, scalar operand[3],
                     scalar *result) {
  operand[0] = s == SIG_WHERE ? SC_BOOL : t;
  operand[1] = operand[2] = t;
  *result = s == SIG_COMPARE ? SC_BOOL : s == SIG_CAST ? to : t;
}

static void build(subject *s, op_id op, const scalar *operand, unsigned n,
                  scalar result) {
  tile_program *p = program_create(s->arena, "t.py", "k");
  value_id operands[3];
  p->at = (span){1, 1, 1, 2};
  p->max_numel = 1;
  if (!p->body)
    p->body = region_create(p);
  for (int axis = 0; axis < 3; axis++)
    p->grid[axis] = expr_int(p->exprs, 1);
  for (unsigned k = 0; k < n; k++)
    operands[k] = parameter(s, p, k, operand[k]);
  value_id v = append(p, op, operands, n, NULL, 0, type_scalar(result));
  use(p, v, result);
  s->launch = launch_create(s->arena, p, symtab_create(s->arena), true);
  s->result = interpret(s->arena, s->launch);
  assert_int_equal(s->result->accesses.count, 1);
  const access *a = &s->result->accesses.at[0];
  s->of = result == SC_BOOL ? a->mask : a->pointer.of;
}

static bool lookup(void *context, const symtab *t, sym atom, int64_t *value) {
  const subject *s = context;
  (void)t;
  for (unsigned k = 0; k < 3; k++) {
    size_t index;
    if (!s->symbols[k] ||
        !expr_symbol(s->launch->program->exprs, s->symbols[k], &index))
      continue;
    if (s->launch->symbol[index] == atom) {
      *value = s->numbers[k];
      return true;
    }
  }
  return false;
}

static int64_t machine_number(scalar t, uint64_t bits) {
  unsigned width = scalar_bits(t);
  if (width == 64)
    return (int64_t)bits;
  uint64_t mask = ((uint64_t)1 << width) - 1;
  bits &= mask;
  if (scalar_is_signed(t) && bits >> (width - 1))
    bits |= ~mask;
  return (int64_t)bits;
}

static int64_t random_of(scalar t, uint64_t *seed) {
  uint64_t r = next_random(seed);
  if (t == SC_BOOL)
    return (int64_t)(r & 1);
  if (r % 3 == 0)
    return machine_number(t, (r >> 8) % 9);
  if (r % 3 == 1 && scalar_is_signed(t))
    return machine_number(t, (uint64_t)(-(int64_t)((r >> 8) % 9)));
  int64_t v = machine_number(t, (r << 20) ^ next_random(seed));
  return t == SC_U64 && v < 0 ? -(v + 1) : v;
}

static bool fits(scalar t, int64_t v) {
  return scalar_bits(t) == 64 || machine_number(t, (uint64_t)v) == v;
}

static void in_range(subject *s, int64_t shown, const char *what) {
  if (sym_kind_of(s->launch->syms, s->of) != SYM_APPLY)
    return;
  uint32_t fn = sym_apply_fn(s->launch->syms, s->of);
  const fn_range *r = &s->result->functions.at[fn];
  int64_t end;
  if (r->least != SYM_NONE &&
      sym_eval(s->launch->syms, r->least, lookup, s, &end) && shown < end)
    fail_msg("%s: %lld below %lld", what, (long long)shown, (long long)end);
  if (r->greatest != SYM_NONE &&
      sym_eval(s->launch->syms, r->greatest, lookup, s, &end) && shown > end)
    fail_msg("%s: %lld above %lld", what, (long long)shown, (long long)end);
}

static unsigned compare(subject *s, op_id op, const scalar *operand, unsigned n,
                        scalar result, uint64_t *seed) {
  uint64_t bits[3], got;
  type types[3], to = type_scalar(result);
  int64_t claimed;
  for (unsigned k = 0; k < n; k++) {
    s->numbers[k] = random_of(operand[k], seed);
    bits[k] = (uint64_t)s->numbers[k];
    types[k] = type_scalar(operand[k]);
    if (scalar_bits(operand[k]) < 64)
      bits[k] &= ((uint64_t)1 << scalar_bits(operand[k])) - 1;
  }
  if (!exec_scalar(op, types, bits, n, &to, &got))
    return 0;
  int64_t shown =
      result == SC_BOOL ? (int64_t)(got & 1) : machine_number(result, got);
  if (result == SC_U64 && shown < 0)
    return 0; /* beyond the numbers of this test */
  char what[64];
  snprintf(what, sizeof what, "%s %s", op_name(op),
           scalar_name(operand[n - 1]));
  if (!sym_eval(s->launch->syms, s->of, lookup, s, &claimed)) {
    in_range(s, shown, what);
    return 0;
  }
  if (!fits(result, claimed))
    return 0;
  if (claimed != shown)
    fail_msg("%s: x=%lld y=%lld z=%lld: claimed %lld, is %lld", what,
             (long long)s->numbers[0], (long long)s->numbers[1],
             (long long)s->numbers[2], (long long)claimed, (long long)shown);
  return 1;
}

static unsigned one_operation(op_id op, scalar t, scalar to) {
  op_signature signature = op_signature_of(op);
  scalar operand[3], result;
  unsigned n = arity(signature), compared = 0;
  uint64_t seed = (uint64_t)op * 1000 + t * 50 + to;
  types_of(signature, t, to, operand, &result);
  if (result == SC_NONE)
    return 0;
  subject s = {.arena = arena_create()};
  build(&s, op, operand, n, result);
  for (int k = 0; k < 300; k++)
    compared += compare(&s, op, operand, n, result, &seed);
  arena_destroy(s.arena);
  return compared;
}

static bool takes_integers(op_id op) {
  switch (op_signature_of(op)) {
  case SIG_BINARY:
  case SIG_UNARY:
  case SIG_COMPARE:
  case SIG_WHERE:
  case SIG_CAST:
    break;
  case SIG_INDEX:
  case SIG_CONST:
  case SIG_SPLAT:
  case SIG_TERNARY:
  case SIG_TEST:
  case SIG_SHAPE:
  case SIG_JOIN:
  case SIG_GATHER:
  case SIG_HISTOGRAM:
  case SIG_REDUCE:
  case SIG_ARG:
  case SIG_SCAN:
  case SIG_DOT:
  case SIG_RANDOM:
  case SIG_PTR_ADD:
  case SIG_LOAD:
  case SIG_STORE:
  case SIG_ATOMIC:
  case SIG_CAS:
  case SIG_CLAIM:
  case SIG_EFFECT:
  case SIG_SAME:
  case SIG_ANY:
    return false;
  }
  /* Floats only, by the comment of their block in the table. */
  return op != OP_DIV && op != OP_POW && (op < OP_EXP || op > OP_ISNAN);
}

static void every_row(void **state) {
  (void)state;
  uint64_t compared = 0;
  for (int op = 0; op < OP_COUNT; op++) {
    if (!takes_integers((op_id)op))
      continue;
    for (scalar t = SC_BOOL; t <= SC_U64; t++)
      for (scalar to = SC_BOOL; to <= SC_U64; to++)
        if (op_signature_of((op_id)op) == SIG_CAST || to == SC_BOOL)
          compared += one_operation((op_id)op, t, to);
  }
  print_message("%llu results compared\n", (unsigned long long)compared);
  assert_true(compared > 20000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_row)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
