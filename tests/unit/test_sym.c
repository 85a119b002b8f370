/* tests/unit/test_sym.c: normal forms against a naive evaluator.
 *
 * Random trees are built twice, as plain trees and as syms; wherever the tree
 * has a value, the sym has the same one. */
#include "analysis/sym.h"
#include "sym_reader.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { VARIABLES = 5, TREES = 20000, POINTS = 12 };

typedef enum op {
  OP_NUMBER,
  OP_VARIABLE,
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_FDIV,
  OP_FMOD,
  OP_TDIV,
  OP_TMOD,
  OP_MIN,
  OP_MAX,
  OP_CDIV,
  OP_POW2,
  OP_SELECT,
  OP_GE,
  OP_GT,
  OP_LE,
  OP_LT,
  OP_EQ,
  OP_NE,
  OP_AND,
  OP_OR,
  OP_NOT,
  OP_ISPOW2,
} op;

typedef struct tree {
  op op;
  int64_t number; /* or which variable */
  struct tree *a, *b, *c;
  sym e;
} tree;

typedef struct maker {
  arena *arena;
  symtab *t;
  uint64_t random;
  sym variables[VARIABLES];
} maker;

static uint64_t next_random(maker *m) {
  m->random ^= m->random << 13;
  m->random ^= m->random >> 7;
  m->random ^= m->random << 17;
  return m->random * UINT64_C(2685821657736338717) >> 11;
}

static int64_t pick(maker *m, int64_t low, int64_t high) {
  return low + (int64_t)(next_random(m) % (uint64_t)(high - low + 1));
}

static tree *make_truth(maker *m, int depth);

static tree *new_tree(maker *m, op op) {
  tree *n = ARENA_NEW(m->arena, tree);
  n->op = op;
  return n;
}

static sym combine(maker *m, const tree *n) {
  symtab *t = m->t;
  sym a = n->a ? n->a->e : SYM_NONE, b = n->b ? n->b->e : SYM_NONE;
  switch (n->op) {
  case OP_NUMBER:
    return sym_int(t, n->number);
  case OP_VARIABLE:
    return m->variables[n->number];
  case OP_ADD:
    return sym_add(t, a, b);
  case OP_SUB:
    return sym_sub(t, a, b);
  case OP_MUL:
    return sym_mul(t, a, b);
  case OP_FDIV:
    return sym_fdiv(t, a, b);
  case OP_FMOD:
    return sym_fmod(t, a, b);
  case OP_TDIV:
    return sym_tdiv(t, a, b);
  case OP_TMOD:
    return sym_tmod(t, a, b);
  case OP_MIN:
    return sym_min(t, a, b);
  case OP_MAX:
    return sym_max(t, a, b);
  case OP_CDIV:
    return sym_cdiv(t, a, b);
  case OP_POW2:
    return sym_pow2ceil(t, a);
  case OP_SELECT:
    return sym_select(t, n->c->e, a, b);
  case OP_GE:
    return sym_ge(t, a, b);
  case OP_GT:
    return sym_gt(t, a, b);
  case OP_LE:
    return sym_le(t, a, b);
  case OP_LT:
    return sym_lt(t, a, b);
  case OP_EQ:
    return sym_eq(t, a, b);
  case OP_NE:
    return sym_ne(t, a, b);
  case OP_AND:
    return sym_and(t, a, b);
  case OP_OR:
    return sym_or(t, a, b);
  case OP_NOT:
    return sym_not(t, a);
  case OP_ISPOW2:
    return sym_ispow2(t, a);
  }
  panic("no op");
}

