/* tests/unit/test_replay.c: counterexamples from JSON alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/checker.h"
#include "exec/exec.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a program: store n to out[i + pid * B] for i < B, without a mask */

typedef struct maker {
  tile_program *p;
  expr n, block;
} maker;

static value_id put(maker *m, op_id id, const value_id *operands,
                    uint32_t count, const expr *attrs, uint32_t attr_count,
                    const type *result) {
  inst shape = {.op = id,
                .at = {4, 5, 4, 20},
                .operands = (value_id *)operands,
                .operand_count = count,
                .attrs = (expr *)attrs,
                .attr_count = attr_count};
  inst *i = program_append(m->p, m->p->body, shape, result, result != NULL);
  return result ? i->results[0] : VALUE_NONE;
}

static void make_launch(maker *m, arena *arena) {
  exprs *t = m->p->exprs;
  m->n = exprs_symbol(t, (symbol){.name = "n", .role = SYMBOL_SIZE});
  m->block = exprs_symbol(
      t, (symbol){.name = "B", .role = SYMBOL_CONST, .pow2 = true});
  tensor out = {.name = "out",
                .dtype = SC_I32,
                .known = true,
                .rank = 1,
                .extent = {m->n},
                .stride = {expr_int(t, 1)}};
  type pointer = {.elem = SC_I32, .pointer = true};
  param first = {.name = "out",
                 .kind = PARAM_POINTER,
                 .type = pointer,
                 .value_id = program_value(m->p, pointer, "out"),
                 .offset = expr_int(t, 0)};
  VEC_PUSH(arena, &m->p->tensors, out);
  VEC_PUSH(arena, &m->p->params, first);
  m->p->at = (span){1, 1, 1, 10};
  m->p->max_numel = INT64_C(1) << 30;
  m->p->grid[0] = expr_cdiv(t, m->n, m->block);
  m->p->grid[1] = m->p->grid[2] = expr_int(t, 1);
  m->p->grid_rank = 1;
}

static tile_program *make_program(arena *arena) {
  maker m = {.p = program_create(arena, "k.py", "fill")};
  make_launch(&m, arena);
  exprs *t = m.p->exprs;
  type i32 = type_scalar(SC_I32), tile = i32, pointers;
  tile.rank = 1;
  tile.dim[0] = m.block;
  pointers = type_with_shape(m.p->params.at[0].type, &tile);
  expr zero = expr_int(t, 0), range[2] = {zero, m.block};
  value_id pid = put(&m, OP_PROGRAM_ID, NULL, 0, &zero, 1, &i32);
  value_id size = put(&m, OP_CONST, NULL, 0, &m.block, 1, &i32);
  value_id start = put(&m, OP_MUL, (value_id[]){pid, size}, 2, NULL, 0, &i32);
  value_id lane = put(&m, OP_ARANGE, NULL, 0, range, 2, &tile);
  value_id base = put(&m, OP_SPLAT, &start, 1, NULL, 0, &tile);
  value_id i = put(&m, OP_ADD, (value_id[]){base, lane}, 2, NULL, 0, &tile);
  value_id out =
      put(&m, OP_SPLAT, &m.p->params.at[0].value_id, 1, NULL, 0, &pointers);
  value_id at =
      put(&m, OP_PTR_ADD, (value_id[]){out, i}, 2, NULL, 0, &pointers);
  put(&m, OP_STORE, (value_id[]){at, i, VALUE_NONE}, 3, NULL, 0, NULL);
  program_number(m.p);
  const char *broken = program_verify(m.p, arena);
  if (broken)
    fail_msg("%s", broken);
  return m.p;
}

/* --- its report: n = 5, B = 4: program 1, lane 1 */

typedef struct scene {
  arena *arena;
  tc_checker *checker;
  const char *json;
  char path[32];
} scene;

static const named_number SIZES[] = {{"n", 5, NULL}};
static const named_number CONSTEXPRS[] = {{"B", 4, NULL}};

static witness make_witness(arena *arena, tile_program *p) {
  strbuf tile = strbuf_make(arena);
  program_print(p, &tile);
  return (witness){.sizes = SIZES,
                   .size_count = 1,
                   .constexprs = CONSTEXPRS,
                   .constexpr_count = 1,
                   .program_rank = 1,
                   .program = {1},
                   .lane_count = 1,
                   .lane = {1},
                   .event = event_kind_name(EVENT_OUTSIDE),
                   .inst = p->inst_count,
                   .offset = 5,
                   .replayed = true,
                   .tile = tile.text};
}

