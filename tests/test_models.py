#!/usr/bin/env python3
"""Checks the figures that the models of memory traffic must give.

Each case is a command line and pieces that its output must hold, blanks apart.
The kernels are those of corpus/tutorial. Also checked: that an impossible
request is refused with status 2 and a sentence, that the order and number of
processes change nothing, that a drawing is well-formed, and that docs/traffic.md
shows what the program prints (--bless rewrites it there).
"""

import json
import os
import subprocess
import sys
import tempfile
import xml.dom.minidom

import schema
from pages import differences

TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
CORPUS = os.path.join(ROOT, "corpus")
DOCS = os.path.join(ROOT, "docs", "traffic.md")
GROUPED = ["tutorial/matmul_grouped.py", "--dtype=f16",
           "--only=HAS_BIAS=False", "--only=ACTIVATION="]
PERSISTENT = ["tutorial/matmul_persistent.py", "--dtype=f16"]
FLASH = ["tutorial/flash_attention.py"]
SOFTMAX = ["tutorial/softmax.py"]


def square(n, tile, group):
    size = n * tile
    return ["--set", f"M={size},N={size},K={size},BLOCK_M={tile},"
            f"BLOCK_N={tile},BLOCK_K={tile},GROUP_M={group}"]


LARGE = ["--set", "M=8192,N=8192,K=8192,BLOCK_M=128,BLOCK_N=128,BLOCK_K=64"]

