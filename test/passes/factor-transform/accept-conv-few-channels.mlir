// Of few channels the sums of the products are written out where results are transformed: in one map
// of a tile and a filter, with filters in blocks and the pixels of a row by what tiles leave of their
// number. 7 rows are three tiles of two and a half one, a map each. Not so where the results are
// planes, and with so many channels that a tile's products leave the first cache.
// RUN: weft-opt %s --factor-transform --mlir-print-local-scope | FileCheck %s
// A target may say what such sums take: here more than in panels.
// RUN: sed 's/vector_pipes = 2/vector_pipes = 2 : i64, sums_in_tiles_hundredths = 1000/' %s \
// RUN:   | weft-opt --factor-transform --mlir-print-local-scope | FileCheck %s --check-prefix=PANELS

// PANELS-LABEL: func.func @few(
// PANELS:         weft.reduce sum [0] to [3]
// PANELS-LABEL: func.func @planes(

#target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64}
#transforms = [{m = 2 : i64, r = 3 : i64, AT = dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>, G = dense<[[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]]> : tensor<4x3xf32>, BT = dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32>}]

module attributes {weft.target = #target} {
  // CHECK-LABEL: func.func @few(
  // CHECK:         %[[G:.*]] = weft.map [0, 0, 0, 0, 0] to [2, 3, 3, 3, 16]
  // CHECK:         weft.winograd_transform %[[G]] axis 2
  // CHECK:         %[[U:.*]] = weft.winograd_transform %{{.*}} axis 3 {{.*}} -> tensor<2x3x4x4x16xf32>
  // CHECK:         %[[X:.*]] = weft.map [0, 0, 0, 0, 0] to [1, 3, 10, 2, 5] {{.*}} attributes {weft.sorted}
  // CHECK:         %[[TILES:.*]] = weft.map [0, 0, 0, 0, 0, 0] to [1, 4, 3, 4, 4, 4]
  // CHECK:           tensor.extract %[[X]]
  // CHECK:         weft.winograd_transform %[[TILES]] axis 3
  // CHECK:         %[[V:.*]] = weft.winograd_transform %{{.*}} axis 4
  // CHECK-NOT:     weft.reduce
  // CHECK:         weft.map [0, 0, 0, 0, 0] to [1, 3, 2, 3, 16] init
  // CHECK-COUNT-2:   tensor.extract %[[U]]
  // CHECK:           tensor.extract %[[V]]
  // CHECK:           weft.yield %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} : f32, f32, f32, f32
  // CHECK:         weft.map [0, 0, 0, 3, 0] to [1, 3, 2, 4, 16] init
  // CHECK:           weft.yield %{{[^,]*}}, %{{[^,]*}} : f32, f32
  // CHECK:         weft.map [0, 3, 0, 0, 0] to [1, 4, 2, 3, 16] init
  // CHECK:         weft.map [0, 3, 0, 3, 0] to [1, 4, 2, 4, 16] init
  // CHECK:           weft.yield %{{[^,]*}} : f32
  // CHECK-NOT:     weft.map
  func.func @few(%x: tensor<1x3x9x9xf32>, %g: tensor<32x3x3x3xf32>) -> tensor<1x2x7x7x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd"
      {out_layout = "nchw16c", transforms = #transforms}
      : tensor<1x3x9x9xf32>, tensor<32x3x3x3xf32> -> tensor<1x2x7x7x16xf32>
    return %y : tensor<1x2x7x7x16xf32>
  }

  // CHECK-LABEL: func.func @planes(
  // CHECK:         weft.reduce sum [0] to [3]
  func.func @planes(%x: tensor<1x3x9x9xf32>, %g: tensor<32x3x3x3xf32>) -> tensor<1x32x7x7xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd"
      {transforms = #transforms}
      : tensor<1x3x9x9xf32>, tensor<32x3x3x3xf32> -> tensor<1x32x7x7xf32>
    return %y : tensor<1x32x7x7xf32>
  }

  // CHECK-LABEL: func.func @many(
  // CHECK:         weft.reduce sum [0] to [17]
  func.func @many(%x: tensor<1x17x9x9xf32>, %g: tensor<32x17x3x3xf32>) -> tensor<1x2x7x7x16xf32> {
    %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "winograd"
      {out_layout = "nchw16c", transforms = #transforms}
      : tensor<1x17x9x9xf32>, tensor<32x17x3x3xf32> -> tensor<1x2x7x7x16xf32>
    return %y : tensor<1x2x7x7x16xf32>
  }
}
