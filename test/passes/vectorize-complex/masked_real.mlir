// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: cat %target_avx2 %s | weft-opt - --vectorize-complex | FileCheck %s --check-prefix=WHOLE
// Fewer real numbers than a vector has lanes are one vector, of which the others are left out; not where
// lanes lie apart, nor on targets without masks.

// NOTE: decided {{.*}}Why="7 iterations do not fill 8 lanes; the others are masked"
// NOTE: rejected {{.*}}Why="7 iterations do not fill 8 lanes"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @short_rows
// CHECK: affine.for %[[I:.*]] = 0 to 20
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, true, true, false]> : vector<8xi1>
// CHECK: affine.for %[[J:.*]] = 0 to 8 step 8 {
// CHECK:   %[[X:.*]] = vector.maskedload %arg0[%[[I]], %[[J]]], %[[MASK]]
// CHECK:   %[[SUM:.*]] = arith.addf %[[X]], %{{.*}} : vector<8xf64>
// CHECK:   vector.maskedstore %arg1[%[[I]], %[[J]]], %[[MASK]], %[[SUM]]
// WHOLE-LABEL: func.func @short_rows
// WHOLE-NOT: vector.masked
// WHOLE-LABEL: func.func @apart
func.func @short_rows(%x: memref<20x7xf64>, %y: memref<20x7xf64>, %one: f64) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 7 {
      %v = affine.load %x[%i, %j] : memref<20x7xf64>
      %s = arith.addf %v, %one : f64
      affine.store %s, %y[%i, %j] : memref<20x7xf64>
    } {weft.lane}
  }
  return
}
// CHECK-LABEL: func.func @apart
// CHECK-NOT: vector
// CHECK: return
func.func @apart(%x: memref<7x20xf64>, %y: memref<20x7xf64>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 7 {
      %v = affine.load %x[%j, %i] : memref<7x20xf64>
      affine.store %v, %y[%i, %j] : memref<20x7xf64>
    } {weft.lane}
  }
  return
}
}
