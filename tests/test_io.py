#!/usr/bin/env python3
"""`tilecheck io`: the schema, equal answers in all formats, and the counts of
whole-array operators against arrays that count.

Usage: TILECHECK=PROGRAM tests/test_io.py
"""

import json
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))

import schema  # noqa: E402
import whole_arrays  # noqa: E402

TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
OPERATORS = "tests/golden/files/operators.py"
FILES = ["corpus/tutorial", "corpus/patterns", OPERATORS]
SHAPES = 12

# Function, axes of its arrays by name, and its numbers.
FUNCTIONS = [
    ("corpus/tutorial/softmax_naive.py", "naive_softmax", ["MN"], []),
    (OPERATORS, "softmax", ["MN"], []),
    (OPERATORS, "softmax_numpy", ["MN"], []),
    (OPERATORS, "linear", ["MK", "KN", "N"], []),
    (OPERATORS, "turns", ["MN"], ["n"]),
    (OPERATORS, "known_turns", ["MN"], []),
    (OPERATORS, "calls", ["MN"], []),
    (OPERATORS, "mixed", ["MN", "N"], []),
    (OPERATORS, "slices", ["MN"], []),
    (OPERATORS, "with_table", ["MN"], []),
]


def io(*arguments):
    done = subprocess.run([TOOL, "io", *arguments], cwd=ROOT, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 2):
        raise RuntimeError(f"{arguments}: {done.returncode} {done.stderr}")
    return done.stdout.decode()


def check_schema():
    with open(os.path.join(ROOT, "docs/io.schema.json")) as file:
        shape = json.load(file)
    report = json.loads(io("--format", "json", *FILES))
    yield from schema.errors(report, shape)
    functions = [f for file in report["files"] for f in file["functions"]]
    if len(functions) < 20:
        yield f"only {len(functions)} functions"


def check_formats():
    """Every formula of the JSON form is in the others too."""
    path = "corpus/tutorial/softmax_naive.py"
    text, markdown = io(path), io("--format=markdown", path)
    report = json.loads(io("--format=json", path))
    for function in report["files"][0]["functions"]:
        for way in ("reads", "writes"):
            formula = function[way]["elements"]["formula"]
            if formula not in text or f"`{formula}`" not in markdown:
                yield f"{formula} is not in all formats"
    if io(*FILES) != io(*FILES):
        yield "two runs differ"


def given(axes, numbers):
    """Random sizes for the letters in axes, and for numbers."""
    names = sorted({a for shape in axes for a in shape} | set(numbers))
    return {name: random.choice((0, 1, 2, 3, 7, 64, 781)) for name in names}


def check_operators():
    for path, name, axes, numbers in FUNCTIONS:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            source = file.read()
        for _ in range(SHAPES):
            sizes = given(axes, numbers)
            expected = whole_arrays.run(
                source, name, [[sizes[a] for a in shape] for shape in axes],
                [sizes[n] for n in numbers])
            at = ",".join(f"{k}={v}" for k, v in sizes.items())
            report = json.loads(io("--format=json", "--function", name,
                                   "--at", at, path))
            [function] = report["files"][0]["functions"]
            found = tuple(function[way]["elements"].get("at")
                          for way in ("reads", "writes"))
            if found != expected:
                yield f"{name} at {at}: {found}, counted {expected}"


def main():
    random.seed(1)
    troubles = [*check_schema(), *check_formats(), *check_operators()]
    for trouble in troubles:
        print(trouble)
    print(f"{len(troubles)} troubles")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
