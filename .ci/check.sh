#!/usr/bin/env bash
# What continuous integration runs: the wheel, linters, lit and pytest, both against the installed
# wheel. Every part runs even if one before it fails; the exit status is that of all together.
#   --nightly  the exhaustive sweeps too, and the lit suite on sanitized tools
set -uo pipefail
cd "$(dirname "$0")/.."

venv=build/check-venv
stamps=build/stamps
log=build/check.log
failed=()

step() { printf 'check: %s\n' "$*"; }
give_up() {
  tail -n 40 "$log" >&2
  printf 'check: %s; all of its output: %s\n' "$1" "$log" >&2
  exit 1
}

# ---- the wheel: built in the build folder of the editable install, so that nothing compiles twice --

digest() { sha256sum | cut -c1-16; }
sources() {
  {
    git ls-files -co --exclude-standard -- CMakeLists.txt pyproject.toml README.md LICENSE dsl targets runtime
  } | LC_ALL=C sort -u | while read -r file; do [ -e "$file" ] && sha256sum "$file"; done
}
wheel_key=$( (.venv/bin/python --version; .ci/needs.py test dev; sources) | digest)
if [ ! -e "$stamps/wheel-$wheel_key" ] || ! ls build/dist/*.whl >/dev/null 2>&1; then
  step "building the wheel"
  rm -rf build/dist "$stamps"/wheel-*
  CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)} \
    .venv/bin/python -m pip wheel . --no-build-isolation --no-deps -w build/dist \
    --config-settings=build-dir=build/editable </dev/null >"$log" 2>&1 || give_up "the wheel cannot be built"
  step "installing it in $venv"
  # The venv is kept, what it holds of weft is not: only the wheel's files are tested.
  needs_key=$( (.venv/bin/python --version; .ci/needs.py test dev) | digest)
  if [ ! -e "$venv/needs-$needs_key" ]; then
    .venv/bin/python -m venv --clear $venv >"$log" 2>&1 || give_up "no $venv"
    mapfile -t needs < <(.ci/needs.py test dev)
    $venv/bin/python -m pip install --disable-pip-version-check "${needs[@]}" \
      </dev/null >"$log" 2>&1 || give_up "the test requirements cannot be installed"
    touch "$venv/needs-$needs_key"
  fi
  $venv/bin/python -m pip install --disable-pip-version-check --no-deps --force-reinstall \
    build/dist/*.whl </dev/null >"$log" 2>&1 || give_up "the wheel cannot be installed"
  touch "$stamps/wheel-$wheel_key"
fi
wheel=$(ls build/dist/*.whl)
step "$wheel"

# ---- linters and tests ---------------------------------------------------------------------------

nightly=()
[ "${1:-}" = --nightly ] && nightly=(--all)
.ci/lint.sh "${nightly[@]}" || failed+=(lint)
step "the emulator's classes"
{ cmake --build build/editable --target emulator_tests >"$log" 2>&1 || { tail -n 40 "$log"; false; }; } &&
  build/editable/emulator_tests || failed+=("emulator's classes")
step "lit"
PYTHONWARNINGS= $venv/bin/lit -s --order=smart test || failed+=(lit)
step "pytest"
extra=()
[ "${1:-}" = --nightly ] && extra=(--nightly)
WEFT_WHEEL=$wheel $venv/bin/pytest -q -n "$(nproc)" "${extra[@]}" test </dev/null || failed+=(pytest)

if [ "${1:-}" = --nightly ]; then
  .ci/sanitize.sh || failed+=(sanitize)
fi

if ((${#failed[@]})); then
  printf 'check: FAILED: %s\n' "${failed[*]}"
  exit 1
fi
