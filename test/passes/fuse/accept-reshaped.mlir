// Elementwise work on sums that are reshaped goes into their stores: over the sums' own shape, with what
// else it reads reshaped where its dimensions become others.
// RUN: weft-opt %s --fuse --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --fuse --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE-COUNT-2: decided {{.*}} goes into the stores of

// CHECK-LABEL: func.func @bias_and_residual(
// CHECK-SAME:      %[[X:.*]]: tensor<2x8x30xf32>, %[[G:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4xf32>, %[[R:.*]]: tensor<2x4x5x6xf32>)
// CHECK:         %[[FLAT:.*]] = weft.reshape %[[R]] : tensor<2x4x5x6xf32> -> tensor<2x4x30xf32>
// CHECK:         %[[Y:.*]] = weft.map [0, 0, 0] to [2, 4, 30]
// CHECK:         ^bb0(%[[N:.*]]: index, %[[K:.*]]: index, %[[P:.*]]: index):
// CHECK:           weft.reduce sum
// CHECK:           %[[N1:.*]] = affine.apply affine_map<(d0) -> (d0)>(%[[N]])
// CHECK:           %[[K1:.*]] = affine.apply affine_map<(d0) -> (d0)>(%[[K]])
// CHECK:           %[[P1:.*]] = affine.apply affine_map<(d0) -> (d0)>(%[[P]])
// CHECK:           tensor.extract %[[B]][%[[K1]]]
// CHECK:           tensor.extract %[[FLAT]][%[[N1]], %[[K1]], %[[P1]]]
// CHECK:         weft.reshape %[[Y]] : tensor<2x4x30xf32> -> tensor<2x4x5x6xf32>
// CHECK-NOT:     weft.map
func.func @bias_and_residual(%x: tensor<2x8x30xf32>, %g: tensor<4x8xf32>, %b: tensor<4xf32>, %r: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
  %sums = weft.map [0, 0, 0] to [2, 4, 30] stores [affine_map<(n, k, p) -> (n, k, p)>] {
  ^bb0(%n: index, %k: index, %p: index):
    %sum = weft.reduce sum [0] to [8] {
    ^bb0(%c: index):
      %image = tensor.extract %x[%n, %c, %p] : tensor<2x8x30xf32>
      %filter = tensor.extract %g[%k, %c] : tensor<4x8xf32>
      %product = arith.mulf %image, %filter : f32
      weft.yield %product : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<2x4x30xf32>
  %rows = weft.reshape %sums : tensor<2x4x30xf32> -> tensor<2x4x5x6xf32>
  %y = weft.map [0, 0, 0, 0] to [2, 4, 5, 6] stores [affine_map<(n, k, i, j) -> (n, k, i, j)>] {
  ^bb0(%n: index, %k: index, %i: index, %j: index):
    %sum = tensor.extract %rows[%n, %k, %i, %j] : tensor<2x4x5x6xf32>
    %bias = tensor.extract %b[%k] : tensor<4xf32>
    %rest = tensor.extract %r[%n, %k, %i, %j] : tensor<2x4x5x6xf32>
    %more = arith.addf %sum, %bias : f32
    %all = arith.addf %more, %rest : f32
    weft.yield %all : f32
  } : tensor<2x4x5x6xf32>
  return %y : tensor<2x4x5x6xf32>
}

// Dimensions of one element, and several that become others.
// CHECK-LABEL: func.func @joined_rows(
// CHECK:         %[[Y:.*]] = weft.map [0, 0, 0] to [2, 1, 30]
// CHECK:           arith.maximumf
// CHECK:         weft.reshape %[[Y]] : tensor<2x1x30xf32> -> tensor<2x5x6xf32>
// CHECK-NOT:     weft.map
func.func @joined_rows(%x: tensor<2x30x8xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %sums = weft.map [0, 0, 0] to [2, 1, 30] stores [affine_map<(n, i, p) -> (n, i, p)>] {
  ^bb0(%n: index, %i: index, %p: index):
    %sum = weft.reduce sum [0] to [8] {
    ^bb0(%c: index):
      %image = tensor.extract %x[%n, %p, %c] : tensor<2x30x8xf32>
      weft.yield %image : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<2x1x30xf32>
  %rows = weft.reshape %sums : tensor<2x1x30xf32> -> tensor<2x5x6xf32>
  %y = weft.map [0, 0, 0] to [2, 5, 6] stores [affine_map<(n, i, j) -> (n, i, j)>] {
  ^bb0(%n: index, %i: index, %j: index):
    %sum = tensor.extract %rows[%n, %i, %j] : tensor<2x5x6xf32>
    %most = arith.maximumf %sum, %zero : f32
    weft.yield %most : f32
  } : tensor<2x5x6xf32>
  return %y : tensor<2x5x6xf32>
}
