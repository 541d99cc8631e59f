// Numbers that are spread go to their first use, stores to what they store. What is read of the array that is written stays
// before the store.
// RUN: weft-opt %s --order-accesses | FileCheck %s

// CHECK-LABEL: func.func @twiddles
// CHECK:         affine.for
// CHECK:           %[[A:.*]] = affine.vector_load %arg0[%[[I:.*]] * 16]
// CHECK-NEXT:      %[[B:.*]] = affine.vector_load %arg0[%[[I]] * 16 + 8]
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT:      affine.vector_store %[[S]], %arg2[%[[I]] * 16]
// CHECK-NEXT:      %[[D:.*]] = arith.subf %[[A]], %[[B]]
// CHECK-NEXT:      %[[W:.*]] = affine.load %arg1[%[[I]]]
// CHECK-NEXT:      %[[V:.*]] = vector.broadcast %[[W]]
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[D]], %[[V]]
// CHECK-NEXT:      affine.vector_store %[[P]], %arg2[%[[I]] * 16 + 8]
func.func @twiddles(%x: memref<64xf64>, %t: memref<4xf64>, %y: memref<64xf64>) {
  affine.for %i = 0 to 4 {
    %w = affine.load %t[%i] : memref<4xf64>
    %v = vector.broadcast %w : f64 to vector<8xf64>
    %a = affine.vector_load %x[%i * 16] : memref<64xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i * 16 + 8] : memref<64xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    %d = arith.subf %a, %b : vector<8xf64>
    %p = arith.mulf %d, %v : vector<8xf64>
    affine.vector_store %s, %y[%i * 16] : memref<64xf64>, vector<8xf64>
    affine.vector_store %p, %y[%i * 16 + 8] : memref<64xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @in_place
// CHECK:           %[[A:.*]] = affine.vector_load %arg0[%[[I:.*]] * 16]
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT:      %[[B:.*]] = affine.vector_load %arg0[%[[I]] * 16 + 8]
// CHECK-NEXT:      affine.vector_store %[[S]], %arg0[%[[I]] * 16]
// CHECK-NEXT:      %[[W:.*]] = affine.load %arg1[%[[I]]]
// CHECK-NEXT:      %[[V:.*]] = vector.broadcast %[[W]]
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[B]], %[[V]]
// CHECK-NEXT:      affine.vector_store %[[P]], %arg0[%[[I]] * 16 + 8]
func.func @in_place(%x: memref<64xf64>, %t: memref<4xf64>) {
  %o = memref.alloca() : memref<8xf64>
  affine.for %i = 0 to 4 {
    %w = affine.load %t[%i] : memref<4xf64>
    %v = vector.broadcast %w : f64 to vector<8xf64>
    %a = affine.vector_load %x[%i * 16] : memref<64xf64>, vector<8xf64>
    %s = arith.addf %a, %a : vector<8xf64>
    %b = affine.vector_load %x[%i * 16 + 8] : memref<64xf64>, vector<8xf64>
    %p = arith.mulf %b, %v : vector<8xf64>
    affine.vector_store %s, %x[%i * 16] : memref<64xf64>, vector<8xf64>
    affine.vector_store %p, %x[%i * 16 + 8] : memref<64xf64>, vector<8xf64>
  }
  return
}

// A number of an array that the body writes is read before it is written.
// CHECK-LABEL: func.func @written_meanwhile
// CHECK:           %[[W:.*]] = affine.load %arg1[%[[I:.*]]]
// CHECK-NEXT:      affine.store %{{.*}}, %arg1[%[[I]]]
// CHECK:           vector.broadcast %[[W]]
// CHECK-NEXT:      arith.mulf
func.func @written_meanwhile(%x: memref<64xf64>, %t: memref<4xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 4 {
    %w = affine.load %t[%i] : memref<4xf64>
    affine.store %zero, %t[%i] : memref<4xf64>
    %a = affine.vector_load %x[%i * 16] : memref<64xf64>, vector<8xf64>
    %v = vector.broadcast %w : f64 to vector<8xf64>
    %p = arith.mulf %a, %v : vector<8xf64>
    affine.vector_store %p, %x[%i * 16] : memref<64xf64>, vector<8xf64>
  }
  return
}
