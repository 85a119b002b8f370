/* The symbolic reading of host code: small files, and lines that the launch
 * part of their programs must or must not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "parser/host.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct reading {
  arena *arena;
  syntax *syntax;
  notice_vec notices;
  prepared_vec programs;
  host_unit_vec functions;
} reading;

static reading read_file(const char *text, parse_options options) {
  reading r = {.arena = arena_create()};
  const source *s = source_from_text(r.arena, "t.py", text, strlen(text));
  r.syntax = syntax_parse(r.arena, s);
  file_names *names = names_collect(r.arena, r.syntax);
  contract *c = contract_read(r.arena, names, &r.notices);
  host_prepare(r.arena, names, c, options, &r.notices, &r.programs,
               &r.functions);
  return r;
}

static void reading_end(reading r) {
  syntax_destroy(r.syntax);
  arena_destroy(r.arena);
}

static const char imports[] =
    "import math\nimport torch\nimport triton\nimport triton.language as tl\n";
static const char kernel[] = "@triton.jit\n"
                             "def k(x, y, n, m, B: tl.constexpr):\n"
                             "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
                             "    v = tl.load(x + i, mask=i < n)\n"
                             "    tl.store(y + i * m, v, mask=i < n)\n";

/* Takes out ` storage N`: the numbers follow from the order of reading. */
static void drop_storages(char *text) {
  static const char word[] = " storage ";
  for (char *at = text; (at = strstr(at, word));) {
    char *end = at + strlen(word);
    end += strspn(end, "0123456789");
    memmove(at, end, strlen(end) + 1);
  }
}

static char *program_text(const reading *r, size_t i) {
  strbuf out = strbuf_make(r->arena);
  const tile_program *p = r->programs.at[i].program;
  const char *wrong = program_verify(p, r->arena);
  if (wrong)
    fail_msg("%s", wrong);
  program_print(p, &out);
  drop_storages(out.text);
  return out.text;
}

/* Whether the text has a line that starts with these characters. */
static bool has_line(const char *text, const char *start, size_t length) {
  for (const char *at = text; at; at = strchr(at, '\n')) {
    at += *at == '\n';
    if (strncmp(at, start, length) == 0)
      return true;
    if (!*at)
      return false;
  }
  return false;
}

/* Each line of `lines` must start a line of the program; after `!` it must
 * not. */
static void check_program(const char *name, const char *text,
                          const char *lines) {
  while (*lines) {
    size_t length = strcspn(lines, "\n");
    bool absent = *lines == '!';
    if (has_line(text, lines + absent, length - absent) == absent)
      fail_msg("%s: %s `%.*s` in\n%s", name, absent ? "unwanted" : "no",
               (int)length, lines, text);
    lines += length;
    lines += *lines == '\n';
  }
}

typedef struct host_case {
  const char *name;
  const char *text;        /* after the imports and the kernel `k` */
  const char *programs[4]; /* lines of each program; null: no more */
} host_case;

static void check_case(const host_case *c, bool join) {
  char *text = malloc(strlen(imports) + strlen(kernel) + strlen(c->text) + 1);
  sprintf(text, "%s%s%s", imports, kernel, c->text);
  reading r = read_file(text, (parse_options){.join_switches = join});
  size_t count = 0;
  while (count < 4 && c->programs[count])
    count++;
  if (r.programs.count != count)
    fail_msg("%s: %zu programs", c->name, r.programs.count);
  for (size_t i = 0; i < count; i++)
    check_program(c->name, program_text(&r, i), c->programs[i]);
  reading_end(r);
  free(text);
}

static void check_cases(const host_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++)
    check_case(&cases[i], false);
}

#define CHECK_CASES(cases) check_cases(cases, sizeof cases / sizeof *cases)

/* ----------------------------------------------------------------- shapes */

static void test_shapes(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"vector add",
       "def add(x: torch.Tensor, y: torch.Tensor):\n"
       "    out = torch.empty_like(x)\n"
       "    assert x.is_cuda and y.is_cuda\n"
       "    assert x.shape == y.shape\n"
       "    n = out.numel()\n"
       "    grid = lambda meta: (triton.cdiv(n, meta['B']), )\n"
       "    k[grid](x, out, n, 1, B=1024)\n"
       "    return out\n",
       {"symbol n size\n"
        "symbol B const pinned 1024\n"
        "tensor x any [n] stride (1) in parameter contiguous disjoint written\n"
        "tensor out any [n] stride (1) out disjoint\n"
        "fact n == `y.numel()` : host line 13\n"
        "fact n >= 0 : shape\n"
        "fact n <= 2146435072 : shape\n"
        "grid (cdiv(n, B), 1, 1) rank 1\n"
        "param n %3 n : i32^n = int n\n"
        "param m %4 m : i32^m = int 1\n"
        "param B = const B"}},
      {"unpacking",
       "def f(x):\n"
       "    M, N = x.shape\n"
       "    y = torch.empty((N, M), dtype=torch.float16, device=x.device)\n"
       "    k[(M, N)](x, y, M, N, 64)\n"
       "    return y\n",
       {"tensor x any [M, N] stride (N, 1) in parameter contiguous\n"
        "tensor y f16 [N, M] stride (M, 1) out disjoint\n"
        "fact M*N <= 2146435072 : shape\n"
        "grid (M, N, 1) rank 2"}},
      {"axes one by one",
       "def f(x, y):\n"
       "    M = x.shape[0]\n"
       "    d = x.size(-1) + x.shape[1]\n"
       "    k[M,](x, y, M, d, 64)\n",
       {"tensor x any [M, `x.shape[1]`] stride (`x.shape[1]`, 1)\n"
        "param m %4 m : i32^m = int 2*`x.shape[1]`\n"
        "grid (M, 1, 1) rank 1"}},
      {"the last axis only",
       "def f(x):\n"
       "    D = x.shape[-1]\n"
       "    x = x.view(-1, D)\n"
       "    rows, cols = x.shape\n"
       "    y = torch.empty_like(x)\n"
       "    k[(rows,)](x, y, cols, x.stride(0), B=64)\n"
       "    return y\n",
       {"tensor `x.view(-1, D)` any [rows, D] stride (D, 1) in parameter "
        "contiguous\n"
        "tensor y any [rows, D] stride (D, 1) out disjoint\n"
        "param m %4 m : i32^m = int D"}},
      {"leading axes",
       "def f(x):\n"
       "    y = torch.zeros(*x.shape[:-1], 4)\n"
       "    rows = math.prod(x.shape[:-1])\n"
       "    k[(rows,)](x, y, x.shape[-1], len(x.shape), B=64)\n",
       {"tensor x any [rows, `x.shape[-1]`] stride\n"
        "param m %4 m : i32^m = int m"}},
      {"star",
       "def f(x, y):\n"
       "    A, *rest, Z = x.shape\n"
       "    k[A,](x, y, Z, 1, B=64)\n",
       {"tensor x any [A, Z] stride (Z, 1)\n"}},
      {"a guessed rank tells nothing of the number of elements",
       "def f(x, y):\n"
       "    A = x.shape[0]\n"
       "    n = x.numel()\n"
       "    v = x.view(-1)\n"
       "    k[A,](x, v, n, n // A, B=64)\n",
       {"tensor x any [A, `x.shape[1:].numel()`]\n"
        "tensor v any [A*`x.shape[1:].numel()`] stride (1)\n"
        "param n %3 n : i32^n = int A*`x.shape[1:].numel()`\n"}},
      {"axes on both sides",
       "def f(x, y):\n"
       "    A, Z = x.shape[0], x.shape[-1]\n"
       "    rows = x.numel() // Z\n"
       "    rest = x.shape[1:]\n"
       "    k[A,](x, y, x.shape[2], len(rest), B=64)\n",
       {"tensor x any [A, `x.shape[1]`, `x.shape[2]`, "
        "`x.shape[3:-1].numel()`, Z]\n"
        "param m %4 m : i32^m = int m\n"}},
      {"a part of a shape of guessed length",
       "def f(x, y):\n"
       "    A = x.shape[0]\n"
       "    rest = x.shape[1:]\n"
       "    head = x.shape[:1]\n"
       "    k[A,](x, torch.empty(rest), head[0], len(rest), B=64)\n",
       {"tensor y f32 [`x.shape[1:].numel()`] stride (1) in disjoint\n"
        "param n %3 n : i32^n = int A\n"
        "param m %4 m : i32^m = int m\n"}},
      {"a rank that raises",
       "def f(x, y):\n"
       "    if x.dim() != 3:\n"
       "        raise ValueError()\n"
       "    k[x.ndim,](x, y, len(x.shape), 1, B=64)\n",
       {"tensor x any [`x.shape[0]`, `x.shape[1]`, `x.shape[2]`]\n"
        "grid (3, 1, 1)\nparam n %3 n : i32^n = int 3"}},
      {"element size and dtype",
       "def f(x):\n"
       "    y = torch.empty(3, dtype=torch.int64)\n"
       "    z = y.to(torch.float32)\n"
       "    k[1,](z, y, y.element_size(), x.element_size(), B=64)\n",
       {"tensor z f32 [3] stride (1)\n"
        "fact `x.element_size()` >= 1 : default line 13\n"
        "fact `x.element_size()` <= 16 : default line 13\n"
        "param n %3 n : i32^n = int 8\n"
        "param m %4 m : i32^m = int `x.element_size()`"}},
      {"a constexpr that the host code gives values below 1",
       "MODES = {'a': tl.constexpr(-1).value, 'b': 2}\n"
       "def f(x, y, mode):\n"
       "    assert mode in MODES.values()\n"
       "    k[1,](x, y, 3, 4, B=mode)\n",
       {"!fact mode >= 1\nfact mode == -1 or mode == 2 : host line 12"}},
      {"results of one element each, and what may be stretched",
       "def f(n: int, q):\n"
       "    a = torch.randn((n, 4))\n"
       "    b = torch.asin(a).clamp(min=0.5) + a\n"
       "    c = a.add(q)\n"
       "    k[1,](b, c, 1, 2, B=64)\n",
       {"tensor b any [n, 4] stride (4, 1)\n"
        "tensor c any [`c.numel()`] stride (1)"}},
      {"one of two numbers",
       "def pick(q):\n"
       "    if foo(q):\n"
       "        return 2, 8\n"
       "    return 4, 8\n"
       "def f(x, y, q):\n"
       "    a, b = pick(q)\n"
       "    k[a,](x, y, a, b, B=64)\n",
       {"fact pick == 2 or pick == 4 : host line 15\n"
        "grid (pick, 1, 1)\n"
        "param n %3 n : i32^n = int pick\n"
        "param m %4 m : i32^m = int 8"}},
      {"quotients that floats hold, and one that they may not",
       "import math\n"
       "def f(x, y, n: int, big: int):\n"
       "    k[math.ceil(n / 64),](x, y, math.ceil(n * n / 7),\n"
       "                          int(n / 3), B=64)\n",
       {"grid (cdiv(n, 64), 1, 1)\n"
        "param n %3 n : i32^n = int n_2\n"
        "param m %4 m : i32^m = int n // 3"}},
  };
  CHECK_CASES(cases);
}

