/* tests/unit/test_expr.c: launch expressions: normal forms, evaluation, text.
 *
 * The property test builds random expressions twice: as handles and as naive
 * values computed on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/checked.h"
#include "ir/expr.h"

#include <string.h>

enum { SYMBOLS = 5, POINTS = 24 };

static const char *const names[SYMBOLS] = {"n", "M", "BLOCK", "k", "max"};

typedef struct fixture {
  arena *arena;
  exprs *t;
} fixture;

static fixture fixture_make(void) {
  fixture f = {.arena = arena_create()};
  f.t = exprs_create(f.arena);
  for (size_t i = 0; i < SYMBOLS; i++)
    exprs_symbol(f.t, (symbol){.name = names[i], .role = SYMBOL_SIZE});
  return f;
}

static expr parse(fixture *f, const char *text) {
  size_t end;
  const char *error;
  expr e = expr_parse(f->t, text, &end, &error);
  if (!e)
    fail_msg("%s: %s at %zu", text, error, end);
  assert_int_equal(end, strlen(text));
  return e;
}

/* --- normal forms --- */

static const char *const equal_pairs[][2] = {
    {"2*BLOCK", "BLOCK*2"},
    {"BLOCK + BLOCK", "2*BLOCK"},
    {"n + M - M", "n"},
    {"n*0 + 3", "3"},
    {"1*n + 0", "n"},
    {"(n + 3) + 4", "7 + n"},
    {"(n + M)*(n - M)", "n*n - M*M"},
    {"M*n*2", "2*n*M"},
    {"(n + BLOCK - 1) // BLOCK", "cdiv(n, BLOCK)"},
    {"(n + 127) // 128", "cdiv(n, 128)"},
    {"-(-n // 128)", "cdiv(n, 128)"},
    {"cdiv(n + M + n, n + M)", "1 + cdiv(n, n + M)"},
    {"(6*n + 4) // 4", "(3*n + 2) // 2"},
    {"(M*n + k) // n", "M + k // n"},
    {"(M*n + k) % n", "k % n"},
    {"(8*n + 2*M + 13) % 4", "2*(M % 2) + 1"},
    {"(2*n) // (2*M)", "n // M"},
    {"n // 1", "n"},
    {"n // -4", "-n // 4"},
    {"-7 // 2", "-4"},
    {"-7 % 3", "2"},
    {"7 % -3", "-2"},
    {"min(n, n + 1, M)", "min(M, n)"},
    {"max(min(4, 7), 5, n)", "max(n, 5)"},
    {"next_power_of_2(0) + next_power_of_2(5)", "8"},
    {"next_power_of_2(-3)", "1"},
    {"next_power_of_2(next_power_of_2(n))", "next_power_of_2(n)"},
    {"2*n >= 3", "n >= 2"},
    {"2*n > 3", "n > 1"},
    {"4*n + 2*M == 8", "M + 2*n == 4"},
    {"2*n == 3", "0"},
    {"2*n != 3", "1"},
    {"5 == n", "n == 5"},
    {"n - 5 == 0", "n == 5"},
    {"not n < M", "n >= M"},
    {"not (n < M and k == 1)", "k != 1 or M <= n"},
    {"n < 3 or n >= 3", "1"},
    {"pow2(n) and not pow2(n)", "0"},
    {"not not n", "n != 0"},
    {"(n < 3) == 0", "n >= 3"},
    {"0 <= n < M", "n >= 0 and n < M"},
    {"M if 1 < 2 else k", "M"},
    {"n if M == k else n", "n"},
    {"(n < 3) if M == 1 else (k < 3)",
     "(M == 1 and n < 3) or (M != 1 and k < 3)"},
    {"pow2(64) and n == 1", "n == 1"},
};

static void equal_expressions_share_a_handle(void **state) {
  fixture f = fixture_make();
  (void)state;
  for (size_t i = 0; i < sizeof equal_pairs / sizeof equal_pairs[0]; i++) {
    expr a = parse(&f, equal_pairs[i][0]), b = parse(&f, equal_pairs[i][1]);
    if (a != b)
      fail_msg("%s gives %s, %s gives %s", equal_pairs[i][0],
               expr_text(f.t, a, f.arena), equal_pairs[i][1],
               expr_text(f.t, b, f.arena));
  }
  arena_destroy(f.arena);
}

