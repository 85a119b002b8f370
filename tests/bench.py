#!/usr/bin/env python3
"""Prints how long tilecheck takes: start-up and each file. Decides nothing.

Usage: tests/bench.py [--repeat N] [PROGRAM] [PATH...]
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=11)
    parser.add_argument("program", nargs="?",
                        default=os.path.join(ROOT, "build", "tilecheck"))
    parser.add_argument("path", nargs="*",
                        default=[os.path.join(ROOT, "corpus")])
    given = parser.parse_args()
    print(f"{'milliseconds':44s} {'median':>9s} {'worst':>9s}")
    with tempfile.TemporaryDirectory() as folder:
        program = empty_program(folder)
        if program:
            show("an empty program", [program], given.repeat * 5)
        show("--version", [given.program, "--version"], given.repeat * 5)
        plain = os.path.join(folder, "plain.py")
        with open(plain, "w", encoding="utf-8") as file:
            file.write("def f(x):\n    return x\n" * 1000)
        show("a file without kernels", [given.program, plain],
             given.repeat * 5)
    files = list(python_files(given.path))
    middles = [show(os.path.relpath(f), [given.program, f], given.repeat)
               for f in files]
    if middles:
        print(f"{len(files)} files: median {statistics.median(middles):.2f}, "
              f"worst {max(middles):.2f}, sum {sum(middles):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
