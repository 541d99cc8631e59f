// A schedule that orders by latency has it, however little it wins (see refuse-little-gain.mlir).
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @twice
// CHECK: affine.for %{{.*}} = 0 to 16 step 8 {
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: affine.vector_store
// CHECK-NEXT: affine.vector_store
// CHECK: } {weft.ordered}
func.func @twice() attributes {weft.order = "latency"} {
  cpe.cores {
    %x = memref.alloca() : memref<16xf64>
    %y = memref.alloca() : memref<16xf64>
    affine.for %i = 0 to 16 step 8 {
      %a = affine.vector_load %x[%i] : memref<16xf64>, vector<4xf64>
      %b = arith.mulf %a, %a : vector<4xf64>
      affine.vector_store %b, %y[%i] : memref<16xf64>, vector<4xf64>
      %c = affine.vector_load %x[%i + 4] : memref<16xf64>, vector<4xf64>
      %d = arith.mulf %c, %c : vector<4xf64>
      affine.vector_store %d, %y[%i + 4] : memref<16xf64>, vector<4xf64>
    }
  }
  return
}
}
