// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// A sum over a panel of an array that the second cache does not hold asks for the next panel. None for
// an array that stays there, and none where the panels are not one behind the other.

module attributes {weft.target = #target} {
// CHECK-LABEL: int panels(
// CHECK-COUNT-1: weft_load_ahead(&p[{{.*}}], 32832);
// CHECK-NOT:     weft_load_ahead
func.func @panels(%p: memref<64x513x8xf64> {weft.name = "p", weft.role = "in"},
                  %y: memref<64x8xf64> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<8xf64>
  affine.for %n = 0 to 64 {
    %sum = affine.for %k = 0 to 512 iter_args(%s = %zero) -> vector<8xf64> {
      %a = affine.vector_load %p[%n, %k, 0] : memref<64x513x8xf64>, vector<8xf64>
      %t = arith.addf %s, %a : vector<8xf64>
      affine.yield %t : vector<8xf64>
    }
    affine.vector_store %sum, %y[%n, 0] : memref<64x8xf64>, vector<8xf64>
  }
  return
}

// A part of the terms at a time: that part of the next panel; where parts are small, it comes soon.
// CHECK-LABEL: int parts(
// CHECK-COUNT-1: weft_load_ahead(&p[{{.*}}], 32832);
// CHECK-NOT:     weft_load_ahead
func.func @parts(%p: memref<64x513x8xf64> {weft.name = "p", weft.role = "in"},
                 %y: memref<64x8xf64> {weft.name = "y", weft.role = "out"},
                 %z: memref<64x8xf64> {weft.name = "z", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<8xf64>
  affine.for %n = 0 to 64 {
    %sum = affine.for %k = 0 to 128 iter_args(%s = %zero) -> vector<8xf64> {
      %a = affine.vector_load %p[%n, %k, 0] : memref<64x513x8xf64>, vector<8xf64>
      %t = arith.addf %s, %a : vector<8xf64>
      affine.yield %t : vector<8xf64>
    }
    affine.vector_store %sum, %y[%n, 0] : memref<64x8xf64>, vector<8xf64>
  }
  affine.for %n = 0 to 64 {
    %sum = affine.for %k = 128 to 224 iter_args(%s = %zero) -> vector<8xf64> {
      %a = affine.vector_load %p[%n, %k, 0] : memref<64x513x8xf64>, vector<8xf64>
      %t = arith.addf %s, %a : vector<8xf64>
      affine.yield %t : vector<8xf64>
    }
    affine.vector_store %sum, %z[%n, 0] : memref<64x8xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: int few(
// CHECK-NOT:     weft_load_ahead
func.func @few(%p: memref<16x513x8xf64> {weft.name = "p", weft.role = "in"},
               %y: memref<16x8xf64> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<8xf64>
  affine.for %n = 0 to 16 {
    %sum = affine.for %k = 0 to 512 iter_args(%s = %zero) -> vector<8xf64> {
      %a = affine.vector_load %p[%n, %k, 0] : memref<16x513x8xf64>, vector<8xf64>
      %t = arith.addf %s, %a : vector<8xf64>
      affine.yield %t : vector<8xf64>
    }
    affine.vector_store %sum, %y[%n, 0] : memref<16x8xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: int columns(
// CHECK-NOT:     weft_load_ahead
func.func @columns(%p: memref<512x512xf64> {weft.name = "p", weft.role = "in"},
                   %y: memref<512xf64> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<8xf64>
  affine.for %n = 0 to 512 step 8 {
    %sum = affine.for %k = 0 to 512 iter_args(%s = %zero) -> vector<8xf64> {
      %a = affine.vector_load %p[%k, %n] : memref<512x512xf64>, vector<8xf64>
      %t = arith.addf %s, %a : vector<8xf64>
      affine.yield %t : vector<8xf64>
    }
    affine.vector_store %sum, %y[%n] : memref<512xf64>, vector<8xf64>
  }
  return
}
}
