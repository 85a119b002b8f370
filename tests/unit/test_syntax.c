/* tests/unit/test_syntax.c: the syntax tree and what names mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parser/names.h"
#include "parser/params.h"

#include <stdlib.h>
#include <string.h>

static int set_up(void **state) {
  *state = arena_create();
  return 0;
}

static int tear_down(void **state) {
  arena_destroy(*state);
  return 0;
}

static syntax *parse(arena *a, const char *text) {
  return syntax_parse(a, source_from_text(a, "k.py", text, strlen(text)));
}

/* The first node of a kind in text order. */
static node find(const syntax *s, syn kind) {
  node root = syntax_root(s);
  for (node n = root; node_is(n); n = node_walk(root, n, true))
    if (syntax_kind(s, n) == kind)
      return n;
  return (node){.id = NULL};
}

/* --- the tree --- */

static void reads_nodes(void **state) {
  arena *a = *state;
  syntax *s = parse(a, "x = f(a, b=2)  # note\ny = 1\n");
  node call = find(s, SYN_call);
  assert_true(node_is(call));
  assert_string_equal(node_text(s, call, a), "f(a, b=2)");
  span at = node_span(s, call);
  assert_int_equal(at.line, 1);
  assert_int_equal(at.column, 5);
  assert_int_equal(at.end_line, 1);
  assert_int_equal(at.end_column, 14);
  node list = node_field(call, "arguments");
  assert_int_equal(node_count(list), 2);
  assert_int_equal(node_any_count(list), 5);
  assert_int_equal(syntax_kind(s, node_child(list, 1)), SYN_keyword_argument);
  assert_false(node_is(node_child(list, 2)));
  assert_true(node_same(node_parent(list), call));
  assert_true(node_text_is(s, node_field(call, "function"), "f"));
  assert_false(node_is(node_field(call, "nothing")));
  assert_false(node_is(node_parent(syntax_root(s))));
  assert_int_equal(node_height(find(s, SYN_integer)), 0);
  const comment *comments;
  assert_int_equal(syntax_comments(s, &comments), 1);
  assert_string_equal(comments[0].text, "# note");
  assert_false(comments[0].alone);
  syntax_destroy(s);
}

static void reads_operators(void **state) {
  arena *a = *state;
  syntax *s = parse(a, "p = a // b\nq = not x\nr = a < b is not c not in d\n"
                       "t += 1\nu = a and b\nv = -a\n");
  assert_string_equal(node_operator(s, find(s, SYN_binary_operator), a), "//");
  assert_string_equal(node_operator(s, find(s, SYN_not_operator), a), "not");
  assert_string_equal(node_operator(s, find(s, SYN_unary_operator), a), "-");
  assert_string_equal(node_operator(s, find(s, SYN_boolean_operator), a),
                      "and");
  assert_string_equal(node_operator(s, find(s, SYN_augmented_assignment), a),
                      "+=");
  node chain = find(s, SYN_comparison_operator);
  assert_string_equal(node_compare_operator(s, chain, 0, a), "<");
  assert_string_equal(node_compare_operator(s, chain, 1, a), "is not");
  assert_string_equal(node_compare_operator(s, chain, 2, a), "not in");
  syntax_destroy(s);
}

static void finds_errors(void **state) {
  arena *a = *state;
  span errors[4];
  syntax *good = parse(a, "def f(x):\n  return x\n");
  assert_int_equal(syntax_errors(good, errors, 4), 0);
  syntax_destroy(good);
  syntax *bad = parse(a, "x = 1\ny = = 2\n\ndef f(a):\n  return a\n");
  assert_true(syntax_errors(bad, errors, 4) >= 1);
  assert_int_equal(errors[0].line, 2);
  assert_true(node_is(find(bad, SYN_function_definition)));
  syntax_destroy(bad);
}