static void test_strides(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"one stride makes all of them free",
       "def f(x, y):\n"
       "    M, N = x.shape\n"
       "    k[M,](x, y, N, x.stride(0), B=64)\n",
       {"tensor x any [M, N] stride (`x.stride(0)`, `x.stride(1)`) in "
        "parameter free written\n"
        "fact `x.stride(1)` >= 0 : shape\n"
        "fact M*`x.stride(0)` + N*`x.stride(1)` <=\n!fact M*N <=\n"
        "param m %4 m : i32^m = int `x.stride(0)`"}},
      {"unpacked",
       "def f(x, y):\n"
       "    s, t = x.stride()\n"
       "    k[1,](x, y, s, *x.stride()[1:], B=64)\n",
       {"tensor x any [`x.shape[0]`, `x.shape[1]`] stride (`x.stride(0)`, "
        "`x.stride(1)`)\n"
        "param m %4 m : i32^m = int `x.stride(1)`"}},
      {"splat",
       "def f(x, y):\n"
       "    M, N = x.shape\n"
       "    k[1,](x, y, *x.stride(), 32)\n",
       {"param n %3 n : i32^n = int `x.stride(0)`\n"
        "param m %4 m : i32^m = int `x.stride(1)`\n"
        "param B = const B"}},
      {"splat of unknown length",
       "def f(x, y, *args):\n"
       "    k[1,](x, y, *args, B=32)\n",
       {"param n %3 n : i32^n = int n\nparam m %4 m : i32^m = int m\n"
        "symbol n int unbounded\n"}},
      {"stated contiguity",
       "def f(x, y):\n"
       "    assert x.is_contiguous()\n"
       "    y = y.contiguous()\n"
       "    M, N = x.shape\n"
       "    k[M,](x, y, N, x.stride(0), B=64)\n",
       {"tensor x any [M, N] stride (N, 1) in parameter disjoint\n"
        "tensor y any [`y.numel()`] stride (1) in parameter disjoint\n"
        "param m %4 m : i32^m = int N"}},
      {"made contiguous",
       "def f(x, y):\n"
       "    if not x.is_contiguous():\n"
       "        x = x.contiguous()\n"
       "    M, N = x.shape\n"
       "    k[M,](x, y, N, x.stride(0), B=64)\n",
       {"tensor x any [M, N] stride (N, 1) in parameter disjoint\n"}},
      {"like one with free strides",
       "def f(x):\n"
       "    M, N = x.shape\n"
       "    y = torch.empty_like(x)\n"
       "    k[M,](x, y, x.stride(0), y.stride(0), B=64)\n"
       "    return y\n",
       {"tensor y any [M, N] stride (`y.stride(0)`, `y.stride(1)`) out "
        "free disjoint\n"}},
  };
  CHECK_CASES(cases);
}