static const char *make_json(arena *arena, const witness *w) {
  verdict v = {.code = CHECK_102,
               .kind = VERDICT_REFUTED,
               .at = {4, 5, 4, 20},
               .buffer = "out",
               .message = "store writes outside `out`",
               .witness = w};
  kernel_report kernel = {
      .name = "fill", .line = 1, .verdicts = &v, .verdict_count = 1};
  file_report file = {.path = "k.py", .kernels = &kernel, .kernel_count = 1};
  report r = {
      .version = "1", .z3_version = "1", .files = &file, .file_count = 1};
  strbuf out = strbuf_make(arena);
  report_json(&r, &out);
  return out.text;
}

static int set_up(void **state) {
  arena *arena = arena_create();
  scene *s = ARENA_NEW(arena, scene);
  witness w = make_witness(arena, make_program(arena));
  s->arena = arena;
  s->checker = tc_checker_create();
  s->json = make_json(arena, &w);
  strcpy(s->path, "/tmp/tilecheck-XXXXXX");
  int file = mkstemp(s->path);
  assert_true(file >= 0);
  close(file);
  *state = s;
  return 0;
}

static int tear_down(void **state) {
  scene *s = *state;
  unlink(s->path);
  tc_checker_destroy(s->checker);
  arena_destroy(s->arena);
  return 0;
}

static int replay(scene *s, const char *json, const char **text) {
  FILE *file = fopen(s->path, "w");
  assert_non_null(file);
  fputs(json, file);
  fclose(file);
  return tc_replay(s->checker, s->path, text);
}

/* --- tests */

static void the_fault_shows_again(void **state) {
  scene *s = *state;
  const char *text;
  if (replay(s, s->json, &text) != 0)
    fail_msg("%s%s", text, tc_checker_error(s->checker));
  assert_string_equal(text, "k.py:4:5: TC102 in fill: shows its fault "
                            "(outside)\n"
                            "1 of 1 counterexamples show their faults\n");
}

static void every_changed_digit_is_seen(void **state) {
  scene *s = *state;
  char *json = arena_strdup(s->arena, s->json), *start = strstr(json, "files");
  const char *text;
  for (char *p = start; *p; p++) {
    if (!isdigit((unsigned char)*p))
      continue;
    char before = *p;
    *p = before == '9' ? '0' : (char)(before + 1);
    if (replay(s, json, &text) == 0)
      fail_msg("unseen: %.20s", p);
    *p = before;
  }
}

/* A change with fresh digests must still be caught by the run. */
static void numbers_must_give_the_event(void **state) {
  scene *s = *state;
  witness good = make_witness(s->arena, make_program(s->arena)), w;
  const named_number six[] = {{"n", 6, NULL}}, other[] = {{"m", 5, NULL}};
  const char *text;
  w = good;
  w.offset = 6;
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w = good;
  w.lane[0] = 2;
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w = good;
  w.program[0] = 0;
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w.program[0] = 2; /* the grid has 2 programs */
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w = good;
  w.sizes = six;
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w.sizes = other;
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w = good;
  w.size_count = 0;
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w = good;
  w.inst--;
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w = good;
  w.event = event_kind_name(EVENT_DIV_ZERO);
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w = good;
  w.tile = "no program";
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
  w = good;
  w.replayed = false;
  assert_int_equal(replay(s, make_json(s->arena, &w), &text), 1);
}

static void what_is_no_report_is_refused(void **state) {
  scene *s = *state;
  const char *text;
  const char *const bad[] = {
      "",
      "[]",
      "{}",
      "{\"version\": 2, \"files\": []}",
      "{\"version\": 1, \"files\": {}}",
      "{\"version\": 1, \"files\": [1]}",
      "{\"version\": 1, \"files\": [{\"path\": \"a\", \"kernels\": "
      "[{\"name\": \"k\", \"tiles\": [], \"verdicts\": [{\"counterexample\": "
      "{}}]}]}]}"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(replay(s, bad[i], &text), 2);
  for (size_t n = strlen(s->json) - 2; n > 0; n -= n > 50 ? 50 : n)
    assert_int_equal(replay(s, arena_strndup(s->arena, s->json, n), &text), 2);
  assert_int_equal(tc_replay(s->checker, "/nowhere/report.json", &text), 2);
  assert_true(*tc_checker_error(s->checker) != 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(the_fault_shows_again),
      TEST(every_changed_digit_is_seen),
      TEST(numbers_must_give_the_event),
      TEST(what_is_no_report_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
