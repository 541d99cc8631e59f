// A row that an iteration gives to a result is copied to its place, complex numbers as one row of
// real ones; a column element by element.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK:         affine.for %[[T:.*]] = 0 to 3 {
// CHECK:           %[[FLAT:.*]] = memref.reinterpret_cast %arg1 to {{.*}} sizes: [3, 16]
// CHECK:           affine.for %[[I:.*]] = 0 to 16 {
// CHECK:             affine.store %{{.*}}, %[[FLAT]][%[[T]], %[[I]]]
// CHECK:           } {{{.*}}weft.lane}
module attributes {weft.target = #target} {
func.func @rows(%x: tensor<8xcomplex<f64>>) -> tensor<3x8xcomplex<f64>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = tensor.empty() : tensor<3x8xcomplex<f64>>
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%y = %none) -> (tensor<3x8xcomplex<f64>>) {
    %w = tensor.insert_slice %x into %y[%t, 0] [1, 8] [1, 1]
        : tensor<8xcomplex<f64>> into tensor<3x8xcomplex<f64>>
    scf.yield %w : tensor<3x8xcomplex<f64>>
  }
  return %r : tensor<3x8xcomplex<f64>>
}

// CHECK-LABEL: func.func @columns
// CHECK:         affine.for %[[T:.*]] = 0 to 3 {
// CHECK:           affine.for %[[I:.*]] = 0 to 8 {
// CHECK:             affine.store %{{.*}}, %arg1[%[[I]], %[[T]]]
func.func @columns(%x: tensor<8xf64>) -> tensor<8x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = tensor.empty() : tensor<8x3xf64>
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%y = %none) -> (tensor<8x3xf64>) {
    %w = tensor.insert_slice %x into %y[0, %t] [8, 1] [1, 1]
        : tensor<8xf64> into tensor<8x3xf64>
    scf.yield %w : tensor<8x3xf64>
  }
  return %r : tensor<8x3xf64>
}
}
