#!/usr/bin/env python3
"""Checks the rules of the source tree that no compiler checks.

Usage: tests/lint.py [ROOT]. Prints FILE:LINE: MESSAGE for each breach and
exits with 1 when there is one. The rules are the functions `check_*` below.
"""

import fnmatch
import os
import re
import sys

FOLDERS = [
    "include", "base", "ir", "ops", "parser", "analysis", "exec", "checks",
    "traffic", "report", "cli",
]

# What a file may include from the project: the first pattern that fits the
# file decides. A "!" pattern forbids; forbidding wins.
PROJECT_INCLUDES = [
    ("base/*", ["base/*"]),
    ("ir/*", ["base/*", "ir/*", "ops/ops.def", "ops/ops.h"]),
    ("ops/ops.h", ["base/*", "ir/*", "ops/*.def"]),
    ("ops/*", ["base/*", "ir/*", "ops/*", "checks/checks.def", "analysis/*.h",
               "!analysis/prover*", "!analysis/interp.h"]),
    ("parser/*", ["base/*", "ir/*", "ops/*", "parser/*", "checks/checks.def"]),
    ("analysis/witness.c", ["base/*", "ir/*", "analysis/*", "exec/exec.h"]),
    ("analysis/race_witness.c", ["base/*", "ir/*", "analysis/*", "exec/exec.h"]),
    ("analysis/*", ["base/*", "ir/*", "ops/*", "analysis/*",
                    "checks/checks.def"]),
    ("exec/*", ["base/*", "ir/*", "ops/*", "exec/*"]),
    ("checks/*", ["base/*", "ir/*", "checks/*", "analysis/*.h",
                  "!analysis/prover*", "!analysis/interp.h"]),
    ("traffic/*", ["base/*", "ir/*", "ops/*", "traffic/*",
                   "parser/functions.h", "analysis/*.h", "!analysis/prover*",
                   "!analysis/interp.h"]),
    ("report/*", ["base/*", "ir/*", "checks/*", "report/*", "traffic/*.h",
                  "analysis/obligation.h", "analysis/witness.h",
                  "analysis/verdict.h"]),
    ("include/*", []),
    ("cli/*", ["*"]),
]

# Folders that must not see analysis/ even through another header: the replay
# of a witness has to be independent of how it was found.
INDEPENDENT = ["base", "ir", "parser", "exec"]

# Foreign headers and the only files that may include them.
FOREIGN_INCLUDES = [
    ("z3*.h", ["analysis/prover_z3.c"]),
    ("tree_sitter/*", ["parser/syntax.c"]),
    ("yyjson.h", ["report/*", "cli/*"]),
]

# Operations are told apart in their table and in the two walkers only.
CASE_OP = ["ops/*", "exec/*", "ir/*"]

# Memory from malloc: the arena and the owners of foreign resources.
MALLOC = ["base/*", "parser/syntax.c", "analysis/prover_z3.c", "report/*",
          "cli/*"]


def fits(path, patterns):
    return any(fnmatch.fnmatchcase(path, p) for p in patterns)


def may_include(path, header):
    for pattern, allowed in PROJECT_INCLUDES:
        if fnmatch.fnmatchcase(path, pattern):
            denied = [p[1:] for p in allowed if p.startswith("!")]
            return fits(header, allowed) and not fits(header, denied)
    return False


def strip_comments(text, strings=True):
    """Blanks comments, and the insides of literals too unless told not to.

    Line numbers stay as they are.
    """
    def blank(match):
        found = match.group(0)
        if found.startswith("/"):
            return re.sub(r"[^\n]", " ", found)
        if not strings:
            return found
        return found[0] + " " * (len(found) - 2) + found[-1]

    literal = r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'"
    comment = r"/\*.*?\*/|//[^\n]*"
    return re.sub(comment + "|" + literal, blank, text, flags=re.S)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def includes(text):
    """Yields the line, the kind of quote and the header of each include."""
    plain = strip_comments(text, strings=False)
    pattern = r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]'
    for match in re.finditer(pattern, plain, re.M):
        yield line_of(plain, match.start()), match.group(1), match.group(2)