static void test_views(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"slices",
       "def f(x, K: int):\n"
       "    M, N = x.shape\n"
       "    a = x[:, :N // 2]\n"
       "    b = x[2:, 0]\n"
       "    k[1,](a, b, 1, 1, B=64)\n",
       {"tensor a any [M, N // 2] stride (N, 1) in contiguous\n"
        "tensor b any [max(M - min(M, 2), 0)] stride (N)\n"}},
      {"ends that may lie outside",
       "def f(x, K: int):\n"
       "    M, N = x.shape\n"
       "    a = x[:K, -1:]\n"
       "    k[1,](a, x, 1, 1, B=64)\n",
       {"tensor a any [min(M, K), max(N - max(N - 1, 0), 0)] stride (N, 1)\n"}},
      {"an end of unknown sign",
       "def f(x, K: int):\n"
       "    M, N = x.shape\n"
       "    a = x[:K - 5]\n"
       "    k[1,](a, x, 1, 1, B=64)\n",
       {"!tensor a any [M\n"}},
      {"transposed",
       "def f(x):\n"
       "    A, B_, C = x.shape\n"
       "    t = x.transpose(0, -1)\n"
       "    p = x.permute(1, 2, 0).contiguous()\n"
       "    k[1,](t, p, t.stride(0), 1, B=64)\n",
       {"tensor t any [C, B_, A] stride (`x.stride(2)`, `x.stride(1)`, "
        "`x.stride(0)`)\n"
        "tensor p any [B_, C, A] stride (A*C, A, 1)\n"}},
      {"expanded",
       "def f(x, n: int):\n"
       "    A = x.shape[0]\n"
       "    assert x.dim() == 1\n"
       "    e = x.unsqueeze(0).expand(n, -1)\n"
       "    k[1,](e, x, e.stride(0), 1, B=64)\n",
       {"tensor e any [n, A] stride (0, `x.stride(0)`) in written\n"
        "param n %3 n : i32^n = int 0\n"}},
      {"reshaped",
       "def f(x, h: int):\n"
       "    B_, T, D = x.shape\n"
       "    v = x.reshape(B_ * T, D)\n"
       "    w = x.view(B_, T, h, -1)\n"
       "    k[1,](v, w, w.shape[3], 1, B=64)\n",
       {"tensor v any [B_*T, D] stride (D, 1)\n"
        "tensor w any [B_, T, h, D // h]\n"}},
      {"the same twice",
       "def f(x):\n"
       "    k[1,](x, x, 1, 1, B=64)\n",
       {"param x %1 x : ptr<any> = pointer tensor 0\n"
        "param y %2 y : ptr<any> = pointer tensor 0\n"}},
  };
  CHECK_CASES(cases);
}

static void test_storage(void **state) {
  (void)state;
  static const char text[] = "def f(x):\n"
                             "    v = x.view(-1)\n"
                             "    z = x.clone()\n"
                             "    k[1,](x, v, 1, 1, B=8)\n"
                             "    k[1,](x, z, 1, 1, B=8)\n";
  char all[1024];
  snprintf(all, sizeof all, "%s%s%s", imports, kernel, text);
  reading r = read_file(all, (parse_options){0});
  for (size_t i = 0; i < 2; i++) {
    const tile_program *p = r.programs.at[i].program;
    bool one = p->tensors.at[0].storage == p->tensors.at[1].storage;
    assert_int_equal(one, i == 0);
  }
  reading_end(r);
}

/* ------------------------------------------------------------------ roles */

static void test_roles(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"returned through a view",
       "def f(x):\n"
       "    y = torch.empty(8)\n"
       "    k[1,](x, y, 1, 1, B=8)\n"
       "    return x, [y.view(2, 4)]\n",
       {"tensor y f32 [8] stride (1) out disjoint"}},
      {"not returned",
       "def f(x):\n"
       "    y = torch.empty(8)\n"
       "    k[1,](x, y, 1, 1, B=8)\n",
       {"tensor y f32 [8] stride (1) in disjoint"}},
      {"filled",
       "def f(x):\n"
       "    y = torch.zeros(8)\n"
       "    k[1,](x, y, 1, 1, B=8)\n"
       "    return y\n",
       {"tensor y f32 [8] stride (1) inout disjoint written"}},
      {"filled afterwards",
       "def f(x):\n"
       "    y = torch.empty(8)\n"
       "    y[:4] = 0\n"
       "    k[1,](x, y, 1, 1, B=8)\n"
       "    return y\n",
       {"tensor y f32 [8] stride (1) inout disjoint written"}},
      {"two launches share the work",
       "def f(x):\n"
       "    y = torch.empty(8)\n"
       "    k[1,](x, y, 1, 1, B=8)\n"
       "    k[1,](x, y, 2, 2, B=8)\n"
       "    return y\n",
       {"tensor y f32 [8] stride (1) in disjoint",
        "tensor y f32 [8] stride (1) inout disjoint written"}},
      {"launches of two ways",
       "def f(x, c):\n"
       "    y = torch.empty(8)\n"
       "    if c > 3:\n"
       "        k[1,](x, y, 1, 1, B=8)\n"
       "        return y\n"
       "    k[1,](x, y, 2, 2, B=8)\n"
       "    return y\n",
       {"tensor y f32 [8] stride (1) out disjoint\n"
        "fact c > 3 : host\n",
        "tensor y f32 [8] stride (1) out disjoint\n"
        "fact c <= 3 : host\n"}},
      {"in a loop",
       "def f(x):\n"
       "    y = torch.empty(8)\n"
       "    for i in range(4):\n"
       "        k[1,](x, y, i, 1, B=8)\n"
       "    return y\n",
       {"tensor y f32 [8] stride (1) inout disjoint written\n"
        "fact i >= 0 :\nfact i < 4 : host\n"}},
      {"aligned",
       "def f(x):\n"
       "    y = x.new_zeros((4, 2))\n"
       "    k[1,](x, y, 1, 1, B=8)\n",
       {"tensor y any [4, 2] stride (2, 1) inout"}},
  };
  CHECK_CASES(cases);
}

/* --------------------------------------------------------------- branches */