static void text_reads_as_people_write_it(void **state) {
  static const char *const texts[] = {
      "cdiv(M, BLOCK)", "n*M + 1",
      "k % 2 == 0",     "n if M < k else k",
      "n >= 0",         "n < M and pow2(BLOCK)",
      "M*(n // 4)",     "(n + 1) // BLOCK",
      "3 - n",          "-n - M",
      "min(n, M, 128)", "not pow2(n)",
      "`max` + 1",      "next_power_of_2(n)",
      "k + (n < M)",    "-9223372036854775808",
  };
  fixture f = fixture_make();
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    assert_string_equal(expr_text(f.t, parse(&f, texts[i]), f.arena), texts[i]);
  arena_destroy(f.arena);
}

static void unknown_is_contagious(void **state) {
  fixture f = fixture_make();
  expr n = exprs_find(f.t, "n"), most = expr_int(f.t, INT64_MAX);
  (void)state;
  assert_int_equal(expr_add(f.t, n, EXPR_NONE), EXPR_NONE);
  assert_int_equal(expr_and(f.t, EXPR_NONE, expr_int(f.t, 0)), EXPR_NONE);
  assert_int_equal(expr_select(f.t, expr_int(f.t, 1), n, EXPR_NONE), EXPR_NONE);
  assert_int_equal(expr_add(f.t, most, expr_int(f.t, 1)), EXPR_NONE);
  assert_int_equal(expr_mul(f.t, expr_mul(f.t, most, n), most), EXPR_NONE);
  assert_int_equal(expr_fdiv(f.t, n, expr_int(f.t, 0)), EXPR_NONE);
  assert_int_equal(expr_fmod(f.t, n, expr_int(f.t, 0)), EXPR_NONE);
  assert_int_equal(expr_cdiv(f.t, n, expr_int(f.t, 0)), EXPR_NONE);
  assert_int_equal(expr_pow2ceil(f.t, most), EXPR_NONE);
  assert_int_equal(exprs_find(f.t, "absent"), EXPR_NONE);
  arena_destroy(f.arena);
}

static void growth_is_bounded(void **state) {
  fixture f = fixture_make();
  expr n = exprs_find(f.t, "n"), wide = n, deep = n, power = n;
  (void)state;
  for (int i = 0; i < 100; i++) {
    wide = expr_add(f.t, wide, expr_fmod(f.t, n, expr_int(f.t, 1009 + 2 * i)));
    deep = expr_fmod(f.t, expr_mul(f.t, deep, deep), expr_int(f.t, 1000003));
    power = expr_mul(f.t, power, n);
  }
  assert_int_equal(wide, EXPR_NONE);
  assert_int_equal(deep, EXPR_NONE);
  assert_int_equal(power, EXPR_NONE);
  arena_destroy(f.arena);
}

static void parser_says_where_and_why(void **state) {
  static const struct {
    const char *text, *why;
    size_t at;
  } cases[] = {
      {"n + ", "expected a number, a symbol or `(`", 4},
      {"n + foo", "there is no symbol of this name", 4},
      {"min(n", "expected `)`", 5},
      {"cdiv(n)", "cdiv takes two arguments", 6},
      {"99999999999999999999", "the number does not fit 64 bits", 18},
      {"n if M", "expected `else`", 6},
      {"12n", "a number ends in letters", 2},
      {"`n", "this quote is never closed", 0},
      {"", "expected a number, a symbol or `(`", 0},
  };
  fixture f = fixture_make();
  char nested[1000];
  size_t end;
  const char *error;
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(expr_parse(f.t, cases[i].text, &end, &error), EXPR_NONE);
    assert_string_equal(error, cases[i].why);
    assert_int_equal(end, cases[i].at);
  }
  memset(nested, '(', sizeof nested - 1);
  nested[sizeof nested - 1] = '\0';
  assert_int_equal(expr_parse(f.t, nested, &end, &error), EXPR_NONE);
  assert_string_equal(error, "the expression is nested too deeply");
  /* What follows an expression is left alone. */
  assert_int_not_equal(expr_parse(f.t, "n x f32", &end, &error), EXPR_NONE);
  assert_int_equal(end, 2);
  arena_destroy(f.arena);
}

