#!/usr/bin/env python3
"""For how many kernels of a folder does `tilecheck io` give formulas?

usage: io_share.py TILECHECK FOLDER... [--jobs N] [--seconds S]
                   [--save FILE] [--verdicts FILE] [--list]

Each Python file below the folders that holds a jit function is checked and
counted on its own. Kernels are found here, with Python's own parser: jit
functions that touch memory and that no other jit function of the file calls.

A kernel is *decided* when `check` gives each of its accesses a verdict about
bounds (TC101 to TC104) and none of its verdicts is `unknown`. A decided kernel
has *formulas* when `io` gives an exact number of elements for each access, in
each row that it has for the kernel (launches, choices of flags); it has them
*for launches* when some of the rows hold for the launch's block sizes only.
The others are listed by the first reason that `io` gives.

--save writes what was found as JSON; --verdicts takes the decided kernels from
such a file instead of checking again. --list names the kernels without
formulas. Standard library only. Status 1 when tilecheck crashes, takes too long
or prints what is no JSON."""
import argparse
import ast
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import time

BOUNDS = {"TC101", "TC102", "TC103", "TC104"}
MEMORY = {"load", "store", "gather", "scatter"}


def last_name(node):
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return getattr(node, "id", "")


def is_jit(function):
    names = [last_name(d) for d in function.decorator_list]
    return any(n == "jit" or n.endswith("_jit") for n in names)


def touches_memory(call):
    name = last_name(call)
    return name in MEMORY or name.startswith("atomic_")


def calls_of(function):
    return [n for n in ast.walk(function) if isinstance(n, ast.Call)]


def kernels_of(source):
    """[(name, line, [(first line, last line) of each access])]"""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    jit = [n for n in ast.walk(tree)
           if isinstance(n, ast.FunctionDef) and is_jit(n)]
    called = {c.func.id for f in jit for c in calls_of(f)
              if isinstance(c.func, ast.Name) and c.func.id != f.name}
    out = []
    for f in jit:
        accesses = sorted({(c.lineno, c.end_lineno) for c in calls_of(f)
                           if touches_memory(c)})
        if accesses and f.name not in called:
            out.append((f.name, f.lineno, accesses))
    return out


def python_files(folders):
    for folder in folders:
        for base, dirs, names in os.walk(folder):
            dirs.sort()
            for name in sorted(names):
                path = os.path.join(base, name)
                if name.endswith(".py"):
                    with open(path, encoding="utf-8",
                              errors="replace") as file:
                        kernels = kernels_of(file.read())
                    if kernels:
                        yield path, kernels


def run(command, limit):
    """(report or None, fault or None, seconds)"""
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, "takes too long", limit
    took = time.perf_counter() - start
    if done.returncode not in (0, 1, 2, 3):
        return None, f"status {done.returncode}", took
    try:
        return json.loads(done.stdout), None, took
    except ValueError:
        return None, "no JSON", took


def is_decided(kernel, report):
    name, line, accesses = kernel
    told = {}
    for file in report["files"]:
        for k in file["kernels"]:
            told[k["name"], k["line"]] = told[k["name"]] = k["verdicts"]
    verdicts = told.get((name, line), told.get(name))
    if verdicts is None or any(v["verdict"] == "unknown" for v in verdicts):
        return False
    lines = [v.get("line") or 0 for v in verdicts if v["code"] in BOUNDS]
    return all(any(first <= n <= last for n in lines)
               for first, last in accesses)


def first_reason(rows):
    """Of a kernel's rows: why there are no formulas, or None."""
    for row in rows:
        for access in row["accesses"]:
            if access["elements"]["formula"] is None:
                return access["elements"]["reason"], access["line"]
    return (None, None) if rows else ("no row for the kernel", None)


def look_at(job):
    tool, limit, path, kernels, known = job
    faults, found, took = [], [], []
    if known is None:
        report, fault, _ = run(
            [tool, "check", "--format", "json", path], limit)
        if fault:
            return path, [("check", fault)], [], []
        decided = [k for k in kernels if is_decided(k, report)]
    else:
        decided = [k for k in kernels if k[0] in known]
    for name, line, _ in decided:
        report, fault, seconds = run(
            [tool, "io", "--format", "json", "--kernel", name, path], limit)
        took.append((seconds, f"{path} {name}"))
        if fault:
            faults.append((f"io --kernel {name}", fault))
            continue
        rows = [f for file in report["files"] for f in file["functions"]
                if f["kind"] == "kernel" and f["name"] == name]
        reason, at = first_reason(rows)
        found.append({"file": path, "kernel": name, "line": line,
                      "rows": len(rows), "reason": reason, "at": at,
                      "only": any(r["only"] for r in rows)})
    return path, faults, found, took


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilecheck")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60,
                        help="for one file")
    parser.add_argument("--save")
    parser.add_argument("--verdicts")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    known = None
    if args.verdicts:
        known = collections.defaultdict(set)
        with open(args.verdicts, encoding="utf-8") as file:
            for entry in json.load(file):
                known[entry["file"]].add(entry["kernel"])
    jobs = [(args.tilecheck, args.seconds, path, kernels,
             None if known is None else known.get(path, set()))
            for path, kernels in python_files(args.folders)]
    found, faults, times = [], [], []
    kernels = sum(len(j[3]) for j in jobs)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for path, wrong, rows, took in pool.map(look_at, jobs):
            faults += [(path, *w) for w in wrong]
            found += rows
            times += took
    without = [f for f in found if f["reason"]]
    only = sum(f["only"] for f in found if not f["reason"])
    exact = len(found) - len(without)
    print(f"kernels {kernels}, decided {len(found)}, with formulas {exact}"
          f" ({100 * exact / max(1, len(found)):.1f} %), of these for launches {only}")
    for reason, n in collections.Counter(f["reason"] for f in without).most_common():
        print(f"{n:5} {reason}")
    if args.list:
        for f in without:
            print(f"{f['file']}:{f['at'] or f['line']}: {f['kernel']}: "
                  f"{f['reason']}")
    if times:
        times.sort()
        longest, where = times[-1]
        print(f"io, seconds a kernel: median {times[len(times) // 2][0]:.3f}, "
              f"longest {longest:.3f} {where}")
    for path, what, fault in faults:
        print(f"fault: {path}: {what}: {fault}")
    if args.save:
        with open(args.save, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    return 1 if faults or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
