/* tests/unit/test_lower.c: Python kernels to tile programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unlaunched.h"

#define HEAD "import triton\nimport triton.language as tl\n"
/* A kernel of x, y (pointers), n, m (integers) and BLOCK; line 5 is the first
 * of its body. */
#define KERNEL(body)                                                           \
  HEAD "@triton.jit\n"                                                         \
       "def k(x, y, n, m, BLOCK: tl.constexpr):\n" body

static int set_up(void **state) {
  *state = arena_create();
  return 0;
}

static int tear_down(void **state) {
  arena_destroy(*state);
  return 0;
}

static const char *const default_rows[] = {"x=*f32", "y=*f32", "n=int",
                                           "m=int"};

/* Lowers; the program has to be well-formed and has to survive printing and
 * reading. */
static lowered lower_rows(arena *a, const char *text, const char *const *rows,
                          size_t count) {
  lowered out =
      lower_text_of(a, text, strlen(text), NULL, (lower_setup){rows, count});
  assert_non_null(out.program);
  if (out.wrong)
    fail_msg("%s in\n%s", out.wrong, out.text);
  read_error error;
  tile_program *again = program_read(a, out.text, strlen(out.text), &error);
  if (!again)
    fail_msg("%u:%u: %s in\n%s", error.line, error.column, error.message,
             out.text);
  strbuf b = strbuf_make(a);
  program_print(again, &b);
  assert_string_equal(b.text, out.text);
  return out;
}

static lowered lower_quiet(arena *a, const char *text, const char *const *rows,
                           size_t count) {
  lowered out = lower_rows(a, text, rows, count);
  if (out.notices.count)
    fail_msg("%u: %s in\n%s", out.notices.at[0].at.line,
             out.notices.at[0].message, out.text);
  return out;
}

/* Pattern: `%` followed by nothing stands for any value `%12 name`; a space
 * for any blanks. True when it matches at text. */
static bool matches_at(const char *text, const char *pattern) {
  for (; *pattern; pattern++) {
    if (*text != *pattern)
      return false;
    text++;
    if (*pattern == '%')
      while (*text >= '0' && *text <= '9')
        text++;
  }
  return true;
}

static bool contains(const char *text, const char *pattern) {
  for (; *text; text++)
    if (matches_at(text, pattern))
      return true;
  return false;
}

static unsigned occurrences(const char *text, const char *pattern) {
  unsigned n = 0;
  for (; *text; text++)
    n += matches_at(text, pattern);
  return n;
}

static void expect(const lowered *r, const char *pattern) {
  if (!contains(r->text, pattern))
    fail_msg("no \"%s\" in\n%s", pattern, r->text);
}

static void expect_not(const lowered *r, const char *pattern) {
  if (contains(r->text, pattern))
    fail_msg("\"%s\" in\n%s", pattern, r->text);
}

/* A body of the standard kernel whose lowering has to contain patterns. */
static void body_with(arena *a, const char *body, const char *const *rows,
                      size_t count, const char *const *patterns) {
  const char *text = arena_printf(a, KERNEL("%s"), body);
  lowered r = lower_quiet(a, text, rows, count);
  for (; *patterns; patterns++)
    expect(&r, *patterns);
}

#define BODY(body, ...)                                                        \
  body_with(*state, body, default_rows, 4,                                     \
            (const char *const[]){__VA_ARGS__, NULL})

#define OFFS "  o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"

/* --- the plainest kernel --- */

static void vector_add(void **state) {
  lowered r = lower_quiet(*state,
                          KERNEL("  pid = tl.program_id(axis=0)\n"
                                 "  offs = pid * BLOCK + tl.arange(0, BLOCK)\n"
                                 "  mask = offs < n\n"
                                 "  v = tl.load(x + offs, mask=mask)\n"
                                 "  tl.store(y + offs, v + 1.0, mask=mask)\n"),
                          default_rows, 4);
  expect(&r, "% pid : i32 = program_id [0] @5:9-5:30");
  expect(&r, ": i32 = const [BLOCK] @6:10-6:21");
  expect(&r, "arange [0, BLOCK]");
  expect(&r, "% offs : tile<BLOCK x i32> = add %, %");
  expect(&r, ": tile<BLOCK x i32^n> = cast %");
  expect(&r, "% mask : tile<BLOCK x bool> = lt %, %");
  expect(&r, ": tile<BLOCK x ptr<f32>> = ptr_add %, %");
  expect(&r, "% v : tile<BLOCK x f32> = load %, %, _");
  expect(&r, ": f32 = const 1.0");
  expect(&r, "store %, %, %");
}

/* --- types --- */

static void literals(void **state) {
  BODY("  a = 7\n  b = 2147483647\n  c = 2147483648\n  d = 4294967296\n"
       "  e = -2147483648\n  f = 0x10\n  g = 1_000\n  h = 1.5\n  i = 1e300\n"
       "  j = True\n",
       "% a : i32 = const [7]", "% b : i32 = const [2147483647]",
       "% c : u32 = const [2147483648]", "% d : i64 = const [4294967296]",
       "% e : i32 = const [-2147483648]", "% f : i32 = const [16]",
       "% g : i32 = const [1000]", "% h : f32 = const 1.5", "% i : f64 = const",
       "% j : bool = const [1]");
}

static void numbers_take_the_tensors_type(void **state) {
  static const char *const rows[] = {"x=*f16", "y=*i64", "n=u8", "m=int"};
  const char *const patterns[] = {": f16 = const 2.0",
                                  "% b : tile<BLOCK x f16> = mul %, %",
                                  ": i64 = const [3]",
                                  "% d : tile<BLOCK x i64> = add %, %",
                                  "% e : tile<BLOCK x f32> = mul %, %",
                                  ": u8 = const [5]",
                                  "% g : i32 = add %, %",
                                  NULL};
  body_with(*state,
            OFFS "  a = tl.load(x + o)\n  b = a * 2.0\n"
                 "  c = tl.load(y + o)\n  d = c + 3\n  e = c * 0.5\n"
                 "  f = n + 5\n  g = (n < 5) + 1\n",
            rows, sizeof rows / sizeof *rows, patterns);
}

