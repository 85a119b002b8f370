#!/usr/bin/env python3
"""A commit with the pre-commit hook: a faulty kernel is blocked, the mended one
passes.

Needs pre-commit and git, else it is skipped. The hook is installed from the
project's last commit, which builds the program once with pip.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONFIG = """repos:
  - repo: {root}
    rev: {rev}
    hooks:
      - id: tilecheck
"""
FAULTY = ROOT / "corpus/checks/TC102-oob-store/bad_no_mask.py"
MENDED = ROOT / "corpus/tutorial/vector_add.py"


def run(folder, *command, env=None):
    return subprocess.run(command, cwd=folder, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def commit(folder, env, source):
    """Adds kernel.py with that text and commits; the run of git."""
    shutil.copy(source, folder / "kernel.py")
    run(folder, "git", "add", "kernel.py")
    return run(folder, "git", "-c", "user.name=test", "-c",
               "user.email=test@example.org", "commit", "-m", "kernel",
               env=env)


def hook_works(folder, home):
    env = {**os.environ, "PRE_COMMIT_HOME": str(home), "NO_COLOR": "1"}
    rev = run(ROOT, "git", "rev-parse", "HEAD").stdout.strip()
    config = CONFIG.format(root=ROOT.as_uri(), rev=rev)
    run(folder, "git", "init", "-q")
    (folder / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")
    run(folder, "git", "add", ".pre-commit-config.yaml")
    run(folder, "pre-commit", "install", env=env)
    blocked = commit(folder, env, FAULTY)
    if blocked.returncode == 0 or "error[TC102]" not in blocked.stdout:
        print(f"the faulty kernel was not blocked:\n{blocked.stdout}")
        return False
    passed = commit(folder, env, MENDED)
    if passed.returncode != 0:
        print(f"the mended kernel was blocked:\n{passed.stdout}")
        return False
    print(blocked.stdout if "-v" in sys.argv else "passed")
    return True


def main():
    for tool in ("pre-commit", "git"):
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed")
            return 0
    if run(ROOT, "git", "rev-parse", "HEAD").returncode != 0:
        print("skipped: not a git repository")
        return 0
    with tempfile.TemporaryDirectory() as top:
        folder = pathlib.Path(top) / "project"
        folder.mkdir()
        return 0 if hook_works(folder, pathlib.Path(top) / "home") else 1


if __name__ == "__main__":
    sys.exit(main())
