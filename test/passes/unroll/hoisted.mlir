// What depends on the variable of a loop that is written out depends on nothing then: it is read in
// front of the loops around, once, also from a part of a core's memory beside what they store.
// RUN: cat %target_sw26010 %s | weft-opt - --unroll | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @rows
// CHECK:       %[[KEPT:.*]] = cpe.spread : memref<8x8x4xf64>
// CHECK:       %[[FACTOR:.*]] = affine.vector_load %[[KEPT]]
// CHECK:       affine.for %{{.*}} = 0 to 32
// CHECK-NOT:   affine.vector_load %[[KEPT]]
// CHECK:       arith.mulf %{{.*}}, %[[FACTOR]]
func.func @rows() {
  cpe.cores {
    %x = cpe.spread : memref<8x8x32x4xf64>
    %kept = cpe.spread : memref<8x8x4xf64>
    affine.for %r = 0 to 8 {
      affine.for %c = 0 to 8 {
        affine.for %i = 0 to 32 {
          affine.for %j = 0 to 4 step 4 {
            %f = affine.vector_load %kept[%r, %c, %j] : memref<8x8x4xf64>, vector<4xf64>
            %a = affine.vector_load %x[%r, %c, %i, %j] : memref<8x8x32x4xf64>, vector<4xf64>
            %b = arith.mulf %a, %f : vector<4xf64>
            affine.vector_store %b, %x[%r, %c, %i, %j] : memref<8x8x32x4xf64>, vector<4xf64>
          } {weft.independent}
        } {weft.independent}
      } {weft.independent, weft.mesh, weft.parallel}
    } {weft.independent, weft.mesh, weft.parallel}
  }
  return
}
}
