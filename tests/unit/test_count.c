/* tests/unit/test_count.c: formulas of kernels whose counts are known by hand.
 *
 * Each row is one access of a kernel of count_kernels.py: with free block sizes
 * or with the launch's, with its mask or without. */
#include "analysis/count.h"
#include "parser/parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct row {
  const char *kernel;
  size_t access; /* in program order */
  const char *free, *pinned;
} row;

static const row MASKED[] = {
    {"softmax_kernel", 0, "M*N", "M*N"},
    {"softmax_kernel", 1, "M*N", "M*N"},
    {"persistent_softmax", 0, "M*N", "M*N"},
    {"max_kernel", 0, "M*N", "M*N"},
    {"max_kernel", 1, "M", "M"},
    {"masked_kernel", 0, "K*M*cdiv(N, BN)", "K*M*cdiv(N, 32)"},
    {"masked_kernel", 1, "K*N*cdiv(M, BM)", "K*N*cdiv(M, 64)"},
    {"masked_kernel", 2, "M*N", "M*N"},
    {"matmul_kernel", 0, "BM*K*cdiv(M, BM)*cdiv(N, BN)",
     "64*K*cdiv(M, 64)*cdiv(N, 32)"},
    {"matmul_kernel", 1, "BN*K*cdiv(M, BM)*cdiv(N, BN)",
     "32*K*cdiv(M, 64)*cdiv(N, 32)"},
    {"matmul_kernel", 2, "M*N", "M*N"},
    {"split_kernel", 0, "BLOCK_M*K*cdiv(M, BLOCK_M)*cdiv(N, BLOCK_N)",
     "32*K*cdiv(M, 32)*cdiv(N, 64)"},
    {"split_kernel", 2, "M*N*SPLIT_K", "4*M*N"},
    {"attention", 0, "D*N", "D*N"},
    {"attention", 1,
     "D*N + BLOCK_M*D*cdiv(N, BLOCK_M)*(cdiv(N, BLOCK_M) - 1)//2 if "
     "BLOCK_M%BLOCK_N == 0 else "
     "D*N*(BLOCK_N//BLOCK_M)*(1 - cdiv(N, BLOCK_N)) + D*N*cdiv(N, BLOCK_M) + "
     "BLOCK_N*D*(BLOCK_N//BLOCK_M)*cdiv(N, BLOCK_N)*(cdiv(N, BLOCK_N) - 1)//2",
     "32*D*cdiv(N, 64)*(cdiv(N, 64) - 1) + D*N"},
    {"triangle_kernel", 0, "(N*N + N)//2", "(N*N + N)//2"},
    {"stencil_kernel", 0, "min(BLOCK*cdiv(n, BLOCK), n + 1) - 1",
     "min(128*cdiv(n, 128), n + 1) - 1"},
    {"stencil_kernel", 1, "n", "n"},
    {"stencil_kernel", 2, "n - 1", "n - 1"},
    {"early_kernel", 0, "min(n, BLOCK*cdiv(m, BLOCK))",
     "min(n, 128*cdiv(m, 128))"},
    {"reverse_kernel", 1, "n", "n"},
    {"wide_sms", 0, "n", "n"},
    {"rotated_kernel", 0, "M*N", "M*N"},
    {"multiples_kernel", 0, "cdiv(n - first, k)", "cdiv(n - first, k)"},
    {"strided_kernel", 0,
     "((2*BLOCK if 1 <= n else 0) if step == 0 else 0) + "
     "(min(2*BLOCK, cdiv(n, step)) if 1 <= step else 0)",
     "((32 if 1 <= n else 0) if step == 0 else 0) + "
     "(min(32, cdiv(n, step)) if 1 <= step else 0)"},
    {"balanced_kernel", 0, "n", "n"},
    {"ragged_kernel", 1, "sum(lens[i] for i in range(B))",
     "sum(lens[i] for i in range(B))"},
    {"written_kernel", 1, "it depends on what is read from `lens`",
     "it depends on what is read from `lens`"},
};

/* All lanes, live or not. */
static const row LANES[] = {
    {"softmax_kernel", 0, "M*next_power_of_2(N)", "M*next_power_of_2(N)"},
    {"max_kernel", 0, "BLOCK*M*cdiv(N, BLOCK)", "256*M*cdiv(N, 256)"},
    {"matmul_kernel", 2, "BM*BN*cdiv(M, BM)*cdiv(N, BN)",
     "2048*cdiv(M, 64)*cdiv(N, 32)"},
    {"wide_sms", 0, "BLOCK*cdiv(n, BLOCK)", "16*cdiv(n, 16)"},
};

