#!/usr/bin/env python3
"""Each clause of a contract comment matters: without it a verdict changes.

A case is a kernel with its host function and one clause, written as
`# tilecheck: @@`. Run by ctest from the project's root; TILECHECK names the
program. Clauses that no check reads yet (written, disjoint, align) are only
tested for their grammar, in unit/test_contract.c.
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
    for name, text, clause in CASES:
        with_it, errors = verdicts(text.replace("@@", clause))
        without, _ = verdicts(text.replace("# tilecheck: @@", "# nothing"))
        if errors:
            print(f"{name}: {errors}")
        elif with_it == without:
            print(f"{name}: no verdict changes without `{clause}`")
        failed += bool(errors) or with_it == without
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
