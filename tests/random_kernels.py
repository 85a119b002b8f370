#!/usr/bin/env python3
"""Random kernels that are close to real ones, for count_corpus.

Usage: tests/random_kernels.py FOLDER FIRST COUNT writes them to a folder;
tests/random_kernels.py --check COUNT_CORPUS FIRST COUNT compares their formulas
with the interpreter. Kernel number n is the same everywhere. Each reads one tile per program or turn: rows and columns from one or
two program ids (in rows, in groups, some of them wrong), from persistent loops,
or from loops over blocks with tails, wraps and causal bounds; the masks are
often not those that the sizes ask for.
"""

import os
import random
import subprocess
import sys
import tempfile

HEAD = """import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, M, N, K, A: tl.constexpr, B: tl.constexpr, G: tl.constexpr):
"""


def blocks(size, block):
    return f"tl.cdiv({size}, {block})"


def host_blocks(size, block):
    return f"triton.cdiv({size}, meta['{block}'])"


class Writer:
    """One kernel: `lines` of the body, `grid`, and the depth of the loops."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.depth = 1
        self.rows = self.size()
        self.has_columns = False

    def pick(self, *choices):
        return self.random.choice(choices)

    def size(self):
        return self.random.choice("MNK")

    def put(self, *lines):
        self.lines += ["    " * self.depth + line for line in lines]

    def loop(self, header):
        self.put(header)
        self.depth += 1

    # ------------------------------------------------ programs to tiles

    def plain(self):
        self.put("r = tl.program_id(0)")
        return [host_blocks(self.rows, "A")]

    def whole_rows(self):
        self.put("r = tl.program_id(0)")
        return [self.rows]

    def two_axes(self):
        self.put("r = tl.program_id(0)", "q = tl.program_id(1)")
        self.has_columns = True
        return [host_blocks(self.rows, "A"), host_blocks(self.size(), "B")]

    def row_major(self):
        columns = self.size()
        self.put("p = tl.program_id(0)", f"w = {blocks(columns, 'B')}",
                 "r = p // w", "q = p % w")
        self.has_columns = True
        return [host_blocks(self.rows, "A") + " * " + host_blocks(columns, "B")]

    def grouped(self):
        columns = self.size()
        self.put("p = tl.program_id(0)", f"w = {blocks(columns, 'B')}",
                 f"h = {blocks(self.rows, 'A')}", "per = G * w",
                 "f = p // per * G", "z = min(h - f, G)")
        self.put(*self.pick(("r = f + (p % per) % z", "q = (p % per) // z"),
                            ("r = f + (p % per) // w", "q = (p % per) % w"),
                            ("r = f + p % z", "q = (p % per) // z")))
        self.has_columns = True
        return [host_blocks(self.rows, "A") + " * " + host_blocks(columns, "B")]

    def persistent(self):
        step = self.pick("G", "tl.num_programs(0)", "G + 1")
        self.loop(f"for r in range(tl.program_id(0), "
                  f"{blocks(self.rows, 'A')}, {step}):")
        return [f"min(meta['G'], {host_blocks(self.rows, 'A')})"]

    def persistent_tiles(self):
        columns = self.size()
        self.put(f"w = {blocks(columns, 'B')}")
        self.loop(f"for p in range(tl.program_id(0), "
                  f"{blocks(self.rows, 'A')} * w, tl.num_programs(0)):")
        self.put("r = p // w", "q = p % w")
        self.has_columns = True
        return [self.pick("meta['G']",
                          f"min(meta['G'], {host_blocks(self.rows, 'A')})")]

    def split(self):
        self.put("r = tl.program_id(0)", "g = tl.program_id(1)")
        return [host_blocks(self.rows, "A"), "meta['G']"]

    # ------------------------------------------------------ inner loops

    def walk(self, is_split):
        """Opens a loop, perhaps; true when k is its first column."""
        size = self.size()
        form = self.random.randrange(6)
        if form == 0:
            self.loop(f"for k in range(0, {size}, B):")
        elif form == 1:
            self.loop(f"for t in range(0, {blocks(size, 'B')}):")
            self.put("k = t * B")
        elif form == 2:
            end = self.pick("(r + 1) * A", "r + 1", "r * A",
                            f"tl.minimum({size}, (r + 1) * A)")
            self.loop(f"for k in range(0, {end}, {self.pick('B', 'B', '1')}):")
        elif form == 3:
            start = self.pick("r * A", "r")
            self.loop(f"for k in range({start}, {size}, "
                      f"{self.pick('A', 'B', '1')}):")
        elif form == 4 and is_split:
            self.loop(f"for t in range(0, tl.cdiv({size}, B * G)):")
            self.put("k = t * (B * G) + g * B")
        else:
            return False
        return True

    # ------------------------------------------------------- the access

    def masks(self, row, column):
        sizes = [self.rows, self.rows, self.size()]
        often = [(0.75, f"({row} < {self.random.choice(sizes)})"),
                 (0.75, f"({column} < {self.size()})"),
                 (0.15, f"({column} <= {row})"),
                 (0.1, f"({row} >= {self.pick('0', '1', 'A', self.size())})"),
                 (0.08, f"({column} // {self.pick('2', 'A', 'G')} < r)"),
                 (0.08, f"({column} % {self.pick('2', 'G')} == 0)")]
        return [text for share, text in often if self.random.random() < share]

    def load(self, columns_of_loop):
        row = self.pick("(r * A + i)", "(r * A + i)", "(r * A + i)",
                        "(r + i * 0)", "(r * A + A - 1 - i)", "(r * B + i)",
                        "(r * A + i + 1)", "(r * A + i - 1)")
        if self.random.random() < 0.25:
            row = f"({row} % {self.size()})"
        column = ("(k + j)" if columns_of_loop else
                  "(q * B + j)" if self.has_columns else "j")
        masks = self.masks(row, column) + ["(i >= 0)", "(j >= 0)"]
        self.put("i = tl.arange(0, A)[:, None]", "j = tl.arange(0, B)[None, :]",
                 f"x = tl.load(x_ptr + {row} * {self.pick('M', 'N', 'K', '1')} "
                 f"+ {column}, mask={' & '.join(masks)})")

    def text(self):
        order = self.pick(self.plain, self.whole_rows, self.two_axes,
                          self.row_major, self.grouped, self.persistent,
                          self.persistent_tiles, self.split)
        grid = order()
        if self.depth == 1 and self.random.random() < 0.2:
            self.put(self.pick(f"if r * A >= {self.size()}:",
                               f"if r >= {self.size()}:", "if r == 0:"),
                     "    return")
        self.load(self.walk(order == self.split))
        numbers = ", ".join(f"{name}={self.pick(1, 2, 4, 8, 16)}"
                            for name in "ABG")
        return (HEAD + "\n".join(self.lines)
                + "\n\n\ndef host(x, M: int, N: int, K: int):\n"
                + "    assert x.numel() == 60000\n"
                + f"    grid = lambda meta: ({', '.join(grid)},)\n"
                + f"    kernel[grid](x, M, N, K, {numbers})\n")


def write(folder, first, count):
    """Returns the paths of the kernels."""
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(folder, f"k{n}.py")
             for n in range(first, first + count)]
    for number, path in enumerate(paths, first):
        with open(path, "w") as out:
            out.write(Writer(number).text())
    return paths


def check(program, first, count):
    with tempfile.TemporaryDirectory() as folder:
        paths = write(folder, first, count)
        return subprocess.run([program, "6"] + paths).returncode


def main():
    arguments = sys.argv[1:]
    checking = arguments[:1] == ["--check"]
    arguments = arguments[checking:]
    if len(arguments) != 3:
        sys.exit(__doc__)
    do = check if checking else write
    result = do(arguments[0], int(arguments[1]), int(arguments[2]))
    sys.exit(result if checking else 0)


if __name__ == "__main__":
    main()
