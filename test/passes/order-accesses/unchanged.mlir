// Bodies that spread no numbers, that hold other loops, or that call what may touch memory, stay as they are.
// RUN: weft-opt %s --order-accesses | FileCheck %s

// CHECK-LABEL: func.func @along_a_line
// CHECK:           affine.vector_load %arg1
// CHECK-NEXT:      affine.vector_load %arg0
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      affine.vector_store
// CHECK-NEXT:      affine.vector_store
func.func @along_a_line(%x: memref<64xf64>, %t: memref<64xf64>, %y: memref<128xf64>) {
  affine.for %i = 0 to 64 step 8 {
    %w = affine.vector_load %t[%i] : memref<64xf64>, vector<8xf64>
    %a = affine.vector_load %x[%i] : memref<64xf64>, vector<8xf64>
    %s = arith.addf %a, %a : vector<8xf64>
    %p = arith.mulf %a, %w : vector<8xf64>
    affine.vector_store %s, %y[%i] : memref<128xf64>, vector<8xf64>
    affine.vector_store %p, %y[%i + 64] : memref<128xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @calls
// CHECK:           vector.broadcast
// CHECK-NEXT:      func.call @other
// CHECK:           affine.vector_store
func.func private @other()
func.func @calls(%x: memref<64xf64>, %t: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %w = affine.load %t[%i] : memref<8xf64>
    %v = vector.broadcast %w : f64 to vector<8xf64>
    func.call @other() : () -> ()
    %a = affine.vector_load %x[%i * 8] : memref<64xf64>, vector<8xf64>
    %p = arith.mulf %a, %v : vector<8xf64>
    affine.vector_store %p, %x[%i * 8] : memref<64xf64>, vector<8xf64>
  }
  return
}