# command line -> lines that the output must hold
CASES = [
    # 9 x 9 tiles, the first 9 programs: by rows, and in groups of 3
    (["footprint", *GROUPED, *square(9, 16, 1), "--first=9"],
     ["a 9 1 x 9", "b 81 9 x 9", "in all 90 (1 + 9) x 9", "writes c 9 9 x 1"]),
    (["footprint", *GROUPED, *square(9, 16, 3), "--first=9"],
     ["a 27 3 x 9", "b 27 3 x 9", "in all 54 (3 + 3) x 9",
      "bands of the first P programs, for P up to GROUP_M*cdiv(N, BLOCK_N):",
      "reads a min(P, min(GROUP_M, cdiv(M, BLOCK_M)))",
      "reads b cdiv(P, min(GROUP_M, cdiv(M, BLOCK_M)))", "0 3 6 . . . . . .",
      "1 4 7 . . . . . .", "2 5 8 . . . . . ."]),
    # 12 x 12 tiles, the first 12 programs: by rows, and in groups of 4
    (["footprint", *GROUPED, *square(12, 16, 1), "--first=12"],
     ["a 12 1 x 12", "b 144 12 x 12", "in all 156"]),
    (["footprint", *GROUPED, *square(12, 16, 4), "--first=12"],
     ["a 48 4 x 12", "b 36 3 x 12", "in all 84"]),
    # tiles that hang over the edge wrap around; the ragged last group
    (["footprint", *GROUPED, "--set", "M=200,N=300,K=100,BLOCK_M=64,"
      "BLOCK_N=64,BLOCK_K=32,GROUP_M=3"],
     ["all 20 programs", "a 16 4 x 4", "b 20 5 x 4",
      "c 20 20 x 1 120,000 120,000"]),
    # a wave of 132 programs: 8 rows and 17 columns of tiles
    (["footprint", *GROUPED, *LARGE, "--set=GROUP_M=8", "--first=132"],
     ["a 1,024 8 x 128", "b 2,176 17 x 128"]),
    # the group size with the fewest rows and columns in a wave
    (["footprint", *GROUPED, *LARGE, "--first=132", "--sweep=GROUP_M=1..132"],
     ["11 2,944 a 11 x 128, b 12 x 128", "12 2,944 a 12 x 128, b 11 x 128",
      "fewest: GROUP_M = 11, 2,944 tiles"]),
    # persistent programs
    (["footprint", *PERSISTENT, "--set", "M=80,N=80,K=64,BLOCK_M=16,"
      "BLOCK_N=16,BLOCK_K=16,GROUP_M=2,num_sms=4"],
     ["all 4 programs", "writes c 7, 6, 6, 6", "writes c 25 4",
      ": cdiv(K, BLOCK_K) = 4 turns"]),
    # what is not understood is named
    (["footprint", "tutorial/gather_rows.py", "--dtype=f32",
      "--set=n=4,V=9,D=128"],
     ["reads index 4 4 x 1 16 16", "writes out 4 4 x 1 2,048 2,048",
      "its address or mask depends on what a load "
      "finds in memory"]),
    # attention reads K and V once for each block of rows
    (["footprint", *FLASH, "--dtype=f32", "--only=CAUSAL=False", "--set",
      "Z=1,H=1,M=1024,N=1024,D=64,BLOCK_M=64,BLOCK_N=64"],
     ["q 16 16 x 1 262,144 262,144", "k 16 1 x 16 262,144 4,194,304",
      "v 16 1 x 16 262,144 4,194,304", "lse 16 16 x 1 4,096 4,096",
      "o 16 16 x 1 262,144 262,144"]),
    (["footprint", *FLASH, "--dtype=f32", "--only=CAUSAL=True", "--set",
      "Z=1,H=1,M=1024,N=1024,D=64,BLOCK_M=64,BLOCK_N=64"],
     ["k 16 overlap 262,144 2,228,224", "v 16 overlap 262,144 2,228,224"]),
    # a grid of two axes: rows first
    (["footprint", "tutorial/matmul.py", "--dtype=f16", "--first=20",
      "--set=M=2048,N=2048,K=512"],
     ["a 320 20 x 16",
      "bands of the first P programs:", "reads a min(cdiv(M, BLOCK_M), P)",
      "writes c P"]),
    # one program a row
    (["footprint", *SOFTMAX, "--dtype=f32", "--set=n_rows=1823,n_cols=781"],
     ["1,823 1823 x 1 5,695,052 5,695,052"]),
    # an L2 of 50 MB with 132 programs at a time
    (["cache", *GROUPED, *LARGE, "--set=GROUP_M=1"],
     ["4,096 programs in 32 waves of 132, cache of 50,000,000 bytes: 3,051 "
      "tiles of 16,384 bytes", "loaded 1,048,576", "distinct 16,384 "
      "268,435,456 0.27 GB", "missed 266,305 4,363,141,120 4.36 GB",
      "memory time 1.302 ms at 3.35 TB/s, compute time 1.112 ms at 989 "
      "TFLOP/s: memory is the limit"]),
    (["cache", *GROUPED, *LARGE, "--set=GROUP_M=8"],
     ["missed 106,403 1,743,306,752 1.74 GB", "memory time 0.520 ms"]),
    (["cache", *GROUPED, *LARGE, "--sweep=GROUP_M=1..64", "--jobs=2"],
     ["1 266,305 4,363,141,120 4.36 1.3024",
      "2 270,178 4,426,596,352 4.43 1.3214",
      "4 154,832 2,536,767,488 2.54 0.7572",
      "8 106,403 1,743,306,752 1.74 0.5204",
      "11 71,493 1,171,341,312 1.17 0.3497",
      "12 70,868 1,161,101,312 1.16 0.3466",
      "16 105,383 1,726,595,072 1.73 0.5154",
      "32 151,176 2,476,867,584 2.48 0.7394",
      "64 266,305 4,363,141,120 4.36 1.3024",
      "least: GROUP_M = 12, 1,161,101,312 bytes"]),
]

