#!/bin/sh
# Builds tilecheck and checks kernels with it: check.sh [ARGUMENT...]
#
# Without arguments the kernels in corpus/ are checked. Some of them are wrong
# on purpose, so the exit status 1 ("something refuted") is as it should be.
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset release
cmake --build build
[ $# -gt 0 ] || set -- corpus/
exec build/tilecheck "$@"
