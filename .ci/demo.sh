#!/usr/bin/env bash
# NPB FT, classes S and W: compiled, run, and verified against NPB's own checksums.
set -euo pipefail
cd "$(dirname "$0")/.."

for class in S W; do
  printf '\n$ weft run examples/ft --class %s\n' $class
  .venv/bin/weft run examples/ft --class $class
done