static void dumps(void **state) {
  arena *a = *state;
  syntax *s = parse(a, "x = 1\n");
  strbuf out = strbuf_make(a);
  syntax_dump(s, &out);
  assert_string_equal(out.text, "(module 1:1-1:7\n"
                                "  (expression_statement 1:1-1:6\n"
                                "    (assignment 1:1-1:6\n"
                                "      left: (identifier 1:1-1:2 \"x\")\n"
                                "      right: (integer 1:5-1:6 \"1\"))))\n");
  syntax_destroy(s);
}

static void survives_anything(void **state) {
  arena *a = *state;
  enum { DEPTH = 100000 };
  char *deep = malloc(2 * DEPTH + 16);
  assert_non_null(deep);
  memset(deep, '(', DEPTH);
  memset(deep + DEPTH, ')', DEPTH);
  syntax *s =
      syntax_parse(a, source_from_text(a, "k.py", deep, 2 * (size_t)DEPTH));
  strbuf out = strbuf_make(a);
  syntax_dump(s, &out);
  names_collect(a, s);
  syntax_destroy(s);
  uint32_t seed = 1;
  for (int i = 0; i < 2 * DEPTH; i++) {
    seed = seed * 1664525u + 1013904223u;
    deep[i] = (char)(seed >> 24);
  }
  s = syntax_parse(a, source_from_text(a, "k.py", deep, DEPTH));
  span errors[3];
  syntax_errors(s, errors, 3);
  names_collect(a, s);
  syntax_destroy(s);
  free(deep);
  static const char zeros[] = "x = 1\0\0y = 2\n\0";
  s = syntax_parse(a, source_from_text(a, "k.py", zeros, sizeof zeros));
  names_collect(a, s);
  syntax_destroy(s);
  s = parse(a, "");
  assert_int_equal(node_count(syntax_root(s)), 0);
  syntax_destroy(s);
}

/* --- names --- */

typedef struct file {
  syntax *syntax;
  file_names *names;
} file;

static file collect(arena *a, const char *text) {
  file f = {.syntax = parse(a, text)};
  f.names = names_collect(a, f.syntax);
  return f;
}

static bool is_jit(const file *f, const char *name) {
  const file_function *found = names_function(f->names, name);
  assert_non_null(found);
  return found->jit;
}

static void finds_kernels(void **state) {
  file f = collect(*state, "import triton\n"
                           "import triton.language as tl\n"
                           "from triton import jit\n"
                           "from triton import jit as j\n"
                           "import numba\n"
                           "import triton as tt\n"
                           "@triton.jit\ndef a(x): pass\n"
                           "@jit\ndef b(x): pass\n"
                           "@triton.jit(debug=True)\ndef c(x): pass\n"
                           "@my_jit\ndef d(x): pass\n"
                           "@triton.autotune(configs=[], key=['n'])\n"
                           "@triton.heuristics({'E': lambda k: 1})\n"
                           "@triton.jit\ndef e(x): pass\n"
                           "@numba.jit\ndef f(x): pass\n"
                           "def g(x): pass\n"
                           "h = triton.jit(g)\n"
                           "@j\ndef i(x): pass\n"
                           "@tt.jit\ndef k(x): pass\n"
                           "class C:\n  @staticmethod\n  @triton.jit\n"
                           "  def m(x): pass\n"
                           "def host():\n  @triton.jit\n  def inner(x): pass\n"
                           "if True:\n  @triton.jit\n  def n(x): pass\n");
  assert_true(is_jit(&f, "a"));
  assert_true(is_jit(&f, "b"));
  assert_true(is_jit(&f, "c"));
  assert_true(is_jit(&f, "d"));
  assert_true(is_jit(&f, "e"));
  assert_false(is_jit(&f, "f"));
  assert_true(is_jit(&f, "g"));
  assert_true(names_function(f.names, "h") == names_function(f.names, "g"));
  assert_true(is_jit(&f, "i"));
  assert_true(is_jit(&f, "k"));
  assert_true(is_jit(&f, "C.m"));
  assert_null(names_function(f.names, "m"));
  assert_true(is_jit(&f, "inner"));
  assert_true(names_function(f.names, "inner")->nested);
  assert_true(is_jit(&f, "n"));
  assert_true(node_is(names_function(f.names, "e")->autotune));
  assert_true(node_is(names_function(f.names, "e")->heuristics));
  syntax_destroy(f.syntax);
}