def check_includes(path, text):
    """Folders see only what lies below them; foreign headers have one home."""
    for at, quote, header in includes(text):
        owners = [o for p, o in FOREIGN_INCLUDES if fits(header, [p])]
        if owners:
            if not fits(path, owners[0]):
                yield at, f"only {', '.join(owners[0])} may include {header}"
        elif quote == '"':
            if "/" not in header:
                yield at, f'include "{header}" from the root, with its folder'
            elif not may_include(path, header):
                yield at, f"{path.split('/')[0]}/ may not include {header}"


def check_case_op(path, text):
    """No switch on an operation's id outside its table and the walkers."""
    if fits(path, CASE_OP):
        return
    plain = strip_comments(text)
    for match in re.finditer(r"\bcase\s+OP_\w+", plain):
        yield line_of(plain, match.start()), f"{match.group(0)} outside ops/"


def is_variable(head):
    """Whether a declaration, cut before its = { ; or [, names a variable."""
    return "(" not in head or re.match(r"[^(]*\(\s*\*", head)


def is_constant(head):
    """Whether the variable itself, not only what it points to, is const."""
    last = head.rsplit("*", 1)[-1]
    return re.search(r"\bconst\b", last) is not None


def check_mutable(path, text):
    """No variable of static duration that can change."""
    if not path.endswith(".c"):
        return
    plain = strip_comments(text)
    plain = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*",
                   lambda m: re.sub(r"[^\n]", " ", m.group(0)), plain,
                   flags=re.M)
    starts = r"^([ \t]*)static\b(?!\s+inline\b)([^;={\[]*)"
    for match in re.finditer(starts, plain, re.M):
        head = match.group(2)
        if re.search(r"\b(struct|union|enum)\s*\w*\s*$", head):
            # `static const struct { ... } name[]`: const stands before it.
            if re.search(r"\bconst\b", head):
                continue
        elif not is_variable(head) or is_constant(head):
            continue
        name = " ".join(head.split())
        yield line_of(plain, match.start()), f"mutable state: static {name}"
    words = r"typedef|extern|static|struct|union|enum|return|case|default|else"
    outside = (r"^(?!(?:" + words + r"|_Noreturn|_Static_assert)\b)"
               r"([A-Za-z_][\w \t*]*[ \t*]\w+)[ \t]*(?:\[[^\]\n]*\])*[ \t]*[=;]")
    for match in re.finditer(outside, plain, re.M):
        if not is_constant(match.group(1)):
            yield (line_of(plain, match.start()),
                   f"mutable state: {match.group(1)}")


def check_malloc(path, text):
    """Memory lives in arenas."""
    if fits(path, MALLOC):
        return
    plain = strip_comments(text)
    for match in re.finditer(r"\b(free|malloc|calloc|realloc|strdup)\s*\(",
                             plain):
        yield (line_of(plain, match.start()),
               f"{match.group(1)}() outside base/: use an arena")


def check_asserts(_path, text):
    """Assertions stay on: nothing may define NDEBUG."""
    plain = strip_comments(text)
    for match in re.finditer(r"#\s*define\s+NDEBUG\b", plain):
        yield line_of(plain, match.start()), "NDEBUG turns assertions off"


CHECKS = [check_includes, check_case_op, check_mutable, check_malloc,
          check_asserts]


def check_reach(texts):
    """What INDEPENDENT folders include, directly or not, lies outside analysis/.

    Looks at all files together: texts maps paths to their text.
    """
    def reach(header, seen):
        if header in seen or header not in texts:
            return
        seen.append(header)
        for _, quote, deeper in includes(texts[header]):
            if quote == '"':
                reach(deeper, seen)

    for path, text in texts.items():
        if path.split("/")[0] not in INDEPENDENT:
            continue
        for at, _, header in includes(text):
            seen = []
            reach(header, seen)
            found = [h for h in seen if h.startswith("analysis/")]
            if found and found[0] != header:
                yield path, at, f"{header} leads to {found[0]}"