static tree *make_number(maker *m, int depth) {
  tree *n;
  if (depth == 0 || pick(m, 0, 9) == 0) {
    bool number = pick(m, 0, 1);
    n = new_tree(m, number ? OP_NUMBER : OP_VARIABLE);
    n->number = number ? pick(m, -9, 9) : pick(m, 0, VARIABLES - 1);
    n->e = combine(m, n);
    return n;
  }
  n = new_tree(m, (op)pick(m, OP_ADD, OP_SELECT));
  n->a = make_number(m, depth - 1);
  if (n->op != OP_POW2)
    n->b = make_number(m, depth - 1);
  if (n->op == OP_SELECT)
    n->c = make_truth(m, depth - 1);
  n->e = combine(m, n);
  return n;
}

static tree *make_truth(maker *m, int depth) {
  tree *n = new_tree(m, depth == 0 ? (op)pick(m, OP_GE, OP_NE)
                                   : (op)pick(m, OP_GE, OP_ISPOW2));
  if (n->op >= OP_AND && n->op <= OP_NOT) {
    n->a = make_truth(m, depth - 1);
    n->b = n->op == OP_NOT ? NULL : make_truth(m, depth - 1);
  } else {
    n->a = make_number(m, depth ? depth - 1 : 0);
    n->b = n->op == OP_ISPOW2 ? NULL : make_number(m, depth ? depth - 1 : 0);
  }
  n->e = combine(m, n);
  return n;
}