static void test_branches(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"facts",
       "def f(x, y, n: int):\n"
       "    assert n % 8 == 0 and n != 0, 'no'\n"
       "    if n > 100 or n == 48:\n"
       "        raise ValueError\n"
       "    if n == 16:\n"
       "        return x\n"
       "    k[1,](x, y, n, 1, B=8)\n",
       {"fact n % 8 == 0 : host line 11\nfact n != 0 : host line 11\n"
        "fact n <= 100 : host line 12\nfact n != 48 : host line 12\n"
        "fact n != 16 : host line 14\n"
        "fact n >= 0 : default\nfact n <= 2146435072 : default\n"}},
      {"selected numbers",
       "def f(x, y, n: int):\n"
       "    if n > 4096:\n"
       "        S = 1024\n"
       "    elif n > 64:\n"
       "        S = 64\n"
       "    else:\n"
       "        S = 16 if n > 16 else 8\n"
       "    k[(triton.cdiv(n, S),)](x, y, n, S, B=S)\n",
       {"param B = const 1024 if n > 4096 else 64 if n > 64 else 16 if n > 16 "
        "else 8\n"}},
      {"around the launch",
       "def f(x, y, n: int):\n"
       "    if n > 8:\n"
       "        if n < 20:\n"
       "            k[1,](x, y, n, 1, B=8)\n"
       "    else:\n"
       "        k[1,](x, y, n, 2, B=8)\n",
       {"fact n > 8 : host\nfact n < 20 : host\n", "fact n <= 8 : host\n"}},
      {"known",
       "def f(x, y):\n"
       "    n = 3\n"
       "    if n > 2:\n"
       "        n = 5\n"
       "    else:\n"
       "        k[1,](x, y, n, 2, B=8)\n"
       "    k[1,](x, y, n, 1, B=8)\n",
       {"param n %3 n : i32^n = int 5\n"}},
      {"two tensors",
       "def f(x, y, n: int):\n"
       "    a = x if n > 3 else y\n"
       "    k[1,](a, y, n, 1, B=8)\n",
       {"tensor x\nfact n > 3 : host\n", "!tensor x\nfact n <= 3 : host\n"}},
      {"a flag",
       "def f(x, y, fast: bool = False):\n"
       "    if fast:\n"
       "        m = 3\n"
       "    else:\n"
       "        m = 4\n"
       "    k[1,](x, y, 1, m, B=8)\n",
       {"param m %4 m : i32^m = int 3\n", "param m %4 m : i32^m = int 4\n"}},
      {"an optional tensor",
       "def f(x, y=None):\n"
       "    if y is None:\n"
       "        y = torch.empty_like(x)\n"
       "    k[1,](x, y, 1, 1, B=8)\n"
       "    return y\n",
       {"tensor y any [`y.numel()`] stride (1) in parameter\n",
        "tensor y any [`x.numel()`] stride (1) out\n"}},
      {"an argument that may be None",
       "def f(x, y, w):\n"
       "    if w is not None and w.stride(-1) != 1:\n"
       "        w = w.contiguous()\n"
       "    fast = w is None\n"
       "    if fast:\n"
       "        k[1,](x, y, 1, 1, B=8)\n"
       "    else:\n"
       "        k[1,](x, w, 2, w.stride(-1), B=8)\n",
       {"param n %3 n : i32^n = int 1\n",
        "tensor w any [`w.shape[0]`] stride (1) in parameter written\n"
        "param m %4 m : i32^m = int 1\n"}},
      {"made dense",
       "def f(x, y):\n"
       "    M, N = x.shape\n"
       "    if x.stride(-1) != 1:\n"
       "        x = x.contiguous()\n"
       "    y = y if y.stride(0) == 1 else y.contiguous()\n"
       "    k[M,](x, y, x.stride(0), x.stride(1), B=8)\n",
       {"tensor x any [M, N] stride (`x.stride(0)`, 1) in parameter free "
        "written\n"
        "tensor y any [`y.shape[0]`] stride (1) in parameter open written\n"
        "param n %3 n : i32^n = int `x.stride(0)`\n"
        "param m %4 m : i32^m = int 1\n"}},
      {"powers of two",
       "def f(x, y, n: int, m: int):\n"
       "    assert (n & (n - 1)) == 0\n"
       "    if m != 2 ** (m.bit_length() - 1):\n"
       "        raise ValueError\n"
       "    k[1,](x, y, n, m, B=8)\n",
       {"fact n == 0 or pow2(n) : host\nfact pow2(m) : host\n"}},
      {"or",
       "def f(x, y, n=None, m: int = 4):\n"
       "    n = n or x.shape[0]\n"
       "    m = m or 7\n"
       "    k[1,](x, y, n, m, B=8)\n",
       {"param n %3 n : i32^n = int `x.shape[0]` if n == 0 else n\n"
        "param m %4 m : i32^m = int 7 if m == 0 else m\n",
        "param n %3 n : i32^n = int `x.shape[0]`\n"}},
      {"a condition that is not understood",
       "def f(x, y):\n"
       "    if x.device.type == 'cuda':\n"
       "        raise ValueError\n"
       "    w = 8 if torch.version.hip else 4\n"
       "    k[1,](x, y, 1, 1, B=8, num_warps=w)\n",
       {"!fact x\n"}},
      {"never reached",
       "def f(x, y):\n"
       "    assert 1 > 2\n"
       "    k[1,](x, y, 1, 1, B=8)\n",
       {NULL}},
      {"with and try",
       "def f(x, y, n: int):\n"
       "    with torch.cuda.device(x.device), torch.no_grad() as g:\n"
       "        try:\n"
       "            m = n + 1\n"
       "        except KeyError:\n"
       "            m = 7\n"
       "        try:\n"
       "            s = 4\n"
       "        except KeyError:\n"
       "            raise\n"
       "        k[s,](x, y, n, m, B=8)\n",
       {"param m %4 m : i32^m = int m\nsymbol m int unbounded\n"
        "grid (4, 1, 1)\n"}},
  };
  CHECK_CASES(cases);
}

static void test_loops(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"counted",
       "def f(x, y, n: int):\n"
       "    t = 0\n"
       "    for i in range(2, n, 8):\n"
       "        k[1,](x, y, i, t, B=8)\n"
       "        t += i\n",
       {"symbol i int unbounded\nfact i < n : host\nfact i >= 2 : host\n"
        "fact (i + 6) % 8 == 0 : host\n"
        "param m %4 m : i32^m = int m\nsymbol m int unbounded"}},
      {"over values",
       "def f(x, y):\n"
       "    for b in (16, 32):\n"
       "        k[b,](x, y, b, 1, B=b)\n",
       {"param B = const B\nsymbol B const pinned 16\ngrid (B, 1, 1)\n",
        "symbol B const pinned 32\n"}},
      {"changed before",
       "def f(x, y, n: int):\n"
       "    while n > 10:\n"
       "        n = n // 2\n"
       "    k[1,](x, y, n, 1, B=8)\n",
       {"param n %3 n : i32^n = int n\nsymbol n int unbounded\n"}},
      {"nested function",
       "def f(x, n: int):\n"
       "    y = torch.empty(n)\n"
       "    m = 4\n"
       "    def run(c):\n"
       "        k[c,](x, y, n, m, B=8)\n"
       "    m = 5\n"
       "    run(3)\n"
       "    return y\n",
       {"tensor y f32 [n] stride (1) inout\n"
        "param m %4 m : i32^m = int m\nparam n %3 n : i32^n = int n\n"}},
      {"at the end of the file",
       "if __name__ == '__main__':\n"
       "    n = 1000\n"
       "    x = torch.rand(n)\n"
       "    k[(triton.cdiv(n, 128),)](x, torch.empty_like(x), n, 1, B=128)\n",
       {"tensor x f32 [1000] stride (1) inout\ngrid (8, 1, 1)\n"}},
      {"a method",
       "class M:\n"
       "    def forward(self, x):\n"
       "        w = self.weight\n"
       "        rows, D = x.shape\n"
       "        assert w.shape[0] == D\n"
       "        k[rows,](x, w, D, self.scale, B=self.block)\n",
       {"tensor self.weight any [`self.weight.shape[0]`]\n"
        "fact D == `self.weight.shape[0]` : host\n"
        "symbol m int unbounded\nsymbol B const line\n"}},
      {"a static method of an autograd function",
       "class F(torch.autograd.Function):\n"
       "    @staticmethod\n"
       "    def backward(ctx, dy):\n"
       "        x, w = ctx.saved_tensors\n"
       "        M, N = x.shape\n"
       "        dx = torch.empty_like(x)\n"
       "        k[M,](dy, dx, N, ctx.s, B=8)\n"
       "        return dx\n",
       {"tensor dx any [M, N] stride (N, 1) out\n"}},
      {"helpers",
       "def block(n, most=1024):\n"
       "    if n > most:\n"
       "        return most\n"
       "    return triton.next_power_of_2(n)\n"
       "def make(n):\n"
       "    return torch.empty((n, 4), dtype=torch.int32)\n"
       "def f(x):\n"
       "    n = x.numel()\n"
       "    y = make(n)\n"
       "    k[math.ceil(n / 8),](x, y, abs(n), max(n, 1), block(n))\n"
       "    return y\n",
       {"tensor y i32 [n, 4] stride (4, 1) out\n"
        "param B = const 1024 if n > 1024 else next_power_of_2(n)\n"
        "grid (cdiv(n, 8), 1, 1)\nparam m %4 m : i32^m = int max(n, 1)\n"}},
      {"objects that others may change",
       "def f(x, y):\n"
       "    a = [1, 2]\n"
       "    b = a\n"
       "    t = (3, a)\n"
       "    a.append(3)\n"
       "    c = [4]\n"
       "    foo(c, (5, 6))\n"
       "    s = (7, 8)\n"
       "    k[len(s),](x, y, b[0] + t[1][0], c[0], B=8)\n",
       {"grid (2, 1, 1)\n"
        "param n %3 n : i32^n = int n\nparam m %4 m : i32^m = int m\n"}},
      {"attributes that others may change",
       "def f(self, x, y, o):\n"
       "    self.n = 3\n"
       "    o.m = 4\n"
       "    n = self.n\n"
       "    foo()\n"
       "    k[n,](x, y, self.n, o.m, B=8)\n",
       {"grid (3, 1, 1)\n"
        "param n %3 n : i32^n = int n\nparam m %4 m : i32^m = int m\n"}},
      {"exec",
       "n = 3\n"
       "exec('n = 4')\n"
       "k[1,](torch.empty(4), torch.empty(4), n, 1, B=8)\n",
       {"param n %3 n : i32^n = int n\n"}},
      {"the file's own cdiv and min",
       "def cdiv(a, b):\n    return a // b\n"
       "def min(a, b):\n    return a + b\n"
       "def f(x, y, n: int):\n"
       "    k[cdiv(n, 4),](x, y, min(n, 3), 1, B=8)\n",
       {"grid (n // 4, 1, 1)\nparam n %3 n : i32^n = int n + 3\n"}},
      {"names that others may bind",
       "def f(x, y):\n"
       "    d = {'a': 3}\n"
       "    d['a'] = 5\n"
       "    e = dict(b=4)\n"
       "    k[1,](x, y, d['a'], e['b'], B=8)\n",
       {"param n %3 n : i32^n = int 5\nparam m %4 m : i32^m = int 4\n"}},
      {"a dictionary and a list that others hold",
       "def f(x, y):\n"
       "    d = {'a': 3}\n"
       "    e = (d, 1)\n"
       "    d['a'] = 5\n"
       "    a = [3]\n"
       "    def g():\n"
       "        a.append(4)\n"
       "    g()\n"
       "    k[1,](x, y, e[0]['a'], a[-1], B=8)\n",
       {"param n %3 n : i32^n = int n\nparam m %4 m : i32^m = int m\n"}},
      {"lists and dictionaries that change",
       "def f(x, y, flag):\n"
       "    a = []\n"
       "    for i in range(3):\n"
       "        a.append(i * 2)\n"
       "    a.extend([i for i in a if i > 1])\n"
       "    d = dict({'a': 1}, b=a[4])\n"
       "    d = {**d, 'c': 7}\n"
       "    d['a'] = len(a)\n"
       "    k[d['c'],](x, y, d['a'], d['b'], B=8)\n",
       {"grid (7, 1, 1)\n"
        "param n %3 n : i32^n = int 5\nparam m %4 m : i32^m = int 4\n"}},
      {"a change on one way only",
       "def f(x, y, q):\n"
       "    a = [3]\n"
       "    if foo(q):\n"
       "        a.append(4)\n"
       "    k[1,](x, y, len(a), a[-1], B=8)\n",
       {"param n %3 n : i32^n = int 2\nparam m %4 m : i32^m = int 4\n",
        "param n %3 n : i32^n = int 1\nparam m %4 m : i32^m = int 3\n"}},
      {"a comprehension's names are its own",
       "def f(x, y, n: int):\n"
       "    i = 5\n"
       "    m = max(i for i in (1, 2))\n"
       "    k[m,](x, y, i, sum(i for i in foo()), B=8)\n",
       {"grid (2, 1, 1)\nparam n %3 n : i32^n = int 5\n"
        "param m %4 m : i32^m = int m\n"}},
  };
  CHECK_CASES(cases);
}

