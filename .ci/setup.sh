#!/usr/bin/env bash
# Brings a fresh Debian 12 to a working tree: system packages, .venv, native build, editable install.
# Every step leaves a stamp named by the content it depends on, so a second run only compares stamps.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
venv=.venv
stamps=build/stamps
log=build/setup.log

step() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# Two runs at once would share one build folder.
mkdir -p "$stamps"
exec 9>build/setup.lock
flock 9

# ---- 1. system packages ------------------------------------------------------------------------

packages=(
  g++ cmake ninja-build ccache git
  llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools lld-22 # IR, its tools, FileCheck, the linker
  clang-format-22 clang-tidy-22                                # make check
  libtomlplusplus-dev                                          # tables in targets/
  clang-22 libboost-context-dev                                # weft-swcc; fibers of the emulator
  doctest-dev                                                  # tests of the emulator's classes
  pkg-config                                                   # programs that call kernels from C
)

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
  packages+=(python3)
# A Python of one's own brings these two; Debian's has them in packages of their own.
"$python" -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3-venv)
"$python" -c 'import os, sysconfig, sys
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2>/dev/null ||
  packages+=(python3-dev)

command -v dpkg-query >/dev/null ||
  fail "this is not Debian or a relative of it; install the equivalents of:" "  ${packages[*]}"

missing=()
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
for package in "${packages[@]}"; do
  grep -qxF "$package" <<<"$installed" || missing+=("$package")
done

if ((${#missing[@]})); then
  install="apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" = 0 ]; then
    sudo=()
  elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo=(sudo)
  else
    fail "system packages are missing and this user may not install them. As root:" \
      "  apt-get update && $install" "then run make again."
  fi
  step "installing ${#missing[@]} system packages: ${missing[*]}"
  apt() {
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@" \
      >>"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2; fail "apt-get $1 failed; all of its output: $log" \
      "What was to be installed:" "  $install"; }
  }
  : >"$log"
  apt update
  apt install -y --no-install-recommends "${missing[@]}"
fi

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
  fail "Python >= 3.10 is needed; found $("$python" --version 2>&1). Name another with PYTHON=..."

# ---- 2. .venv ----------------------------------------------------------------------------------

digest() { sha256sum | cut -c1-16; }
current() { [ -e "$stamps/$1-$2" ]; }
done_with() {
  rm -f "$stamps/$1"-*
  touch "$stamps/$1-$2"
}
quietly() { # command...: its output to the log, shown only when it fails
  "$@" >"$log" 2>&1 </dev/null || { tail -n 40 "$log" >&2; fail "failed: $*" "all of its output: $log"; }
}

venv_key=$("$python" -c 'import sys; print(sys.version, sys.base_prefix)' | digest)
if ! current venv "$venv_key" || [ ! -x $venv/bin/python ]; then
  step "creating $venv ($("$python" --version))"
  quietly "$python" -m venv --clear $venv
  rm -f "$stamps"/{needs,native}-*
  done_with venv "$venv_key"
fi
[ -e $venv/.gitignore ] || echo '*' >$venv/.gitignore

needs_key=$( (echo "$venv_key"; .ci/needs.py) | digest)
if ! current needs "$needs_key"; then
  step "installing Python packages"
  mapfile -t needs < <($venv/bin/python .ci/needs.py)
  quietly $venv/bin/python -m pip install --disable-pip-version-check "${needs[@]}"
  done_with needs "$needs_key"
fi

# ---- 3. native build and editable install -------------------------------------------------------

# What the build reads. Python sources are live in an editable install and do not count.
native_sources() {
  local folders=()
  for folder in dsl/dialect dsl/passes dsl/bindings dsl/tools targets runtime; do
    [ -d $folder ] && folders+=("$folder")
  done
  find CMakeLists.txt pyproject.toml "${folders[@]}" -type f ! -name '*.md' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum
}
built=($venv/lib/python3*/site-packages/weft/native/_compiler*.so)
native_key=$( (echo "$needs_key"; native_sources) | digest)
if [ ! -e CMakeLists.txt ]; then
  step "no CMakeLists.txt: nothing to build"
elif ! current native "$native_key" || [ ! -e "${built[0]}" ]; then
  step "building the compiler (all output: $log)"
  export CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
  $venv/bin/python -m pip install -v --disable-pip-version-check --no-build-isolation --no-deps \
    --force-reinstall -e . </dev/null 2>&1 | tee "$log" | .ci/progress.awk ||
    { grep -nE 'error|FAILED' "$log" | head -n 30 >&2; fail "the native build failed; all of its output: $log"; }
  done_with native "$native_key"
fi
step "ready: $venv/bin/weft"
