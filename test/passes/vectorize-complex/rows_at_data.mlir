// Which row is data, the elements of a row lie side by side: whole vectors of it.
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK:   %[[K:.*]] = arith.index_cast
// CHECK:   affine.for %[[J:.*]] = 0 to 16 step 8
// CHECK:     %[[V:.*]] = vector.load %arg0[%[[K]], %[[J]]] : memref<4x16xf64>, vector<8xf64>
// CHECK:     %[[W:.*]] = arith.addf %[[V]], %[[V]]
// CHECK:     vector.store %[[W]], %arg0[%[[K]], %[[J]]]
module attributes {weft.target = #target} {
  func.func @f(%x: memref<4x16xf64>, %idx: memref<8xi64>) {
    affine.for %i = 0 to 8 {
      %k = affine.load %idx[%i] : memref<8xi64>
      %row = arith.index_cast %k : i64 to index
      affine.for %j = 0 to 16 {
        %e = memref.load %x[%row, %j] : memref<4x16xf64>
        %s = arith.addf %e, %e : f64
        memref.store %s, %x[%row, %j] : memref<4x16xf64>
      } {weft.independent, weft.lane}
    }
    return
  }
}
