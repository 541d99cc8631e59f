#!/usr/bin/env bash
# The lit suite on tools built with the address and undefined-behaviour sanitizers. What they find in
# Weft's own code stops the tool, and the test fails with the place. JOBS=1 where memory is short,
# NICE=0 where others take the machine;
# arguments are the test folders to run instead of all.
#   --emulator  the emulator alone, from its own build: its classes' tests, programs of the lit suite
#               and many random ones
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-2}
niceness=${NICE:-10}
emulator=(weft-swcc WeftSwcc weft_sw26010 weft_start_file emulator_tests)
if [ "${1:-}" = --emulator ]; then
  shift
  build=build/sanitize-emu
  tools=("${emulator[@]}")
  configure=(cmake -S runtime/sw26010_emu -B $build -G Ninja -DWEFT_SANITIZE=ON
    -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1")
  folders=(test/runtime)
else
  build=build/sanitize
  tools=(weft-opt weft-translate weft-interp "${emulator[@]}")
  configure=(cmake --preset sanitize)
  folders=(test)
fi
printf 'sanitize: building %s in %s\n' "${tools[*]}" "$build"
mkdir -p build
if ! {
  "${configure[@]}" &&
    nice -n "$niceness" cmake --build "$build" --parallel "$jobs" --target "${tools[@]}"
} >build/sanitize.log 2>&1; then
  tail -n 30 build/sanitize.log >&2
  printf 'sanitize: the build failed; all of its output: build/sanitize.log\n' >&2
  exit 1
fi

export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export WEFT_LIT_TOOLS=$PWD/$build/dsl/tools:$PWD/$build/native/bin
failed=0
if (($# == 0)); then
  printf "sanitize: the emulator's classes\n"
  # The runtime's own `new` is its malloc; what it gives is deleted by the tests with the sanitizer's.
  # The rest as in runtime/sw26010_emu/Sanitizer.cpp.
  ASAN_OPTIONS=alloc_dealloc_mismatch=0:allocator_release_to_os_interval_ms=-1:detect_leaks=0 nice -n "$niceness" "$build/emulator_tests" || failed=1
  printf 'sanitize: random programs of the machine\n'
  WEFT_SWCC=$PWD/$build/native/bin/weft-swcc nice -n "$niceness" .venv/bin/pytest -q -n "$jobs" \
    test/runtime/sw26010_emu/fuzz </dev/null || failed=1
fi
printf 'sanitize: lit\n'
nice -n "$niceness" .venv/bin/lit -s -j "$jobs" --order=smart --param sanitize=1 "${@:-${folders[@]}}" || failed=1
exit $failed