static void promotion(void **state) {
  static const char *const rows[] = {"x=*i8", "y=*u32", "n=int", "m=int"};
  const char *const patterns[] = {
      "% c : tile<BLOCK x u32> = add %, %", /* i8 and u32: unsigned wins */
      "% d : tile<BLOCK x i32> = add %, %", /* i8 and i32 */
      "% e : tile<BLOCK x u32> = mul %, %", /* i32 and u32 */
      "% f : tile<BLOCK x i64> = add %, %", /* u32 and i64 */
      "% g : i32^n^m = add %, %",           /* by the values of both */
      "% h : tile<BLOCK x i32^n> = add %, %",
      "% i : i64 = mul %, %",
      "% p : tile<BLOCK x i8> = add %, %", /* bool and i8: unsigned but
                                              narrower */
      NULL};
  body_with(*state,
            OFFS "  a = tl.load(x + o)\n  b = tl.load(y + o)\n"
                 "  c = a + b\n  d = a + o\n  e = o * b\n"
                 "  f = b + o.to(tl.int64)\n  g = n + m\n  h = o + n\n"
                 "  i = n * tl.program_id(1).to(tl.int64)\n"
                 "  p = (o < 3) + a\n",
            rows, sizeof rows / sizeof *rows, patterns);
}

static void halves(void **state) {
  static const char *const rows[] = {"x=*f16", "y=*bf16", "n=int", "m=int"};
  const char *const patterns[] = {"% c : tile<BLOCK x f16> = add",
                                  "% d : tile<BLOCK x bf16> = add",
                                  "% e : tile<BLOCK x f32> = div",
                                  "% f : tile<BLOCK x f32> = div",
                                  "% g : tile<BLOCK x f32> = max",
                                  "% h : tile<BLOCK x f16> = max",
                                  NULL};
  body_with(*state,
            OFFS "  a = tl.load(x + o)\n  b = tl.load(y + o)\n"
                 "  c = a + b\n  d = b + b\n  e = a / 2.0\n  f = b / b\n"
                 "  g = tl.maximum(b, 0.0)\n  h = tl.maximum(a, 0.0)\n",
            rows, sizeof rows / sizeof *rows, patterns);
}

static void divisions(void **state) {
  BODY(OFFS "  a = o // 3\n  b = o % m\n  c = n // BLOCK\n  d = o / n\n"
            "  e = tl.load(x + o) % 2.0\n  f = BLOCK // 3 + n\n"
            "  g = (0 - 7) // 2\n  h = (0 - 7) % 3\n  i = 7 / 2\n"
            "  z = BLOCK * 2\n  j = z // 3\n",
       "% a : tile<BLOCK x i32> = idiv %, %",
       "% b : tile<BLOCK x i32^m> = irem %, %", "% c : i32^n = idiv %, %",
       "% d : tile<BLOCK x f32> = div %, %",
       "% e : tile<BLOCK x f32> = irem %, %", "const [BLOCK // 3]",
       "% g : i32 = const [-4]", "% h : i32 = const [2]",
       "% i : f32 = const 3.5", "% j : i32 = idiv %, %");
}

static void bits(void **state) {
  BODY(OFFS "  a = o << 2\n  b = o >> 1\n  c = (o < n) & (o > 3)\n  d = ~c\n"
            "  e = o ^ 5\n  f = o | 1\n  g = -o\n  h = not (n < m)\n",
       "% a : tile<BLOCK x i32> = shl", "% b : tile<BLOCK x i32> = shr",
       "% c : tile<BLOCK x bool> = and", "% d : tile<BLOCK x bool> = not",
       "% e : tile<BLOCK x i32> = xor", "% f : tile<BLOCK x i32> = or",
       "% g : tile<BLOCK x i32> = neg", "% h : bool = not");
}

static void booleans_without_short_circuit(void **state) {
  BODY("  a = n < 3 and tl.load(x) > 0.0\n  b = n < 3 or m > 4\n"
       "  c = BLOCK is None and tl.load(y) > 0.0\n"
       "  d = n and m\n",
       "% a : bool = and %, %", "% b : bool = or %, %",
       "% c : bool = const [0]", ": bool = cast %", "% d : bool = and");
  lowered r =
      lower_quiet(*state, KERNEL("  c = BLOCK is None and tl.load(y) > 0.0\n"),
                  default_rows, 4);
  expect_not(&r, "load");
}

static void casts(void **state) {
  BODY(OFFS
       "  a = o.to(tl.int64)\n  b = (o < 3).to(tl.int32)\n"
       "  c = o.to(tl.int1)\n  d = n.to(tl.int64)\n"
       "  e = n.to(tl.int32)\n  f = tl.cast(o, tl.float16)\n"
       "  g = o.to(tl.float32, bitcast=True)\n  h = o.to(x.dtype.element_ty)\n"
       "  i = o.to(tl.int32)\n  j = tl.load(x + i)\n  p = tl.uint8(n)\n",
       "% a : tile<BLOCK x i64> = cast", "% b : tile<BLOCK x i32> = cast",
       "% c : tile<BLOCK x bool> = cast", "% d : i64 = cast",
       "% e : i32 = cast", "% f : tile<BLOCK x f16> = cast",
       "% g : tile<BLOCK x f32> = bitcast", "% h : tile<BLOCK x f32> = cast",
       "% p : u8 = cast");
}

