// The direct sum for vectors: along the rows of an image; over all of them as one where they are
// short; with strides, rows and columns of equal remainders lie side by side first.
// RUN: weft-opt %s --factor-transform --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: func.func @rows(
  // CHECK-NEXT:    %{{.*}} = weft.map [0, 0, 0, 0] to [1, 8, 30, 32]
  // CHECK:           affine.apply affine_map<(d0, d1) -> (d0 + d1)>
  // CHECK-NOT:     weft.map
  // CHECK:         return
  func.func @rows(%x: tensor<1x4x32x34xf32>, %g: tensor<8x4x3x3xf32>) -> tensor<1x8x30x32xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" : tensor<1x4x32x34xf32>, tensor<8x4x3x3xf32> -> tensor<1x8x30x32xf32>
    return %y : tensor<1x8x30x32xf32>
  }
  // CHECK-LABEL: func.func @short_rows(
  // CHECK-NEXT:    %[[LINE:.*]] = weft.reshape %{{.*}} : tensor<1x4x8x8xf32> -> tensor<1x4x64xf32>
  // CHECK-NEXT:    %[[SUMS:.*]] = weft.map [0, 0, 0] to [1, 64, 46]
  // CHECK:           affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 * 8 + d2)>
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 64, 6, 6]
  // CHECK:           affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>
  // CHECK:           tensor.extract %[[SUMS]]
  func.func @short_rows(%x: tensor<1x4x8x8xf32>, %g: tensor<64x4x3x3xf32>) -> tensor<1x64x6x6xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" : tensor<1x4x8x8xf32>, tensor<64x4x3x3xf32> -> tensor<1x64x6x6xf32>
    return %y : tensor<1x64x6x6xf32>
  }
  // CHECK-LABEL: func.func @strides(
  // CHECK:         %[[PHASES:.*]] = weft.map [0, 0, 0, 0, 0, 0] to [1, 16, 2, 2, 17, 17]
  // CHECK:           affine.apply affine_map<(d0, d1) -> (d0 + d1 * 2)>
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 64, 16, 16]
  // CHECK:           affine.apply affine_map<(d0) -> (d0 mod 2)>
  // CHECK:           affine.apply affine_map<(d0, d1) -> (d0 + d1 floordiv 2)>
  // CHECK:           tensor.extract %[[PHASES]]
  func.func @strides(%x: tensor<1x16x34x34xf32>, %g: tensor<64x16x3x3xf32>) -> tensor<1x64x16x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [2, 2] groups 1 algorithm "direct" : tensor<1x16x34x34xf32>, tensor<64x16x3x3xf32> -> tensor<1x64x16x16xf32>
    return %y : tensor<1x64x16x16xf32>
  }
  // Of few results each window is copied whole, in the order of the filters, which are read as they lie.
  // CHECK-LABEL: func.func @few_results(
  // CHECK:         %[[WINDOWS:.*]] = weft.map [0, 0, 0, 0, 0, 0] to [1, 2, 2, 64, 3, 3] {{.*}}weft.sorted
  // CHECK:           affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>
  // CHECK:         weft.map [0, 0, 0, 0] to [1, 32, 2, 2]
  // CHECK:           tensor.extract %[[WINDOWS]]
  // CHECK-NEXT:      tensor.extract %arg1
  func.func @few_results(%x: tensor<1x64x5x5xf32>, %g: tensor<32x64x3x3xf32>) -> tensor<1x32x2x2xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [2, 2] groups 1 algorithm "direct" : tensor<1x64x5x5xf32>, tensor<32x64x3x3xf32> -> tensor<1x32x2x2xf32>
    return %y : tensor<1x32x2x2xf32>
  }
  // Pixels with strides are brought together first, however few filters there are.
  // CHECK-LABEL: func.func @few_filters(
  // CHECK-NEXT:    %{{.*}} = weft.map [0, 0, 0, 0] to [1, 32, 32, 32] {{.*}}weft.sorted
  // CHECK:           affine.apply affine_map<(d0) -> (d0 * 2)>
  // CHECK:         } : tensor<1x32x32x32xf32>
  // CHECK-NOT:     d0 * 2
  // CHECK:         return
  func.func @few_filters(%x: tensor<1x32x64x64xf32>, %g: tensor<4x32x1x1xf32>) -> tensor<1x4x32x32xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [2, 2] groups 1 algorithm "direct" : tensor<1x32x64x64xf32>, tensor<4x32x1x1xf32> -> tensor<1x4x32x32xf32>
    return %y : tensor<1x4x32x32xf32>
  }
}
