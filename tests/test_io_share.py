#!/usr/bin/env python3
"""scripts/io_share.py tells kernels with formulas from others, and
scripts/io_compare.py compares their formulas with the interpreter.

Usage: TILECHECK=PROGRAM tests/test_io_share.py
"""

import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
COUNTER = os.path.join(os.path.dirname(TOOL), "tests/count_corpus")
SCRIPT = os.path.join(ROOT, "scripts/io_share.py")
COMPARE = os.path.join(ROOT, "scripts/io_compare.py")

# Decided with a formula, and undecided.
FILES = ["corpus/patterns/reverse.py",
         "corpus/errors/unsupported.py"]

WITHOUT = """import torch
import triton
import triton.language as tl


@triton.jit
def spin_kernel(lock_ptr, out_ptr):
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(out_ptr, 1)
    tl.atomic_xchg(lock_ptr, 0)


def spin():
    lock = torch.zeros(1, dtype=torch.int32)
    out = torch.empty(1, dtype=torch.int32)
    spin_kernel[(1,)](lock, out)
    return out
"""


def run(folder, *arguments):
    return subprocess.run(
        [sys.executable, SCRIPT, TOOL, folder, *arguments],
        capture_output=True, text=True, timeout=120)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for path in FILES:
            shutil.copy(os.path.join(ROOT, path), folder)
        with open(os.path.join(folder, "spin.py"), "w",
                  encoding="utf-8") as file:
            file.write(WITHOUT)
        saved = os.path.join(folder, "found.json")
        done = run(folder, "--list", "--save", saved)
        again = run(folder, "--list", "--verdicts", saved)
        compared = subprocess.run(
            [sys.executable, COMPARE, COUNTER, saved, "--launches", "20"],
            capture_output=True, text=True, timeout=120)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert "decided 2, with formulas 1 (50.0 %)" in done.stdout
    assert "    1 the number of turns of a while loop" in done.stdout
    assert "spin.py:8: spin_kernel: the number of turns" in done.stdout
    first, second = done.stdout.splitlines(), again.stdout.splitlines()
    assert first[:3] == second[:3]
    assert run("/nonexistent").returncode == 1
    print(compared.stdout, compared.stderr)
    assert compared.returncode == 0
    last = compared.stdout.splitlines()[-1]
    assert last.startswith("1 kernels, ") and last.endswith(" 0 differences")


if __name__ == "__main__":
    sys.exit(main())
