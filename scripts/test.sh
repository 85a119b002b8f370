#!/bin/sh
# Builds tilecheck with its tests and runs them: test.sh [CTEST-OPTION...]
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh --test
cmake --preset dev
cmake --build build-dev
exec ctest --test-dir build-dev --output-on-failure "$@"
