// A schedule that orders by the source leaves the order to the C compiler, though turns that overlap
// would win (see accept-overlap.mlir). Without cores there is nothing to leave.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

// CHECK: decided {{.*}}What="what a core does, as it is", Why="the schedule asks for it"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @squares
// CHECK-NOT: iter_args
// CHECK-NOT: weft.ordered
func.func @squares() attributes {weft.order = "source"} {
  cpe.cores {
    %x = memref.alloca() : memref<1024xf64>
    %y = memref.alloca() : memref<1024xf64>
    affine.for %i = 0 to 1024 step 4 {
      %a = affine.vector_load %x[%i] : memref<1024xf64>, vector<4xf64>
      %b = arith.mulf %a, %a : vector<4xf64>
      affine.vector_store %b, %y[%i] : memref<1024xf64>, vector<4xf64>
    } {weft.independent}
  }
  return
}

func.func @alone() attributes {weft.order = "source"} {
  return
}
}