static void pins_and_substitution(void **state) {
  fixture f = fixture_make();
  expr block = exprs_find(f.t, "BLOCK"), n = exprs_find(f.t, "n");
  size_t index;
  (void)state;
  exprs_symbol_at(f.t, 2)->pinned = true;
  exprs_symbol_at(f.t, 2)->pin = 64;
  assert_string_equal(expr_symbol(f.t, block, &index)->name, "BLOCK");
  assert_int_equal(index, 2);
  expr e = expr_cdiv(f.t, n, block);
  assert_true(expr_mentions(f.t, e, block));
  assert_int_equal(expr_pin(f.t, e), parse(&f, "cdiv(n, 64)"));
  assert_int_equal(expr_substitute(f.t, e, n, expr_int(f.t, 5)),
                   parse(&f, "cdiv(5, BLOCK)"));
  assert_int_equal(expr_substitute(f.t, e, block, expr_int(f.t, 0)), EXPR_NONE);
  arena_destroy(f.arena);
}

/* --- the property test --- */

typedef struct built {
  expr e;
  bool ok[POINTS];
  int64_t value[POINTS];
} built;

typedef struct random {
  uint64_t state;
} random;

static uint32_t below(random *r, uint32_t n) {
  r->state = r->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(r->state >> 33) % n;
}

/* Python's meaning, written down again; false: no int64 value. */
static bool naive(expr_kind kind, int64_t a, int64_t b, int64_t c,
                  int64_t *out) {
  int64_t sum;
  *out = 0;
  switch (kind) {
  case EXPR_ADD:
    return add_ok(a, b, out);
  case EXPR_SUB:
    return sub_ok(a, b, out);
  case EXPR_MUL:
    return mul_ok(a, b, out);
  case EXPR_FDIV:
    *out = b ? floor_div(a, b) : 0;
    return b != 0;
  case EXPR_FMOD:
    *out = b ? floor_mod(a, b) : 0;
    return b != 0;
  case EXPR_CDIV:
    if (b == 0 || !add_ok(a, b, &sum) || !sub_ok(sum, 1, &sum))
      return false;
    *out = floor_div(sum, b);
    return true;
  case EXPR_MIN:
    *out = a < b ? a : b;
    break;
  case EXPR_MAX:
    *out = a > b ? a : b;
    break;
  case EXPR_POW2CEIL:
    if (a > (int64_t)1 << 62)
      return false;
    *out = a < 0 ? 1 : next_pow2(a);
    break;
  case EXPR_SELECT:
    *out = a ? b : c;
    break;
  case EXPR_LT:
    *out = a < b;
    break;
  case EXPR_LE:
    *out = a <= b;
    break;
  case EXPR_EQ:
    *out = a == b;
    break;
  case EXPR_NE:
    *out = a != b;
    break;
  case EXPR_AND:
    *out = a && b;
    break;
  case EXPR_OR:
    *out = a || b;
    break;
  case EXPR_NOT:
    *out = !a;
    break;
  case EXPR_ISPOW2:
    *out = a >= 1 && (a & (a - 1)) == 0;
    break;
  case EXPR_INT:
  case EXPR_SYMBOL:
    return false;
  }
  return true;
}

static expr construct(exprs *t, expr_kind kind, expr a, expr b, expr c) {
  switch (kind) {
  case EXPR_ADD:
    return expr_add(t, a, b);
  case EXPR_SUB:
    return expr_sub(t, a, b);
  case EXPR_MUL:
    return expr_mul(t, a, b);
  case EXPR_FDIV:
    return expr_fdiv(t, a, b);
  case EXPR_FMOD:
    return expr_fmod(t, a, b);
  case EXPR_CDIV:
    return expr_cdiv(t, a, b);
  case EXPR_MIN:
    return expr_min(t, a, b);
  case EXPR_MAX:
    return expr_max(t, a, b);
  case EXPR_POW2CEIL:
    return expr_pow2ceil(t, a);
  case EXPR_SELECT:
    return expr_select(t, a, b, c);
  case EXPR_LT:
  case EXPR_LE:
  case EXPR_EQ:
  case EXPR_NE:
    return expr_compare(t, kind, a, b);
  case EXPR_AND:
    return expr_and(t, a, b);
  case EXPR_OR:
    return expr_or(t, a, b);
  case EXPR_NOT:
    return expr_not(t, a);
  case EXPR_ISPOW2:
    return expr_ispow2(t, a);
  case EXPR_INT:
  case EXPR_SYMBOL:
    break;
  }
  return EXPR_NONE;
}

/* The points are small numbers, negative ones too, and some large ones. */
static int64_t point(size_t symbol, size_t p) {
  random r = {.state = symbol * 1000003 + p * 7919 + 1};
  below(&r, 2);
  if (p < POINTS / 2)
    return (int64_t)below(&r, 12) - 3;
  return (int64_t)below(&r, 100000) - (p % 3 == 0 ? 50000 : 0);
}

