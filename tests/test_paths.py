#!/usr/bin/env python3
"""What files a folder stands for: order, skipped names, links, odd names.

Usage: TILECHECK=PROGRAM tests/test_paths.py
"""

import json
import os
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))


def run(folder, *arguments):
    done = subprocess.run([TOOL, "--format", "json", *arguments], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=60)
    return done.returncode, json.loads(done.stdout)


def paths(folder, *arguments):
    return [f["path"] for f in run(folder, *arguments)[1]["files"]]


def write(folder, name, text=""):
    path = os.path.join(os.fsencode(folder), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def order_and_skipped_names(folder):
    for name in ("b.py", "a.py", "B.py", "a/z.py", "a-b.py", "notes.txt",
                 ".hidden.py", ".git/x.py", "venv/x.py", "node_modules/x.py",
                 "build/x.py", "__pycache__/x.py", "a/build/x.py", "py",
                 ".py"):
        write(folder, name)
    want = ["B.py", "a/z.py", "a-b.py", "a.py", "b.py"]
    assert paths(folder, ".") == ["./" + w for w in want]
    assert paths(folder, "./") == ["./" + w for w in want]
    assert paths(folder, "build") == ["build/x.py"], "asked for by name"
    assert paths(folder, "a.py", "a", "a.py") == ["a.py", "a/z.py", "a.py"]


def links(folder):
    write(folder, "real/a.py")
    os.symlink("..", os.path.join(folder, "real", "up"))
    os.symlink(".", os.path.join(folder, "real", "self"))
    os.symlink("real", os.path.join(folder, "twin"))
    os.symlink("nowhere.py", os.path.join(folder, "dangling.py"))
    assert paths(folder, "real") == ["real/a.py"]
    assert paths(folder, ".") == ["./real/a.py"], "once"
    status, report = run(folder, "dangling.py", "real/a.py")
    assert status == 2 and report["summary"]["unreadable"] == 1
    assert [f["path"] for f in report["files"]] == ["dangling.py", "real/a.py"]


def odd_names(folder):
    write(folder, b"caf\xe9.py")
    write(folder, "new\nline.py")
    assert paths(folder, ".") == ["./caf\ufffd.py", "./new\nline.py"]


def troubles(folder):
    write(folder, "plain.py")
    write(folder, "zero.py", "jit\0")
    os.mkdir(os.path.join(folder, "nothing"))
    os.mkfifo(os.path.join(folder, "pipe.py"))
    with open(os.path.join(folder, "huge.py"), "wb") as file:
        file.truncate((64 << 20) + 1)
    for name in ("missing.py", "zero.py", "nothing", "pipe.py", "huge.py"):
        status, report = run(folder, name, "plain.py")
        errors = report["files"][0]["errors"]
        assert status == 2, name
        assert [e["code"] for e in errors] == ["TC901"], name
        assert report["files"][1]["errors"] == [], name


def main():
    for test in (order_and_skipped_names, links, odd_names, troubles):
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
        print(f"{test.__name__}: as it should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
