// RUN: cat %target_portable %s | weft-opt - --vectorize-complex | FileCheck %s
// Elements that lie apart are loaded one a lane; so is data behind an index from memory; sin is called for each lane.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @column
// CHECK: %[[A0:.*]] = affine.load %{{.*}}[%[[I:.*]], 3]
// CHECK: %[[A1:.*]] = affine.load %{{.*}}[%[[I]] + 1, 3]
// CHECK: %[[A:.*]] = vector.from_elements %[[A0]], %[[A1]] : vector<2xf64>
// CHECK: %[[N:.*]] = affine.vector_load %{{.*}} : memref<8xi64>, vector<2xi64>
// CHECK: %[[N0:.*]] = vector.extract %[[N]][0]
// CHECK: %[[I0:.*]] = arith.index_cast %[[N0]]
// CHECK: memref.load %{{.*}}[%[[I0]]]
// CHECK: %[[G:.*]] = vector.from_elements
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[G]] : vector<2xf64>
// CHECK: %[[P0:.*]] = vector.extract %[[P]][0]
// CHECK: math.sin %[[P0]] : f64
func.func @column(%x: memref<8x5xf64>, %n: memref<8xi64>, %t: memref<9xf64>, %y: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i, 3] : memref<8x5xf64>
    %k = affine.load %n[%i] : memref<8xi64>
    %j = arith.index_cast %k : i64 to index
    %b = memref.load %t[%j] : memref<9xf64>
    %p = arith.mulf %a, %b : f64
    %s = math.sin %p : f64
    %q = arith.addf %s, %p : f64
    %r = arith.mulf %q, %p : f64
    affine.store %r, %y[%i] : memref<8xf64>
  } {weft.lane}
  return
}
}
