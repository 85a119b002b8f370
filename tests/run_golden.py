#!/usr/bin/env python3
"""Compares what the program prints with transcripts.

Usage: TILECHECK=PROGRAM tests/run_golden.py [--bless] [NAME...]

golden/NAME.args holds one command line (shell quoting, run in golden/), and
golden/NAME.expected its exit status and what it printed:

    status 2
    --- stdout
    ...
    --- stderr
    ...

A part that is left out is not compared. `--bless` rewrites the parts that are
there; a new transcript gets all of them. Version numbers are compared as N.
"""

import os
import re
import shlex
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")


def plain(text):
    return re.sub(r"(?<![\w.])\d+(\.\d+){2,3}(?![\w.])", "N", text)


def run(tool, name):
    with open(os.path.join(HERE, name + ".args"), encoding="utf-8") as file:
        arguments = shlex.split(file.read())
    clean = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    done = subprocess.run([tool, *arguments], cwd=HERE, env=clean, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return {"status": str(done.returncode),
            "stdout": plain(done.stdout.decode("utf-8", "replace")),
            "stderr": plain(done.stderr.decode("utf-8", "replace"))}


def read_expected(path):
    parts = {}
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head, *rest = re.split(r"^--- (stdout|stderr)\n", text, flags=re.M)
    parts["status"] = head.split()[1]
    for kind, body in zip(rest[::2], rest[1::2]):
        parts[kind] = body
    return parts


def write_expected(path, parts):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"status {parts['status']}\n")
        for kind in ("stdout", "stderr"):
            if kind in parts:
                file.write(f"--- {kind}\n{parts[kind]}")


def main():
    tool = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
    words = sys.argv[1:]
    bless = "--bless" in words
    names = [w for w in words if w != "--bless"] or sorted(
        f[:-5] for f in os.listdir(HERE) if f.endswith(".args"))
    failed = 0
    for name in names:
        path = os.path.join(HERE, name + ".expected")
        got = run(tool, name)
        want = read_expected(path) if os.path.exists(path) else dict(got)
        if bless:
            write_expected(path, {k: got[k] for k in want})
            continue
        if not os.path.exists(path):
            print(f"{name}: has no .expected")
            failed += 1
        for kind in want:
            if got[kind] != want[kind]:
                print(f"{name}: {kind} differs\n--- expected\n{want[kind]}\n"
                      f"--- got\n{got[kind]}")
                failed += 1
    print(f"{len(names)} transcripts, {failed} differences")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
