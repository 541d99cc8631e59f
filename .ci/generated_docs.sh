#!/usr/bin/env bash
# docs/dialect.md and docs/passes.md from the declarations of ops and passes, docs/rules.md from the
# rules of the language, docs/machine.md from the machine's table,
# docs/faults.md from the emulator's faults and the programs that show them; --check compares only.
set -euo pipefail
cd "$(dirname "$0")/.."

tblgen=$(llvm-config-22 --bindir)/mlir-tblgen
include=$(llvm-config-22 --includedir)
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT

# Upstream prints every attribute's C++ type and class and every trait; a reader of the IR wants
# none of them. A product such as 2*pi*i is not meant as emphasis.
only_prose() {
  awk '/^(Traits|Interfaces|Effects):/ {next} /^#### (Attributes|Operands|Results):/ {skip = 1}
       /^###? / {skip = 0; sub(/ \(::weft::[A-Za-z]*\)$/, "")} /^\[TOC\]/ {next}
       /^ *```/ {code = !code}
       !code {n = split($0, part, "`"); $0 = ""
              for (i = 1; i <= n; ++i) {
                while (i % 2 && match(part[i], /[A-Za-z0-9)]\*[A-Za-z0-9(]/))
                  part[i] = substr(part[i], 1, RSTART) "\\*" substr(part[i], RSTART + 2)
                $0 = $0 (i > 1 ? "`" : "") part[i]}}
       !skip' | cat -s
}
{
  echo "<!-- Generated from dsl/dialect/WeftOps.td, GroupOps.td and CpeOps.td by .ci/generated_docs.sh: change it there. -->"
  "$tblgen" -gen-dialect-doc -dialect=weft -I"$include" -Idsl dsl/dialect/WeftOps.td | sed 1d | only_prose
  "$tblgen" -gen-op-doc -I"$include" -Idsl dsl/dialect/GroupOps.td | sed 1d | only_prose
  "$tblgen" -gen-dialect-doc -dialect=cpe -I"$include" dsl/dialect/CpeOps.td | sed 1d | only_prose
} >"$fresh/dialect.md"
{
  echo "<!-- Generated from dsl/passes/Passes.td by .ci/generated_docs.sh: change it there. -->"
  printf '\n# Passes\n\nIn alphabetical order; the order in which they run: [pipeline.md](pipeline.md).\n\n'
  "$tblgen" -gen-pass-doc -I"$include" dsl/passes/Passes.td | sed 1d
} | cat -s >"$fresh/passes.md"

for name in dialect.md passes.md; do
  if [ "${1:-}" = --check ]; then
    diff -u "docs/$name" "$fresh/$name" || {
      echo "docs/$name is older than the declarations: make docs"
      exit 1
    }
  else
    cp "$fresh/$name" "docs/$name"
  fi
done
.venv/bin/python .ci/generated_rules.py "$@"
.venv/bin/python .ci/generated_machine.py "$@"
.venv/bin/python .ci/generated_faults.py "$@"