static void pointers(void **state) {
  static const char *const rows[] = {"x=*f32", "y=*u32", "n=int", "m=int"};
  const char *const patterns[] = {"% a : ptr<f32> = ptr_add",
                                  ": i64 = const [3*BLOCK]",
                                  "% b : ptr<f32> = ptr_add",
                                  ": i32^n = neg",
                                  "% d : tile<BLOCK x ptr<f32>> = ptr_add",
                                  ": tile<BLOCK x i64> = cast",
                                  NULL};
  body_with(*state,
            OFFS "  a = x + BLOCK * 3\n  b = x - n\n  c = tl.load(y + o)\n"
                 "  d = c + x\n  tl.store(d, 0)\n",
            rows, sizeof rows / sizeof *rows, patterns);
}

/* --- shapes --- */

static void broadcasting(void **state) {
  BODY("  r = tl.arange(0, BLOCK)\n  c = tl.arange(0, 16)\n"
       "  a = r[:, None] * m + c[None, :]\n"
       "  b = a + c\n  d = tl.arange(0, 8)[:, None, None] + a\n"
       "  e = r[None]\n  f = a[None, :, :]\n  g = a[..., None]\n",
       "expand_dims", ": tile<BLOCK x 1 x i32> = expand_dims",
       ": tile<1 x 16 x i32> = expand_dims",
       "% a : tile<BLOCK x 16 x i32^m> = add",
       "% b : tile<BLOCK x 16 x i32^m> = add",
       ": tile<1 x BLOCK x 16 x i32^m> = expand_dims",
       "% d : tile<8 x BLOCK x 16 x i32^m> = add",
       "% e : tile<1 x BLOCK x i32> = expand_dims",
       "% g : tile<BLOCK x 16 x 1 x i32^m> = expand_dims");
}

static void rearrangements(void **state) {
  BODY("  r = tl.arange(0, BLOCK)\n  a = tl.join(r, n)\n"
       "  b, c = tl.split(a)\n  d = tl.interleave(r, r)\n"
       "  e = tl.flip(a, 0)\n  f = tl.sort(r, descending=True)\n"
       "  g = tl.gather(a, a, axis=1)\n"
       "  h = tl.histogram(r, 16, mask=r < n)\n",
       "% a : tile<BLOCK x 2 x i32^n> = join %, %",
       "% b : tile<BLOCK x i32^n> = split % [0]",
       "% c : tile<BLOCK x i32^n> = split % [1]",
       "% d : tile<2*BLOCK x i32> = reshape %",
       "% e : tile<BLOCK x 2 x i32^n> = flip % [0]",
       "% f : tile<BLOCK x i32> = sort % [0, 1]",
       "% g : tile<BLOCK x 2 x i32^n> = gather %, % [1]",
       "% h : tile<16 x i32> = histogram %, %");
}

static void shape_functions(void **state) {
  BODY("  r = tl.arange(0, BLOCK)\n  c = tl.arange(0, 16)\n"
       "  a = r[:, None] + c[None, :]\n  b = tl.trans(a)\n  d = a.T\n"
       "  e = tl.reshape(a, (BLOCK * 16,))\n  f = a.reshape(16, BLOCK)\n"
       "  g = tl.broadcast_to(r[:, None], (BLOCK, 4))\n"
       "  h = tl.expand_dims(r, 1)\n  i = a.permute(1, 0)\n"
       "  j = tl.zeros((BLOCK, 4), dtype=tl.float16)\n"
       "  p = tl.full([BLOCK], 3, tl.int64)\n  q = tl.zeros_like(a)\n"
       "  s = tl.full((), 2.5, tl.float32)\n  t = a.shape[1] * 2 + n\n",
       "% b : tile<16 x BLOCK x i32> = trans % [1, 0]",
       "% d : tile<16 x BLOCK x i32> = trans % [1, 0]",
       "% e : tile<16*BLOCK x i32> = reshape",
       "% f : tile<16 x BLOCK x i32> = reshape",
       "% g : tile<BLOCK x 4 x i32> = broadcast",
       "% h : tile<BLOCK x 1 x i32> = expand_dims",
       "% i : tile<16 x BLOCK x i32> = trans",
       "% j : tile<BLOCK x 4 x f16> = splat", ": i64 = const [3]",
       "% p : tile<BLOCK x i64> = splat",
       "% q : tile<BLOCK x 16 x i32> = splat", "% s : f32 = const 2.5",
       ": i32^n = const [32]");
}

static void equal_extents(void **state) {
  BODY("  a = tl.arange(0, BLOCK // 2)\n  b = tl.arange(BLOCK // 2, BLOCK)\n"
       "  c = a + b\n",
       "% c : tile<BLOCK // 2 x i32> = add");
}

/* --- memory --- */

static void loads_and_stores(void **state) {
  static const char *const rows[] = {"x=*f16", "y=*bool", "n=int", "m=int"};
  const char *const patterns[] = {
      "% a : tile<BLOCK x f16> = load %, %, %",
      ": f16 = const 0.0",
      "% b : tile<BLOCK x f16> = load %, _, _",
      "% c : tile<BLOCK x f16> = load %, _, _",
      "% d : f16 = load %, _, _",
      "% e : tile<BLOCK x 4 x f16> = load %, %, _", /* the mask enlarges */
      "% f : tile<BLOCK x bool> = load",
      ": f16 = cast",
      ": bool = const [1]",
      "store %, %, _",
      NULL};
  body_with(*state,
            OFFS
            "  a = tl.load(x + o, mask=o < n, other=0.0)\n"
            "  b = tl.load(x + o, None)\n  c = tl.load(x + o, mask=True)\n"
            "  d = tl.load(x)\n"
            "  e = tl.load(x + o[:, None], mask=tl.arange(0, 4)[None, :] < n)\n"
            "  f = tl.load(y + o)\n  tl.store(x + o, n * 0.5)\n"
            "  tl.store(y + o, 1)\n"
            "  tl.store(x + o, a, mask=o < n, cache_modifier='.cg')\n",
            rows, sizeof rows / sizeof *rows, patterns);
}

