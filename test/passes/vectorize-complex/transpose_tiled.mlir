// A large transpose runs in tiles; what is beside them in blocks of registers, the rest in
// blocks that begin earlier: a row's last one behind the others of the row.
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK:      affine.for %[[I:.*]] = 0 to 64 step 32 {
// CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 64 step 32 {
// CHECK-NEXT:     affine.for %[[JJ:.*]] = 0 to 32 step 8 {
// CHECK-NEXT:       affine.for %[[II:.*]] = 0 to 32 step 8 {
// CHECK-NEXT:         affine.vector_load %arg0[%[[I]] + %[[II]], %[[J]] + %[[JJ]]]
// CHECK-COUNT-8:      affine.vector_store %{{.*}}, %arg1
// CHECK:      affine.for %{{.*}} = 0 to 64 step 8 {
// CHECK-NEXT:   affine.for %{{.*}} = 64 to 72 step 8 {
// CHECK:        affine.vector_load %arg0[65, %{{.*}}]
// CHECK:      affine.for %{{.*}} = 64 to 72 step 8 {
// CHECK-NEXT:   affine.for %{{.*}} = 0 to 72 step 8 {
// CHECK:        affine.vector_load %arg0[65, %{{.*}}]
// CHECK:      affine.for %{{.*}} = 65 to 73 step 8 {
// CHECK-NEXT:   affine.for %{{.*}} = 0 to 72 step 8 {
// CHECK:        affine.vector_load %arg0[65, %{{.*}}]
// CHECK-NOT:  affine.load
module attributes {weft.target = #target} {
  func.func @f(%x: memref<73x73xf64>, %y: memref<73x73xf64>) {
    affine.for %j = 0 to 73 {
      affine.for %i = 0 to 73 {
        %e = affine.load %x[%i, %j] : memref<73x73xf64>
        affine.store %e, %y[%j, %i] : memref<73x73xf64>
      } {weft.independent, weft.lane}
    } {weft.independent, weft.transpose}
    return
  }
}
