// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_avx2 %s | weft-opt - --vectorize-complex | FileCheck %s --check-prefix=PLAIN
// Three complex numbers do not fill a vector of four: the others are left out of loads and stores,
// where the target can.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @three
// CHECK-DAG:     %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, true, false, false]> : vector<8xi1>
// CHECK:         vector.maskedload %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}], %[[MASK]]
// CHECK:         arith.addf {{.*}} : vector<8xf64>
// CHECK:         vector.maskedstore %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}], %[[MASK]]
// PLAIN-LABEL: func.func @three
// PLAIN-NOT:     vector.maskedload
func.func @three(%x: memref<5x3x2xf64>, %z: memref<5x3x2xf64>) {
  affine.for %p = 0 to 4 {
    affine.for %i = 0 to 3 {
      %ar = affine.load %x[%p, %i, 0] : memref<5x3x2xf64>
      %ai = affine.load %x[%p, %i, 1] : memref<5x3x2xf64>
      %br = affine.load %x[%p + 1, %i, 0] : memref<5x3x2xf64>
      %bi = affine.load %x[%p + 1, %i, 1] : memref<5x3x2xf64>
      %re = arith.addf %ar, %br : f64
      %im = arith.addf %ai, %bi : f64
      affine.store %re, %z[%p, %i, 0] : memref<5x3x2xf64>
      affine.store %im, %z[%p, %i, 1] : memref<5x3x2xf64>
    } {weft.lane}
  }
  return
}

// One iteration is a scalar.
// CHECK-LABEL: func.func @one
// CHECK-NOT:     vector.maskedload
// CHECK:         return
func.func @one(%x: memref<5x1x2xf64>, %z: memref<5x1x2xf64>) {
  affine.for %p = 0 to 4 {
    affine.for %i = 0 to 1 {
      %ar = affine.load %x[%p, %i, 0] : memref<5x1x2xf64>
      %ai = affine.load %x[%p, %i, 1] : memref<5x1x2xf64>
      affine.store %ar, %z[%p, %i, 0] : memref<5x1x2xf64>
      affine.store %ai, %z[%p, %i, 1] : memref<5x1x2xf64>
    } {weft.lane}
  }
  return
}
}