static void atomics(void **state) {
  BODY(OFFS "  a = tl.atomic_add(x + o, 1.0, mask=o < n, sem='relaxed')\n"
            "  tl.atomic_max(y, 2.0)\n  tl.atomic_xchg(y, 3.0)\n"
            "  b = tl.atomic_cas(y, 0, 1.0)\n",
       "% b : f32 = atomic_cas %, %, _, %",
       "% a : tile<BLOCK x f32> = atomic_add %, %, %", "atomic_max %, %, _",
       "atomic_xchg %, %, _");
}

/* --- reductions --- */

static void reductions(void **state) {
  static const char *const rows[] = {"x=*f16", "y=*i8", "n=int", "m=int"};
  const char *const patterns[] = {
      "% c : tile<4 x f16> = reduce_sum % [0]",
      "% d : tile<BLOCK x f32> = reduce_max % [1]", /* f16 widens */
      "reduce_sum % [1]",
      "% e : f16 = reduce_sum % [0]",
      "% f : tile<BLOCK x 1 x f16> = expand_dims",
      ": tile<BLOCK x i32> = cast",
      "% h : i32 = reduce_sum",
      ": tile<BLOCK x u32> = cast",
      "% i : u32 = reduce_sum",
      "% j : i32 = reduce_min",
      "% p : tile<BLOCK x i32> = argmax % [1]",
      "% q : tile<BLOCK x f16> = reduce_max",
      "% s : tile<BLOCK x i32> = argmax",
      "% t : tile<BLOCK x 4 x f16> = cumsum % [1, 1]",
      "% u : i32 = reduce_xor",
      NULL};
  body_with(*state,
            OFFS
            "  a = tl.load(x + o[:, None] + tl.arange(0, 4)[None, :])\n"
            "  b = tl.load(y + o)\n"
            "  c = tl.sum(a, axis=0)\n  d = tl.max(a, 1)\n"
            "  e = tl.sum(a)\n  f = tl.sum(a, 1, keep_dims=True)\n"
            "  h = tl.sum(b, 0)\n  i = tl.sum(o < n)\n  j = tl.min(b)\n"
            "  p = tl.argmax(a, axis=-1)\n"
            "  q, s = tl.max(a, 1, return_indices=True)\n"
            "  t = tl.cumsum(a, 1, reverse=True)\n  u = tl.xor_sum(o, 0)\n",
            rows, sizeof rows / sizeof *rows, patterns);
}

static void dots(void **state) {
  static const char *const rows[] = {"x=*f16", "y=*i8", "n=int", "m=int"};
  const char *const patterns[] = {
      "% c : tile<BLOCK x BLOCK x f32> = dot %, %, _",
      "% d : tile<BLOCK x BLOCK x f32> = dot %, %, %",
      "% e : tile<BLOCK x BLOCK x i32> = dot",
      "% f : tile<BLOCK x BLOCK x f16> = dot", NULL};
  body_with(*state,
            OFFS
            "  i = o[:, None] + tl.arange(0, BLOCK)[None, :]\n"
            "  a = tl.load(x + i)\n  b = tl.load(y + i)\n"
            "  c = tl.dot(a, tl.trans(a), allow_tf32=False)\n"
            "  d = tl.dot(a, a, c, out_dtype=tl.float32)\n  e = tl.dot(b, b)\n"
            "  f = tl.dot(a, a, out_dtype=tl.float16)\n",
            rows, sizeof rows / sizeof *rows, patterns);
}

static void elementwise(void **state) {
  BODY(OFFS "  a = tl.load(x + o)\n  b = tl.exp(a)\n  c = tl.math.exp2(a)\n"
            "  d = tl.where(a > 0, a, 0.0)\n  e = tl.where(o < n, 1, 0)\n"
            "  f = tl.minimum(o, n)\n  g = min(n, m)\n  h = max(n, 3)\n"
            "  i = tl.abs(a)\n  j = tl.sigmoid(a)\n  p = a.sum(0)\n"
            "  q = tl.fma(a, a, a)\n  r = tl.clamp(a, 0.0, 1.0)\n"
            "  s = tl.sqrt(n)\n  t = abs(0 - 3)\n  u = tl.cdiv(n, BLOCK)\n"
            "  v = tl.cdiv(BLOCK, 16)\n  w = triton.next_power_of_2(5)\n",
       "% b : tile<BLOCK x f32> = exp %", "% c : tile<BLOCK x f32> = exp2",
       "% d : tile<BLOCK x f32> = where %, %, %",
       "% e : tile<BLOCK x i32> = where", "% f : tile<BLOCK x i32^n> = min",
       "% g : i32^n^m = min", "% h : i32^n = max",
       "% i : tile<BLOCK x f32> = abs", "= sigmoid", "% p : f32 = reduce_sum",
       "= fma %, %, %", "% s : f32 = sqrt", "% t : i32 = const [3]",
       ": i32^n = const [BLOCK - 1]", "% u : i32^n = idiv",
       "% v : i32 = const [cdiv(BLOCK, 16)]", "% w : i32 = const [8]");
}

/* --- compile time --- */

static void folded_branches(void **state) {
  static const char *const rows[] = {"x=*f16", "y=none", "BLOCK=64", "n=int",
                                     "m=int"};
  const char *const patterns[] = {": i32 = const [11]", ": i32 = const [21]",
                                  ": i32 = const [31]", ": i32 = const [41]",
                                  ": i32 = const [51]", NULL};
  const char *body =
      "  if y is None:\n    a = 11\n  else:\n    a = tl.load(y)\n"
      "  if x.dtype.element_ty == tl.float16:\n    b = 21\n"
      "  elif BLOCK > 3:\n    b = 22\n  else:\n    b = 23\n"
      "  if BLOCK > 64 or not BLOCK % 2 == 0:\n    c = 32\n"
      "  else:\n    c = 31\n"
      "  d = 41 if y is None else tl.load(y)\n"
      "  if BLOCK in (32, 64) and 'a' != 'b':\n    e = 51\n"
      "  else:\n    e = 52\n";
  body_with(*state, body, rows, sizeof rows / sizeof *rows, patterns);
  lowered r = lower_quiet(*state, arena_printf(*state, KERNEL("%s"), body),
                          rows, sizeof rows / sizeof *rows);
  expect_not(&r, "= if");
  expect_not(&r, "if %");
  expect_not(&r, "load");
}