def files(root):
    for folder in FOLDERS:
        for where, folders, names in os.walk(os.path.join(root, folder)):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".c", ".h", ".def")):
                    path = os.path.join(where, name)
                    yield os.path.relpath(path, root).replace(os.sep, "/")


def self_test():
    """The checks must see each kind of breach, and pass the look-alikes."""
    def breaches(path, text):
        return [m for check in CHECKS for _, m in check(path, text)]

    bad = [
        ("base/x.c", '#include "ir/tile.h"\n'),
        ("exec/x.c", '#include "analysis/sym.h"\n'),
        ("checks/x.c", '#include "analysis/prover.h"\n'),
        ("report/x.c", '#include "analysis/sym.h"\n'),
        ("ops/ops.h", '#include "analysis/sym.h"\n'),
        ("base/x.c", '#include "arena.h"\n'),
        ("analysis/x.c", "#include <z3.h>\n"),
        ("parser/x.c", "#include <tree_sitter/api.h>\n"),
        ("analysis/x.c", "#include <yyjson.h>\n"),
        ("analysis/x.c", "switch (x) {\n  case OP_ADD:\n"),
        ("ir/x.c", "static int count;\n"),
        ("ir/x.c", "static const char *names[] = {0};\n"),
        ("ir/x.c", "int f(void) {\n  static int n = 0;\n}\n"),
        ("ir/x.c", "static int (*hook)(void);\n"),
        ("ir/x.c", "static struct { int a; } rows[2];\n"),
        ("ir/x.c", "int count = 3;\n"),
        ("ir/x.c", "free(x);\n"),
        ("ir/x.c", "#define NDEBUG\n"),
    ]
    good = [
        ("ir/x.c", '#include "base/arena.h"\n#include <stdio.h>\n'),
        ("ops/x.c", '#include "analysis/sym.h"\n'),
        ("analysis/prover_z3.c", "#include <z3.h>\n"),
        ("report/x.c", '#include <yyjson.h>\n#include "checks/check.h"\n'),
        ("ir/x.c", "case OP_ADD:\n"),
        ("cli/x.c", "/* case OP_ADD: */ const char *a = \"case OP_ADD\";\n"),
        ("ir/x.c", "static int f(int a);\nstatic char *g(void) {\n}\n"),
        ("ir/x.c", "static const char *const names[] = {0};\n"),
        ("ir/x.c", "static const struct row { int a; } rows[] = {{1}};\n"),
        ("ir/x.c", "static const int (*const hook)(void) = f;\n"),
        ("ir/x.c", "const int n = 3;\ntypedef int t;\nstruct x;\n"),
        ("ir/x.c", "int f(void);\nvoid g(int a) {\n  int b = a;\n}\n"),
        ("ir/x.c", "static inline int f(int *a) {\n  return *a;\n}\n"),
        ("ir/x.c", "static void f(int (*g)(int), int *a) {\n}\n"),
        ("ir/x.c", "x_free(x);\n"),
    ]
    for path, text in bad:
        if len(breaches(path, text)) != 1:
            sys.exit(f"lint: not seen in {path}: {text}")
    chain = {"exec/x.c": '#include "ops/y.h"\n',
             "ops/y.h": '#include "analysis/sym.h"\n', "analysis/sym.h": ""}
    if len(list(check_reach(chain))) != 1:
        sys.exit("lint: does not see what headers lead to")
    for path, text in good:
        if breaches(path, text):
            sys.exit(f"lint: wrongly seen: {breaches(path, text)} in {text}")


def main():
    self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(
        os.path.dirname(os.path.abspath(__file__)), os.pardir)
    texts = {}
    for path in files(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            texts[path] = file.read()
    breaches = list(check_reach(texts))
    for path, text in texts.items():
        for check in CHECKS:
            breaches += [(path, *breach) for breach in check(path, text)]
    for path, line, message in sorted(breaches):
        print(f"{path}:{line}: {message}")
    print(f"lint: {len(texts)} files, {len(breaches)} breaches")
    return 1 if breaches or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