static built leaf(fixture *f, random *r) {
  built x = {0};
  bool constant = below(r, 3) == 0;
  int64_t value = (int64_t)below(r, 17) - 6;
  size_t symbol = below(r, SYMBOLS);
  x.e = constant ? expr_int(f->t, value) : exprs_symbol_expr(f->t, symbol);
  for (size_t p = 0; p < POINTS; p++) {
    x.ok[p] = true;
    x.value[p] = constant ? value : point(symbol, p);
  }
  return x;
}

static built random_built(fixture *f, random *r, unsigned depth) {
  if (depth == 0 || below(r, 8) == 0)
    return leaf(f, r);
  expr_kind kind = (expr_kind)(EXPR_ADD + below(r, EXPR_ISPOW2 - EXPR_ADD + 1));
  if (below(r, 2))
    kind = (expr_kind)(EXPR_ADD + below(r, EXPR_FMOD - EXPR_ADD + 1));
  built a = random_built(f, r, depth - 1), b = random_built(f, r, depth - 1);
  built c = random_built(f, r, depth - 1), x = {0};
  x.e = construct(f->t, kind, a.e, b.e, c.e);
  bool two = kind != EXPR_NOT && kind != EXPR_ISPOW2 && kind != EXPR_POW2CEIL;
  bool three = kind == EXPR_SELECT;
  for (size_t p = 0; p < POINTS; p++)
    x.ok[p] = a.ok[p] && (!two || b.ok[p]) && (!three || c.ok[p]) &&
              naive(kind, a.value[p], b.value[p], c.value[p], &x.value[p]);
  return x;
}

static void check_values(fixture *f, const built *x) {
  int64_t value[SYMBOLS], out;
  bool known[SYMBOLS] = {true, true, true, true, true};
  for (size_t p = 0; p < POINTS; p++) {
    for (size_t s = 0; s < SYMBOLS; s++)
      value[s] = point(s, p);
    if (!x->ok[p])
      continue;
    if (!expr_eval(f->t, x->e, value, known, &out) || out != x->value[p])
      fail_msg("%s at n=%lld M=%lld BLOCK=%lld k=%lld max=%lld: %lld, not %lld",
               expr_text(f->t, x->e, f->arena), (long long)value[0],
               (long long)value[1], (long long)value[2], (long long)value[3],
               (long long)value[4], (long long)out, (long long)x->value[p]);
  }
}

/* The text gives the same handle here and the same text in another table. */
static void check_text(fixture *f, fixture *other, expr e) {
  const char *text = expr_text(f->t, e, f->arena);
  expr again = parse(f, text);
  if (again != e)
    fail_msg("%s came back as %s", text, expr_text(f->t, again, f->arena));
  assert_string_equal(expr_text(other->t, parse(other, text), other->arena),
                      text);
}

static void random_expressions_keep_their_values(void **state) {
  random r = {.state = 20240601};
  size_t kept = 0;
  (void)state;
  for (size_t round = 0; round < 200; round++) {
    fixture f = fixture_make(), other = fixture_make();
    for (size_t i = 0; i < 300; i++) {
      built x = random_built(&f, &r, 1 + below(&r, 4));
      if (!x.e)
        continue;
      check_values(&f, &x);
      check_text(&f, &other, x.e);
      kept++;
    }
    arena_destroy(f.arena);
    arena_destroy(other.arena);
  }
  assert_true(kept > 10000);
}

static void many_handles_are_quick(void **state) {
  fixture f = fixture_make();
  expr n = exprs_find(f.t, "n");
  (void)state;
  for (int64_t i = 2; i < 20000; i++) {
    expr e = expr_add(f.t, expr_mul(f.t, n, expr_int(f.t, i)), n);
    assert_int_equal(e, expr_mul(f.t, expr_int(f.t, i + 1), n));
  }
  arena_destroy(f.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_expressions_share_a_handle),
      cmocka_unit_test(text_reads_as_people_write_it),
      cmocka_unit_test(unknown_is_contagious),
      cmocka_unit_test(growth_is_bounded),
      cmocka_unit_test(parser_says_where_and_why),
      cmocka_unit_test(pins_and_substitution),
      cmocka_unit_test(random_expressions_keep_their_values),
      cmocka_unit_test(many_handles_are_quick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
