#!/usr/bin/env python3
"""Each clause of a contract comment matters: without it a verdict changes.

A case is a kernel with its host function and one clause, written as
`# tilecheck: @@`, and perhaps the clause that is left when a part is taken out. Run by ctest from the project's root; TILECHECK names the
program.
"""

import json
import os
import subprocess
import sys
import tempfile

HEAD = "import torch\nimport triton\nimport triton.language as tl\n\n\n"

COPY = HEAD + """@triton.jit
def k(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m), mask=m)


# tilecheck: @@
def f(x, n):
    out = torch.empty((n,), device="cuda")
    k[(triton.cdiv(n, 128),)](x, out, n, BLOCK=128)
    return out
"""

ROWS = HEAD + """@triton.jit
def k(x, out, stride, D, BD: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, BD)
    v = tl.load(x + row * stride + d, mask=d < D)
    tl.store(out + row * D + d, v, mask=d < D)


# tilecheck: @@
def f(x):
    T, D = x.shape
    out = torch.empty((T, D), device="cuda")
    k[(T,)](x, out, x.stride(0), D, BD=triton.next_power_of_2(D))
    return out
"""

GATHER = HEAD + """@triton.jit
def k(x, ids, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    j = tl.load(ids + i, mask=m, other=0)
    tl.store(out + i, tl.load(x + j, mask=m), mask=m)


# tilecheck: @@
def f(x, ids):
    n = ids.numel()
    rows = x.numel()
    out = torch.empty((n,), device="cuda")
    k[(triton.cdiv(n, 128),)](x, ids, out, n, BLOCK=128)
    return out
"""

ALONE = HEAD + """# tilecheck: @@
@triton.jit
def k(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))
"""

QUOTIENT = HEAD + """# tilecheck: @@
@triton.jit
def k(out, n, P: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i // (P - 1), 1.0, mask=i < n)
"""

COPY_2D = HEAD + """@triton.jit
def k(x, out, M, N, s0, s1, BM: tl.constexpr, BN: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    j = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    m = (i < M) & (j < N)
    tl.store(out + i * s0 + j * s1, tl.load(x + i * N + j, mask=m), mask=m)


# tilecheck: x: f32[M, N]; out: f32[M, N] stride any; max-numel 2**30
# tilecheck: @@
def f(x, out):
    M, N = out.shape
    k[(triton.cdiv(M, 16), triton.cdiv(N, 16))](
        x, out, M, N, out.stride(0), out.stride(1), BM=16, BN=16)
"""

BLOCKS = HEAD + """@triton.jit
def k(x, out, M, K, stride, BM: tl.constexpr, BK: tl.constexpr):
    m0 = tl.program_id(0) * BM
    d = tl.make_tensor_descriptor(x, shape=[M, K], strides=[stride, 1],
                                  block_shape=[BM, BK])
    r = m0 + tl.arange(0, BM)
    v = tl.sum(d.load([m0, 0]).to(tl.float32), axis=1)
    tl.store(out + r, v, mask=r < M)


# tilecheck: @@
def f(x):
    M, K = x.shape
    assert K % 8 == 0 and K <= 1024 and K >= 8
    out = torch.empty((M,), device=x.device)
    k[(triton.cdiv(M, 16),)](x, out, M, K, K, BM=16, BK=64)
"""

FLAT = HEAD + """@triton.jit
def k(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(y + i, tl.load(x + i, mask=m), mask=m)


# tilecheck: x: f32[M, N] stride any
# tilecheck: @@
def f(x):
    y = x.reshape(-1)
    n = y.shape[0]
    k[(triton.cdiv(n, 128),)](x, y, n, BLOCK=128)
"""

ASSUME_TWO = "# tilecheck: assume rows >= 2\n# tilecheck: @@"

CASES = [
    ("tensor, extents", COPY, "x: f32[n]"),
    ("tensor, stride", ROWS, "x: f32[T, D] stride (s, 1)"),
    ("tensor, stride any", COPY, "x: f32[n] stride any"),
    ("assume, comparison", COPY, "assume n <= 0, n >= 0"),
    ("grid", ALONE, "grid (cdiv(n, BLOCK),)"),
    ("values, range", GATHER, "values ids in [0, rows)"),
    ("values, set", GATHER.replace("# tilecheck: @@", ASSUME_TWO),
     "values ids in {0, 1}"),
    ("const, set", QUOTIENT, "const P in {2, 3}"),
    ("const, pow2", QUOTIENT, "const P pow2 [2, 64]"),
    ("disjoint", COPY_2D, "disjoint out"),
    ("written", COPY, "written x[1:]"),
    ("tensor, align", BLOCKS, "x: f16[M, K] align 16", "x: f16[M, K]"),
    ("tensor, offset", FLAT, "y: f32[n] offset 0", "y: f32[n]"),
    ("max-numel", COPY, "max-numel 2**40"),
    ("ignore", ALONE, "ignore TC101 -- the caller sees to it"),
]


def verdicts(text):
    program = os.environ.get("TILECHECK", "build/tilecheck")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.py")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        done = subprocess.run([program, "--format", "json", path],
                              capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    errors = [e["code"] for f in report["files"] for e in f["errors"]
              if e["code"] in ("TC901", "TC902", "TC903")]
    found = sorted(
        (v["code"], v["verdict"], v["line"], str(v["requires"]),
         str(v.get("suppressed", False)))
        for f in report["files"] for k in f["kernels"] for v in k["verdicts"])
    return found, errors


def main():
    failed = 0
    for name, text, clause, *rest in CASES:
        with_it, errors = verdicts(text.replace("@@", clause))
        left = f"# tilecheck: {rest[0]}" if rest else "# nothing"
        without, _ = verdicts(text.replace("# tilecheck: @@", left))
        if errors:
            print(f"{name}: {errors}")
        elif with_it == without:
            print(f"{name}: no verdict changes without `{clause}`")
        failed += bool(errors) or with_it == without
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