/* ------------------------------------------------------------- constexprs */

static void test_grids(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"a def",
       "def f(x, y, n: int):\n"
       "    def grid(meta):\n"
       "        b = meta.get('B')\n"
       "        return [triton.cdiv(n, b), 2]\n"
       "    k[grid](x, y, n, 1, B=32)\n",
       {"grid (cdiv(n, B), 2, 1) rank 2"}},
      {"a number",
       "def f(x, y, n: int):\n    k[n](x, y, n, 1, B=32)\n",
       {"grid (n, 1, 1) rank 1"}},
      {"a literal",
       "def f(x, y, n: int):\n"
       "    k[(triton.cdiv(n, 32),)](x, y, n, 1, B=32)\n",
       {"grid (cdiv(n, 32), 1, 1) rank 1\nparam B = const B"}},
      {"an unknown axis",
       "def f(x, y, n: int):\n    k[(n, foo())](x, y, n, 1, B=32)\n",
       {"fact G1 >= 0 : grid\nfact G1 <= 65535 : grid\n"
        "grid (n, G1, 1) rank 2"}},
      {"unknown",
       "def f(x, y, n: int):\n    k[foo()](x, y, n, 1, B=32)\n",
       {"fact G0 >= 0 : grid\ngrid (G0, G1, G2) rank 0"}},
      {"persistent",
       "def f(x, y, n: int):\n"
       "    p = min(torch.cuda.count(), n)\n"
       "    k[p,](x, y, n, p, B=32)\n",
       {"grid (m, 1, 1) rank 1\nfact m <= n : host\nfact m >= 0 : grid\n"}},
  };
  CHECK_CASES(cases);
}

static const char tuned[] =
    "@triton.autotune(configs=[\n"
    "    triton.Config({'B': 64, 'G': 1, 'E': True}, num_warps=4),\n"
    "    triton.Config({'B': 128, 'G': 3, 'E': True})], key=['n'])\n"
    "@triton.heuristics({'EVEN': lambda args: args['n'] % args['B'] == 0})\n"
    "@triton.jit\n"
    "def t(x, n, B: tl.constexpr, G: tl.constexpr, E: tl.constexpr,\n"
    "      EVEN: tl.constexpr, D: tl.constexpr = 5):\n"
    "    i = tl.arange(0, B) * G + D\n"
    "    if EVEN:\n"
    "        tl.store(x + i, n)\n"
    "def f(x, n: int):\n"
    "    t[lambda m: (triton.cdiv(n, m['B']), m['G'])](x, n)\n";

static void test_tuning(void **state) {
  (void)state;
  char text[2048];
  snprintf(text, sizeof text, "%s%s", imports, tuned);
  reading r = read_file(text, (parse_options){0});
  assert_int_equal(r.programs.count, 2);
  check_program("tuned", program_text(&r, 0),
                "symbol B const pow2 pin 64\n"
                "fact B == 64 and G == 1 or B == 128 and G == 3 : host\n"
                "fact n % B == 0 : host\n"
                "grid (cdiv(n, B), G, 1) rank 2\n"
                "param E = static text \"True\"\n"
                "param EVEN = static text \"True\"\n"
                "param D = const D\nsymbol D const pinned 5\n");
  check_program("tuned", program_text(&r, 1),
                "fact n % B != 0 : host\n"
                "param EVEN = static text \"False\"\n");
  reading_end(r);
}

static void test_constants(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"a local that reaches a constexpr",
       "def f(x, y, n: int):\n"
       "    S = 256\n"
       "    k[(triton.cdiv(n, S),)](x, y, n, S * 2, B=S)\n",
       {"symbol B const pinned 256 line 11\n"
        "grid (cdiv(n, B), 1, 1)\nparam m %4 m : i32^m = int 2*B\n"}},
      {"a default",
       "def f(x, y, n: int, S: int = 256):\n"
       "    k[(triton.cdiv(n, S),)](x, y, n, 1, B=S)\n",
       {"symbol S const pinned 256\ngrid (cdiv(n, S), 1, 1)\n"}},
      {"a module constant",
       "S = 128\n"
       "def f(x, y, n: int):\n"
       "    k[(triton.cdiv(n, S),)](x, y, n, 1, B=S)\n",
       {"symbol B const pinned 128\ngrid (cdiv(n, B), 1, 1)\n"}},
      {"a size",
       "def f(x, y):\n"
       "    D = x.shape[0]\n"
       "    b = min(triton.next_power_of_2(D), 4096)\n"
       "    k[1,](x, y, D, 1, B=b)\n",
       {"param B = const min(next_power_of_2(D), 4096)\n"}},
      {"not understood",
       "def f(x, y):\n    k[1,](x, y, 1, 1, B=foo(x))\n",
       {"symbol B const line\nparam B = const B\n"}},
      {"the name is taken",
       "def f(x, y):\n"
       "    A, B = x.shape\n"
       "    k[1,](x, y, A, B, B=64)\n",
       {"symbol B size\nsymbol B_2 const pinned 64\n"
        "param m %4 m : i32^m = int B\nparam B = const B_2\n"}},
  };
  CHECK_CASES(cases);
}

