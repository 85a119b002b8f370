"""How long the models of memory traffic and `io` take; bench.py prints it.

Processor time is what other work on the machine changes least.
"""

import os
import resource
import statistics
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# A matrix multiplication of 8192 x 8192 x 8192 in tiles of 128 x 128 x 64.
GROUPED = [os.path.join(ROOT, "corpus", "tutorial", "matmul_grouped.py"),
           "--dtype=f16", "--only=HAS_BIAS=False", "--only=ACTIVATION=",
           "--set=M=8192,N=8192,K=8192,BLOCK_M=128,BLOCK_N=128,BLOCK_K=64"]


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show(name, command, repeat):
    """Prints medians of wall and processor time; returns the latter."""
    wall, used = [], []
    for _ in range(repeat):
        start, before = time.perf_counter(), processor()
        subprocess.run(command, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        wall.append((time.perf_counter() - start) * 1000)
        used.append((processor() - before) * 1000)
    print(f"{name:44s} {statistics.median(wall):9.2f} "
          f"{statistics.median(used):9.2f}", flush=True)
    return statistics.median(used)


def show_models(program, repeat):
    print(f"{'milliseconds':44s} {'wall':>9s} {'processor':>9s}")
    show("cache", [program, "cache", *GROUPED, "--set=GROUP_M=8"], repeat)
    show("cache, 64 group sizes, 2 jobs",
         [program, "cache", *GROUPED, "--sweep=GROUP_M=1..64", "--jobs=2"], 1)
    show("footprint of 132 programs",
         [program, "footprint", *GROUPED, "--set=GROUP_M=8", "--first=132"],
         repeat)
    worst = 0
    for part in ("tutorial", "patterns"):
        folder = os.path.join(ROOT, "corpus", part)
        for name in sorted(os.listdir(folder)):
            worst = max(worst, show(f"io {part}/{name}", [
                program, "io", os.path.join(folder, name)], repeat))
    print(f"io: worst {worst:.2f}\n")
