// A transform stays behind a transpose that leaves rows as they are, whose columns no cache holds, that others read, or
// where the spectrum is worked on.
// RUN: cat %target_avx512 %s | weft-opt - --order-axes | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @rows
// CHECK: weft.transpose %arg0
// CHECK: weft.dft
func.func @rows(%x: tensor<50x60x700xcomplex<f64>>) -> tensor<60x50x700xcomplex<f64>> {
  %t = weft.transpose %x perm [1, 0, 2] : tensor<50x60x700xcomplex<f64>> -> tensor<60x50x700xcomplex<f64>>
  %y = weft.dft %t axis 2 sign -1 : tensor<60x50x700xcomplex<f64>>
  return %y : tensor<60x50x700xcomplex<f64>>
}

// CHECK-LABEL: func.func @columns
// CHECK: weft.transpose %arg0
// CHECK: weft.dft
func.func @columns(%x: tensor<500x3000xcomplex<f64>>) -> tensor<3000x500xcomplex<f64>> {
  %t = weft.transpose %x perm [1, 0] : tensor<500x3000xcomplex<f64>> -> tensor<3000x500xcomplex<f64>>
  %y = weft.dft %t axis 0 sign -1 : tensor<3000x500xcomplex<f64>>
  return %y : tensor<3000x500xcomplex<f64>>
}

// Its columns are 3 points long.
// CHECK-LABEL: func.func @short
// CHECK: weft.transpose %arg0
// CHECK: weft.dft
func.func @short(%x: tensor<64x128x3xcomplex<f32>>) -> tensor<128x3x64xcomplex<f32>> {
  %t = weft.transpose %x perm [1, 2, 0] : tensor<64x128x3xcomplex<f32>> -> tensor<128x3x64xcomplex<f32>>
  %y = weft.dft %t axis 1 sign -1 : tensor<128x3x64xcomplex<f32>>
  return %y : tensor<128x3x64xcomplex<f32>>
}

// Rows of 64 bytes.
// CHECK-LABEL: func.func @short_rows
// CHECK: weft.transpose %arg0
// CHECK: weft.dft
func.func @short_rows(%x: tensor<300x300x8xcomplex<f32>>) -> tensor<8x300x300xcomplex<f32>> {
  %t = weft.transpose %x perm [2, 1, 0] : tensor<300x300x8xcomplex<f32>> -> tensor<8x300x300xcomplex<f32>>
  %y = weft.dft %t axis 2 sign -1 : tensor<8x300x300xcomplex<f32>>
  return %y : tensor<8x300x300xcomplex<f32>>
}

// The schedule's axis 0 is that of the transposed tensor.
// CHECK-LABEL: func.func @asked
// CHECK: weft.transpose %arg0
// CHECK: weft.dft
func.func @asked(%x: tensor<500x3000xcomplex<f64>>) -> tensor<3000x500xcomplex<f64>> attributes {weft.schedule = ["tile y.axis0 by 8 -> co, ci"]} {
  %t = weft.transpose %x perm [1, 0] : tensor<500x3000xcomplex<f64>> -> tensor<3000x500xcomplex<f64>>
  %y = weft.dft %t axis 1 sign -1 : tensor<3000x500xcomplex<f64>> loc("y")
  return %y : tensor<3000x500xcomplex<f64>>
}

// CHECK-LABEL: func.func @returned
// CHECK: weft.transpose %arg0
// CHECK: weft.dft
func.func @returned(%x: tensor<500x3000xcomplex<f64>>) -> (tensor<3000x500xcomplex<f64>>, tensor<3000x500xcomplex<f64>>) {
  %t = weft.transpose %x perm [1, 0] : tensor<500x3000xcomplex<f64>> -> tensor<3000x500xcomplex<f64>>
  %y = weft.dft %t axis 1 sign -1 : tensor<3000x500xcomplex<f64>>
  return %t, %y : tensor<3000x500xcomplex<f64>>, tensor<3000x500xcomplex<f64>>
}

// CHECK-LABEL: func.func @filter
// CHECK: weft.transpose %arg0
// CHECK: weft.dft
func.func @filter(%x: tensor<500x3000xcomplex<f64>>) -> tensor<3000x500xcomplex<f64>> {
  %t = weft.transpose %x perm [1, 0] : tensor<500x3000xcomplex<f64>> -> tensor<3000x500xcomplex<f64>>
  %y = weft.dft %t axis 1 sign -1 : tensor<3000x500xcomplex<f64>>
  %z = weft.map [0, 0] to [3000, 500] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %y[%i, %j] : tensor<3000x500xcomplex<f64>>
    %w = complex.mul %v, %v : complex<f64>
    weft.yield %w : complex<f64>
  } : tensor<3000x500xcomplex<f64>>
  return %z : tensor<3000x500xcomplex<f64>>
}
}