static void test_switches(void **state) {
  (void)state;
  static const char text[] =
      "import triton\nimport triton.language as tl\n"
      "@triton.jit\n"
      "def s(x, b, n, ACT: tl.constexpr, F: tl.constexpr, M: tl.constexpr):\n"
      "    i = tl.arange(0, 16) + n\n"
      "    if b is not None:\n"
      "        tl.load(b + i)\n"
      "    if ACT == 'relu':\n"
      "        tl.store(x + i, 0)\n"
      "    if F:\n"
      "        tl.store(x + i, 1)\n"
      "    tl.store(x + i * M, 2)\n";
  reading r = read_file(text, (parse_options){0});
  assert_int_equal(r.programs.count, 8);
  check_program("switches", program_text(&r, 0),
                "tensor x any unknown in parameter\n"
                "param b %3 b : ptr<any>\n"
                "param ACT = static text \"\\\"relu\\\"\"\n"
                "param F = static text \"True\"\n"
                "param M = const M\nsymbol M const line\nfact M >= 1\n"
                "grid (G0, G1, G2) rank 0\n"
                "fact n >= 0 : default\n");
  check_program("switches", program_text(&r, 7),
                "param b = static text \"None\"\n"
                "param ACT = static text \"\\\"\\\"\"\n"
                "param F = static text \"False\"\n");
  reading_end(r);
}

static void test_too_many(void **state) {
  (void)state;
  static const char text[] =
      "import triton\nimport triton.language as tl\n"
      "@triton.jit\n"
      "def s(x, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr,\n"
      "      D: tl.constexpr, E: tl.constexpr):\n"
      "    if A and B and C and D and E:\n"
      "        tl.store(x, 0)\n";
  reading r = read_file(text, (parse_options){0});
  assert_int_equal(r.programs.count, 16);
  assert_int_equal(r.notices.count, 1);
  assert_int_equal(r.notices.at[0].kind, NOTICE_UNSUPPORTED);
  assert_non_null(strstr(r.notices.at[0].message, "too many switches"));
  reading_end(r);
}

/* ---------------------------------------------------------------- clauses */

static void test_clauses(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"extents and strides",
       "# tilecheck: x: f32[M, 2 * D] stride (s, 1); y: i8[M] align 32\n"
       "# tilecheck: assume s >= D, n < 2**20; max-numel 2**30\n"
       "def f(x, y, n):\n"
       "    M, N = x.shape\n"
       "    D = N // 2\n"
       "    k[M,](x, y, n, x.stride(0), B=8)\n",
       {"symbol D size\nsymbol s stride\n"
        "tensor x f32 [M, 2*D] stride (s, 1) in parameter written\n"
        "tensor y i8 [M] stride (1) in parameter disjoint\n"
        "fact D <= s : contract line 11\nfact n < 1048576 : contract\n"
        "fact n >= 0 : default\nfact M <= 1073741824 : shape\n"
        "fact s >= 0 : shape\n"
        "param m %4 m : i32^m = int s\nmax_numel 1073741824\n"}},
      {"a local of another tensor",
       "# tilecheck: y: f32[K, N]\n"
       "def f(x, y):\n"
       "    M, K = x.shape\n"
       "    N = y.shape[1]\n"
       "    k[1,](x, y, K, N, B=8)\n",
       {"tensor x any [M, K] stride (K, 1)\n"
        "tensor y f32 [K, N] stride (N, 1)\n"}},
      {"a local that is computed",
       "# tilecheck: cu: i32[n + 1]; values cu in [0, T] sorted\n"
       "def f(x, cu):\n"
       "    T = x.shape[0]\n"
       "    n = cu.shape[0] - 1\n"
       "    k[n,](x, cu, T, 1, B=8)\n",
       {"tensor cu i32 [n + 1] stride (1) in parameter disjoint written "
        "range (0, T) any_content sorted\n"
        "grid (n, 1, 1)\n"}},
      {"a local that is not understood",
       "# tilecheck: x: f32[n]; assume 1 <= s <= 5\n"
       "def f(x, y):\n"
       "    n = foo(x)\n"
       "    s = bar(x)\n"
       "    k[n,](x, y, n, s, B=8)\n",
       {"tensor x f32 [n] stride (1)\nparam n %3 n : i32^n = int n\n"
        "fact s <= 5 : contract\nparam m %4 m : i32^m = int s\n"}},
      {"contents",
       "# tilecheck: values x in {-1} or [0, n) distinct; values y any\n"
       "# tilecheck: out y: any[...]; written y; disjoint y\n"
       "def f(x, y, n):\n"
       "    k[1,](x, y, n, y.stride(0), B=8)\n",
       {"tensor x any [`x.numel()`] stride (1) in parameter contiguous "
        "disjoint written range (-1, n - 1) any_content distinct\n"
        "tensor y any [`y.shape[0]`] stride (`y.stride(0)`) out parameter "
        "open disjoint written any_content\n"}},
      {"holes in a set",
       "# tilecheck: values x in {0, 7}\n"
       "def f(x, y, n):\n    k[1,](x, y, n, 1, B=8)\n",
       {"tensor x any [`x.numel()`] stride (1) in parameter contiguous "
        "disjoint written range (0, 7) line\n"}},
      {"constexprs",
       "# tilecheck: const S in {16, 64}; assume -4 <= n <= 4\n"
       "def f(x, y, n, S):\n    k[1,](x, y, n, 1, B=S)\n",
       {"symbol S const pow2\nfact S == 16 or S == 64 : contract\n"
        "symbol n int unbounded\nfact n >= -4 : contract\n!fact n >= 0\n"}},
      {"a grid that the code does not tell",
       "# tilecheck: grid (cdiv(n, 8), n)\n"
       "def f(x, y, n):\n    k[foo()](x, y, n, 1, B=8)\n",
       {"grid (cdiv(n, 8), n, 1) rank 2\n!symbol G0\n"}},
      {"printed names",
       "# tilecheck: assume x.shape[0] >= 3, x.shape[0] <= y.numel()\n"
       "def f(x, y):\n    k[1,](x, y, x.shape[0], 1, B=8)\n",
       {"fact `x.shape[0]` >= 3 : contract\n"
        "fact `x.shape[0]` <= `y.numel()` : contract\n"}},
  };
  CHECK_CASES(cases);
}

static void test_kernel_clauses(void **state) {
  (void)state;
  static const char text[] =
      "import triton\nimport triton.language as tl\n"
      "# tilecheck: x: f32[n]; out y: f32[n, m]; grid (cdiv(n, B),)\n"
      "# tilecheck: assume m >= 1; values x in [0, 1]\n"
      "@triton.jit\n"
      "def k(x, y, n, m, B: tl.constexpr):\n"
      "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
      "    v = tl.load(x + i, mask=i < n)\n"
      "    tl.store(y + i * m, v, mask=i < n)\n";
  static const char launch[] = "def f(x, y, m):\n"
                               "    k[(7,)](x, y, x.numel(), m, B=16)\n";
  static const char described[] =
      "tensor x f32 [n] stride (1) in parameter disjoint written "
      "range (0, 1)\n"
      "tensor y f32 [n, m] stride (m, 1) out parameter\n"
      "grid (cdiv(n, B), 1, 1) rank 1\nfact m >= 1 : contract\n!symbol G0\n";
  reading r = read_file(text, (parse_options){0});
  assert_int_equal(r.programs.count, 1);
  check_program("kernel", program_text(&r, 0), described);
  reading_end(r);
  char both[2048];
  snprintf(both, sizeof both, "%s%s", text, launch);
  r = read_file(both, (parse_options){0});
  assert_int_equal(r.programs.count, 1);
  const tile_program *p = r.programs.at[0].program;
  check_program("launched", program_text(&r, 0),
                "tensor y f32 [`x.numel()`, m] stride (m, 1) out parameter\n"
                "grid (7, 1, 1) rank 1\n!fact m >= 1\n");
  assert_int_equal(p->required.count, 2);
  assert_string_equal(expr_text(p->exprs, p->required.at[0].condition, r.arena),
                      "cdiv(`x.numel()`, B) == 7");
  reading_end(r);
}

