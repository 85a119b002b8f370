"""Pages of docs/ that show what the program prints.

A ```console block holds commands and their output. A command stands after
`$ `, and goes on in the next line after a backslash; it runs in a shell, in a
folder that holds corpus/, with tilecheck on the path. A ```python block whose
first line is `# NAME.py` is a file of that name in this folder. A drawing that
the page shows, and that a command writes there, lies beside the page.
"""

import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```\n", re.M | re.S)
DRAWING = re.compile(r"!\[[^\]]*\]\((\w+\.svg)\)")
COMMAND = re.compile(r"^\$ (?:.*\\\n)*.*\n", re.M)


def output(command, folder):
    words = command[2:].replace("\\\n", " ")
    path = os.path.dirname(TOOL) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(words, shell=True, cwd=folder, timeout=600,
                          env={**os.environ, "PATH": path},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode("utf-8")


def rerun_block(kind, body, folder):
    name = re.match(r"# (\w+\.py)\n", body)
    if kind == "python" and name:
        with open(os.path.join(folder, name[1]), "w", encoding="utf-8") as f:
            f.write(body)
    if kind == "python":
        return body
    return "".join(c + output(c, folder) for c in COMMAND.findall(body))


def rerun(text):
    """The page as it ought to be, and its drawings by name."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, "corpus"),
                   os.path.join(folder, "corpus"))
        fresh = BLOCK.sub(
            lambda m: f"```{m[1]}\n{rerun_block(m[1], m[2], folder)}```\n",
            text)
        return fresh, {name: read(os.path.join(folder, name))
                       for name in DRAWING.findall(text)}


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def differences(path, bless):
    """Lines of the page that are not as they ought to be, one message for
    each; with bless the page is rewritten instead.

    Line numbers apart: they change with the kernels' comments.
    """
    text = read(path)
    fresh, drawings = rerun(text)
    written = {path: fresh, **{os.path.join(os.path.dirname(path), name): d
                               for name, d in drawings.items()}}
    for name in written if bless else ():
        with open(name, "w", encoding="utf-8") as file:
            file.write(written[name])
    if bless:
        return
    for name in written:
        if name != path and read(name) != written[name]:
            yield f"shows {name}, which is not what the program draws"
    plain = [re.sub(r"line \d+|:\d+:|\b\d+:\d+\b", "line N", t).splitlines()
             for t in (text, fresh)]
    for old, new in zip(*plain):
        if old != new:
            yield f"says `{old}`, the program `{new}`"
            return
    if len(plain[0]) != len(plain[1]):
        yield f"has {len(plain[0])} lines, the program gives {len(plain[1])}"
