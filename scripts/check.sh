#!/bin/sh
# Builds tilecheck and checks kernels with it: check.sh [ARGUMENT...]
#
# Without arguments the tutorial kernels of corpus/ are checked, which must be
# clean, and then the whole corpus is held against its expectations (some of it
# is wrong on purpose).
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset release
cmake --build build
if [ $# -gt 0 ]; then
  exec build/tilecheck "$@"
fi
build/tilecheck -v corpus/tutorial
exec python3 tests/run_corpus.py