static void strings_and_constants(void **state) {
  static const char *const rows[] = {"x=*f32", "ACT='relu'", "FLAG=false"};
  lowered r = lower_quiet(
      *state,
      HEAD "N = tl.constexpr(4)\nK = N * 2\nT = tl.float16\nP = 10\n"
           "@triton.jit\n"
           "def k(x, ACT: tl.constexpr, FLAG: tl.constexpr):\n"
           "  o = tl.arange(0, K)\n  v = tl.zeros([K], T)\n"
           "  if ACT == 'relu':\n    v += 1.0\n"
           "  if ACT == 'gelu' or FLAG:\n    v += 2.0\n"
           "  B: tl.constexpr = P + 6\n  w = tl.zeros([B], T)\n"
           "  tl.static_assert(B == 16, 'B')\n  assert K == 8\n"
           "  tl.static_print(B)\n  print('x', B)\n  tl.device_print('v', v)\n"
           "  tl.store(x + o, v)\n",
      rows, sizeof rows / sizeof *rows);
  expect(&r, "arange [0, 8]");
  expect(&r, ": f16 = const 1.0");
  expect_not(&r, "const 2.0");
  expect(&r, "% w : tile<16 x f16> = splat");
}

static void asserts_are_facts(void **state) {
  lowered r =
      lower_quiet(*state,
                  KERNEL("  tl.static_assert(BLOCK % 16 == 0)\n"
                         "  tl.device_assert(n > 0, 'n')\n  assert n < m\n"
                         "  tl.assume(n > 2)\n  a = tl.multiple_of(n, 16)\n"),
                  default_rows, 4);
  assert_int_equal(r.program->facts.count, 1);
  expect(&r, "assert %");
  expect(&r, "assume %");
  assert_int_equal(occurrences(r.text, "  assert %"), 2);
  expect(&r, "% a : i32^n = hint");
}

static void pins_decide(void **state) {
  arena *a = *state;
  const char *text = KERNEL("  if BLOCK >= 64:\n    v = 1\n  else:\n"
                            "    v = 2\n  tl.store(x, v)\n");
  lowered free_ = lower_quiet(a, text, default_rows, 4);
  expect(&free_, "if %");
  assert_int_equal(free_.program->decided.count, 0);
  source *s = source_from_text(a, "k.py", text, strlen(text));
  syntax *tree = syntax_parse(a, s);
  file_names *names = names_collect(a, tree);
  const file_function *f = names_function(names, "k");
  tile_program *p = program_create(a, "k.py", "k");
  param_guess_vec guesses = params_guess(a, names, f);
  binding bindings[5];
  notice_vec notices = {0};
  for (size_t i = 0; i < 5; i++)
    add_param(p, &guesses.at[i], &bindings[i], i == 0 ? "*f32" : NULL);
  symbol *block = exprs_symbol_at(p->exprs, exprs_symbol_count(p->exprs) - 1);
  block->pinned = true;
  block->pin = 128;
  lower_kernel(p, names, f->definition, bindings, 5, a, &notices);
  assert_null(program_verify(p, a));
  assert_int_equal(notices.count, 0);
  assert_int_equal(p->decided.count, 1);
  assert_int_equal(p->decided.at[0], exprs_find(p->exprs, "BLOCK"));
  syntax_destroy(tree);
}

static void tuples(void **state) {
  BODY("  a, b = n, m\n  a, b = b, a\n  t = (a, (b, 3), None)\n"
       "  c = t[0] + t[1][1]\n  (d, e), f = t[1], t[-1]\n"
       "  g = h = n + 1\n  s = (BLOCK, 4)\n  z = tl.zeros(s + (2,), tl.int32)\n"
       "  p: tl.int32 = 4\n  q = len(t) + n\n",
       "% c : i32^m = add", ": tile<BLOCK x 4 x 2 x i32> = splat",
       ": i32^n = const [3]");
}

/* --- branches --- */

static void run_time_if(void **state) {
  BODY("  a = 1\n  b = n\n  if n > m:\n    a = 2\n    c = n + 1\n"
       "  else:\n    c = m\n  tl.store(x + a, c)\n",
       "if %", "yield %, %", "% a : i32, % c : i32^n^m = if %");
}

static void elif_and_nested(void **state) {
  BODY("  a = 0\n  if n > 1:\n    a = 1\n  elif n > 2:\n    a = 2\n"
       "  elif n > 3:\n    if m > 1:\n      a = 3\n  tl.store(x + a, 0.0)\n",
       "if %");
}

static void early_return(void **state) {
  lowered r = lower_quiet(*state,
                          KERNEL("  if n > m:\n    return\n"
                                 "  if m > 3:\n    tl.store(x, 1.0)\n"
                                 "    return\n"
                                 "  else:\n    tl.store(x, 2.0)\n"
                                 "  tl.store(y, 3.0)\n  return\n"
                                 "  tl.store(y, 4.0)\n"),
                          default_rows, 4);
  assert_int_equal(occurrences(r.text, "store %"), 3);
  expect_not(&r, "const 4.0");
}

