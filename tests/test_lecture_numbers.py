#!/usr/bin/env python3
"""Figures that a course on tile languages derives by hand, from the output of
`tilecheck io` on the kernels of corpus/tutorial.

Usage: TILECHECK=PROGRAM tests/test_lecture_numbers.py. The numbers stand here,
the formulas come from the program.
"""

import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
TUTORIAL = "corpus/tutorial/"

M, N = 1823, 781
MN = M * N


def io(file, function, at, *options):
    """The functions of that name, by how their flags are decided."""
    names = ",".join(f"{k}={v}" for k, v in at.items())
    done = subprocess.run(
        [TOOL, "io", "--format=json", "--function", function, "--dtype=f32",
         "--at", names, *options, TUTORIAL + file],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    report = json.loads(done.stdout)
    return {f["choice"]: f for f in report["files"][0]["functions"]}


def text(*arguments):
    done = subprocess.run([TOOL, "io", *arguments], cwd=ROOT, timeout=60,
                          stdout=subprocess.PIPE)
    return done.stdout.decode()


def value(function, way, unit="elements"):
    return function[way][unit].get("at")


def formula(function, way, unit="elements"):
    return function[way][unit]["formula"]


def vector_add():
    f = io("vector_add.py", "add", {"n_elements": 98432})[""]
    yield "reads", value(f, "reads"), 196864
    yield "writes", value(f, "writes"), 98432
    yield "bytes read", value(f, "reads", "bytes"), 787456
    yield "bytes written", value(f, "writes", "bytes"), 393728


def naive_softmax():
    f = io("softmax_naive.py", "naive_softmax", {"M": M, "N": N})[""]
    yield "reads", formula(f, "reads"), "5*M*N + 2*M"
    yield "writes", formula(f, "writes"), "3*M*N + 2*M"
    yield "total", formula(f, "total"), "8*M*N + 4*M"
    yield "reads", value(f, "reads"), 7122461
    yield "writes", value(f, "writes"), 4274935
    yield "total", value(f, "total"), 11397396
    steps = [(value(s, "reads"), value(s, "writes")) for s in f["steps"]]
    yield "operators", steps, [(MN, M), (1425586, MN), (MN, MN), (MN, M),
                               (1425586, MN)]


def fused_softmax():
    sizes = {"n_rows": M, "n_cols": N}
    f = io("softmax.py", "softmax", sizes)[""]
    yield "reads", value(f, "reads"), 1423763
    yield "writes", value(f, "writes"), 1423763
    kernel = io("softmax.py", "softmax_kernel", sizes)[""]
    yield "idle lanes", round(100 * kernel["idle_lanes"]["at"], 2), 23.73


def naive_against_fused():
    out = text(TUTORIAL + "softmax_naive.py", TUTORIAL + "softmax.py",
               "--dtype=f32", "--gpu=h100", "--function=naive_softmax",
               "--function=softmax", "--at",
               f"M={M},N={N},n_rows={M},n_cols={N}")
    for line in ("13.61 us on H100", "3.40 us on H100",
                 "(4*N + 2)/N = 4.00, tends to 4 as all sizes grow"):
        yield line, line in out, True


def softmax_in_three_kernels():
    f = io("softmax_recomputed.py", "softmax", {"M": M, "N": N})[""]
    totals = [value(s, "reads") + value(s, "writes") for s in f["steps"]]
    yield "kernels", totals, [MN + M, MN + 2 * M, 2 * MN + 2 * M]
    yield "total", formula(f, "total"), "4*M*N + 5*M"
    yield "total", value(f, "total"), 5704167


def l2_norm():
    f = io("l2_norm.py", "l2_norm", {"n_rows": M, "n_cols": N})[""]
    yield "reads", formula(f, "reads"), "n_cols*n_rows"
    yield "writes", formula(f, "writes"), "n_rows"


def matmul():
    f = io("matmul.py", "matmul", {
        "M": 200, "N": 300, "K": 100, "BLOCK_M": 64, "BLOCK_N": 64,
        "BLOCK_K": 32})[""]
    yield "loads", value(f, "reads"), 256000
    yield "stores", value(f, "writes"), 60000


def attention():
    sizes = {"Z": 1, "H": 1, "M": 1024, "N": 1024, "D": 64, "BLOCK_M": 64,
             "BLOCK_N": 64}
    both = io("flash_attention.py", "attention", sizes)
    f = both["causal=True"]
    yield "causal bytes", value(f, "total", "bytes"), 4984832
    f = both["causal=False"]
    yield "formula", formula(f, "reads"), "D*H*Z*(2*N*cdiv(M, BLOCK_M) + M)"
    yield "bytes", value(f, "total", "bytes"), 8916992
    yield "bytes read", value(f, "reads", "bytes"), 8650752
    yield "bytes written", value(f, "writes", "bytes"), 266240
    table = [(32, 270548992), (64, 136331264), (128, 69222400),
             (256, 35667968)]
    for block, expected in table:
        f = io("flash_attention.py", "attention",
               {**sizes, "M": 4096, "N": 4096, "D": 128, "BLOCK_M": block},
               "--dtype=f16")["causal=False"]
        yield f"BLOCK_M {block}", value(f, "total", "bytes"), expected
    for block, other, expected in (32, 32, 20480), (256, 64, 196608):
        f = io("flash_attention.py", "attention_kernel",
               {**sizes, "D": 128, "BLOCK_M": block, "BLOCK_N": other})
        yield "on chip", f["causal=False"]["on_chip_bytes"]["at"], expected


FIGURES = [vector_add, naive_softmax, fused_softmax, naive_against_fused,
           softmax_in_three_kernels, l2_norm, matmul, attention]


def main():
    wrong = count = 0
    for figures in FIGURES:
        for what, found, expected in figures():
            count += 1
            if found != expected:
                wrong += 1
                print(f"{figures.__name__}: {what}: {found}, not {expected}")
    print(f"{count} figures, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
