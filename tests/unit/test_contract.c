/* Contract comments: every production of the grammar accepted and rejected,
 * placement, suppressions, meaning of terms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "parser/contract.h"

#include <stdio.h>

typedef struct reading {
  arena *arena;
  syntax *syntax;
  contract *contract;
  notice_vec notices;
} reading;

static reading read_text(const char *text) {
  reading r = {.arena = arena_create()};
  const source *s = source_from_text(r.arena, "t.py", text, strlen(text));
  r.syntax = syntax_parse(r.arena, s);
  file_names *names = names_collect(r.arena, r.syntax);
  r.contract = contract_read(r.arena, names, &r.notices);
  return r;
}

static void reading_end(reading r) {
  syntax_destroy(r.syntax);
  arena_destroy(r.arena);
}

/* The clauses of one comment above a function. */
static reading read_clauses(const char *clauses) {
  char text[2048];
  snprintf(text, sizeof text, "# tilecheck: %s\ndef f(x):\n    pass\n",
           clauses);
  return read_text(text);
}

static void test_accepted(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t clauses;
  } rows[] = {
      {"x: f32[n]", 1},
      {"in x: f64[M, N]; out y: f16[M]; inout z: bf16[N]", 3},
      {"out: f32[N]", 1},
      {"in out: f32[N]", 1},
      {"grid: i32[n]", 1},
      {"ignore: i32[n]", 1},
      {"x: any[...]", 1},
      {"x: bool[...] stride any", 1},
      {"x: f8e4m3[n, 2 * n] stride any", 1},
      {"x: f8e5m2[M, K] stride (s0, 1)", 1},
      {"x: u64[M, K] stride (s0, s1) offset 3 * s0 align 16", 1},
      {"x: u8[n] align 1", 1},
      {"x: u32[n] offset 0", 1},
      {"assume M >= 1", 1},
      {"assume 1 <= N <= 2**20, M != N, M * N < 2**31 -- why not", 1},
      {"assume pow2(B), pow2 == 3", 1},
      {"assume -x < - (3 + y) // 2 % 4", 1},
      {"assume min(a, b) + max(a, b) == cdiv(a, 2) - b", 1},
      {"assume min == 2", 1},
      {"assume n**2 <= 4611686018427387904", 1},
      {"assume x.shape[0] >= x.stride(1), x.numel() == 3", 1},
      {"assume 1_000 < n", 1},
      {"grid (cdiv(M, B),)", 1},
      {"grid (cdiv(M, B), N, 1)", 1},
      {"grid (n)", 1},
      {"values x any", 1},
      {"values x finite", 1},
      {"values x in [0, n)", 1},
      {"values x in [-1, n] finite", 1},
      {"values x in {-1} or [0, n) or {5, 7} distinct", 1},
      {"values x in [0, n) distinct except {-1, n}", 1},
      {"values x any sorted", 1},
      {"values x in [0, n) distinct sorted", 1},
      {"const B in {16, 32}", 1},
      {"const B pow2", 1},
      {"const B pow2 [16, 2**10]", 1},
      {"max-numel 2**30", 1},
      {"max-numel 2**47; assume n > 0", 2},
      {"disjoint x", 1},
      {"disjoint x, y, z", 1},
      {"written x", 1},
      {"written x[1:, :n, :, a:b]", 1},
      {"ignore TC101 -- on purpose", 0},
      {"x: f32[n]; ignore TC101, TC102 -- on purpose; really", 1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    reading r = read_clauses(rows[i].text);
    if (r.notices.count)
      fail_msg("`%s`: %s", rows[i].text, r.notices.at[0].message);
    assert_int_equal(r.contract->clauses.count, rows[i].clauses);
    reading_end(r);
  }
}

