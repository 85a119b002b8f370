#!/usr/bin/env python3
"""Checks the figures that the models of memory traffic must give.

Each case is a command line and pieces that its output must hold, blanks apart.
The kernels are those of corpus/tutorial. Also checked: that an impossible
request is refused with status 2 and a sentence, that the order and number of
processes change nothing, and that a drawing is well-formed.
"""

import os
import subprocess
import sys
import tempfile
import xml.dom.minidom

TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir,
                      "corpus")
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
     ["a 9 1 x 9", "b 81 9 x 9", "in all 90", "writes c 9 9 x 1"]),
    (["footprint", *GROUPED, *square(9, 16, 3), "--first=9"],
     ["a 27 3 x 9", "b 27 3 x 9", "in all 54", "0 3 6 . . . . . .",
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
     ["all 4 programs", "writes c 7, 6, 6, 6", "writes c 25 4"]),
    # attention reads K and V once for each block of rows
    (["footprint", *FLASH, "--dtype=f32", "--only=CAUSAL=False", "--set",
      "Z=1,H=1,M=1024,N=1024,D=64,BLOCK_M=64,BLOCK_N=64"],
     ["q 16 16 x 1 262,144 262,144", "k 16 1 x 16 262,144 4,194,304",
      "v 16 1 x 16 262,144 4,194,304", "lse 16 16 x 1 4,096 4,096",
      "o 16 16 x 1 262,144 262,144"]),
    (["footprint", *FLASH, "--dtype=f32", "--only=CAUSAL=True", "--set",
      "Z=1,H=1,M=1024,N=1024,D=64,BLOCK_M=64,BLOCK_N=64"],
     ["k 16 overlap 262,144 2,228,224", "v 16 overlap 262,144 2,228,224"]),
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

# command line -> what the one message must hold; the status is 2
REFUSED = [
    (["footprint", *GROUPED], "give --set"),
    (["footprint", *GROUPED, "--set=M=-1,N=8,K=8"], "no launch has these"),
    (["footprint", *GROUPED, "--set=M=0,N=8,K=8"], "no program"),
    (["footprint", *GROUPED, "--set=MM=8"], "nothing is called `MM`"),
    (["footprint", *GROUPED, "--set=M=8,N"], "it is NAME=INT"),
    (["footprint", *GROUPED, *square(9, 16, 1), "--first=100"],
     "the launch has 81 programs"),
    (["footprint", *GROUPED, *square(9, 16, 1), "--first=0"],
     "it is a number from 1 on"),
    (["footprint", *GROUPED, "--sweep=GROUP_M=5..2"], "LO <= HI"),
    (["footprint", "tutorial/matmul_grouped.py", *square(9, 16, 1),
      "--svg=/nowhere/x.svg"], "there are several"),
    (["footprint", *GROUPED, "--only=CAUSAL=True"], "--only"),
    (["footprint", *GROUPED, *square(9, 16, 1), "--svg=/nowhere/x.svg"],
     "cannot write /nowhere/x.svg"),
    (["footprint"], "name one file"),
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


def main():
    failed = 0
    for check in (check_figures, check_refused, check_jobs, check_drawing):
        for command, message in check():
            print(f"{' '.join(command)}: {message}\n")
            failed += 1
    print(f"{len(CASES)} cases, {len(REFUSED)} refusals, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