static void competing_functions(void **state) {
  file f = collect(*state, "if A:\n  def f(): pass\nelse:\n  def f(): pass\n"
                           "def g(): pass\ndef g(x): pass\n");
  assert_null(names_function(f.names, "f"));
  assert_non_null(names_function(f.names, "g"));
  syntax_destroy(f.syntax);
}

static const char *qualified(arena *a, const char *imports, const char *use) {
  file f = collect(a, arena_printf(a, "%s\nzzz = %s\n", imports, use));
  const char *full = names_qualified(f.names, names_constant(f.names, "zzz"));
  syntax_destroy(f.syntax);
  return full ? full : "";
}

static void qualifies(void **state) {
  arena *a = *state;
  assert_string_equal(qualified(a, "import triton.language as tl", "tl.load"),
                      "triton.language.load");
  assert_string_equal(qualified(a, "import triton.language as T", "T.math.exp"),
                      "triton.language.math.exp");
  assert_string_equal(
      qualified(a, "from triton.language import load as ld", "ld"),
      "triton.language.load");
  assert_string_equal(
      qualified(a, "from triton import language as tl", "tl.load"),
      "triton.language.load");
  assert_string_equal(qualified(a, "import triton", "triton.language.load"),
                      "triton.language.load");
  assert_string_equal(qualified(a, "from . import ops", "ops.f"), ".ops.f");
  assert_string_equal(qualified(a, "from .a.b import f", "f"), ".a.b.f");
  assert_string_equal(qualified(a, "", "tl.load"), "triton.language.load");
  assert_string_equal(
      qualified(a, "import triton.language as tl\nmyexp = tl.exp", "myexp"),
      "triton.language.exp");
  assert_string_equal(qualified(a,
                                "try:\n  from a.libdevice import exp\n"
                                "except ImportError:\n  from b import exp",
                                "exp"),
                      "a.libdevice.exp");
  assert_string_equal(
      qualified(a, "from a import f\nfrom b import g as f", "f"), "?.f");
}

static void finds_constants(void **state) {
  file f = collect(*state, "A = 1\nB = 2\nB = 3\nC: int = 4\nD, E = 5, 6\n"
                           "if x:\n  F = 7\nG = 0\ndef h():\n  global G\n"
                           "  G = 1\n  A = 2\nH = I = 8\nfor J in y: pass\n");
  assert_true(node_is(names_constant(f.names, "A")));
  assert_false(node_is(names_constant(f.names, "B")));
  assert_true(node_is(names_constant(f.names, "C")));
  assert_true(node_text_is(f.syntax, names_constant(f.names, "E"), "6"));
  assert_true(node_is(names_constant(f.names, "F")));
  assert_false(node_is(names_constant(f.names, "G")));
  assert_true(node_text_is(f.syntax, names_constant(f.names, "H"), "8"));
  assert_true(node_text_is(f.syntax, names_constant(f.names, "I"), "8"));
  assert_false(node_is(names_constant(f.names, "J")));
  assert_true(names_bound(f.names, "J"));
  syntax_destroy(f.syntax);
}

/* --- parameters --- */

static const param_guess *guess_of(const param_guess_vec *v, const char *name) {
  for (size_t i = 0; i < v->count; i++)
    if (strcmp(v->at[i].name, name) == 0)
      return &v->at[i];
  fail_msg("no parameter %s", name);
  return NULL;
}