/* The place of the mistake is marked by the caret line below the text. */
static void test_rejected(void **state) {
  (void)state;
  static const struct {
    const char *text, *caret, *message;
  } rows[] = {
      {"", "^", "expected a clause, found the end of the clause"},
      {"x: f32[n];", "          ^", "expected a clause"},
      {"3", "^", "expected a clause, found `3`"},
      {"asume n > 0", "^", "unknown clause `asume`; did you mean `assume`?"},
      {"max_numel 3", "^", "did you mean `max-numel`?"},
      {"max-nummel 3", "^", "did you mean `max-numel`?"},
      {"x f32[n]", "^", "a tensor is declared as `x: f32[n]`"},
      {"inn x: f32[n]", "^", "did you mean `in`?"},
      {"out x f32[n]", "      ^", "expected `:`, found `f32`"},
      {"x: float[n]", "   ^", "expected a dtype (f64, f32,"},
      {"x: f32", "      ^", "expected `[`, found the end"},
      {"x: f32[]", "       ^", "expected a number, a name or `(`"},
      {"x: f32[n", "        ^", "expected `]`"},
      {"x: f32[n,,]", "         ^", "expected a number"},
      {"x: f32[..., n]", "          ^", "expected `]`"},
      {"x: f32[a,b,c,d,e,f,g]", "       ^", "at most 6 axes"},
      {"x: f32[n] stride", "                ^", "expected `any` or `(`"},
      {"x: f32[n] stride 1", "                 ^", "expected `any` or `(`"},
      {"x: f32[n] stride (1", "                   ^", "expected `)`"},
      {"x: f32[n, m] stride (1)", "                    ^",
       "1 strides for 2 extents"},
      {"x: f32[...] stride (1)", "                   ^", "of any rank"},
      {"x: f32[n] offset", "                ^", "expected a number, a name"},
      {"x: f32[n] align", "               ^", "a number of bytes"},
      {"x: f32[n] align 12", "                ^", "a power of two"},
      {"x: f32[n] align 16 offset 3", "                   ^",
       "expected `;` or the end of the clause, found `offset`"},
      {"assume", "      ^", "expected a number, a name or `(`"},
      {"assume n", "        ^", "expected a comparison"},
      {"assume n = 3", "         ^", "expected a comparison"},
      {"assume n > 3,", "             ^", "expected a number"},
      {"assume pow2(n", "             ^", "expected `)`"},
      {"assume n +", "          ^", "expected a number, a name or `(`"},
      {"assume (n + 1 > 3", "              ^", "expected `)`, found `>`"},
      {"assume n / 2 > 1", "         ^", "expected a comparison"},
      {"assume min(n) > 1", "            ^", "expected `,`, found `)`"},
      {"assume f(n) > 1", "       ^", "unknown function `f`"},
      {"assume 2**63 > n", "          ^", "an exponent is at most 62"},
      {"assume 3**40 > n", "       ^", "at most 2**62"},
      {"assume 9223372036854775808 > n", "       ^", "at most 2**62"},
      {"assume n**m > 1", "          ^", "a constant exponent"},
      {"assume n**99 > 1", "          ^", "an exponent is at most 62"},
      {"assume (n**9)**9 > 1", "        ^", "a power of a power"},
      {"assume 3x > 1", "       ^", "found `3x`"},
      {"assume x.dtype > 1", "         ^", "`shape`, `stride` or `numel`"},
      {"assume x.shape[i] > 1", "               ^", "the number of an axis"},
      {"assume x \xc3\xa9 > 1", "         ^", "found `\xc3\xa9`"},
      {"grid", "    ^", "expected `(`"},
      {"grid ()", "      ^", "expected a number"},
      {"grid (a, b, c, d)", "     ^", "at most 3 axes"},
      {"values", "      ^", "the name of a tensor"},
      {"values x", "        ^", "`any`, `finite` or `in`"},
      {"values x in", "           ^", "a range `[` or a set `{`"},
      {"values x in [0, n", "                 ^", "`]` or `)`"},
      {"values x in [0]", "              ^", "expected `,`"},
      {"values x in {}", "             ^", "expected a number"},
      {"values x in [0, 1] or", "                     ^", "a range `["},
      {"values x finite except {1}", "                ^", "expected `;`"},
      {"values x sorted", "         ^", "`any`, `finite` or `in`"},
      {"const", "     ^", "the name of a constexpr"},
      {"const B", "       ^", "`in` or `pow2`"},
      {"const B in 3", "           ^", "expected `{`"},
      {"const B pow2 [1]", "               ^", "expected `,`"},
      {"max-numel", "         ^", "expected a number"},
      {"disjoint", "        ^", "the name of a tensor"},
      {"disjoint x,", "           ^", "the name of a tensor"},
      {"written", "       ^", "the name of a tensor"},
      {"written x[]", "          ^", "expected `:`"},
      {"written x[0]", "           ^", "expected `:`"},
      {"ignore", "      ^", "the code of a check"},
      {"ignore TC1 -- no", "       ^", "the code of a check"},
      {"ignore TC101", "            ^", "`--` and a reason"},
      {"ignore TC101 --", "             ^", "a reason after `--`"},
      {"ignore TC101 TC102 -- x", "             ^", "`--` and a reason"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    reading r = read_clauses(rows[i].text);
    if (r.notices.count != 1)
      fail_msg("`%s`: %zu notices", rows[i].text, r.notices.count);
    notice n = r.notices.at[0];
    size_t column = strlen("# tilecheck: ") + strlen(rows[i].caret);
    if (strstr(n.message, rows[i].message) == NULL || n.at.column != column)
      fail_msg("`%s`: column %u, not %zu: %s", rows[i].text, n.at.column,
               column, n.message);
    assert_int_equal(n.kind, NOTICE_CONTRACT);
    assert_int_equal(n.at.line, 1);
    reading_end(r);
  }
}

/* A mistake costs its own clause only. */
static void test_recovery(void **state) {
  (void)state;
  reading r = read_clauses("x: f32[n; assume 2**99 > 1; grid (n,); what");
  assert_int_equal(r.contract->clauses.count, 1);
  assert_int_equal(r.contract->clauses.at[0].kind, CLAUSE_GRID);
  assert_int_equal(r.notices.count, 3);
  reading_end(r);
}

static void test_depth(void **state) {
  (void)state;
  char text[1024] = "assume ";
  for (int i = 0; i < 300; i++)
    strcat(text, "(");
  reading r = read_clauses(text);
  assert_int_equal(r.notices.count, 1);
  assert_string_equal(r.notices.at[0].message, "nested too deeply");
  reading_end(r);
}

static const char placement_text[] =
    "# tilecheck: max-numel 1\n"                  /* 1: the file */
    "import torch\n"                              /* 2 */
    "# tilecheck: max-numel 2\n"                  /* 3: f */
    "\n"                                          /* 4 */
    "# other\n"                                   /* 5 */
    "@triton.jit\n"                               /* 6 */
    "def f(x):  # tilecheck: max-numel 3\n"       /* 7: f */
    "    # tilecheck: max-numel 4\n"              /* 8: f */
    "    y = x  # tilecheck: ignore TC101 -- a\n" /* 9: line 9 of f */
    "    # tilecheck: max-numel 5\n" /* 10: f, after its last statement */
    "\n"                             /* 11 */
    "# tilecheck: max-numel 6\n"     /* 12: nobody's */
    "z = 1\n"                        /* 13 */
    "class A:\n"                     /* 14 */
    "    # tilecheck: max-numel 7\n" /* 15: g */
    "    def g(self):\n"             /* 16 */
    "        # tilecheck: ignore TC501 -- b\n" /* 17: g */
    "        return 1\n"                       /* 18 */
    "    # tilecheck: max-numel 8\n"           /* 19: h */
    "    def h(self):\n"                       /* 20 */
    "        # tilecheck: max-numel 9\n"       /* 21: h, not grid */
    "        def grid(meta):\n"                /* 22 */
    "            return (1,)\n"                /* 23 */
    "        return 2\n";                      /* 24 */

static void test_placement(void **state) {
  (void)state;
  static const struct {
    int64_t number;
    uint32_t from, to;
  } rows[] = {{1, 0, 0},  {2, 6, 10},  {3, 6, 10},  {4, 6, 10},
              {5, 6, 10}, {7, 16, 18}, {8, 20, 24}, {9, 20, 24}};
  reading r = read_text(placement_text);
  size_t count = sizeof rows / sizeof *rows;
  assert_int_equal(r.contract->clauses.count, count);
  for (size_t i = 0; i < count; i++) {
    const clause *c = &r.contract->clauses.at[i];
    assert_int_equal(c->condition->number, rows[i].number);
    assert_int_equal(c->owner_from, rows[i].from);
    assert_int_equal(c->owner_to, rows[i].to);
  }
  assert_int_equal(r.notices.count, 1);
  assert_int_equal(r.notices.at[0].at.line, 12);
  reading_end(r);
}

static void test_suppressions(void **state) {
  (void)state;
  reading r = read_text(placement_text);
  assert_int_equal(r.contract->suppressions.count, 2);
  suppression a = r.contract->suppressions.at[0];
  assert_string_equal(a.code, "TC101");
  assert_string_equal(a.reason, "a");
  assert_int_equal(a.line, 9);
  assert_int_equal(a.from, 6);
  suppression b = r.contract->suppressions.at[1];
  assert_int_equal(b.line, 0);
  assert_int_equal(b.from, 16);
  assert_int_equal(b.to, 18);
  reading_end(r);
  r = read_text("# tilecheck: ignore TC101, TC401 -- c\nx = 1\n");
  assert_int_equal(r.contract->suppressions.count, 2);
  assert_int_equal(r.contract->suppressions.at[1].line, 0);
  assert_int_equal(r.contract->suppressions.at[1].to, 0);
  assert_string_equal(r.contract->suppressions.at[1].code, "TC401");
  reading_end(r);
}

/* Text in strings and ordinary comments is no contract. */
static void test_look_alikes(void **state) {
  (void)state;
  reading r = read_text("s = '# tilecheck: what'\n# see tilecheck: what\n"
                        "def f():\n    '''\n    # tilecheck: what\n    '''\n");
  assert_int_equal(r.contract->clauses.count, 0);
  assert_int_equal(r.notices.count, 0);
  reading_end(r);
}

static expr by_name(void *context, const char *name) {
  return exprs_find(context, name);
}

static void test_terms(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t value; /* with n = 10, m = -7 */
  } rows[] = {
      {"n // 3 == 3", 1},
      {"m // 3 == -3", 1},
      {"m % 3 == 2", 1},
      {"-n + 2 * 3 - 1 == -5", 1},
      {"cdiv(n, 3) == 4, min(n, m) == m, max(n, m) == n", 1},
      {"n**3 == 1000", 1},
      {"n**0 == 1", 1},
      {"1 < n < 5", 0},
      {"5 >= n > m", 0},
      {"n != m", 1},
      {"pow2(n - 2)", 1},
      {"pow2(n)", 0},
      {"2**62 - 1 + 2 ** 1 > n", 1},
  };
  arena *a = arena_create();
  exprs *t = exprs_create(a);
  exprs_symbol(t, (symbol){.name = "n"});
  exprs_symbol(t, (symbol){.name = "m"});
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint32_t column = 0;
    const char *error = NULL;
    const term *x = contract_condition(a, rows[i].text, &column, &error);
    if (!x)
      fail_msg("`%s`: %s", rows[i].text, error);
    const term *unknown = NULL;
    expr e = term_resolve(t, x, by_name, t, &unknown);
    int64_t value = -1;
    assert_null(unknown);
    assert_true(
        expr_eval(t, e, (int64_t[]){10, -7}, (bool[]){true, true}, &value));
    if (value != rows[i].value)
      fail_msg("`%s` is %ld", rows[i].text, (long)value);
  }
  arena_destroy(a);
}