static int128 floor_quotient(int128 a, int128 b) {
  int128 q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

/* False where the value is not defined. */
static bool naive(const tree *n, const int64_t *point, int128 *out) {
  int128 a = 0, b = 0, c = 0;
  if (n->op == OP_AND || n->op == OP_OR) {
    bool x = naive(n->a, point, &a), y = naive(n->b, point, &b);
    *out = n->op == OP_OR;
    if ((x && a == *out) || (y && b == *out))
      return true;
    *out = !*out;
    return x && y;
  }
  if (n->op == OP_SELECT)
    return naive(n->c, point, &c) && naive(c ? n->a : n->b, point, out);
  if ((n->a && !naive(n->a, point, &a)) || (n->b && !naive(n->b, point, &b)))
    return false;
  int128 limit = (int128)1 << 50;
  if (a > limit || a < -limit || b > limit || b < -limit)
    return false;
  bool divides = n->op == OP_FDIV || n->op == OP_FMOD || n->op == OP_TDIV ||
                 n->op == OP_TMOD || n->op == OP_CDIV;
  if (divides && b == 0)
    return false;
  switch (n->op) {
  case OP_NUMBER:
    *out = n->number;
    return true;
  case OP_VARIABLE:
    *out = point[n->number];
    return true;
  case OP_ADD:
    *out = a + b;
    return true;
  case OP_SUB:
    *out = a - b;
    return true;
  case OP_MUL:
    *out = a * b;
    return true;
  case OP_FDIV:
    *out = floor_quotient(a, b);
    return true;
  case OP_FMOD:
    *out = a - b * floor_quotient(a, b);
    return true;
  case OP_TDIV:
    *out = a / b;
    return true;
  case OP_TMOD:
    *out = a % b;
    return true;
  case OP_CDIV:
    *out = floor_quotient(a + b - 1, b);
    return true;
  case OP_MIN:
    *out = a < b ? a : b;
    return true;
  case OP_MAX:
    *out = a > b ? a : b;
    return true;
  case OP_POW2:
    *out = next_pow2((int64_t)a);
    return true;
  case OP_GE:
    *out = a >= b;
    return true;
  case OP_GT:
    *out = a > b;
    return true;
  case OP_LE:
    *out = a <= b;
    return true;
  case OP_LT:
    *out = a < b;
    return true;
  case OP_EQ:
    *out = a == b;
    return true;
  case OP_NE:
    *out = a != b;
    return true;
  case OP_NOT:
    *out = !a;
    return true;
  case OP_ISPOW2:
    *out = a >= 1 && (a & (a - 1)) == 0;
    return true;
  case OP_SELECT:
  case OP_AND:
  case OP_OR:
    break;
  }
  panic("no op");
}

typedef struct point_of {
  maker *m;
  const int64_t *values;
} point_of;

static bool look_up(void *context, const symtab *t, sym atom, int64_t *value) {
  point_of *p = context;
  (void)t;
  for (int i = 0; i < VARIABLES; i++)
    if (p->m->variables[i] == atom) {
      *value = p->values[i];
      return true;
    }
  return false;
}

static maker make_maker(arena *a, uint64_t seed) {
  maker m = {.arena = a, .t = symtab_create(a), .random = seed};
  static const char *const names[] = {"a", "b", "c", "d", "e"};
  for (int i = 0; i < VARIABLES; i++)
    m.variables[i] = sym_var(m.t, (sym_role)(i % 3), names[i]);
  return m;
}

static void random_point(maker *m, int64_t *point) {
  int64_t most = pick(m, 0, 3) == 0 ? 100 : 6;
  for (int i = 0; i < VARIABLES; i++)
    point[i] = pick(m, -most, most);
}

/* Both evaluators at several points; counts the points that had a value. */
static size_t compare(maker *m, const tree *n, sym e, bool negated) {
  size_t compared = 0;
  for (int k = 0; k < POINTS; k++) {
    int64_t point[VARIABLES], got = 0;
    int128 want = 0;
    random_point(m, point);
    point_of context = {m, point};
    if (!naive(n, point, &want) || want > INT64_MAX || want < INT64_MIN)
      continue;
    if (negated)
      want = !want;
    bool defined = sym_eval(m->t, e, look_up, &context, &got);
    if (!defined || got != want) {
      print_message("%s\n", sym_text(m->t, e, m->arena));
      for (int i = 0; i < VARIABLES; i++)
        print_message("%lld ", (long long)point[i]);
      print_message("want %lld got %lld (%d)\n", (long long)want,
                    (long long)got, defined);
    }
    assert_true(defined);
    assert_true(got == want);
    compared++;
  }
  return compared;
}

static void normal_forms_keep_values(void **state) {
  size_t compared = 0;
  (void)state;
  for (uint64_t round = 0; round < 20; round++) {
    arena *a = arena_create();
    maker m = make_maker(a, round * 77 + 1);
    for (int i = 0; i < TREES / 20; i++) {
      int depth = 1 + i % 5;
      tree *n = i % 3 ? make_number(&m, depth) : make_truth(&m, depth);
      if (!sym_is_exact(m.t, n->e))
        continue; /* an overflow or a division by 0 became an unknown */
      compared += compare(&m, n, n->e, false);
      if (i % 3 == 0 && sym_is_exact(m.t, sym_not(m.t, n->e)))
        compared += compare(&m, n, sym_not(m.t, n->e), true);
    }
    arena_destroy(a);
  }
  print_message("%zu values compared\n", compared);
  assert_true(compared > 50000);
}

static void substitution_keeps_values(void **state) {
  arena *a = arena_create();
  maker m = make_maker(a, 4242);
  size_t compared = 0;
  (void)state;
  for (int i = 0; i < 4000; i++) {
    tree *n = i % 2 ? make_number(&m, 4) : make_truth(&m, 3);
    tree *by = make_number(&m, 2);
    sym image = sym_substitute(m.t, n->e, &m.variables[1], &by->e, 1);
    if (!sym_is_exact(m.t, image) || !sym_is_exact(m.t, n->e))
      continue;
    for (int k = 0; k < 4; k++) {
      int64_t point[VARIABLES], want, got, value;
      random_point(&m, point);
      point_of context = {&m, point};
      if (!sym_eval(m.t, by->e, look_up, &context, &value))
        continue;
      bool first = sym_eval(m.t, image, look_up, &context, &got);
      point[1] = value;
      /* A quotient may fold away once its operands are known. */
      if (!sym_eval(m.t, n->e, look_up, &context, &want))
        continue;
      assert_true(first);
      assert_true(want == got);
      compared++;
    }
  }
  assert_true(compared > 2000);
  arena_destroy(a);
}

static void text_reads_back(void **state) {
  arena *a = arena_create();
  maker m = make_maker(a, 99);
  reader r = {.t = m.t};
  (void)state;
  reader_declare(&r, "size a; stride b; const c; size d; stride e");
  for (int i = 0; i < 5000; i++) {
    tree *n = i % 2 ? make_number(&m, 4) : make_truth(&m, 4);
    if (!sym_is_exact(m.t, n->e))
      continue;
    const char *text = sym_text(m.t, n->e, a);
    sym back = reader_read(&r, text);
    if (back != n->e)
      print_message("%s\n%s\n", text, sym_text(m.t, back, a));
    assert_true(back == n->e);
  }
  arena_destroy(a);
}

static void division_is_exact(void **state) {
  arena *a = arena_create();
  maker m = make_maker(a, 31);
  (void)state;
  for (int i = 0; i < 3000; i++) {
    tree *e = make_number(&m, 4), *d = make_number(&m, 2);
    sym q, rest;
    sym_poly_divide(m.t, e->e, d->e, &q, &rest);
    sym again = sym_add(m.t, sym_mul(m.t, q, d->e), rest);
    if (sym_is_exact(m.t, again))
      assert_true(again == e->e);
  }
  arena_destroy(a);
}

typedef struct form {
  const char *text, *same;
} form;

static void known_forms(void **state) {
  static const form forms[] = {
      {"(a + c - 1)//c", "cdiv(a, c)"},
      {"cdiv(a, 128)", "(a + 127)//128"},
      {"(a + 128*b + 127)//128", "b + cdiv(a, 128)"},
      {"(a + 300)//128", "(a + 44)//128 + 2"},
      {"(a - 1)//128 + 1", "cdiv(a, 128)"},
      {"(4*a + 6)//8", "cdiv(a, 2) + (a - a)"},
      {"a % 8 // 8", "0"},
      {"a % 8 % 16", "a % 8"},
      {"(a + 16) % 8", "a % 8"},
      {"a // 1 + a % 1", "a"},
      {"a // (0 - 4)", "(0 - a) // 4"},
      {"tdiv(6*a, 4)", "tdiv(3*a, 2)"},
      {"tmod(6*a, 4)", "2*tmod(3*a, 2)"},
      {"tdiv(0 - 7, 2)", "0 - 3"},
      {"min(a, min(a, b))", "min(b, a)"},
      {"max(a, a + 1)", "a + 1"},
      {"a if a <= b else b", "min(a, b)"},
      {"a if a > b else b", "max(a, b)"},
      {"a if a != b else c", "c if a == b else a"},
      {"2*a + 3 >= 0", "a + 1 >= 0"},
      {"2*a == 3", "False"},
      {"a == b", "b == a"},
      {"a < b and b > a", "a < b"},
      {"a < b or not a < b", "True"},
      {"a < b and a >= b", "False"},
      {"not (a < b and c == d)", "a >= b or c != d"},
      {"is_pow2(next_pow2(a))", "a != 0"},
      {"next_pow2(5)", "8"},
      {"(a + b)*(a - b)", "a*a - b*b"},
  };
  arena *a = arena_create();
  reader r = {.t = symtab_create(a)};
  (void)state;
  reader_declare(&r, "size a b d; const c");
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    sym left = reader_read(&r, forms[i].text);
    sym right = reader_read(&r, forms[i].same);
    if (left != right)
      print_message("%s\n", forms[i].text);
    assert_true(left == right);
  }
  arena_destroy(a);
}

