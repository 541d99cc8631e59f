// Terms that are read in whole rows, one behind the other, are one row. Not where a row is longer than
// the terms, where an index is used otherwise as well, and on a mesh of cores.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --mlir-print-local-scope | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: cat %target_sw26010 %s | weft-opt - --lower-to-loops --mlir-print-local-scope | FileCheck %s --check-prefix=MESH

// NOTE: decided {{.*}}: 28 rows of 28 terms as one", Why="what is read of them lies one behind the other"

module attributes {weft.target = #target} {
  // CHECK-LABEL: @pixels
  // CHECK:         %[[X:.*]] = memref.reinterpret_cast %arg0 {{.*}} to memref<64x784xf32>
  // CHECK:         affine.for %[[C:.*]] = 0 to 64
  // CHECK-NEXT:      {{.*}}arith.constant
  // CHECK:           affine.for %[[P:.*]] = 0 to 784 iter_args
  // CHECK-NEXT:        affine.load %[[X]][%[[C]], %[[P]]]
  // CHECK-NOT:       affine.for
  // MESH-LABEL: @pixels
  // MESH-COUNT-2:  to 28 iter_args
  func.func @pixels(%x: tensor<64x28x28xf32>) -> tensor<64xf32> {
    %y = weft.map [0] to [64] stores [affine_map<(c) -> (c)>] {
    ^bb0(%c: index):
      %sum = weft.reduce sum [0, 0] to [28, 28] {
      ^bb0(%i: index, %j: index):
        %pixel = tensor.extract %x[%c, %i, %j] : tensor<64x28x28xf32>
        weft.yield %pixel : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64xf32>
    return %y : tensor<64xf32>
  }
  // CHECK-LABEL: @part_of_rows
  // CHECK:         to 28 iter_args
  // CHECK:         to 27 iter_args
  func.func @part_of_rows(%x: tensor<64x28x28xf32>) -> tensor<64xf32> {
    %y = weft.map [0] to [64] stores [affine_map<(c) -> (c)>] {
    ^bb0(%c: index):
      %sum = weft.reduce sum [0, 0] to [28, 27] {
      ^bb0(%i: index, %j: index):
        %pixel = tensor.extract %x[%c, %i, %j] : tensor<64x28x28xf32>
        weft.yield %pixel : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64xf32>
    return %y : tensor<64xf32>
  }
  // CHECK-LABEL: @weighted
  // CHECK-COUNT-2: to 28 iter_args
  func.func @weighted(%x: tensor<64x28x28xf32>, %w: tensor<28xf32>) -> tensor<64xf32> {
    %y = weft.map [0] to [64] stores [affine_map<(c) -> (c)>] {
    ^bb0(%c: index):
      %sum = weft.reduce sum [0, 0] to [28, 28] {
      ^bb0(%i: index, %j: index):
        %pixel = tensor.extract %x[%c, %i, %j] : tensor<64x28x28xf32>
        %weight = tensor.extract %w[%j] : tensor<28xf32>
        %product = arith.mulf %pixel, %weight : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64xf32>
    return %y : tensor<64xf32>
  }
}
