#!/usr/bin/env python3
"""Compares tilecheck's findings on corpus/ with the expectations in it.

Usage: tests/run_corpus.py [PATH...]. The environment variable TILECHECK names
the program (default: build/tilecheck). corpus/README.md says how expectations
are written. Beside them it holds that every load, store and atomic of a file
without input errors has a bounds verdict, that the exit status fits, and that
each counterexample shows its fault again when replayed from the report.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPECT = re.compile(r"#\s*(below )?((?:TC\d{3}: [^#]*)+)$")
ITEM = re.compile(r"(TC\d{3}): ([^{};]+?)\s*(?:\{([^}]*)\})?\s*(?:;|$)")
ACCESS = re.compile(r"\btl\.(?:load|store|atomic_\w+)\(")


def program():
    return os.environ.get("TILECHECK", str(ROOT / "build" / "tilecheck"))


def expectations(lines):
    """{(line, code): [(text, sizes)]} from the comments of a file."""
    found = {}
    for number, line in enumerate(lines, 1):
        match = EXPECT.search(line)
        if not match:
            continue
        items = ITEM.findall(match.group(2))
        if len(items) != len(re.findall(r"TC\d{3}: ", match.group(2))):
            raise ValueError(f"line {number}: cannot read {match.group(0)}")
        for code, text, sizes in items:
            pairs = dict(part.split("=") for part in sizes.split(",") if part)
            wanted = {k.strip(): int(v, 0) for k, v in pairs.items()}
            at = (number + bool(match.group(1)), code)
            found.setdefault(at, []).append((text, wanted))
    return found


def describe(verdict):
    kind = verdict["verdict"]
    if kind == "proved-if":
        return "proved-if " + " and ".join(verdict["requires"])
    return f"unknown {verdict['reason']}" if kind == "unknown" else kind


def findings(file):
    """The same form from a file of a report; sizes of the counterexample."""
    found = {}

    def add(item, text, sizes):
        entry = found.setdefault((item["line"], item["code"]), [])
        if (text, sizes) not in entry:
            entry.append((text, sizes))

    for error in file["errors"]:
        add(error, error["severity"], {})
    for hint in (h for k in file["kernels"] for h in k["hints"]):
        add(hint, hint["severity"], {})
    for verdict in file["verdicts"] + verdicts(file):
        if verdict["verdict"] != "proved" and not verdict["suppressed"]:
            example = verdict["counterexample"] or {}
            add(verdict, describe(verdict), {**example.get("sizes", {}),
                                             **example.get("constexprs", {})})
    return found


def verdicts(file):
    return [v for kernel in file["kernels"] for v in kernel["verdicts"]]


def fits(expected, found):
    text, sizes = expected
    return text == found[0] and sizes.items() <= found[1].items()


def compare(expected, found):
    for at in sorted({*expected, *found}):
        wanted, got = expected.get(at, []), found.get(at, [])
        for item in wanted:
            if not any(fits(item, other) for other in got):
                yield f"{at[0]}: missing {at[1]}: {item[0]} {item[1] or ''}"
        for other in got:
            if not any(fits(item, other) for item in wanted):
                yield f"{at[0]}: extra {at[1]}: {other[0]} {other[1] or ''}"


def unseen(lines, file):
    """Accesses in the text on whose lines no bounds verdict was given."""
    if any(error["code"] in ("TC901", "TC902") for error in file["errors"]):
        return
    covered = {line for v in verdicts(file) if v["code"] in ("TC101", "TC102", "TC104")
               for line in range(v["line"], v["end_line"] + 1)}
    for number, line in enumerate(lines, 1):
        if ACCESS.search(line.split("#")[0]) and number not in covered:
            yield f"{number}: an access without a verdict"


def replay_trouble(report):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        path.write_text(report, encoding="utf-8")
        run = subprocess.run([program(), "replay", str(path)],
                             capture_output=True, text=True, timeout=300)
    if run.returncode != 0:
        yield f"1: replay ended with {run.returncode}: {run.stdout.strip()}"


def check(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    run = subprocess.run([program(), "check", "--format", "json", str(path)],
                         capture_output=True, text=True, timeout=600)
    try:
        expected = expectations(lines)
        file = json.loads(run.stdout)["files"][0]
    except (ValueError, KeyError, IndexError) as error:
        return [f"1: {error!r}, exit status {run.returncode} {run.stderr}"]
    troubles = [*compare(expected, findings(file)), *unseen(lines, file)]
    texts = {text for items in expected.values() for text, _ in items}
    status = 2 if "error" in texts else 1 if "refuted" in texts else 0
    if run.returncode != status:
        troubles.append(f"1: exit status {run.returncode}, expected {status}")
    if any(v["verdict"] == "refuted" for v in verdicts(file)):
        troubles += replay_trouble(run.stdout)
    return troubles


def main():
    paths = [pathlib.Path(arg) for arg in sys.argv[1:]] or [ROOT / "corpus"]
    files = sorted(file.resolve() for path in paths for file in
                   (path.rglob("*.py") if path.is_dir() else [path]))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, troubles in zip(files, pool.map(check, files)):
            failed += bool(troubles)
            for trouble in troubles:
                print(f"{os.path.relpath(path, ROOT)}:{trouble}")
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
