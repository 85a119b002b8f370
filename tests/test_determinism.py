#!/usr/bin/env python3
"""The same files give the same bytes, whatever the number of workers; and a
worker that is killed costs the verdicts of its file alone.

Usage: TILECHECK=PROGRAM tests/test_determinism.py [ROUNDS]
"""

import json
import os
import signal
import subprocess
import sys

TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
FILES = ["corpus/tutorial/matmul_grouped.py", "corpus/tutorial/softmax.py",
         "corpus/faulty/matmul_store_rows.py", "corpus/tutorial/layer_norm.py",
         "corpus/faulty/matmul_no_wrap.py"]
ATTEMPTS = 20


def command(jobs):
    return [TOOL, "--format", "json", "--jobs", str(jobs), *FILES]


def output(jobs):
    return subprocess.run(command(jobs), stdout=subprocess.PIPE,
                          timeout=300, check=False).stdout


def rounds_agree(rounds):
    first = output(1)
    assert len(json.loads(first)["files"]) == len(FILES)
    for i in range(rounds):
        for jobs in (1, 2):
            assert output(jobs) == first, f"round {i}, {jobs} jobs"
    return json.loads(first)["files"]


def child_of(process):
    """A worker of the program, or None."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process.pid and fields[0] != "Z":
            return int(name)
    return None


def run_with_a_kill():
    """The report of a run in which one worker was killed, or None."""
    with subprocess.Popen(command(2), stdout=subprocess.PIPE) as process:
        worker = None
        while worker is None and process.poll() is None:
            worker = child_of(process)
        if worker is not None:
            os.kill(worker, signal.SIGKILL)
        text = process.communicate(timeout=300)[0]
    return json.loads(text)["files"] if b"ended by signal 9" in text else None


def a_killed_worker_costs_its_file(undisturbed):
    if not os.path.isdir("/proc/self"):
        return
    for _ in range(ATTEMPTS):  # a quick worker may be done before the signal
        files = run_with_a_kill()
        if files:
            break
    assert files, "no worker was caught alive"
    changed = [f for f, old in zip(files, undisturbed) if f != old]
    assert [f["path"] for f in files] == FILES
    assert len(changed) == 1
    verdicts = [v for k in changed[0]["kernels"] for v in k["verdicts"]]
    assert verdicts
    for v in verdicts:
        assert (v["verdict"], v["reason"]) == ("unknown", "resource-limit"), v


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    undisturbed = rounds_agree(rounds)
    a_killed_worker_costs_its_file(undisturbed)
    print(f"{rounds} rounds with 1 and 2 workers: {len(FILES)} files agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