static void ternaries(void **state) {
  lowered r =
      lower_quiet(*state,
                  KERNEL("  a = n if n > m else m\n"
                         "  b = tl.load(x) if n > 0 else 0.0\n"
                         "  c = tl.arange(0, 16 if BLOCK > 3 else 8)\n"),
                  default_rows, 4);
  expect(&r, ": i32^n^m = if %");
  expect(&r, "load %");
  expect(&r, "% b : f32 = if %");
  expect(&r, "arange [0, 16 if ");
}

/* --- loops --- */

static void for_loops(void **state) {
  BODY("  acc = tl.zeros([BLOCK], tl.float32)\n  p = x + tl.arange(0, BLOCK)\n"
       "  k = 0\n"
       "  for i in range(0, n, BLOCK):\n    local = tl.load(p)\n"
       "    acc += local\n    p += BLOCK\n    k = k + m\n"
       "  tl.store(y + tl.arange(0, BLOCK), acc + k)\n",
       "for % i : i32^n = % to % step % carry", "acc : tile<BLOCK x f32>",
       "p : tile<BLOCK x ptr<f32>>", "k : i32^m", "yield %, %, %");
}

static void loop_bounds(void **state) {
  BODY("  s = 0\n  for i in range(n):\n    s += i\n"
       "  for i in tl.range(n, 0, -1, num_stages=2):\n    s += i\n"
       "  for i in range(tl.program_id(0), m, tl.num_programs(0)):\n"
       "    tl.store(x + i, 0.0)\n"
       "  for i in range(BLOCK // 2):\n    for j in range(i):\n"
       "      tl.store(x + j, s)\n",
       ": i32^n = const [-1]", ": i32^n = const [0]",
       "for % i : i32^m = % to % step %", "for % j : i32 = %",
       "const [BLOCK // 2]");
}

/* A negative step that is no plain number: counted upwards, as Triton does. */
static void turned_loops(void **state) {
  BODY("  for i in range(n, 0, -BLOCK):\n    tl.store(x + i, 0.0)\n",
       "const [BLOCK]", ": i32^n = sub %, %", ": i32^n = add %, %",
       "for % : i32^n = % to % step %");
}

/* What no turn changes is not carried. */
static void nothing_to_carry(void **state) {
  lowered r = lower_quiet(*state,
                          KERNEL("  a = n\n  for i in range(m):\n"
                                 "    if BLOCK is None:\n      a = 3\n"
                                 "    b = i\n    tl.store(x + b, 0.0)\n"
                                 "  tl.store(x + a, 0.0)\n"),
                          default_rows, 4);
  expect(&r, "carry ()");
}

static void static_ranges(void **state) {
  lowered r = lower_quiet(
      *state,
      KERNEL("  a = n\n  for i in tl.static_range(3):\n"
             "    if i == 1:\n      a += 10\n    else:\n      a += 20\n"
             "  for j in tl.static_range(0, 8):\n    tl.store(x + j, 0.0)\n"
             "  for q in tl.static_range(BLOCK):\n    tl.store(y + q, 0.0)\n"),
      default_rows, 4);
  assert_int_equal(occurrences(r.text, "const [10]"), 1);
  assert_int_equal(occurrences(r.text, "const [20]"), 2);
  assert_int_equal(occurrences(r.text, "for % j"), 1);
  assert_int_equal(occurrences(r.text, "for % q"), 1);
}

static void while_loops(void **state) {
  BODY("  i = 0\n  s = n\n  while s > 1:\n    s = s // 2\n    i += 1\n"
       "  tl.store(x + i, 0.0)\n",
       "= while (", "s : i32^n", "i : i32", "% : bool = gt");
}

static void nested_pointers(void **state) {
  BODY("  p = x\n  for i in range(n):\n    q = p\n    for j in range(m):\n"
       "      tl.store(q, 0.0)\n      q += 1\n    p += m\n",
       "q : ptr<f32>", "p : ptr<f32>");
}

/* --- helpers --- */

static void inlining(void **state) {
  lowered r =
      lower_quiet(*state,
                  HEAD "@triton.jit\n"
                       "def k(x, n, BLOCK: tl.constexpr):\n"
                       "  o = offsets(0, B=BLOCK)\n"
                       "  a, b = two(n)\n"
                       "  put(x, o, o < a, b)\n"
                       "  put(x, o, None)\n"
                       "@triton.jit\ndef two(v, w=2):\n  return v + w, v * 3\n"
                       "@triton.jit\ndef offsets(axis, B: tl.constexpr):\n"
                       "  return tl.program_id(axis) * B + tl.arange(0, B)\n"
                       "def put(p, o, mask, v=1.0):\n"
                       "  if mask is None:\n    return\n"
                       "  if o is None:\n    return 1\n"
                       "  tl.store(p + o, v, mask)\n",
                  default_rows, 4);
  assert_int_equal(r.program->calls.count, 5);
  assert_string_equal(r.program->calls.at[1].callee, "offsets");
  assert_int_equal(r.program->calls.at[1].at.line, 5);
  expect(&r, "arange [0, BLOCK]");
  assert_int_equal(occurrences(r.text, "store %"), 1);
}

static void returns_in_helpers(void **state) {
  lowered r = lower_quiet(*state,
                          HEAD "@triton.jit\ndef k(x, n):\n"
                               "  tl.store(x + pick(n, 3), 0.0)\n"
                               "@triton.jit\ndef pick(a, b):\n"
                               "  if a > b:\n    return a\n"
                               "  elif a > 2:\n    return a + 1\n"
                               "  c = a * b\n  return c\n",
                          default_rows, 4);
  assert_int_equal(occurrences(r.text, "if %"), 2);
  expect(&r, ": i32^n = if %");
}

