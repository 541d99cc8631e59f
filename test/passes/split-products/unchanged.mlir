// Few terms, what fills no panels, windows, and sums that are no products of two factors stay.
// RUN: cat %target_avx512 %s | weft-opt - --split-products | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --split-products --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}Why="128 rows by 96 columns of 4 terms: 49152 products for 13184 numbers that are moved"

module attributes {weft.target = #target} {
  // CHECK-LABEL: func.func @few_terms(
  // CHECK:         complex.mul
  // CHECK-NOT:     arith.mulf
  // CHECK-LABEL: func.func @vector(
  // CHECK:         complex.mul
  // CHECK-NOT:     arith.mulf
  // CHECK-LABEL: func.func @windows(
  // CHECK:         complex.mul
  // CHECK-NOT:     arith.mulf
  func.func @few_terms(%x: tensor<64x4xcomplex<f64>>, %y: tensor<4x48xcomplex<f64>>) -> tensor<64x48xcomplex<f64>> {
    %z = weft.map [0, 0] to [64, 48] stores [affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%i: index, %j: index):
      %s = weft.reduce sum [0] to [4] {
      ^bb0(%k: index):
        %a = tensor.extract %x[%i, %k] : tensor<64x4xcomplex<f64>>
        %b = tensor.extract %y[%k, %j] : tensor<4x48xcomplex<f64>>
        %p = complex.mul %a, %b : complex<f64>
        weft.yield %p : complex<f64>
      } : complex<f64>
      weft.yield %s : complex<f64>
    } : tensor<64x48xcomplex<f64>>
    return %z : tensor<64x48xcomplex<f64>>
  }
  func.func @vector(%x: tensor<64x64xcomplex<f64>>, %y: tensor<64xcomplex<f64>>) -> tensor<64xcomplex<f64>> {
    %z = weft.map [0] to [64] stores [affine_map<(d0) -> (d0)>] {
    ^bb0(%i: index):
      %s = weft.reduce sum [0] to [64] {
      ^bb0(%k: index):
        %a = tensor.extract %x[%i, %k] : tensor<64x64xcomplex<f64>>
        %b = tensor.extract %y[%k] : tensor<64xcomplex<f64>>
        %p = complex.mul %a, %b : complex<f64>
        weft.yield %p : complex<f64>
      } : complex<f64>
      weft.yield %s : complex<f64>
    } : tensor<64xcomplex<f64>>
    return %z : tensor<64xcomplex<f64>>
  }
  func.func @windows(%x: tensor<95xcomplex<f64>>, %g: tensor<64x32xcomplex<f64>>) -> tensor<64x64xcomplex<f64>> {
    %z = weft.map [0, 0] to [64, 64] stores [affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%f: index, %i: index):
      %s = weft.reduce sum [0] to [32] {
      ^bb0(%r: index):
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %r)
        %a = tensor.extract %x[%at] : tensor<95xcomplex<f64>>
        %b = tensor.extract %g[%f, %r] : tensor<64x32xcomplex<f64>>
        %p = complex.mul %a, %b : complex<f64>
        weft.yield %p : complex<f64>
      } : complex<f64>
      weft.yield %s : complex<f64>
    } : tensor<64x64xcomplex<f64>>
    return %z : tensor<64x64xcomplex<f64>>
  }
}
