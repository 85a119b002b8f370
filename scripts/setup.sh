#!/bin/sh
# Installs what is missing to build tilecheck: setup.sh [--test] [--dev]
#
#   (nothing)  compiler, CMake, Ninja, Python with pip
#   --test     also cmocka, NumPy
#   --dev      also cmocka, NumPy, git, clang, clang-format, libFuzzer, and, if
#              pip can install it, islpy with barvinok
#
# Packages are installed on Debian and its relatives when run as root.
# Otherwise the script uses what is there and names what is missing.
set -eu

test=no
dev=no
for option; do
  case $option in
  --test) test=yes ;;
  --dev) test=yes dev=yes ;;
  *)
    echo "usage: scripts/setup.sh [--test] [--dev]" >&2
    exit 2
    ;;
  esac
done

say() {
  echo "setup: $*"
}

has() {
  command -v "$1" >/dev/null 2>&1
}

compiles() { # compiles COMPILER FLAGS...: a trivial program
  has "$1" && echo 'int main(void) { return 0; }' |
    "$@" -x c -o /dev/null - >/dev/null 2>&1
}

has_cmocka() {
  echo '#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
int main(void) { return 0; }' |
    cc -x c -o /dev/null - -lcmocka >/dev/null 2>&1
}

# clang finds libFuzzer in a package that carries clang's own version.
fuzz_package() {
  version=$(clang -dumpversion 2>/dev/null || true)
  version=${version%%.*}
  echo "libclang-rt-${version:-14}-dev"
}

missing() { # prints the Debian packages whose tools are not there
  has cc && has make || echo build-essential
  has cmake || echo cmake
  has ninja || echo ninja-build
  has python3 || echo python3
  python3 -m pip --version >/dev/null 2>&1 || echo python3-pip
  python3 -m venv --help >/dev/null 2>&1 &&
    python3 -c 'import ensurepip' >/dev/null 2>&1 || echo python3-venv
  if [ $test = yes ]; then
    has_cmocka || echo libcmocka-dev
    python3 -c 'import numpy' >/dev/null 2>&1 || echo python3-numpy
  fi
  if [ $dev = yes ]; then
    has git || echo git
    has clang || echo clang
    has clang-format || echo clang-format
    compiles clang -fsanitize=address,undefined || fuzz_package
  fi
}

packages=$(missing | tr '\n' ' ')
if [ -z "$packages" ]; then
  say "nothing to install"
elif [ "$(id -u)" != 0 ] || ! has apt-get; then
  say "missing, as Debian names it: $packages"
  case " $packages" in
  *" build-essential "* | *" cmake "* | *" ninja-build "* | *" python3 "*)
    say "cannot install these (not root on a Debian system)"
    exit 1
    ;;
  esac
  say "going on with what is there"
else
  say "installing $packages"
  apt-get update -qq
  # shellcheck disable=SC2086 # a list of names
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends $packages >/dev/null
  say "installed $packages"
fi

# One test compares formulas with barvinok's, and is skipped without it.
has_barvinok() {
  python3 -c 'import islpy; islpy.Set.card' >/dev/null 2>&1
}

if [ $dev = yes ] && ! has_barvinok; then
  if python3 -m pip install -q islpy-barvinok >/dev/null 2>&1 && has_barvinok; then
    say "installed islpy-barvinok"
  else
    say "without islpy-barvinok: test_islpy will be skipped"
  fi
fi
