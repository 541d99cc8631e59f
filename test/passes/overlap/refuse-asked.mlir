// A schedule names an exchange that cannot go on beside computing, or nothing exchanges at all.
// RUN: sed 's/SCHEDULE/overlap y/' %s | not weft-opt - --overlap 2>&1 | FileCheck %s
// RUN: sed 's/SCHEDULE/overlap/' %s | not weft-opt - --overlap 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: sed 's/SCHEDULE/overlap z/' %s | not weft-opt - --overlap 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/SCHEDULE/overlap y/; /= weft.alltoall/d; s/%%y\[/%%next[/' %s | not weft-opt - --overlap 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: error: {{.*}}schedule: overlap y: the next iteration sends what this one makes of 'y'; expected none
// ALL:   error: {{.*}}schedule: overlap: the next iteration sends what this one makes of what it gets; expected none
// OTHER: error: {{.*}}schedule: overlap z: 'z' is not the largest alltoall of a loop over time; expected none
// NONE:  error: {{.*}}schedule: overlap y: no loop over time has an alltoall in it; expected none, or such a loop

func.func @f(%x: tensor<4xf64>) -> (tensor<4xf64> {weft.name = "v"}, tensor<4xf64> {weft.name = "sum"})
    attributes {weft.groups = 2 : i64, weft.schedule = ["SCHEDULE"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 4 : index
  %r:2 = scf.for %t = %c0 to %end step %c1 iter_args(%v = %x, %sum = %x) -> (tensor<4xf64>, tensor<4xf64>) {
    %next = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %v[%i] : tensor<4xf64>
      %b = arith.addf %a, %a : f64
      weft.yield %b : f64
    } : tensor<4xf64>
    %y = weft.alltoall %next groups 2 : tensor<4xf64> loc("y")
    %more = weft.map [0] to [4] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %sum[%i] : tensor<4xf64>
      %b = tensor.extract %y[%i] : tensor<4xf64>
      %s = arith.addf %a, %b : f64
      weft.yield %s : f64
    } : tensor<4xf64>
    scf.yield %more, %next : tensor<4xf64>, tensor<4xf64>
  }
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xf64>
}
