#!/usr/bin/env bash
# The lit suite on tools built with the address and undefined-behaviour sanitizers. What they find in
# Weft's own code stops the tool, and the test fails with the place. JOBS=1 where memory is short;
# arguments are the test folders to run instead of all.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/sanitize
jobs=${JOBS:-2}
tools=(weft-opt weft-translate weft-interp)
printf 'sanitize: building %s in %s\n' "${tools[*]}" "$build"
mkdir -p build
if ! {
  cmake --preset sanitize &&
    nice -n 10 cmake --build "$build" --parallel "$jobs" --target "${tools[@]}"
} >build/sanitize.log 2>&1; then
  tail -n 30 build/sanitize.log >&2
  printf 'sanitize: the build failed; all of its output: build/sanitize.log\n' >&2
  exit 1
fi

export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export WEFT_LIT_TOOLS=$PWD/$build/dsl/tools
printf 'sanitize: lit\n'
nice -n 10 .venv/bin/lit -s -j "$jobs" --order=smart "${@:-test}"