static void test_safe_contents(void **state) {
  (void)state;
  static const char text[] =
      "# tilecheck: values x in [-1, n) distinct except {-1}; written y[1:]\n"
      "# tilecheck: y: f32[n] align 64\n"
      "def f(x, y, n):\n    k[1,](x, y, n, 1, B=8)\n";
  char all[2048];
  snprintf(all, sizeof all, "%s%s%s", imports, kernel, text);
  reading r = read_file(all, (parse_options){0});
  const tile_program *p = r.programs.at[0].program;
  assert_false(p->tensors.at[0].distinct);
  assert_int_equal(p->tensors.at[0].except_count, 1);
  assert_false(p->tensors.at[1].written);
  assert_true(p->tensors.at[1].part_written);
  assert_int_equal(p->tensors.at[1].align, 64);
  int64_t low;
  assert_true(expr_is_int(p->exprs, p->tensors.at[1].part_low[0], &low));
  assert_int_equal(low, 1);
  reading_end(r);
}

static void test_notices(void **state) {
  (void)state;
  static const struct {
    const char *clauses, *message;
    notice_kind kind;
    uint32_t column;
  } rows[] = {
      {"assume foo > 1", "unknown name `foo`", NOTICE_CONTRACT, 21},
      {"assume n > 1; x: f32[n]; values zz any", "unknown name `zz`",
       NOTICE_CONTRACT, 46},
      {"disjoint x, zz", "unknown name `zz`", NOTICE_CONTRACT, 23},
      {"const Q in {1}", "unknown name `Q`", NOTICE_CONTRACT, 20},
      {"assume two > 1", "unknown name `two`", NOTICE_CONTRACT, 21},
      {"assume n // 0 > 1", "this number cannot be computed", NOTICE_CONTRACT,
       21},
      {"max-numel n", "max-numel is a constant", NOTICE_CONTRACT, 24},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2048];
    snprintf(text, sizeof text,
             "%s%s# tilecheck: %s\ndef f(x, y, n):\n"
             "    two = 1\n    two = 2\n"
             "    k[1,](x, y, n, 1, B=8)\n",
             imports, kernel, rows[i].clauses);
    reading r = read_file(text, (parse_options){0});
    if (r.notices.count != 1)
      fail_msg("`%s`: %zu notices", rows[i].clauses, r.notices.count);
    notice n = r.notices.at[0];
    if (strcmp(n.message, rows[i].message) != 0 || n.kind != rows[i].kind ||
        n.at.column != rows[i].column || n.at.line != 10)
      fail_msg("`%s`: %u:%u %s", rows[i].clauses, n.at.line, n.at.column,
               n.message);
    reading_end(r);
  }
}

static void test_unused(void **state) {
  (void)state;
  static const char text[] = "# tilecheck: values zz any\n"
                             "import torch\n"
                             "# tilecheck: assume n > 1\n"
                             "def f(n):\n    return n\n";
  reading r = read_file(text, (parse_options){0});
  assert_int_equal(r.notices.count, 2);
  for (size_t i = 0; i < 2; i++)
    assert_int_equal(r.notices.at[i].kind, NOTICE_UNUSED);
  reading_end(r);
}

static void test_options(void **state) {
  (void)state;
  static const char *const names[] = {"B", "nothing"};
  static const int64_t values[] = {32, 1};
  static const char *const conditions[] = {"n >= 5", "zz > 1", "n >"};
  parse_options o = {.set_names = names,
                     .set_values = values,
                     .set_count = 2,
                     .assumptions = conditions,
                     .assumption_count = 3,
                     .max_numel = 1000,
                     .kernel = "k"};
  char text[2048];
  snprintf(text, sizeof text,
           "%s%sdef f(x, y, n):\n    k[1,](x, y, n, 1, B=64)\n"
           "@triton.jit\ndef other(x):\n    tl.store(x, 0)\n",
           imports, kernel);
  reading r = read_file(text, o);
  assert_int_equal(r.programs.count, 1);
  check_program("options", program_text(&r, 0),
                "symbol B const pinned 32\nfact B == 32 : option\n"
                "fact n >= 5 : option\nmax_numel 1000\n");
  assert_int_equal(r.notices.count, 3);
  reading_end(r);
}

static const tensor *tensor_named(const reading *r, size_t i,
                                  const char *name) {
  const tile_program *p = r->programs.at[i].program;
  for (size_t k = 0; k < p->tensors.count; k++)
    if (strcmp(p->tensors.at[k].name, name) == 0)
      return &p->tensors.at[k];
  fail_msg("no tensor %s", name);
  return NULL;
}

