// A product of complex matrices is one of real ones: parts below each other times parts side by
// side. What computes a factor goes along; a real factor has half of the rows; what only one factor
// has is a row, or a column.
// RUN: cat %target_avx512 %s | weft-opt - --split-products --mlir-print-local-scope | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --split-products --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}its complex products as real ones", Why="128 rows by 96 columns of parts have panels; a complex product has as many multiply-adds"

module attributes {weft.target = #target} {
  // CHECK-LABEL: func.func @product(
  // CHECK:         %[[NONE:.*]] = tensor.empty() : tensor<128x32xf64>
  // CHECK:         %[[RE:.*]] = weft.map [0, 0] to [64, 32] init(%[[NONE]] : {{.*}}) stores [affine_map<(d0, d1) -> (d0, d1)>]
  // CHECK:           complex.conj
  // CHECK:           complex.re
  // CHECK:         %[[A:.*]] = weft.map [0, 0] to [64, 32] init(%[[RE]] : {{.*}}) stores [affine_map<(d0, d1) -> (d0 + 64, d1)>]
  // CHECK:           complex.im
  // CHECK:         %[[B:.*]] = weft.map [0, 0] to [48, 32] init({{.*}}) stores [affine_map<(d0, d1) -> (d0 + 48, d1)>]
  // CHECK:         %[[P:.*]] = weft.map [0, 0] to [128, 96]
  // CHECK:           weft.reduce sum [0] to [32]
  // CHECK:             %[[L:.*]] = tensor.extract %[[A]]
  // CHECK:             %[[R:.*]] = tensor.extract %[[B]]
  // CHECK:             arith.mulf %[[L]], %[[R]]
  // CHECK:         weft.map [0, 0] to [64, 48]
  // CHECK-COUNT-4:   tensor.extract %[[P]]
  // CHECK:           complex.create
  func.func @product(%x: tensor<64x32xcomplex<f64>>, %y: tensor<32x48xcomplex<f64>>) -> tensor<64x48xcomplex<f64>> {
    %z = weft.map [0, 0] to [64, 48] stores [affine_map<(d0, d1) -> (d0, d1)>] {
    ^bb0(%i: index, %j: index):
      %s = weft.reduce sum [0] to [32] {
      ^bb0(%k: index):
        %a = tensor.extract %x[%i, %k] : tensor<64x32xcomplex<f64>>
        %c = complex.conj %a : complex<f64>
        %b = tensor.extract %y[%k, %j] : tensor<32x48xcomplex<f64>>
        %p = complex.mul %c, %b : complex<f64>
        weft.yield %p : complex<f64>
      } : complex<f64>
      weft.yield %s : complex<f64>
    } : tensor<64x48xcomplex<f64>>
    return %z : tensor<64x48xcomplex<f64>>
  }
  // CHECK-LABEL: func.func @real(
  // CHECK:         weft.map [0, 0, 0] to [5, 48, 32] init({{.*}}) stores [affine_map<(d0, d1, d2) -> (d0 * 48 + d1 + 240, d2)>]
  // CHECK:         weft.map [0, 0] to [64, 480]
  // CHECK:           weft.reduce sum [0] to [32]
  // CHECK:         weft.map [0, 0, 0] to [5, 64, 48]
  // CHECK-COUNT-2:   tensor.extract
  // CHECK-NOT:       tensor.extract
  // CHECK:           complex.create
  func.func @real(%x: tensor<64x32xf64>, %y: tensor<5x32x48xcomplex<f64>>) -> tensor<5x64x48xcomplex<f64>> {
    %zero = arith.constant 0.0 : f64
    %z = weft.map [0, 0, 0] to [5, 64, 48] stores [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
    ^bb0(%n: index, %i: index, %j: index):
      %s = weft.reduce sum [0] to [32] {
      ^bb0(%k: index):
        %a = tensor.extract %x[%i, %k] : tensor<64x32xf64>
        %c = complex.create %a, %zero : complex<f64>
        %b = tensor.extract %y[%n, %k, %j] : tensor<5x32x48xcomplex<f64>>
        %p = complex.mul %c, %b : complex<f64>
        weft.yield %p : complex<f64>
      } : complex<f64>
      weft.yield %s : complex<f64>
    } : tensor<5x64x48xcomplex<f64>>
    return %z : tensor<5x64x48xcomplex<f64>>
  }
  // CHECK-LABEL: func.func @batch(
  // CHECK:         weft.map [0, 0, 0] to [5, 128, 96]
  // CHECK:         weft.map [0, 0, 0] to [5, 64, 48]
  // CHECK-COUNT-4:   tensor.extract
  // CHECK:           complex.create
  func.func @batch(%x: tensor<5x64x32xcomplex<f64>>, %y: tensor<5x32x48xcomplex<f64>>) -> tensor<5x64x48xcomplex<f64>> {
    %z = weft.map [0, 0, 0] to [5, 64, 48] stores [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
    ^bb0(%n: index, %i: index, %j: index):
      %s = weft.reduce sum [0] to [32] {
      ^bb0(%k: index):
        %a = tensor.extract %x[%n, %i, %k] : tensor<5x64x32xcomplex<f64>>
        %b = tensor.extract %y[%n, %k, %j] : tensor<5x32x48xcomplex<f64>>
        %p = complex.mul %a, %b : complex<f64>
        weft.yield %p : complex<f64>
      } : complex<f64>
      weft.yield %s : complex<f64>
    } : tensor<5x64x48xcomplex<f64>>
    return %z : tensor<5x64x48xcomplex<f64>>
  }
}