static void guesses_parameters(void **state) {
  arena *a = *state;
  file f = collect(
      a, "import triton.language as tl\n"
         "@triton.jit\ndef helper(base, n, BLOCK: tl.constexpr):\n"
         "  o = tl.arange(0, BLOCK)\n"
         "  tl.store(base + o, 0.0, mask=o < n)\n"
         "@triton.jit\n"
         "def k(x, y, z, n, stride, eps, flag, c: tl.int64, q: '*fp16',\n"
         "      desc, ACT: tl.constexpr, BLOCK: tl.constexpr, BIAS,\n"
         "      mode: tl.constexpr = 3, *rest):\n"
         "  p = x\n"
         "  if flag:\n    p += stride * 4\n"
         "  offs = tl.arange(0, BLOCK) + n\n"
         "  v = tl.load(p + offs) / tl.sqrt(eps + 1.0)\n"
         "  helper(y + c, n, BLOCK)\n"
         "  tl.atomic_add(offs + z, v)\n"
         "  if ACT == 'relu' or ACT in ('gelu', 'silu'):\n    pass\n"
         "  if BIAS is not None:\n    v += tl.load(BIAS + offs)\n"
         "  if mode == 3:\n    desc.store([0], v)\n");
  param_guess_vec v = params_guess(a, f.names, names_function(f.names, "k"));
  assert_int_equal(v.count, 15);
  assert_int_equal(guess_of(&v, "x")->kind, PARAM_POINTER);
  assert_int_equal(guess_of(&v, "y")->kind, PARAM_POINTER);
  assert_int_equal(guess_of(&v, "z")->kind, PARAM_POINTER);
  assert_int_equal(guess_of(&v, "n")->kind, PARAM_INT);
  assert_true(guess_of(&v, "n")->integer_used);
  assert_int_equal(guess_of(&v, "stride")->kind, PARAM_INT);
  assert_int_equal(guess_of(&v, "eps")->kind, PARAM_FLOAT);
  assert_true(guess_of(&v, "flag")->truth_tested);
  assert_int_equal(guess_of(&v, "c")->kind, PARAM_INT);
  assert_int_equal(guess_of(&v, "c")->annotation, SC_I64);
  assert_int_equal(guess_of(&v, "q")->kind, PARAM_POINTER);
  assert_int_equal(guess_of(&v, "q")->annotation, SC_F16);
  assert_int_equal(guess_of(&v, "desc")->kind, PARAM_OPAQUE);
  assert_int_equal(guess_of(&v, "ACT")->kind, PARAM_CONST);
  assert_int_equal(guess_of(&v, "ACT")->string_count, 3);
  assert_string_equal(guess_of(&v, "ACT")->strings[1], "gelu");
  assert_true(guess_of(&v, "BLOCK")->spans_tile);
  assert_true(guess_of(&v, "BIAS")->none_tested);
  assert_int_equal(guess_of(&v, "BIAS")->kind, PARAM_POINTER);
  assert_int_equal(guess_of(&v, "mode")->integer_count, 1);
  assert_true(node_is(guess_of(&v, "mode")->default_value));
  assert_true(guess_of(&v, "rest")->variadic);
  syntax_destroy(f.syntax);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(reads_nodes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(reads_operators, set_up, tear_down),
      cmocka_unit_test_setup_teardown(finds_errors, set_up, tear_down),
      cmocka_unit_test_setup_teardown(dumps, set_up, tear_down),
      cmocka_unit_test_setup_teardown(survives_anything, set_up, tear_down),
      cmocka_unit_test_setup_teardown(finds_kernels, set_up, tear_down),
      cmocka_unit_test_setup_teardown(competing_functions, set_up, tear_down),
      cmocka_unit_test_setup_teardown(qualifies, set_up, tear_down),
      cmocka_unit_test_setup_teardown(finds_constants, set_up, tear_down),
      cmocka_unit_test_setup_teardown(guesses_parameters, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
