#!/usr/bin/awk -f
# Of a build's output, the steps ninja counts: one line in ten, and the last.
match($0, /\[[0-9]+\/[0-9]+\]/) {
  split(substr($0, RSTART + 1, RLENGTH - 2), step, "/")
  if (step[1] > 0 && step[1] % 10 == 0 || step[1] == step[2]) {
    printf "setup:   built %d of %d\n", step[1], step[2]
    fflush()
  }
}
