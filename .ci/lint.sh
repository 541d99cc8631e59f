#!/usr/bin/env bash
# Formats, types and faults of all sources; --fix rewrites what can be rewritten, --all has clang-tidy
# look at all of runtime/ besides the files that changed.
set -uo pipefail
cd "$(dirname "$0")/.."

bin=.venv/bin
failed=0
run() { # title command...
  local title=$1
  shift
  if output=$("$@" 2>&1); then
    printf 'lint: %-13s ok\n' "$title"
  else
    printf 'lint: %-13s FAILED\n%s\n' "$title" "$output"
    failed=1
  fi
}

# What git knows or would add: no build folders, no other checkouts. Programs of the lit suite say in
# comments what is expected of which line; a formatter would move both.
mapfile -t cxx < <(git ls-files -co --exclude-standard -- '*.cpp' '*.h' '*.c' ':!test/runtime' ':!test/end_to_end/complex_forms' | sort)
existing=()
for file in "${cxx[@]}"; do [ -e "$file" ] && existing+=("$file"); done

if [ "${1:-}" = --fix ]; then
  run "ruff" $bin/ruff check --fix --quiet .
  run "ruff format" $bin/ruff format --quiet .
  ((${#existing[@]})) && run "clang-format" clang-format-22 -i "${existing[@]}"
  exit $failed
fi

run "ruff" $bin/ruff check --quiet .
run "ruff format" $bin/ruff format --check --diff --quiet .
run "mypy" $bin/mypy
run "documents" .ci/generated_docs.sh --check
run "links" $bin/python .ci/docs.py
run "site" .ci/site.sh
((${#existing[@]})) && run "clang-format" clang-format-22 --dry-run -Werror "${existing[@]}"

# clang-tidy takes half a minute a file, so: files changed against what has landed, each once for
# each content of itself and of all headers. TIDY_BASE=<commit> names another base.
base=$(git rev-parse --verify --quiet "${TIDY_BASE:-}" || git merge-base HEAD origin/main 2>/dev/null)
[ -n "$base" ] && [ "$base" != "$(git rev-parse HEAD)" ] ||
  base=$(git rev-parse --verify --quiet HEAD~1 || true)
commands=build/editable/compile_commands.json
if [ -n "$base" ] && [ -e $commands ]; then
  mkdir -p build/tidy
  headers=$(git ls-files -co --exclude-standard -- '*.h' '*.td' '*.clang-tidy' | sort -u | xargs -r cat 2>/dev/null | sha256sum)
  mapfile -t changed < <({
    git diff --name-only "$base" -- '*.cpp'
    git ls-files -o --exclude-standard -- '*.cpp'
    [ "${1:-}" != --all ] || git ls-files -- 'runtime/*.cpp'
  } | sort -u)
  pending=()
  for file in "${changed[@]}"; do
    [ -e "$file" ] && grep -qF "$PWD/$file\"" $commands || continue
    stamp=build/tidy/$( (echo "$headers"; cat "$file") | sha256sum | cut -c1-24)
    [ -e "$stamp" ] || pending+=("$file" "$stamp")
  done
  ((${#pending[@]} == 0)) || printf 'lint: clang-tidy on %d files\n' $((${#pending[@]} / 2))
  # Without the headers that are compiled once: each file includes what it uses. gcc's flags that clang
  # does not know must not fail the run.
  sed -E 's/ -include [^ ]*cmake_pch\.hxx//; s/ -fpch-preprocess//' $commands >build/tidy/compile_commands.json
  tidy() {
    out=$(clang-tidy-22 --quiet -p build/tidy --extra-arg=-Wno-unknown-warning-option \
      --extra-arg=-Wno-ignored-optimization-argument "$1" 2>/dev/null) && touch "$2" || {
      printf '%s\n' "$out"
      return 1
    }
  }
  export -f tidy
  run "clang-tidy" xargs -r -P "$(nproc)" -n 2 bash -c 'tidy "$0" "$1"' \
    < <( ((${#pending[@]})) && printf '%s\n' "${pending[@]}")
fi
exit $failed
