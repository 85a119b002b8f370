#!/usr/bin/env python3
"""Prints how long tilecheck takes: start-up, each file, and over all files the
median for a kernel, the 95 % of the files and the share of the time in Z3.
Decides nothing.

Usage: tests/bench.py [--repeat N] [PROGRAM] [PATH...]
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from bench_models import show_models

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def milliseconds(command, repeat):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times), max(times)


def empty_program(folder):
    """A C program that does nothing, for comparison."""
    source = os.path.join(folder, "empty.c")
    program = os.path.join(folder, "empty")
    with open(source, "w", encoding="utf-8") as file:
        file.write("int main(void) { return 0; }\n")
    compiler = shutil.which("cc")
    if not compiler or subprocess.run([compiler, "-O2", source, "-o", program],
                                      check=False).returncode:
        return None
    return program


def show(name, command, repeat):
    middle, worst = milliseconds(command, repeat)
    print(f"{name:44s} {middle:9.2f} {worst:9.2f}")
    return middle


def python_files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for base, folders, names in os.walk(path):
            folders.sort()
            yield from (os.path.join(base, n) for n in sorted(names)
                        if n.endswith(".py"))


TIMING = re.compile(r": (\d+) kernels, ([\d.]+) ms; "
                    r"Z3: (\d+) questions, ([\d.]+) ms$", re.M)


class Spent:
    """What one run of a file says of itself."""

    def __init__(self, kernels, ms, questions, z3_ms):
        self.kernels, self.questions = int(kernels), int(questions)
        self.ms, self.z3_ms = float(ms), float(z3_ms)


def measure(program, file, repeat):
    """The median run of a file; None for one without kernels."""
    runs = []
    for _ in range(repeat):
        done = subprocess.run([program, "--timing", "--jobs", "1", file],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)
        found = TIMING.search(done.stderr.decode(errors="replace"))
        if found and int(found.group(1)):
            runs.append(Spent(*found.groups()))
    runs.sort(key=lambda s: s.ms)
    return runs[len(runs) // 2] if runs else None


def quantile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def show_files(program, files, repeat):
    print(f"{'':44s} {'ms':>9s} {'kernels':>8s} {'Z3 ms':>9s} {'asked':>6s}")
    all_files = []
    for file in files:
        spent = measure(program, file, repeat)
        if not spent:
            continue
        all_files.append(spent)
        print(f"{os.path.relpath(file)[-44:]:44s} {spent.ms:9.1f} "
              f"{spent.kernels:8d} {spent.z3_ms:9.1f} {spent.questions:6d}")
    if not all_files:
        return
    whole = sum(s.ms for s in all_files)
    a_kernel = [s.ms / s.kernels for s in all_files for _ in range(s.kernels)]
    print(f"{len(a_kernel)} kernels: median {quantile(a_kernel, 0.5):.1f} ms, "
          f"95 % at most {quantile(a_kernel, 0.95):.1f} ms (of a file's time "
          "each has an equal part)")
    each = [s.ms for s in all_files]
    print(f"{len(each)} files: median {quantile(each, 0.5):.1f} ms, "
          f"95 % at most {quantile(each, 0.95):.1f} ms, worst "
          f"{max(each):.1f} ms, sum {whole:.1f} ms")
    in_z3 = sum(s.z3_ms for s in all_files)
    print(f"in Z3: {in_z3:.1f} ms, {100 * in_z3 / whole:.1f} % of the time")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("program", nargs="?",
                        default=os.path.join(ROOT, "build", "tilecheck"))
    parser.add_argument("path", nargs="*",
                        default=[os.path.join(ROOT, "corpus")])
    given = parser.parse_args()
    show_models(given.program, given.repeat)
    print(f"{'milliseconds':44s} {'median':>9s} {'worst':>9s}")
    with tempfile.TemporaryDirectory() as folder:
        program = empty_program(folder)
        if program:
            show("an empty program", [program], given.repeat * 15)
        show("--version", [given.program, "--version"], given.repeat * 15)
        plain = os.path.join(folder, "plain.py")
        with open(plain, "w", encoding="utf-8") as file:
            file.write("def f(x):\n    return x\n" * 1000)
        show("a file without kernels", [given.program, plain],
             given.repeat * 15)
    show_files(given.program, python_files(given.path), given.repeat)
    return 0


if __name__ == "__main__":
    sys.exit(main())