VECTOR = ["tutorial/vector_add.py", "--dtype=f32", "--set=n_elements=98432"]
CASES += [
    # 1024 elements on 4 warps: 8, 4 and 1 neighbours a thread
    (["coalesce", *VECTOR, "--layout=8", "--layout=4", "--layout=1"],
     ["load of `x`, a tile of 1024 elements of 4 bytes",
      "given 8:32:4 16 bytes 8 256 64 50.0 %",
      "given 4:32:4 16 bytes 8 128 32 100.0 %",
      "given 1:32:4 4 bytes 32 128 32 100.0 %",
      "chosen 4:32:4 16 bytes 8 128 32 100.0 %",
      "axis 0 first: its neighbours are neighbours in memory, 4 of them are "
      "one 16-byte access"]),
    # the last program has 128 live lanes
    (["coalesce", "tutorial/vector_add.py", "--dtype=f32",
      "--set=n_elements=128", "--warps=1"],
     ["a tile of 1024 elements of 4 bytes, 128 live",
      "chosen 4:32:1 16 bytes 1 16 4 100.0 %"]),
    # a column of a matrix: each lane moves a sector
    (["coalesce", "tutorial/matmul.py", "--dtype=f32", "--set",
      "M=256,N=256,K=256,a.stride(0)=2560,a.stride(1)=10", "--layout=1x4"],
     ["hint[TC701]: no layout uses more than"]),
    # strides decide which axis comes first
    (["coalesce", "tutorial/matmul.py", "--dtype=f16", "--set",
      "M=256,N=256,K=256,b.stride(0)=1,b.stride(1)=256", "--layout=1x8"],
     ["given 1x8:8x4:4x1:1x0 16 bytes 8 128 64 100.0 %",
      "given 1x8:4x8:4x1:1x0 2 bytes 64 512 512 25.0 %",
      "hint[TC701]: 1x8:4x8:4x1:1x0 moves 512 sectors, 8x1:4x8:1x4:0x1 only "
      "128",
      "chosen 8x1:4x8:1x4:0x1 16 bytes 8 128 64 100.0 %"]),
    # an axis that is not the unit stride's: one sector for each element
    (["coalesce", "tutorial/matmul.py", "--dtype=f16", "--set",
      "M=256,N=256,K=256,a.stride(0)=4096,a.stride(1)=16"],
     ["chosen 1x1:1x32:4x1:1x0 2 bytes 64 2,048 512 6.2 %",
      "axis 1 first: its neighbours are 32 bytes apart"]),
    # what `check` says of all sizes holds at these, too
    (["coalesce", "checks/TC701-uncoalesced/bad_column.py", "--dtype=f32",
      "--set=n_rows=512,n_cols=300"],
     ["load of `x`, a tile of 256 elements", "hint[TC701]: no layout uses more "
      "than 12.5 % of the sectors it moves"]),
    (["coalesce", "checks/TC701-uncoalesced/bad_two_columns.py",
      "--set=n_rows=512,n_cols=300"],
     ["load of `x`, a tile of 256x2 elements", "hint[TC701]: no layout uses "
      "more than 25.0 % of the sectors it moves"]),
    (["knobs", "checks/TC702-tile-too-big/bad_accumulator.py", "--dtype=f16",
      "--set=M=512,N=512,K=64", "--with=BLOCK_K=32"], ["hint[TC702]: "]),
    # block sizes of attention, N = 4096, d = 128, fp16
    (["knobs", *FLASH, "--dtype=f16", "--only=CAUSAL=False", "--set",
      "Z=1,H=1,M=4096,N=4096,D=128", "--with=BLOCK_M=32,BLOCK_N=32",
      "--with=BLOCK_M=64,BLOCK_N=64", "--with=BLOCK_M=128,BLOCK_N=64",
      "--with=BLOCK_M=256,BLOCK_N=64"],
     ["32 32 128 270,548,992 258.02 4,210,688 20 KB 4,210,688",
      "64 64 64 136,331,264 130.02 4,210,688 48 KB 4,210,688",
      "128 64 32 69,222,400 66.02 4,210,688 96 KB 4,210,688",
      "256 64 16 35,667,968 34.02 4,210,688 192 KB 4,210,688"]),
    (["knobs", *FLASH, "--dtype=f32", "--only=CAUSAL=False", "--set",
      "Z=1,H=1,M=1024,N=1024,D=64", "--with=BLOCK_M=64,BLOCK_N=64"],
     ["64 64 16 8,916,992 8.50"]),
    (["knobs", *FLASH, "--dtype=f32", "--only=CAUSAL=True", "--set",
      "Z=1,H=1,M=1024,N=1024,D=64", "--with=BLOCK_M=64,BLOCK_N=64"],
     ["64 64 16 4,984,832 4.75"]),
    # an accumulator that no multiprocessor has room for
    (["knobs", "tutorial/matmul.py", "--dtype=f16", "--set",
      "M=512,N=512,K=64", "--with=BLOCK_M=256,BLOCK_N=256",
      "--with=BLOCK_M=256,BLOCK_N=512"],
     ["256 256 4 ", "256 512 2 ",
      "hint[TC702]: BLOCK_M = 256 BLOCK_N = 512: 524,288 bytes on chip, the "
      "registers of a multiprocessor have 262,144"]),
    # the autotuner's configurations
    (["knobs", "patterns/autotuned.py", "--dtype=f32", "--set=n=1000"],
     ["128 8 8,000 0.01 8,000 - 8,000", "1,024 1 8,000 0.01 8,000 - 8,000"]),
]

