// The turns of a loop overlap: what the next turn works on is loaded before what this one has made
// is stored. The first turn begins before the loop, the last one ends behind it.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

// CHECK: decided {{.*}}What="a loop: turns that overlap", Why="{{[0-9]+}} cycles a turn instead of {{[0-9]+}}, {{[0-9]+}} at least; [[TURNS:[0-9]+]] turns at a time, {{[0-9]+}} values, of {{[0-9]+}} registers"
// CHECK-SAME: turns=[[TURNS]]

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @squares
// CHECK: cpe.cores
// CHECK: affine.vector_load %{{.*}}[0]
// CHECK: affine.for %[[I:.*]] = 0 to {{[0-9]+}} step 8 iter_args(
// CHECK: affine.vector_load %{{.*}}[%[[I]] + {{[0-9]+}}]
// CHECK: affine.yield
// CHECK: weft.carries
// CHECK: affine.vector_store %{{.*}}[1020]
// CHECK: weft.ordered
func.func @squares() {
  cpe.cores {
    %x = memref.alloca() : memref<1024xf64>
    %y = memref.alloca() : memref<1024xf64>
    affine.for %i = 0 to 1024 step 8 {
      %a = affine.vector_load %x[%i] : memref<1024xf64>, vector<4xf64>
      %b = arith.mulf %a, %a : vector<4xf64>
      %c = arith.addf %a, %b : vector<4xf64>
      affine.vector_store %c, %y[%i] : memref<1024xf64>, vector<4xf64>
      %d = affine.vector_load %x[%i + 4] : memref<1024xf64>, vector<4xf64>
      %e = arith.mulf %d, %d : vector<4xf64>
      %f = arith.addf %d, %e : vector<4xf64>
      affine.vector_store %f, %y[%i + 4] : memref<1024xf64>, vector<4xf64>
    } {weft.independent}
  }
  return
}
}
