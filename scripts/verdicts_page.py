#!/usr/bin/env python3
"""What tilecheck says of each kernel of some files, as Markdown.

usage: verdicts_page.py TILECHECK FOLDER FILE... [--seconds S]

Each FILE below FOLDER is checked on its own. Printed is a section for each
file and a table for each kernel: what is proved, under which requirement,
what is refuted and how, what stays unknown and why. Standard library only.
Status 1 when tilecheck crashes, takes too long or prints what is no JSON."""
import argparse
import collections
import json
import os
import subprocess
import sys


def check(tool, folder, name, seconds):
    run = subprocess.run([tool, "check", "--format", "json", name], cwd=folder,
                         capture_output=True, text=True, timeout=seconds)
    return json.loads(run.stdout)["files"][0]


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def why(verdict):
    if verdict["verdict"] == "proved-if":
        return " and ".join(f"`{r}`" if "`" not in r else r
                            for r in verdict["requires"])
    if verdict["verdict"] == "unknown":
        detail = verdict.get("reason_detail") or ""
        return f"{verdict['reason']}: {detail}" if detail else verdict["reason"]
    if verdict["verdict"] == "refuted":
        sizes = verdict["counterexample"] or {}
        sizes = sizes.get("sizes", sizes)
        shown = [f"{k} = {v}" for k, v in sizes.items()
                 if isinstance(v, int) and v][:8]
        return f"{verdict['message']}: {', '.join(shown)}" if shown else verdict["message"]
    return ""


ORDER = ["refuted", "unknown", "proved-if", "proved"]


def places(verdicts):
    lines = collections.defaultdict(set)
    for v in verdicts:
        lines[v["code"]].add(v["line"])
    return "; ".join(f"{code} line{'s' if len(at) > 1 else ''} "
                     + ", ".join(map(str, sorted(at)))
                     for code, at in sorted(lines.items()))


def kernel_table(kernel):
    groups = collections.defaultdict(list)
    for v in kernel["verdicts"]:
        groups[(ORDER.index(v["verdict"]), why(v))].append(v)
    yield "| verdict | checks | requirement or reason |"
    yield "| --- | --- | --- |"
    for (rank, reason), verdicts in sorted(groups.items()):
        if ORDER[rank] == "proved":
            counts = collections.Counter(v["code"] for v in verdicts)
            at = ", ".join(f"{n} × {code}" for code, n in sorted(counts.items()))
        else:
            at = places(verdicts)
        yield f"| {ORDER[rank]} | {cell(at)} | {cell(reason)} |"
    if not kernel["verdicts"]:
        yield "| - | nothing to check | |"


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("tool")
    ap.add_argument("folder")
    ap.add_argument("files", nargs="+")
    ap.add_argument("--seconds", type=float, default=120)
    a = ap.parse_args()
    tool, failed = os.path.abspath(a.tool), False
    for name in a.files:
        print(f"## {name}\n")
        try:
            report = check(tool, a.folder, name, a.seconds)
        except (subprocess.TimeoutExpired, ValueError, KeyError) as error:
            print(f"No report: {type(error).__name__}.\n")
            failed = True
            continue
        for kernel in report.get("kernels", []):
            print(f"### `{kernel['name']}` (line {kernel['line']})\n")
            print("\n".join(kernel_table(kernel)) + "\n")
        notes = [e for e in report.get("errors", []) if e.get("code") == "TC904"]
        if notes:
            print("Not understood:\n")
            for e in notes:
                print(f"- line {e['line']}: {e['message']}")
            print()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
