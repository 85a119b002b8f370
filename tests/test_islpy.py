#!/usr/bin/env python3
"""Compares formulas with those of isl and barvinok, where they are installed.

Usage: TILECHECK=PROGRAM tests/test_islpy.py. For each access, `dump` says which
programs, turns and lanes are live, as a set of integer points; barvinok counts
it. Where the set is affine in the sizes it is counted once, as a formula; else,
where that makes it affine, once for each shape. The kernels are those of
corpus/tutorial and corpus/patterns and random ones. Exit status 77: skipped.
"""

import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from random_kernels import write

try:
    import islpy as isl
except ImportError:
    isl = None

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))
POINT = re.compile(r"(?:pid|turn|lane)\d+$")
SHAPES, RANDOM_KERNELS = 4, 40


class NotAffine(Exception):
    pass


# --------------------------------------------------------------- expressions

FUNCTIONS = {"cdiv": lambda a, b: -(-a // b), "min": min, "max": max,
             "next_pow2": lambda n: 0 if n == 0 else
             1 if n < 1 else 1 << (n - 1).bit_length()}


def parse(text):
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        raise NotAffine(text) from None


def is_fixed(node):
    """Neither a program, a turn nor a lane is in it."""
    return not any(isinstance(n, ast.Name) and POINT.match(n.id)
                   for n in ast.walk(node))


def is_size(node):
    """`M`, `x.shape[0]`, `x.numel()`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute)
    return isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))


def sizes_in(node, out):
    if is_size(node):
        if is_fixed(node):
            out.add(ast.unparse(node))
        return
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.Call) and child is node.func):
            sizes_in(child, out)


class Numbers(ast.NodeTransformer):
    """Sizes as numbers."""

    def __init__(self, sizes):
        self.sizes = sizes

    def visit(self, node):
        if is_size(node) and is_fixed(node):
            return ast.Constant(self.sizes[ast.unparse(node)])
        if isinstance(node, ast.Call):
            node.args = [self.visit(a) for a in node.args]
            return node
        return self.generic_visit(node)


def evaluate(text, sizes):
    tree = ast.Expression(Numbers(sizes).visit(parse(text)))
    return eval(compile(ast.fix_missing_locations(tree), "", "eval"),
                {"__builtins__": {}, **FUNCTIONS})


class Writer:
    """Expressions in isl's notation. `sizes` is None: sizes are parameters, and
    what is not affine in sizes alone is one of its own. Else they are numbers.
    """

    def __init__(self, sizes=None):
        self.sizes = sizes
        self.parameters = {}  # text -> name

    def fixed(self, node):
        text = ast.unparse(node)
        if self.sizes is not None:
            return str(int(evaluate(text, self.sizes)))
        return self.parameters.setdefault(text, f"p{len(self.parameters)}")

    def constant(self, node):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if is_fixed(node) and self.sizes is not None:
            return int(evaluate(ast.unparse(node), self.sizes))
        return None

    def arithmetic(self, node):
        left, right = node.left, node.right
        if isinstance(node.op, (ast.Add, ast.Sub)):
            sign = "+" if isinstance(node.op, ast.Add) else "-"
            return f"({self.put(left)} {sign} {self.put(right)})"
        number = self.constant(right)
        if isinstance(node.op, ast.Mult):
            if number is None:
                left, right, number = right, left, self.constant(left)
            if number is not None:
                return f"({number}*{self.put(left)})"
        elif number is not None and number > 0:
            if isinstance(node.op, ast.FloorDiv):
                return f"floor({self.put(left)}/{number})"
            if isinstance(node.op, ast.Mod):
                return f"({self.put(left)} mod {number})"
        if is_fixed(node):
            return self.fixed(node)
        raise NotAffine(ast.unparse(node))

    def call(self, node):
        name = getattr(node.func, "id", None)
        if name in ("min", "max"):
            return f"{name}({', '.join(map(self.put, node.args))})"
        number = self.constant(node.args[1]) if name == "cdiv" else None
        if number is not None and number > 0:
            return f"floor(({self.put(node.args[0])} + {number - 1})/{number})"
        if name in FUNCTIONS and is_fixed(node):
            return self.fixed(node)
        raise NotAffine(ast.unparse(node))

    def put(self, node):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return str(node.value)
        if isinstance(node, ast.Name) and POINT.match(node.id):
            return node.id
        if is_size(node) and is_fixed(node):
            return self.fixed(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return f"(-{self.put(node.operand)})"
        if isinstance(node, ast.BinOp):
            return self.arithmetic(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        raise NotAffine(ast.unparse(node))

    COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
                   ast.Eq: "=", ast.NotEq: "!="}

    def truth(self, node):
        if isinstance(node, ast.BoolOp):
            word = " and " if isinstance(node.op, ast.And) else " or "
            return "(" + word.join(map(self.truth, node.values)) + ")"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"(not {self.truth(node.operand)})"
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return "0 = 0" if node.value else "0 = 1"
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sign = self.COMPARISONS[type(node.ops[0])]
            return (f"{self.put(node.left)} {sign} "
                    f"{self.put(node.comparators[0])}")
        raise NotAffine(ast.unparse(node))


# --------------------------------------------------------------------- sets

class Points:
    """The live points of one access: conditions as text."""

    def __init__(self, conditions):
        self.conditions = conditions
        self.names = sorted({n.id for c in conditions for n in ast.walk(
            parse(c)) if isinstance(n, ast.Name) and POINT.match(n.id)})
        self.sizes = set()
        for c in conditions:
            sizes_in(parse(c), self.sizes)
        self.formula = None  # and how its parameters are called
        self.tried = False

    def read(self, writer):
        text = " and ".join(writer.truth(parse(c)) for c in self.conditions)
        parameters = ", ".join(writer.parameters.values())
        return isl.Set(f"[{parameters}] -> {{ [{', '.join(self.names)}] : "
                       f"{text} }}")

    def count(self, sizes):
        """How many there are, and whether by a formula for all sizes."""
        if not self.tried:
            self.tried = True
            writer = Writer()
            try:
                self.formula = (self.read(writer).card(), writer.parameters)
            except NotAffine:
                pass
        if self.formula:
            card, parameters = self.formula
            values = {name: evaluate(text, sizes)
                      for text, name in parameters.items()}
        else:
            card, values = self.read(Writer(sizes)).card(), {}
        point = isl.Point.zero(card.get_domain_space())
        for i in range(point.get_space().dim(isl.dim_type.param)):
            name = point.get_space().get_dim_name(isl.dim_type.param, i)
            point = point.set_coordinate_val(isl.dim_type.param, i,
                                             isl.Val(str(values[name])))
        return int(card.eval(point).to_str()), bool(self.formula)


# ------------------------------------------------------------------- output

def tool(*words):
    done = subprocess.run([TOOL, *words], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=120)
    return done.stdout.decode("utf-8", "replace")


def sections(path, stage):
    """(kernel, launch) and lines of each program."""
    out = []
    for line in tool("dump", f"--stage={stage}", path).splitlines():
        head = re.match(r"# .*: kernel (\w+)(?:, launched on line (\d+))?",
                        line)
        if head:
            out.append(((head[1], int(head[2] or 0)), []))
        elif out:
            out[-1][1].append(line)
    return out


def read_program(facts, lines):
    """(line, column) and points of each access; no points: not followed."""
    grid = [f for f in facts if re.search(r"\bpid\d", f)]
    accesses = []
    for line in lines:
        place = re.match(r"(\d+):(\d+) ", line)
        if place:
            accesses.append(((int(place[1]), int(place[2])), list(grid)))
        else:
            accesses[-1][1].append(line.split(None, 1)[1])
    for place, conditions in accesses:
        try:
            yield place, Points(conditions)
        except NotAffine:
            yield place, None


def numbered(pairs):
    """By head and number among those of equal heads."""
    out = {}
    for head, item in pairs:
        number = sum(1 for h, _ in out if h == head)
        out[head, number] = item
    return out


def read_points(path):
    facts, lines = sections(path, "facts"), sections(path, "access")
    return numbered((head, list(read_program(f, text)))
                    for (head, text), (_, f) in zip(lines, facts))


def read_counts(path, sizes):
    at = ",".join(f"{k}={v}" for k, v in sizes.items())
    text = tool("io", "--format=json", *(["--at", at] if at else []), path)
    if not text:
        return {}
    return numbered(((f["name"], f["launch"] or 0), f["accesses"])
                    for file in json.loads(text)["files"]
                    for f in file["functions"] if f["kind"] == "kernel")


def named(path):
    """Sizes that a formula of the file mentions."""
    out = set()
    for accesses in read_counts(path, {}).values():
        for a in accesses:
            try:
                sizes_in(parse(a["elements"]["formula"] or "0"), out)
            except NotAffine:
                pass
    return out


class Tally:
    formulas = numbers = 0


def compare(path, dice, tally):
    points = read_points(path)
    known = {s for all in points.values() for _, p in all if p
             for s in p.sizes}
    names = known & named(path) if points else known
    for _ in range(SHAPES if points else 0):
        sizes = {s: dice.choice([0, 1, dice.randrange(20),
                                 dice.randrange(400)]) for s in sorted(known)}
        counts = read_counts(path, {s: sizes[s] for s in names})
        for head, accesses in points.items():
            yield from compare_one(path, head, accesses, sizes,
                                   counts.get(head, []), tally)


def compare_one(path, head, accesses, sizes, counts, tally):
    by_place = {(c["line"], c["column"]): c for c in counts}
    for place, points in accesses:
        at = by_place.get(place, {}).get("elements", {}).get("at")
        if at is None or not points:
            continue
        try:
            number, is_formula = points.count(sizes)
        except (NotAffine, KeyError, ZeroDivisionError):
            continue
        tally.formulas += is_formula
        tally.numbers += not is_formula
        if number != at:
            yield (f"{path}:{place[0]}:{place[1]}: {head[0][0]}: {at} at {sizes},"
                   f" barvinok counts {number}")


def main():
    if not isl or not hasattr(isl.Set, "card"):
        print("skipped: there is no islpy with barvinok here "
              "(pip install islpy-barvinok)")
        return 77
    dice, tally, wrong = random.Random(1), Tally(), 0
    with tempfile.TemporaryDirectory() as folder:
        paths = write(folder, 0, RANDOM_KERNELS)
        for part in ("tutorial", "patterns"):
            base = os.path.join(ROOT, "corpus", part)
            paths += sorted(os.path.join(base, f) for f in os.listdir(base))
        for path in paths:
            for message in compare(path, dice, tally):
                print(message)
                wrong += 1
    print(f"{tally.formulas} values of formulas and {tally.numbers} of numbers "
          f"compared, {wrong} wrong")
    return 1 if wrong or tally.formulas < 100 or tally.numbers < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
