// A schedule names an exchange that cannot go on beside computing, or nothing exchanges at all.
// RUN: sed 's/SCHEDULE/overlap y/' %S/Inputs/sent-next.mlir | not weft-opt - --overlap 2>&1 | FileCheck %s
// RUN: sed 's/SCHEDULE/overlap/' %S/Inputs/sent-next.mlir | not weft-opt - --overlap 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: sed 's/SCHEDULE/overlap z/' %S/Inputs/sent-next.mlir | not weft-opt - --overlap 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/SCHEDULE/overlap y/; /alltoall/d; s/%%y\[/%%next[/' %S/Inputs/sent-next.mlir | not weft-opt - --overlap 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: error: {{.*}}schedule: overlap y: the next iteration sends what this one makes of 'y'; expected none
// ALL:   error: {{.*}}schedule: overlap: the next iteration sends what this one makes of what it gets; expected none
// OTHER: error: {{.*}}schedule: overlap z: 'z' is not the largest alltoall of a loop over time; expected none
// NONE:  error: {{.*}}schedule: overlap y: no loop over time has an alltoall in it; expected none, or such a loop
