// A schedule that orders by pressure has each body in place with the fewest values at a time: two
// sums before the next two loads, and no turns that overlap, though the loop turns often.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --schedule-dual-issue --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s

// CHECK: decided {{.*}}What="a loop: its body in order", Why="{{.*}}; the schedule asks for few values at a time; 2 values, of {{[0-9]+}} registers"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @four
// CHECK-NOT: iter_args
// CHECK: affine.for %{{.*}} = 0 to 1024 step 16 {
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: affine.vector_store
// CHECK: } {weft.ordered}
func.func @four() attributes {weft.order = "pressure"} {
  cpe.cores {
    %x = memref.alloca() : memref<1024xf64>
    %y = memref.alloca() : memref<1024xf64>
    affine.for %i = 0 to 1024 step 16 {
      %a = affine.vector_load %x[%i] : memref<1024xf64>, vector<4xf64>
      %b = affine.vector_load %x[%i + 4] : memref<1024xf64>, vector<4xf64>
      %c = affine.vector_load %x[%i + 8] : memref<1024xf64>, vector<4xf64>
      %d = affine.vector_load %x[%i + 12] : memref<1024xf64>, vector<4xf64>
      %e = arith.addf %a, %b : vector<4xf64>
      %f = arith.addf %e, %c : vector<4xf64>
      %g = arith.addf %f, %d : vector<4xf64>
      affine.vector_store %g, %y[%i] : memref<1024xf64>, vector<4xf64>
    } {weft.independent}
  }
  return
}
}