/* What tensors hold when a launch begins. */
static void test_contents(void **state) {
  (void)state;
  static const struct {
    const char *before; /* the statement before the launch */
    tensor_content x, y;
    double fill;
  } rows[] = {
      {"y = torch.empty_like(x)", CONTENT_CALLER, CONTENT_EMPTY, 0},
      {"y = torch.zeros_like(x)", CONTENT_CALLER, CONTENT_FILLED, 0},
      {"y = torch.ones((n,))", CONTENT_CALLER, CONTENT_FILLED, 1},
      {"y = torch.full((n,), 2.5)", CONTENT_CALLER, CONTENT_FILLED, 2.5},
      {"y = x.new_full((n,), -3)", CONTENT_CALLER, CONTENT_FILLED, -3},
      {"y = torch.full((n,), n * 0.5)", CONTENT_CALLER, CONTENT_HOST, 0},
      {"y = torch.randn(n)", CONTENT_CALLER, CONTENT_HOST, 0},
      {"y = torch.zeros(n); y[0] = 1", CONTENT_CALLER, CONTENT_HOST, 0},
      {"y = torch.zeros(n); y += 1", CONTENT_CALLER, CONTENT_HOST, 0},
      {"y = torch.zeros(n); y.fill_(1)", CONTENT_CALLER, CONTENT_HOST, 0},
      {"y = torch.zeros(n); touch(y)", CONTENT_CALLER, CONTENT_HOST, 0},
      {"y = torch.empty(n); x *= 2", CONTENT_HOST, CONTENT_EMPTY, 0},
      {"y = torch.empty(n); x = x * 2", CONTENT_HOST, CONTENT_EMPTY, 0},
      {"y = torch.empty(n); k[2,](x, x, n, 1, B=64)", CONTENT_CALLER,
       CONTENT_EMPTY, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[2048];
    snprintf(text, sizeof text,
             "%s%sdef f(x):\n    n = x.shape[0]\n    %s\n"
             "    k[(n,)](x, y, n, 1, B=64)\n",
             imports, kernel, rows[i].before);
    reading r = read_file(text, (parse_options){0});
    size_t last = r.programs.count - 1;
    const tensor *x = tensor_named(&r, last, "x");
    const tensor *y = tensor_named(&r, last, "y");
    if (x->content != rows[i].x || y->content != rows[i].y ||
        (y->content == CONTENT_FILLED && y->fill != rows[i].fill))
      fail_msg("%s: x %d, y %d, %g", rows[i].before, (int)x->content,
               (int)y->content, y->fill);
    assert_string_equal(y->root, "y");
    assert_int_equal(x->shared, r.programs.count > 1);
    reading_end(r);
  }
}

/* Where a launch stands, and numbers that only the kernel's body uses. */
static void test_running(void **state) {
  (void)state;
  static const char body[] =
      "@triton.jit\n"
      "def s(x, a, b, c):\n"
      "    tl.store(x, a + b * 0.5 + c * 0.5)\n"
      "class C:\n"
      "    def g(self, x, c: float, a=0.25, b: float = 3.0):\n"
      "        for i in range(3):\n"
      "            s[(1,)](x, a, b / 2, c)\n"
      "        s[(1,)](x, 1e-5, b, c)\n";
  const char *names[] = {"x"};
  const scalar types[] = {SC_BF16};
  char text[2048];
  snprintf(text, sizeof text, "%s%s", imports, body);
  reading r = read_file(
      text,
      (parse_options){.dtype_names = names, .dtypes = types, .dtype_count = 1});
  assert_int_equal(r.programs.count, 2);
  const tile_program *p = r.programs.at[0].program;
  const tile_program *q = r.programs.at[1].program;
  assert_string_equal(p->function, "g");
  assert_int_equal(p->function_line, 9);
  assert_int_equal(p->loop_line, 10);
  assert_int_equal(q->loop_line, 0);
  assert_int_equal(tensor_named(&r, 1, "x")->dtype, SC_BF16);
  assert_true(p->params.at[1].has_number && p->params.at[1].number == 0.25);
  assert_true(q->params.at[1].has_number && q->params.at[1].number == 1e-5);
  assert_true(q->params.at[2].has_number && q->params.at[2].number == 3.0);
  assert_false(p->params.at[2].has_number);
  assert_false(q->params.at[3].has_number);
  reading_end(r);
}

/* -------------------------------------------------------- joined switches */

/* `q`, a kernel with many of them, and what launches it. */
#define SWITCHES                                                               \
  "@triton.jit\n"                                                              \
  "def q(x, w, n, B: tl.constexpr, F: tl.constexpr, G: tl.constexpr,"          \
  " H: tl.constexpr, MODE: tl.constexpr, HOW: tl.constexpr):\n"                \
  "    i = tl.program_id(0) * B + tl.arange(0, B)\n"                           \
  "    v = tl.load(x + i, mask=i < n)\n"                                       \
  "    if w is not None:\n"                                                    \
  "        v += tl.load(w + i, mask=i < n)\n"                                  \
  "    if F:\n"                                                                \
  "        v += 1\n"                                                           \
  "    if MODE == 3 or HOW == 'b' or G or H:\n"                                \
  "        v += 1\n"                                                           \
  "    tl.store(x + i, v, mask=i < n)\n"

static void test_joined_switches(void **state) {
  (void)state;
  static const host_case cases[] = {
      {"few are enumerated",
       SWITCHES "def f(x, n: int, a: bool):\n"
                "    q[4,](x, x, n, 64, a, True, True, 3, 'b')\n",
       {"param F = static text \"True\"", "param F = static text \"False\"",
        ""}},
      {"many are symbols",
       SWITCHES "def f(x, w, n: int, a: bool, b: bool, mode, how='b'):\n"
                "    if w is not None:\n"
                "        assert w.numel() == n\n"
                "    q[4,](x, w, n, 64, a, b, n > 5, mode, how)\n",
       {"symbol a switch (\"False\", \"True\")\n"
        "symbol b switch (\"False\", \"True\")\n"
        "symbol `w is None` switch (\"False\", \"True\")\n"
        "symbol how switch (\"'b'\", \"another text\")\n"
        "fact `w.numel()` == n or `w is None` != 0 : host\n"
        "fact a <= 1 : default\n"
        "param w %2 w : ptr<any> = pointer tensor 1 offset 0\n"
        "param F = static text \"a != 0\"\n"
        "param G = static text \"b != 0\"\n"
        "param H = static text \"n > 5\"\n"
        "param HOW = static text \"one of 2: how\"",
        ""}},
      {"allocated or None",
       SWITCHES "def f(x, n: int, a: bool, b: bool, c: bool):\n"
                "    w = torch.empty(n) if a else None\n"
                "    q[4,](x, w, n, 64, a, b, c, 3, 'b')\n",
       {"symbol a switch (\"False\", \"True\")\n"
        "tensor w f32 [n] stride (1)\n"
        "param w %2 w : ptr<f32> = pointer tensor 1 offset 0",
        ""}},
      {"a text is looked up",
       SWITCHES "T = {'none': 0, 'sum': 3}\n"
                "def f(x, n: int, a: bool, b: bool, c: bool, how):\n"
                "    mode = T[how]\n"
                "    m = n if mode == 3 else 5\n"
                "    y = torch.empty(m)\n"
                "    assert how in ('none', 'sum', 'mean')\n"
                "    q[4,](x, y, n, 64, a, b, c, mode, how)\n",
       {"symbol how switch (\"'none'\", \"'sum'\", \"'mean'\", \"'b'\", "
        "\"another text\")\n"
        "fact how != 4 : host\n"
        "fact how != 3 : host\n"
        "fact how != 2 : host\n"
        "tensor y f32 [n if how == 1 else 5]\n"
        "param HOW = static text \"one of 5: how\"\n"
        "param MODE = static text \"one of 5: how\"",
        ""}},
      {"types that depend on a switch",
       "@triton.jit\n"
       "def t(x, n, B: tl.constexpr, F: tl.constexpr, G: tl.constexpr,"
       " H: tl.constexpr):\n"
       "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
       "    p = x\n"
       "    if F:\n"
       "        p = x + i\n"
       "    v = tl.load(p)\n"
       "    if G:\n"
       "        v += 1\n"
       "    if H:\n"
       "        v += 1\n"
       "    tl.store(x + i, v, mask=i < n)\n"
       "def f(x, n: int, a: bool, b: bool, c: bool):\n"
       "    t[4,](x, n, 64, a, b, c)\n",
       {"!symbol a switch\nsymbol b switch\nsymbol c switch\n"
        "param F = static text \"False\"\nparam G = static text \"b != 0\"",
        "!symbol a switch\nsymbol b switch\nsymbol c switch\n"
        "param F = static text \"True\"\nparam G = static text \"b != 0\"",
        ""}},
      {"None or two tensors",
       SWITCHES "def f(x, n: int, a: bool, b: bool, c: bool):\n"
                "    w = torch.empty(n) if a else x\n"
                "    q[4,](x, w, n, 64, a, b, c, 3, 'b')\n",
       {"param F = static text \"True\"\nfact a != 0 : host",
        "param F = static text \"False\"\nfact a == 0 : host", ""}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_case(&cases[i], true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_strides),
      cmocka_unit_test(test_views),
      cmocka_unit_test(test_storage),
      cmocka_unit_test(test_roles),
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_grids),
      cmocka_unit_test(test_tuning),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_switches),
      cmocka_unit_test(test_too_many),
      cmocka_unit_test(test_clauses),
      cmocka_unit_test(test_kernel_clauses),
      cmocka_unit_test(test_safe_contents),
      cmocka_unit_test(test_notices),
      cmocka_unit_test(test_unused),
      cmocka_unit_test(test_joined_switches),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_contents),
      cmocka_unit_test(test_running),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
