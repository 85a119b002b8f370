#!/usr/bin/env python3
"""JSON reports: the schema, agreement with text and between job counts, and
replays from the report alone.

Usage: TILECHECK=PROGRAM tests/test_json.py. Checks the files of golden/ and of
corpus/, the order of work on the former.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))

import schema  # noqa: E402

TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
GOLDEN = "tests/golden/files"
FILES = [GOLDEN, "corpus"]
MUTATIONS = 60


def run(*arguments):
    done = subprocess.run([TOOL, *arguments], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=600)
    return done.returncode, done.stdout


def inputs():
    return [f for f in FILES if os.path.exists(os.path.join(ROOT, f))]


def check_schema(report):
    with open(os.path.join(ROOT, "docs/report.schema.json")) as file:
        shape = json.load(file)
    yield from schema.errors(report, shape)
    broken = json.loads(json.dumps(report))
    broken["files"][0]["path"] = 1
    broken["summary"]["extra"] = 0
    if len(list(schema.errors(broken, shape))) != 2:
        yield "the validator misses what it must see"


def check_summary(report):
    worst = {}
    rank = ["proved", "proved-if", "unknown", "refuted"]
    for file in report["files"]:
        for kernel in file["kernels"]:
            places = [(v["line"], v["column"], v["code"])
                      for v in kernel["verdicts"]]
            if places != sorted(places):
                yield f"{kernel['name']}: verdicts are not in order"
            for v in kernel["verdicts"]:
                if v["suppressed"] or not "TC101" <= v["code"] <= "TC104":
                    continue
                key = (file["path"], kernel["name"], kernel["line"],
                       v["line"], v["column"])
                worst[key] = max(worst.get(key, 0), rank.index(v["verdict"]))
    for kind in rank:
        count = sum(w == rank.index(kind) for w in worst.values())
        told = report["summary"][kind.replace("-", "_")]
        if count != told:
            yield f"summary: {told} {kind}, not {count}"


def check_consistency(report):
    for file in report["files"]:
        for kernel in file["kernels"]:
            for v in kernel["verdicts"]:
                where = f"{file['path']}:{v['line']}"
                if v["verdict"] == "refuted" and not (
                        v["counterexample"] and
                        v["counterexample"]["replayed"]):
                    yield f"{where}: refuted without a replayed example"
                if v["verdict"] == "proved-if" and not v["requires"]:
                    yield f"{where}: proved-if without a requirement"
                if (v["verdict"] == "unknown") != bool(v["reason"]):
                    yield f"{where}: reason and verdict disagree"


def check_jobs():
    for form in ("json", "text"):
        _, text = run("--format", form, GOLDEN)
        for jobs in ("1", "3"):
            if run("--format", form, "--jobs", jobs, GOLDEN)[1] != text:
                yield f"--jobs {jobs} changes the output"


def replay(text):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(text)
        file.flush()
        return run("replay", file.name)


def change_digit(text, at):
    digit = str((int(text[at]) + 1) % 10)
    return text[:at] + digit + text[at + 1:]


def check_replay(text, refuted):
    status, out = replay(text)
    if status != 0 or f"{refuted} of {refuted}" not in out.decode():
        yield f"replay: status {status}\n{out.decode()}"
    digits = [m.start() for m in re.finditer(r"\d", text)]
    start = text.index('"files"')
    digits = [d for d in digits if d > start]
    chosen = random.Random(1).sample(digits, min(MUTATIONS, len(digits)))
    for at in chosen:
        if replay(change_digit(text, at))[0] == 0:
            yield f"replay: digit {at} changed unseen: {text[at - 40:at + 9]}"
    for bad in ("", "[]", "{", "{}", '{"version": 2}', text[:-9]):
        if replay(bad)[0] != 2:
            yield f"replay: status of {bad[:20]!r} is not 2"


def check_unsealed(report):
    """Without the seal over all, each example's own digest must do."""
    for file in report["files"]:
        for kernel in file["kernels"]:
            for v in kernel["verdicts"]:
                example = v["counterexample"]
                if not example:
                    continue
                for key in ("program", "lane", "loops"):
                    for i in range(len(example[key])):
                        example[key][i] += 1
                        if b"digest" not in replay(json.dumps(report))[1]:
                            yield f"{key} of line {v['line']} changed unseen"
                        example[key][i] -= 1


def main():
    status, text = run("--format", "json", *inputs())
    report = json.loads(text)
    found = []
    for problem in (*check_schema(report), *check_summary(report),
                    *check_consistency(report), *check_jobs()):
        found.append(problem)
    _, small = run("--format", "json", "tests/golden/files/refuted.py")
    examples = sum(v["verdict"] == "refuted"
                   for f in json.loads(small)["files"] for k in f["kernels"]
                   for v in k["verdicts"])
    found += check_replay(small.decode(), examples)
    found += check_unsealed(json.loads(small))
    whole, out = replay(text.decode())
    if whole != 0:
        found.append(f"replay of everything: status {whole}\n{out.decode()}")
    for problem in found:
        print(problem)
    print(f"{len(report['files'])} files, status {status}, "
          f"{examples} examples replayed, {len(found)} problems")
    return 1 if found or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
