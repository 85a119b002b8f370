#!/usr/bin/env python3
"""Figures that a course on tile languages derives by hand, from the output of
tilecheck on the kernels of corpus/tutorial.

Usage: TILECHECK=PROGRAM tests/test_lecture_numbers.py. The numbers stand here,
the formulas come from the program. test_models.py has more of the figures of
`footprint`, `cache`, `coalesce` and `knobs`, test_run.py those of runs.
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
         *(["--at", names] if at else []), *options, TUTORIAL + file],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    report = json.loads(done.stdout)
    return {f["choice"]: f for f in report["files"][0]["functions"]}


def output(*arguments):
    done = subprocess.run([TOOL, *arguments], cwd=ROOT, timeout=60,
                          stdout=subprocess.PIPE)
    return done.stdout.decode()


def text(*arguments):
    return output("io", *arguments)


def launch(command, file, *options):
    """The first launch of a model."""
    return json.loads(output(command, "--format=json", TUTORIAL + file,
                             *options))["launches"][0]


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
    model = launch("footprint", "vector_add.py", "--dtype=f32",
                   "--set=n_elements=98432")
    yield "programs", model["programs"], 97
    # the last of 97 programs alone: what 96 blocks leave
    f = io("vector_add.py", "add", {"n_elements": 98432 - 96 * 1024})[""]
    yield "live lanes of the last program", value(f, "writes"), 128


TRACE = """\
%0 = tt.get_program_id axis=0
%1 = tt.make_range {start=0, end=1024} : tensor<1024xi32>
%2 = tt.load x (带掩码) : tensor<1024xfloat32>
%3 = tt.reduce(max) axis=0 : 1024 -> 标量
%4 = math.exp : 1024
%5 = tt.reduce(add) axis=0 : 1024 -> 标量
%6 = tt.store out (带掩码) : tensor<1024xfloat32>
"""


def trace():
    yield "fused softmax", output("trace", TUTORIAL + "softmax.py", "--set",
                                  "n_cols=781", "--dtype=x=f32"), TRACE


GROUPED = ["--dtype=f16", "--only=HAS_BIAS=False", "--only=ACTIVATION="]


def grouped_order():
    for tiles, first, group, expected in ((9, 9, 1, 90), (9, 9, 3, 54),
                                          (12, 12, 1, 156), (12, 12, 4, 84)):
        size = 16 * tiles
        model = launch(
            "footprint", "matmul_grouped.py", *GROUPED, f"--first={first}",
            f"--set=M={size},N={size},K={size},BLOCK_M=16,BLOCK_N=16,"
            f"BLOCK_K=16,GROUP_M={group}")
        yield f"{tiles} x {tiles}, {group}", model["tiles_read"], expected


def l2_cache():
    bytes_missed = {}
    for group, expected in (1, 4363141120), (8, 1743306752), (64, 4363141120):
        model = launch(
            "cache", "matmul_grouped.py", *GROUPED, f"--set=GROUP_M={group},"
            "M=8192,N=8192,K=8192,BLOCK_M=128,BLOCK_N=128,BLOCK_K=64")
        bytes_missed[group] = model["missed"]["bytes"]
        yield f"GROUP_M {group}", bytes_missed[group], expected
        yield "tiles", model["machine"]["l2_bytes"] // model["tile_bytes"], 3051
        yield "least", model["distinct"]["bytes"], 268435456
        yield ("memory is the limit", model["memory_ms"] > model["compute_ms"],
               group != 8)
    yield "times", round(bytes_missed[1] / bytes_missed[8], 4), 2.5028


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
    kernel = io("flash_attention.py", "attention_kernel", sizes)["causal=False"]
    for t in kernel["tensors"]:
        if t["name"] in ("k", "v"):
            yield f"{t['name']} is read", (t["requested"]["at"]
                                           // t["distinct"]["at"]), 16
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


def masked_matmul():
    f = io("matmul_masked.py", "matmul", {})[""]
    yield ("reads", formula(f, "reads"),
           "K*M*cdiv(N, BLOCK_N) + K*N*cdiv(M, BLOCK_M)")
    yield "writes", formula(f, "writes"), "M*N"


FIGURES = [vector_add, trace, grouped_order, l2_cache, naive_softmax,
           fused_softmax, naive_against_fused, softmax_in_three_kernels,
           l2_norm, matmul, masked_matmul, attention]


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