# command line -> what the one message must hold; the status is 2
REFUSED = [
    (["footprint", *GROUPED], "give --set M=...,N=...,"),
    (["footprint", *GROUPED, "--set=M=-1,N=8,K=8"], "no launch has these"),
    (["footprint", *GROUPED, "--set=M=0,N=8,K=8"], "no program"),
    (["footprint", *GROUPED, "--set=MM=8"], "nothing is called `MM`"),
    (["footprint", *GROUPED, "--set=M=8,N"], "it is NAME=INT"),
    (["footprint", *GROUPED, *square(9, 16, 1), "--first=100"],
     "the launch has 81 programs"),
    (["footprint", *GROUPED, *square(9, 16, 1), "--first=0"],
     "it is a number from 1 on"),
    (["footprint", *GROUPED, "--sweep=GROUP_M=5..2"], "LO <= HI"),
    (["footprint", "tutorial/vector_add.py",
      "--set=n_elements=2**30,BLOCK_SIZE=1"], "2**24 programs"),
    (["footprint", "tutorial/vector_add.py",
      "--set=n_elements=2**40"], "no launch has these sizes"),
    (["cache", "tutorial/vector_add.py", "--dtype=f32",
      "--set=n_elements=2**30,BLOCK_SIZE=1"], "2**24 programs"),
    (["footprint", "tutorial/matmul_grouped.py", *square(9, 16, 1),
      "--svg=/nowhere/x.svg"], "there are several"),
    (["footprint", *GROUPED, "--only=CAUSAL=True"], "--only"),
    (["footprint", *GROUPED, *square(9, 16, 1), "--svg=/nowhere/x.svg"],
     "cannot write /nowhere/x.svg"),
    (["footprint"], "name one file"),
    (["footprint", *GROUPED, "--format=latex"], "--format is text or json"),
    (["coalesce", *VECTOR, "--layout=3"], "powers of two"),
    (["coalesce", *VECTOR, "--layout=8:16"], "a warp has 32 threads"),
    (["coalesce", *VECTOR, "--layout=8:"], "it is SIZE"),
    (["coalesce", *VECTOR, "--layout=1x8:4x8:4x1:1x1"], "each axis once"),
    (["coalesce", *VECTOR, "--layout=1x8"], "fits no access"),
    (["coalesce", *VECTOR, "--warps=3"], "a power of two"),
    (["knobs", *VECTOR], "nothing to compare"),
    (["knobs", *VECTOR, "--with=BLOCK_SIZE"], "it is NAME=INT"),
    (["knobs", *VECTOR, "--with=A=1", "--with=B=1"], "the same constexprs"),
    (["cache", "tutorial/gather_rows.py", "--dtype=f32",
      "--set=n=4,V=9,D=128"], "what a load finds in memory"),
    (["cache", "tutorial/matmul_grouped.py", *LARGE, "--only=HAS_BIAS=False",
      "--only=ACTIVATION="], "the element type of `a` is not stated"),
    (["cache", *GROUPED, *LARGE, "--l2=0"], "it is a number from 1 on"),
    (["cache", *GROUPED, *LARGE, "--gpu=v100"], "a100, h100, h200"),
    (["cache", *GROUPED, *LARGE, "--gpu=v100=0.9"], "give --l2"),
    (["footprint", *GROUPED, *square(9, 16, 1), "--set=BLOCK_K=24"],
     "does not compile"),
    (["cache", *GROUPED, "--set=M=2**50,N=8,K=8"], "no launch has these"),
]


