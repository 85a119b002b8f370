#!/usr/bin/env python3
"""Puts the printed asserts into the host code and sees that they discharge.

Usage: TILECHECK=PROGRAM tests/test_requirements.py [FILE...]

For each file of the corpus: the lines that a `proved-if` offers are put in
front of the launch, and the verdict must be `proved` then, or at least no longer
ask for what was asserted. The lines must be Python.
"""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("checks", "faulty", "patterns", "tutorial")


def report(path):
    run = subprocess.run([os.environ["TILECHECK"], "--format", "json",
                          str(path)], capture_output=True, text=True,
                         timeout=120)
    return json.loads(run.stdout)["files"][0]


def conditional(file):
    for kernel in file["kernels"]:
        for v in kernel["verdicts"]:
            if v["verdict"] == "proved-if" and v["launch"] and v["asserts"]:
                yield v


def with_asserts(lines, wanted):
    """The text with the asserts before their launches, and the new lines' numbers."""
    out, moved = [], {}
    for number, line in enumerate(lines, 1):
        indent = re.match(r" *", line).group(0)
        for text in wanted.get(number, []):
            out.append(indent + text)
        out.append(line)
        moved[number] = len(out)
    return "\n".join(out) + "\n", moved


def troubles(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    verdicts = list(conditional(report(path)))
    wanted = {}
    for v in verdicts:
        for text in v["asserts"]:
            if text not in wanted.setdefault(v["launch"], []):
                wanted[v["launch"]].append(text)
    if not wanted:
        return
    text, moved = with_asserts(lines, wanted)
    try:
        ast.parse(text)
    except SyntaxError as error:
        yield f"no Python: {error}"
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / path.name
        copy.write_text(text, encoding="utf-8")
        after = report(copy)
    found = {}
    for kernel in after["kernels"]:
        for v in kernel["verdicts"]:
            found.setdefault((v["line"], v["code"]), []).append(v)
    for v in verdicts:
        here = found.get((moved[v["line"]], v["code"]), [])
        left = [r for w in here for r in w["requires"] if r in v["requires"]]
        if not here or (len(v["asserts"]) >= len(v["requires"]) and left):
            yield f"{v['line']}: {v['code']}: still asks for {left}"


def main():
    names = sys.argv[1:]
    files = ([pathlib.Path(name).resolve() for name in names] or
             sorted(path for folder in FOLDERS
                    for path in (ROOT / "corpus" / folder).rglob("*.py")))
    bad = 0
    for path in files:
        for trouble in troubles(path):
            print(f"{path.relative_to(ROOT)}:{trouble}")
            bad += 1
    print(f"{len(files)} files, {bad} troubles")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
