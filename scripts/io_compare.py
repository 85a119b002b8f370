#!/usr/bin/env python3
"""Formulas of kernels, picked at random, against the interpreter's counts.

usage: io_compare.py COUNT_CORPUS FOUND [--kernels N] [--seed S]
                     [--launches N] [--seconds S]

FOUND is what `io_share.py --save` wrote. Of its kernels with formulas N are
picked; for each, COUNT_CORPUS (built with the tests) reads the printed formulas
back, evaluates them at random sizes and blocks, zero sizes among them, and
compares them with the lanes and elements that the interpreter counts. A kernel
that no random launch fits is named and another one is picked instead. Standard
library only. Status 1 on a difference."""
import argparse
import json
import random
import re
import subprocess
import sys

SUMMARY = re.compile(r": (\d+) of \d+ exact, (\d+) comparisons, (\d+) failures")


def compare(args, entry):
    """(exact formulas, comparisons, differences, what was printed)"""
    command = [args.count_corpus, "--kernel", entry["kernel"],
               str(args.launches), entry["file"]]
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=args.seconds)
    except subprocess.TimeoutExpired:
        return 0, 0, 0, "takes too long"
    found = SUMMARY.search(done.stdout)
    if not found:
        return 0, 0, 1, f"status {done.returncode}: {done.stderr.strip()}"
    return *map(int, found.groups()), done.stdout.strip()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count_corpus")
    parser.add_argument("found")
    parser.add_argument("--kernels", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--launches", type=int, default=100,
                        help="for each of a kernel's programs")
    parser.add_argument("--seconds", type=float, default=300,
                        help="for one kernel")
    args = parser.parse_args()
    with open(args.found, encoding="utf-8") as file:
        entries = [e for e in json.load(file) if not e["reason"]]
    random.Random(args.seed).shuffle(entries)
    formulas = comparisons = differences = picked = 0
    for entry in entries:
        if picked == args.kernels:
            break
        exact, compared, wrong, text = compare(args, entry)
        print(f"{entry['file']}: {entry['kernel']}: {exact} formulas, "
              f"{compared} comparisons, {wrong} differences", flush=True)
        if wrong or not compared:
            print(text)
        formulas += exact
        comparisons += compared
        differences += wrong
        picked += bool(compared or wrong)
    print(f"{picked} kernels, {formulas} formulas, {comparisons} comparisons, "
          f"{differences} differences")
    return 1 if differences or not picked else 0


if __name__ == "__main__":
    sys.exit(main())