def run(command):
    return subprocess.run([TOOL, *command], cwd=CORPUS, timeout=300,
                          text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def plain(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def check_figures():
    for command, wanted in CASES:
        done = run(command)
        lines = plain(done.stdout)
        if done.returncode != 0:
            yield command, done.stderr
        for want in wanted:
            if not any(want in line for line in lines):
                yield command, f"misses `{want}` in\n{done.stdout}"


def check_refused():
    for command, want in REFUSED:
        done = run(command)
        if done.returncode != 2 or want not in done.stderr:
            yield command, (f"status {done.returncode}, wanted `{want}` in\n"
                            f"{done.stderr}{done.stdout}")
        if len(done.stderr.splitlines()) > 2:
            yield command, f"more than one message:\n{done.stderr}"


def check_jobs():
    sweep = ["cache", *GROUPED, *square(9, 16, 1), "--sweep=GROUP_M=1..9"]
    outputs = {run([*sweep, f"--jobs={n}"]).stdout for n in (1, 2, 3, 20)}
    if len(outputs) != 1 or "GROUP_M" not in "".join(outputs):
        yield sweep, f"depends on --jobs: {outputs}"


# command line -> what the first launch of its JSON must hold
FIGURES = [
    (["footprint", *GROUPED, *square(9, 16, 3), "--first=9"],
     lambda launch: (launch["tiles_read"], launch["uses"][0]["bands"],
                     launch["loops"][0]["turns"], len(launch["grids"]),
                     launch["band_formulas"]["limit"],
                     launch["band_formulas"]["bands"][1]["formula"]),
     (54, 3, 9, 3, "GROUP_M*cdiv(N, BLOCK_N)",
      "cdiv(P, min(GROUP_M, cdiv(M, BLOCK_M)))")),
    (["footprint", *GROUPED, *LARGE, "--first=132", "--sweep=GROUP_M=10..12"],
     lambda launch: [p["tiles_read"] for p in launch["points"]],
     [3072, 2944, 2944]),
    (["cache", *GROUPED, *LARGE, "--set=GROUP_M=8"],
     lambda launch: (launch["missed"], round(launch["compute_ms"], 3)),
     ({"tiles": 106403, "bytes": 1743306752}, 1.112)),
    (["cache", *GROUPED, *LARGE, "--sweep=GROUP_M=11..12", "--jobs=2"],
     lambda launch: [p["missed"]["tiles"] for p in launch["points"]],
     [71493, 70868]),
    (["coalesce", *VECTOR, "--layout=8"],
     lambda launch: [(a["given"][0]["sectors"], a["chosen"]["sectors"],
                      a["hints"][0]["code"]) for a in launch["accesses"]],
     [(256, 128, "TC701")] * 3),
    (["knobs", "tutorial/matmul.py", "--dtype=f16", "--set",
      "M=512,N=512,K=64", "--with=BLOCK_M=256,BLOCK_N=512"],
     lambda launch: (launch["choices"][0]["on_chip_bytes"],
                     launch["choices"][0]["hints"][0]["code"]),
     (524288, "TC702")),
]


def check_json():
    with open(os.path.join(ROOT, "docs", "traffic.schema.json")) as file:
        shape = json.load(file)
    for command, find, want in FIGURES:
        report = json.loads(run([*command, "--format=json"]).stdout)
        for error in schema.errors(report, shape):
            yield command, error
        found = find(report["launches"][0])
        if found != want:
            yield command, f"the JSON says {found}, not {want}"
    broken = {**report, "version": 2}
    if len(list(schema.errors(broken, shape))) != 1:
        yield ["schema"], "the validator misses what it must see"


def check_drawing():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tiles.svg")
        command = ["footprint", *GROUPED, *square(9, 16, 3), "--first=9",
                   f"--svg={path}"]
        run(command)
        drawing = xml.dom.minidom.parse(path)
    classes = [r.getAttribute("class")
               for r in drawing.getElementsByTagName("rect")]
    counts = [classes.count(c) for c in ("write", "read", "empty")]
    if counts != [9, 54, 3]:
        yield command, f"cells drawn: {counts}"
    numbers = [t.firstChild.data for t in drawing.getElementsByTagName("text")
               if t.getAttribute("class") == "number"]
    if numbers != [str(i) for i in range(9)]:
        yield command, f"numbers drawn: {numbers}"


def check_docs(bless):
    for message in differences(DOCS, bless):
        yield [DOCS], message


def main():
    failed = 0
    bless = "--bless" in sys.argv[1:]
    for found in (check_docs(bless), check_figures(), check_refused(),
                  check_jobs(), check_drawing(), check_json()):
        for command, message in found:
            print(f"{' '.join(command)}: {message}\n")
            failed += 1
    print(f"{len(CASES)} cases, {len(REFUSED)} refusals, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