static void spellings(void **state) {
  lowered r = lower_quiet(
      *state,
      "import triton\nimport triton.language as T\n"
      "from triton.language import load, store as put\n"
      "from triton.language.extra import libdevice\n"
      "from triton.language.math import rsqrt\n"
      "@triton.jit\ndef k(x, y):\n"
      "  a = load(x)\n  b = T.exp(a)\n  c = libdevice.fast_expf(b)\n"
      "  d = rsqrt(c)\n  e = T.math.log(d)\n  f = libdevice.erfinv(e)\n"
      "  put(y, f)\n  g = T.standard.sigmoid(a)\n",
      default_rows, 4);
  assert_int_equal(occurrences(r.text, "= exp %"), 2);
  expect(&r, "= rsqrt %");
  expect(&r, "= log %");
  expect(&r, "opaque");
  expect(&r, "store %");
}

/* --- blocks --- */

static void block_pointers(void **state) {
  lowered r = lower_rows(
      *state,
      KERNEL("  p = tl.make_block_ptr(x, (n, 4), (4, 1), (n, 0), (BLOCK, 4), "
             "(1, 0))\n"
             "  p = tl.advance(p, (1, 0))\n"
             "  a = tl.load(p, boundary_check=(0,), padding_option='zero')\n"
             "  tl.store(p, a, boundary_check=(0, 1))\n"),
      default_rows, 4);
  assert_int_equal(r.notices.count, 0);
  expect(&r, "block_axis");
  expect(&r, "[4] \"axis 1 of the block may leave its shape");
  expect(&r, ": tile<BLOCK x 4 x f32> = load %");
  expect(&r, "store %");
  expect_not(&r, "axis 0 of the block");
}

static void descriptors(void **state) {
  lowered r = lower_rows(
      *state,
      KERNEL("  d = tl.make_tensor_descriptor(x, [n, 8], [8, 1], [BLOCK, 8])\n"
             "  d.store([0, 0], d.load([n, 0]) + 1)\n"
             "  d.atomic_add([0, 0], d.load([0, 0]))\n"),
      default_rows, 4);
  assert_int_equal(r.notices.count, 0);
  expect(&r, "[16, 4] \"the base of the descriptor");
  expect(&r, "[16, 4] \"stride 0 of the descriptor");
  expect(&r, "atomic_add %");
  expect_not(&r, "stride 1");
  expect_not(&r, "block_axis");
}

/* --- refusals --- */

typedef struct refusal {
  const char *body; /* the refused construct stands in line 5 */
  const char *message;
} refusal;

static const refusal refusals[] = {
    {"  p = tl.make_block_ptr(x, (n,), (1,), (0,), (n,), (0,))\n",
     "a block pointer: make_block_ptr"},
    {"  d = tl.make_tensor_descriptor(x, [n], [1], [n])\n",
     "a tensor descriptor"},
    {"  a = tl.inline_asm_elementwise('', '', [n], tl.int32, True, 1)\n",
     "inline assembly"},
    {"  a = tl.associative_scan(tl.arange(0, BLOCK), 0, k)\n",
     "a combine function of one's own"},
    {"  a = tl.cat(tl.arange(0, BLOCK), tl.arange(0, BLOCK))\n",
     "cat is not modelled"},
    {"  a = tl.view(tl.arange(0, BLOCK), [BLOCK, 1])\n",
     "view is not modelled"},
    {"  a = tl.ravel(tl.zeros((BLOCK, 2), tl.int32))\n",
     "ravel is not modelled"},
    {"  a = tl.frobnicate(n)\n", "frobnicate is not modelled"},
    {"  a = unknown_function(x)\n", "call of unknown_function"},
    {"  a = unknown_name\n", "the name unknown_name is not bound here"},
    {"  a = k(x, y, n, m, BLOCK)\n", "call of k inside itself"},
    {"  a = n < m < 3\n", "a chained comparison"},
    {"  a = x == y\n", "a comparison of pointers"},
    {"  a = x * 2\n", "arithmetic on a pointer"},
    {"  a = x.to(tl.int64)\n", "a cast to or from a pointer"},
    {"  a = tl.arange(0, 8) + tl.arange(0, 16)\n", "the shapes"},
    {"  a = tl.arange(0, BLOCK) + tl.zeros([n], tl.int32)\n",
     "the shape given to zeros is not known"},
    {"  a = tl.sum(tl.arange(0, BLOCK), axis=3)\n", "the axis of sum"},
    {"  a = [i for i in y]\n", "this construct is not understood"},
    {"  with tl.scope('a'):\n    n = 3\n", "this statement is not understood"},
    {"  raise ValueError(n)\n", "this statement is not understood"},
    {"  for i in foo(n):\n    m = 3\n", "a loop over something else"},
    {"  for i in range(0, n, 0):\n    m = 3\n", "the step of this loop"},
    {"  for i in range(0.5, n):\n    m = 3\n", "the bounds of this loop"},
    {"  while True:\n    n = 3\n", "a loop without an end"},
    {"  if tl.arange(0, 8) > 3:\n    n = 3\n", "the condition is a tile"},
    {"  a, b = n\n", "does not unpack"},
    {"  x[0] = n\n", "an assignment to subscript"},
    {"  a = x.foo\n", "the attribute foo"},
    {"  a = tl.load(n)\n", "the pointer of this load"},
    {"  a = tl.load(x, mask=1, what=2)\n", "the arguments of load"},
    {"  tl.store(x, tl.arange(0, BLOCK))\n", "the shapes of the operands"},
    {"  a = (n > 3) // (0 - n)\n", "the operands of //"},
    {"  a = tl.arange(0, BLOCK)[0]\n", "this subscript"},
    {"  a = 'n' + n\n", "the operands of +"},
    {"  a = (n).foo(3)\n", "call of foo"},
    {"  a = tl.extra.cuda.globaltimer()\n", "a function of one target only"},
    {"  a = tl.topk(tl.arange(0, BLOCK), 2)\n", "topk is not modelled"},
    {"  a = None + n\n", "the operands of +"},
    {"  for i in range(n):\n    return\n", "return inside a loop"},
    {"  for i in range(n):\n    break\n", "break inside a loop"},
    {"  m = 0\n  for i in range(n):\n    m = 0.5\n",
     "m changes its type in the loop"},
};

