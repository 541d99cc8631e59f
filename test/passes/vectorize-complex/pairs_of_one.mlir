// RUN: weft-opt %s --vectorize-complex | FileCheck %s
// Vectors of a single complex number: elements that lie apart are stored as they are.

module attributes {weft.target = {name = "narrow", vector_bytes = 16 : i64, vector_registers = 16 : i64, line_bytes = 64 : i64, l2_bytes = 131072 : i64, fma = false}} {
// CHECK-LABEL: func.func @butterfly
// CHECK:       %[[A:.*]] = affine.vector_load %arg0[0, %[[I:.*]], 0] : memref<2x8x2xf64>, vector<2xf64>
// CHECK:       %[[B:.*]] = affine.vector_load %arg0[1, %[[I]], 0]
// CHECK-NOT:   vector.shuffle
// CHECK-DAG:   affine.vector_store %{{.*}}, %arg1[%[[I]], 0, 0]
// CHECK-DAG:   affine.vector_store %{{.*}}, %arg1[%[[I]], 1, 0]
func.func @butterfly(%x: memref<2x8x2xf64>, %y: memref<8x2x2xf64>) {
  affine.for %i = 0 to 8 {
    %ar = affine.load %x[0, %i, 0] : memref<2x8x2xf64>
    %ai = affine.load %x[0, %i, 1] : memref<2x8x2xf64>
    %br = affine.load %x[1, %i, 0] : memref<2x8x2xf64>
    %bi = affine.load %x[1, %i, 1] : memref<2x8x2xf64>
    %0 = arith.addf %ar, %br : f64
    %1 = arith.addf %ai, %bi : f64
    %2 = arith.subf %ar, %br : f64
    %3 = arith.subf %ai, %bi : f64
    affine.store %0, %y[%i, 0, 0] : memref<8x2x2xf64>
    affine.store %1, %y[%i, 0, 1] : memref<8x2x2xf64>
    affine.store %2, %y[%i, 1, 0] : memref<8x2x2xf64>
    affine.store %3, %y[%i, 1, 1] : memref<8x2x2xf64>
  } {weft.lane}
  return
}
}
