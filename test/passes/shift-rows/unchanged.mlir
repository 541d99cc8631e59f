// The array stays where something else than zeros lies beside its rows, where it is read otherwise
// than under a mask, and where the image changes before the rows are read.
// RUN: weft-opt %s --shift-rows | FileCheck %s

#seven = dense<[true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false]> : vector<16xi1>

// CHECK-LABEL: func.func @ones_beside(
// CHECK:         vector.maskedstore %alloca
// CHECK:         vector.maskedload %alloca
func.func @ones_beside(%x: memref<7xf32>, %y: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %seven = arith.constant #seven
  %x2 = memref.reinterpret_cast %x to offset: [0], sizes: [1, 7], strides: [7, 1] : memref<7xf32> to memref<1x7xf32>
  affine.for %i = 0 to 1 {
    %alloca = memref.alloca() : memref<1x9xf32>
    affine.store %one, %alloca[0, 0] : memref<1x9xf32>
    %v = vector.maskedload %x2[%c0, %c0], %seven, %none : memref<1x7xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %alloca[%c0, %c1], %seven, %v : memref<1x9xf32>, vector<16xi1>, vector<16xf32>
    %w = vector.maskedload %alloca[%c0, %c0], %seven, %none : memref<1x9xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %y[%c0], %seven, %w : memref<7xf32>, vector<16xi1>, vector<16xf32>
  }
  return
}

// CHECK-LABEL: func.func @read_one_by_one(
// CHECK:         vector.maskedstore %alloca
// CHECK:         affine.load %alloca
func.func @read_one_by_one(%x: memref<1x7xf32>, %y: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %seven = arith.constant #seven
  affine.for %i = 0 to 1 {
    %alloca = memref.alloca() : memref<1x9xf32>
    affine.store %zero, %alloca[0, 0] : memref<1x9xf32>
    %v = vector.maskedload %x[%c0, %c0], %seven, %none : memref<1x7xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %alloca[%c0, %c1], %seven, %v : memref<1x9xf32>, vector<16xi1>, vector<16xf32>
    %w = affine.load %alloca[0, 3] : memref<1x9xf32>
    affine.store %w, %y[0] : memref<7xf32>
  }
  return
}

// CHECK-LABEL: func.func @image_changes(
// CHECK:         vector.maskedstore %alloca
// CHECK:         vector.maskedload %alloca
func.func @image_changes(%x: memref<1x7xf32>, %y: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %seven = arith.constant #seven
  affine.for %i = 0 to 1 {
    %alloca = memref.alloca() : memref<1x9xf32>
    affine.store %zero, %alloca[0, 0] : memref<1x9xf32>
    %v = vector.maskedload %x[%c0, %c0], %seven, %none : memref<1x7xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %alloca[%c0, %c1], %seven, %v : memref<1x9xf32>, vector<16xi1>, vector<16xf32>
    affine.store %zero, %x[0, 2] : memref<1x7xf32>
    %w = vector.maskedload %alloca[%c0, %c0], %seven, %none : memref<1x9xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    vector.maskedstore %y[%c0], %seven, %w : memref<7xf32>, vector<16xi1>, vector<16xf32>
  }
  return
}
