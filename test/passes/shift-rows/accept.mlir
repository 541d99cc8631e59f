// A row of seven numbers, copied between zeros, is loaded from the image and shifted; rows of the
// border are zeros, for which the loop over rows falls into two parts. The array goes.
// RUN: weft-opt %s --shift-rows --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @three_rows(
// CHECK-SAME:    %[[X:.*]]: memref<4x7x7xf32>, %[[Y:.*]]: memref<4x7x7xf32>)
// CHECK-NOT:     memref.alloca
// CHECK-DAG:     %[[NONE:.*]] = arith.constant dense<0.000000e+00>
// CHECK-DAG:     %[[SEVEN:.*]] = arith.constant dense<[true, true, true, true, true, true, true, false,
// CHECK:         affine.for %[[I:.*]] = 0 to 4 {
// The first row of results: nothing is above it.
// CHECK:           %[[FIRST:.*]] = vector.maskedload %[[X]][%[[I]], %c0, %c0], %[[SEVEN]], %[[NONE]]
// CHECK:           vector.shuffle %[[FIRST]], %[[NONE]] [1, 2, 3, 4, 5, 6, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
// CHECK:           vector.maskedstore %[[Y]][%[[I]], %c0, %c0]
// CHECK:           affine.for %[[K:.*]] = 1 to 7 {
// CHECK:             %[[ABOVE:.*]] = affine.apply {{.*}}(%[[K]])
// CHECK:             vector.maskedload %[[X]][%[[I]], %[[ABOVE]], %c0], %[[SEVEN]], %[[NONE]]
// CHECK:             vector.shuffle {{.*}} [16, 0, 1, 2, 3, 4, 5, 23, 24, 25, 26, 27, 28, 29, 30, 31]
// CHECK:             vector.maskedload %[[X]][%[[I]], %[[K]], %c0], %[[SEVEN]], %[[NONE]]
// CHECK:             vector.maskedstore %[[Y]][%[[I]], %[[K]], %c0]
// CHECK:           }
#seven = dense<[true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false]> : vector<16xi1>
func.func @three_rows(%x: memref<4x7x7xf32>, %y: memref<4x7x7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %seven = arith.constant #seven
  affine.for %i = 0 to 4 {
    %padded = memref.alloca() : memref<9x9xf32>
    affine.for %k = 0 to 9 {
      affine.store %zero, %padded[%k, 0] : memref<9x9xf32>
      affine.store %zero, %padded[%k, 8] : memref<9x9xf32>
    }
    affine.for %k = 0 to 7 {
      %v = vector.maskedload %x[%i, %k, %c0], %seven, %none : memref<4x7x7xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %to = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)
      vector.maskedstore %padded[%to, %c1], %seven, %v : memref<9x9xf32>, vector<16xi1>, vector<16xf32>
    }
    affine.for %k = 0 to 7 {
      %here = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)
      %above = vector.maskedload %padded[%k, %c0], %seven, %none : memref<9x9xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %right = vector.maskedload %padded[%here, %c2], %seven, %none : memref<9x9xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %s = arith.addf %above, %right : vector<16xf32>
      vector.maskedstore %y[%i, %k, %c0], %seven, %s : memref<4x7x7xf32>, vector<16xi1>, vector<16xf32>
    }
  }
  return
}

// Two loops read the array: indices in the second one have nothing of the first, which is cut and
// gone by then.
// CHECK-LABEL: func.func @two_readers(
// CHECK-NOT:     memref.alloca
// CHECK-COUNT-6: vector.maskedload
// CHECK-NOT:     vector.maskedload
func.func @two_readers(%x: memref<4x7x7xf32>, %y: memref<4x7x7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<16xf32>
  %seven = arith.constant #seven
  affine.for %i = 0 to 4 {
    %padded = memref.alloca() : memref<9x9xf32>
    affine.for %k = 0 to 9 {
      affine.store %zero, %padded[%k, 0] : memref<9x9xf32>
      affine.store %zero, %padded[%k, 8] : memref<9x9xf32>
    }
    affine.for %k = 0 to 7 {
      %v = vector.maskedload %x[%i, %k, %c0], %seven, %none : memref<4x7x7xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %to = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)
      vector.maskedstore %padded[%to, %c1], %seven, %v : memref<9x9xf32>, vector<16xi1>, vector<16xf32>
    }
    affine.for %k = 0 to 7 {
      %here = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)
      %above = vector.maskedload %padded[%k, %c0], %seven, %none : memref<9x9xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %right = vector.maskedload %padded[%here, %c2], %seven, %none : memref<9x9xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %s = arith.addf %above, %right : vector<16xf32>
      vector.maskedstore %y[%i, %k, %c0], %seven, %s : memref<4x7x7xf32>, vector<16xi1>, vector<16xf32>
    }
    affine.for %k = 0 to 7 {
      %here = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)
      %above = vector.maskedload %padded[%k, %c0], %seven, %none : memref<9x9xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %right = vector.maskedload %padded[%here, %c2], %seven, %none : memref<9x9xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      %s = arith.addf %above, %right : vector<16xf32>
      vector.maskedstore %y[%i, %k, %c0], %seven, %s : memref<4x7x7xf32>, vector<16xi1>, vector<16xf32>
    }
  }
  return
}