static void test_condition_errors(void **state) {
  (void)state;
  arena *a = arena_create();
  exprs *t = exprs_create(a);
  uint32_t column = 0;
  const char *error = NULL;
  assert_null(contract_condition(a, "n > 1; m", &column, &error));
  assert_int_equal(column, 6);
  assert_null(contract_condition(a, "n > 1 -- m", &column, &error));
  assert_int_equal(column, 7);
  assert_string_equal(error, "expected the end of the condition, found the "
                             "end of the clause");
  const term *x = contract_condition(a, "1 < 2 + q", &column, &error);
  const term *unknown = NULL;
  assert_int_equal(term_resolve(t, x, by_name, t, &unknown), EXPR_NONE);
  assert_string_equal(unknown->name, "q");
  assert_int_equal(unknown->at.column, 9);
  x = contract_condition(a, "1 // 0 < 3", &column, &error);
  assert_int_equal(term_resolve(t, x, by_name, t, &unknown), EXPR_NONE);
  assert_int_equal(unknown->at.column, 1);
  arena_destroy(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accepted),
      cmocka_unit_test(test_rejected),
      cmocka_unit_test(test_recovery),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_placement),
      cmocka_unit_test(test_suppressions),
      cmocka_unit_test(test_look_alikes),
      cmocka_unit_test(test_terms),
      cmocka_unit_test(test_condition_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