static void printed_forms(void **state) {
  static const form forms[] = {
      {"B*p + i < n", "p*B + i < n"},
      {"(n + B - 1)//B", "cdiv(n, B)"},
      {"n // (B*m)", "n//(B*m)"},
      {"0 - n + 3", "3 - n"},
      {"0 - n - 3", "-n - 3"},
      {"n >= 1", "n >= 1"},
      {"n <= 5", "n <= 5"},
      {"n == 8", "n == 8"},
      {"2*(n // B)*p", "2*p*(n//B)"},
      {"p if n == m else i", "p if n == m else i"},
      {"n < m and p >= i", "n < m and i <= p"},
  };
  arena *a = arena_create();
  reader r = {.t = symtab_create(a)};
  (void)state;
  reader_declare(&r, "size n m; const B; program p; lane i");
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    sym e = reader_read(&r, forms[i].text);
    assert_string_equal(sym_text(r.t, e, a), forms[i].same);
    assert_true(reader_read(&r, forms[i].same) == e);
  }
  arena_destroy(a);
}

static void overflow_becomes_unknown(void **state) {
  arena *a = arena_create();
  symtab *t = symtab_create(a);
  (void)state;
  sym n = sym_var(t, ROLE_SIZE, "n"), big = sym_int(t, INT64_MAX);
  assert_false(sym_is_exact(t, sym_add(t, big, big)));
  assert_false(sym_is_exact(t, sym_mul(t, sym_mul(t, n, big), big)));
  assert_false(sym_is_exact(t, sym_fdiv(t, n, sym_int(t, 0))));
  assert_false(sym_is_exact(t, sym_neg(t, sym_int(t, INT64_MIN))));
  assert_true(sym_unknown(t) != sym_unknown(t));
  sym power = n;
  for (int i = 0; i < 30; i++)
    power = sym_mul(t, power, n);
  assert_false(sym_is_exact(t, power));
  arena_destroy(a);
}

