#!/usr/bin/env python3
"""docs/lecture.md shows what the program prints, and it prints the figures.

Usage: TILECHECK=PROGRAM tests/test_lecture_page.py [--bless]. With --bless the
page is rewritten.
"""

import os
import sys

from pages import ROOT, differences

PAGE = os.path.join(ROOT, "docs", "lecture.md")


def main():
    found = list(differences(PAGE, "--bless" in sys.argv[1:]))
    for message in found:
        print(f"{PAGE}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