/* Distinct elements. */
static const row ELEMENTS[] = {
    {"masked_kernel", 0, "K*M", "K*M"},
    {"masked_kernel", 1, "K*N", "K*N"},
    {"matmul_kernel", 0, "K*M", "K*M"},
    {"matmul_kernel", 1, "K*N", "K*N"},
    {"matmul_kernel", 2, "M*N", "M*N"},
    {"split_kernel", 0, "K*M", "K*M"},
    {"split_kernel", 2, "M*N", "M*N"},
    {"attention", 1, "D*N", "D*N"},
    {"stencil_kernel", 2, "n - 1", "n - 1"},
    {"triangle_kernel", 0, "(N*N + N)//2", "(N*N + N)//2"},
};

typedef enum what { LIVE, ALL, DISTINCT } what;

typedef struct context {
  arena *run;
  parsed_file *file;
} context;

static int setup(void **state) {
  context *c = malloc(sizeof *c);
  const char *why = NULL;
  parse_options options = {0};
  c->run = arena_create();
  const source *text = source_read(c->run, "tests/unit/count_kernels.py", &why);
  c->file = text ? parse_file(c->run, text, options) : NULL;
  *state = c;
  return c->file ? 0 : -1;
}

static int teardown(void **state) {
  context *c = *state;
  arena_destroy(c->run);
  free(c);
  return 0;
}

static tile_program *program_of(context *c, const char *kernel) {
  for (size_t k = 0; k < c->file->kernels.count; k++)
    for (size_t i = 0; i < c->file->kernels.at[k].programs.count; i++) {
      tile_program *p = c->file->kernels.at[k].programs.at[i];
      if (strcmp(p->kernel, kernel) == 0)
        return p;
    }
  fail_msg("no kernel %s", kernel);
  return NULL;
}

static const char *formula_of(context *c, const row *r, bool pinned,
                              what what) {
  analysis_options options = {0};
  judge *j = judge_create(c->run, program_of(c, r->kernel), pinned, options);
  const access *a = &judge_result(j)->accesses.at[r->access];
  count_result result = what == DISTINCT ? count_distinct(j, &a, 1)
                                         : count_access(j, a, what == LIVE);
  strbuf text = strbuf_make(c->run);
  if (!result.exact)
    return result.reason;
  sym formula = count_rename(j, count_simplify(j, result.formula));
  count_print(judge_launch(j)->syms, formula, &text);
  return text.text;
}

static void expect_rows(context *c, const row *rows, size_t n, what what) {
  for (size_t i = 0; i < n; i++) {
    assert_string_equal(formula_of(c, &rows[i], false, what), rows[i].free);
    assert_string_equal(formula_of(c, &rows[i], true, what), rows[i].pinned);
  }
}

static void live_lanes(void **state) {
  expect_rows(*state, MASKED, sizeof MASKED / sizeof *MASKED, LIVE);
}

static void all_lanes(void **state) {
  expect_rows(*state, LANES, sizeof LANES / sizeof *LANES, ALL);
}

static void distinct_elements(void **state) {
  expect_rows(*state, ELEMENTS, sizeof ELEMENTS / sizeof *ELEMENTS, DISTINCT);
}

static count_result distinct_in(context *c, const char *kernel,
                                const size_t *which, size_t n) {
  analysis_options options = {0};
  judge *j = judge_create(c->run, program_of(c, kernel), true, options);
  const access *list[4];
  for (size_t i = 0; i < n; i++)
    list[i] = &judge_result(j)->accesses.at[which[i]];
  return count_distinct(j, list, n);
}

/* The same tile twice is one tile; one access to the whole tensor covers what
 * others touch; different parts have no union. */
static void several_accesses(void **state) {
  assert_true(
      distinct_in(*state, "triangle_kernel", (size_t[]){0, 1}, 2).exact);
  assert_true(
      distinct_in(*state, "stencil_kernel", (size_t[]){0, 1, 2}, 3).exact);
  assert_false(
      distinct_in(*state, "stencil_kernel", (size_t[]){0, 2}, 2).exact);
}

static void two_cases(void **state) {
  context *c = *state;
  analysis_options options = {0};
  judge *j = judge_create(c->run, program_of(c, "attention"), false, options);
  const access *a = &judge_result(j)->accesses.at[1];
  count_result r = count_access(j, a, true);
  assert_true(r.exact);
  symtab *t = judge_launch(j)->syms;
  sym twice = sym_mul(t, sym_int(t, 2), r.formula);
  count_cases cases = count_split(j, twice);
  assert_int_equal(cases.count, 2);
  assert_string_equal(sym_text(t, cases.at[0].when, c->run),
                      "BLOCK_M%BLOCK_N == 0");
  assert_int_equal(sym_kind_of(t, cases.at[1].when), SYM_TRUE);
  strbuf text = strbuf_make(c->run);
  count_print(t, count_rename(j, count_simplify(j, cases.at[0].formula)),
              &text);
  assert_string_equal(
      text.text, "BLOCK_M*D*cdiv(N, BLOCK_M)*(cdiv(N, BLOCK_M) - 1) + 2*D*N");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(live_lanes),        cmocka_unit_test(all_lanes),
      cmocka_unit_test(distinct_elements), cmocka_unit_test(several_accesses),
      cmocka_unit_test(two_cases),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