static void refused_constructs(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    arena *a = arena_create();
    const char *text = arena_printf(a, KERNEL("%s"), refusals[i].body);
    lowered r = lower_rows(a, text, default_rows, 4);
    if (r.notices.count != 1 ||
        !strstr(r.notices.at[0].message, refusals[i].message))
      fail_msg("%s%zu notices, the first \"%s\", in\n%s", refusals[i].body,
               r.notices.count, r.notices.count ? r.notices.at[0].message : "",
               r.text);
    uint32_t line = r.notices.at[0].at.line;
    assert_true(line >= 5 && line <= 6);
    assert_non_null(r.notices.at[0].effect);
    arena_destroy(a);
  }
}

/* What is opaque spreads without further notices, and every access through it
 * stays visible. */
static void opaque_values(void **state) {
  lowered r = lower_rows(
      *state,
      KERNEL("  p = tl.make_block_ptr(x, (n,), (1,), (0,), (n,), (0,))\n"
             "  a = tl.load(p, boundary_check=(0,))\n"
             "  b = tl.exp(a * 2.0) + tl.arange(0, BLOCK)\n"
             "  for i in range(n):\n    p = tl.advance(p, (BLOCK,))\n"
             "    b += tl.load(p)\n"
             "  tl.store(p, b.to(x.dtype.element_ty))\n"),
      default_rows, 4);
  assert_int_equal(r.notices.count, 1);
  expect(&r, "\"load\"");
  expect(&r, "\"store\"");
}

static void names_of_one_path(void **state) {
  lowered r = lower_rows(*state,
                         KERNEL("  if n > m:\n    a = 1\n"
                                "  tl.store(x + a, 0.0)\n"),
                         default_rows, 4);
  assert_int_equal(r.notices.count, 1);
  assert_non_null(
      strstr(r.notices.at[0].message, "the name a has no single meaning here"));
  assert_int_equal(r.notices.at[0].at.line, 7);
}

static void other_files(void **state) {
  lowered r = lower_rows(*state,
                         "import triton.language as tl\n"
                         "from .utils import helper\nimport lib\n"
                         "@jit\ndef k(x, n):\n  a = helper(n)\n"
                         "  lib.write(x, a)\n  tl.store(x + n, a)\n",
                         default_rows, 4);
  assert_int_equal(r.notices.count, 2);
  assert_string_equal(r.notices.at[0].message,
                      "call of helper from another file");
  assert_string_equal(r.notices.at[1].message,
                      "call of write from another file");
  expect(&r, "store %");
}

static void deep_nesting(void **state) {
  arena *a = *state;
  strbuf text = strbuf_make(a);
  strbuf_put(&text, KERNEL("  a = "));
  for (int i = 0; i < 5000; i++)
    strbuf_put(&text, "(n + ");
  strbuf_put(&text, "1");
  for (int i = 0; i < 5000; i++)
    strbuf_put(&text, ")");
  strbuf_put(&text, "\n");
  lowered r = lower_text_of(a, text.text, text.length, NULL,
                            (lower_setup){default_rows, 4});
  assert_null(r.wrong);
  assert_int_equal(r.notices.count, 1);
  assert_non_null(strstr(r.notices.at[0].message, "nests too deeply"));
}

/* What Triton is sure to refuse to compile. */
static void impossible_specialisations(void **state) {
  static const char *const refused[] = {
      "  tl.static_assert(BLOCK is None)\n",
      "  assert 1 > 2\n",
      "  if n > 3:\n    raise ValueError('n')\n",
      "  z = None\n  a = z + n\n",
      "  a = tl.load(None)\n",
  };
  static const char *const fine[] = {
      "  tl.static_assert(BLOCK > 4)\n",
      "  if BLOCK is None:\n    raise ValueError('n')\n",
      "  if BLOCK > 4:\n    tl.static_assert(BLOCK is None)\n",
      "  z = None\n  if z is not None:\n    a = z + n\n",
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    lowered r =
        lower_rows(*state, arena_printf(*state, KERNEL("%s"), refused[i]),
                   default_rows, 4);
    assert_false(r.compiles);
  }
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
    lowered r = lower_rows(*state, arena_printf(*state, KERNEL("%s"), fine[i]),
                           default_rows, 4);
    assert_true(r.compiles);
  }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(vector_add),
      TEST(literals),
      TEST(numbers_take_the_tensors_type),
      TEST(promotion),
      TEST(halves),
      TEST(divisions),
      TEST(bits),
      TEST(booleans_without_short_circuit),
      TEST(casts),
      TEST(pointers),
      TEST(broadcasting),
      TEST(shape_functions),
      TEST(rearrangements),
      TEST(equal_extents),
      TEST(loads_and_stores),
      TEST(atomics),
      TEST(reductions),
      TEST(dots),
      TEST(elementwise),
      TEST(folded_branches),
      TEST(strings_and_constants),
      TEST(asserts_are_facts),
      TEST(pins_decide),
      TEST(tuples),
      TEST(run_time_if),
      TEST(elif_and_nested),
      TEST(early_return),
      TEST(ternaries),
      TEST(for_loops),
      TEST(loop_bounds),
      TEST(turned_loops),
      TEST(nothing_to_carry),
      TEST(static_ranges),
      TEST(while_loops),
      TEST(nested_pointers),
      TEST(inlining),
      TEST(returns_in_helpers),
      TEST(spellings),
      TEST(block_pointers),
      TEST(descriptors),
      TEST(refused_constructs),
      TEST(opaque_values),
      TEST(names_of_one_path),
      TEST(other_files),
      TEST(deep_nesting),
      TEST(impossible_specialisations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