static void walks_find_everything(void **state) {
  arena *a = arena_create();
  reader r = {.t = symtab_create(a)};
  sym out[16];
  (void)state;
  reader_declare(&r, "size n m; const B; program p; lane i");
  sym e = reader_read(&r, "min(p // B, n) + m*i");
  assert_int_equal(sym_variables(r.t, e, out, 16), 5);
  assert_int_equal(sym_atoms(r.t, e, out, 16), 7);
  assert_int_equal(sym_variables(r.t, e, out, 2), 5);
  assert_true(sym_mentions(r.t, e, reader_read(&r, "B")));
  assert_true(sym_mentions(r.t, e, reader_read(&r, "p // B")));
  assert_false(sym_mentions(r.t, e, reader_read(&r, "p // n")));
  assert_true(sym_mentions_role(r.t, e, ROLE_LANE));
  assert_false(sym_mentions_role(r.t, e, ROLE_TURN));
  assert_true(sym_is_exact(r.t, e));
  sym f = sym_apply(r.t, 3, &e, 1);
  assert_false(sym_is_exact(r.t, f));
  assert_true(f == sym_apply(r.t, 3, &e, 1));
  assert_true(f != sym_apply(r.t, 4, &e, 1));
  sym_name_fn(r.t, 3, "load_x");
  assert_string_equal(sym_text(r.t, f, a), "load_x(i*m + min(n, p//B))");
  arena_destroy(a);
}

static void structural_hashes_ignore_creation_order(void **state) {
  arena *a = arena_create();
  reader x = {.t = symtab_create(a)}, y = {.t = symtab_create(a)};
  (void)state;
  reader_declare(&x, "size n m; const B; program p");
  reader_declare(&y, "program p; const B; size m n");
  const char *text = "p*B + m // B < min(n, m*p) and n > 0";
  reader_read(&y, "n*n + 7");
  assert_true(sym_structural_hash(x.t, reader_read(&x, text)) ==
              sym_structural_hash(y.t, reader_read(&y, text)));
  arena_destroy(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normal_forms_keep_values),
      cmocka_unit_test(substitution_keeps_values),
      cmocka_unit_test(text_reads_back),
      cmocka_unit_test(division_is_exact),
      cmocka_unit_test(known_forms),
      cmocka_unit_test(printed_forms),
      cmocka_unit_test(overflow_becomes_unknown),
      cmocka_unit_test(walks_find_everything),
      cmocka_unit_test(structural_hashes_ignore_creation_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
