// Work on sums that are reshaped stays where it reads something else along a part of the dimensions that
// become others, or computes with their indices.
// RUN: weft-opt %s --fuse --mlir-print-local-scope | FileCheck %s

// A number a row.
// CHECK-LABEL: func.func @a_row(
// CHECK:         weft.map [0] to [30]
// CHECK:         weft.reshape %{{.*}} : tensor<30xf32> -> tensor<5x6xf32>
// CHECK:         weft.map [0, 0] to [5, 6]
func.func @a_row(%x: tensor<30x8xf32>, %r: tensor<5xf32>) -> tensor<5x6xf32> {
  %sums = weft.map [0] to [30] stores [affine_map<(p) -> (p)>] {
  ^bb0(%p: index):
    %sum = weft.reduce sum [0] to [8] {
    ^bb0(%c: index):
      %image = tensor.extract %x[%p, %c] : tensor<30x8xf32>
      weft.yield %image : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<30xf32>
  %rows = weft.reshape %sums : tensor<30xf32> -> tensor<5x6xf32>
  %y = weft.map [0, 0] to [5, 6] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %sum = tensor.extract %rows[%i, %j] : tensor<5x6xf32>
    %rest = tensor.extract %r[%i] : tensor<5xf32>
    %all = arith.addf %sum, %rest : f32
    weft.yield %all : f32
  } : tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// Rows and columns change places.
// CHECK-LABEL: func.func @transposed(
// CHECK:         weft.map [0] to [30]
// CHECK:         weft.reshape %{{.*}} : tensor<30xf32> -> tensor<5x6xf32>
// CHECK:         weft.map [0, 0] to [5, 6]
func.func @transposed(%x: tensor<30x8xf32>, %r: tensor<6x5xf32>) -> tensor<5x6xf32> {
  %sums = weft.map [0] to [30] stores [affine_map<(p) -> (p)>] {
  ^bb0(%p: index):
    %sum = weft.reduce sum [0] to [8] {
    ^bb0(%c: index):
      %image = tensor.extract %x[%p, %c] : tensor<30x8xf32>
      weft.yield %image : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<30xf32>
  %rows = weft.reshape %sums : tensor<30xf32> -> tensor<5x6xf32>
  %y = weft.map [0, 0] to [5, 6] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %sum = tensor.extract %rows[%i, %j] : tensor<5x6xf32>
    %rest = tensor.extract %r[%j, %i] : tensor<6x5xf32>
    %all = arith.addf %sum, %rest : f32
    weft.yield %all : f32
  } : tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// A part of a larger image.
// CHECK-LABEL: func.func @a_part(
// CHECK:         weft.map [0] to [30]
// CHECK:         weft.reshape %{{.*}} : tensor<30xf32> -> tensor<5x6xf32>
// CHECK:         weft.map [0, 0] to [5, 6]
func.func @a_part(%x: tensor<30x8xf32>, %r: tensor<5x7xf32>) -> tensor<5x6xf32> {
  %sums = weft.map [0] to [30] stores [affine_map<(p) -> (p)>] {
  ^bb0(%p: index):
    %sum = weft.reduce sum [0] to [8] {
    ^bb0(%c: index):
      %image = tensor.extract %x[%p, %c] : tensor<30x8xf32>
      weft.yield %image : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<30xf32>
  %rows = weft.reshape %sums : tensor<30xf32> -> tensor<5x6xf32>
  %y = weft.map [0, 0] to [5, 6] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %sum = tensor.extract %rows[%i, %j] : tensor<5x6xf32>
    %rest = tensor.extract %r[%i, %j] : tensor<5x7xf32>
    %all = arith.addf %sum, %rest : f32
    weft.yield %all : f32
  } : tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// The number of a column as a number.
// CHECK-LABEL: func.func @an_index(
// CHECK:         weft.map [0] to [30]
// CHECK:         weft.reshape %{{.*}} : tensor<30xf32> -> tensor<5x6xf32>
// CHECK:         weft.map [0, 0] to [5, 6]
func.func @an_index(%x: tensor<30x8xf32>, %r: f32) -> tensor<5x6xf32> {
  %sums = weft.map [0] to [30] stores [affine_map<(p) -> (p)>] {
  ^bb0(%p: index):
    %sum = weft.reduce sum [0] to [8] {
    ^bb0(%c: index):
      %image = tensor.extract %x[%p, %c] : tensor<30x8xf32>
      weft.yield %image : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<30xf32>
  %rows = weft.reshape %sums : tensor<30xf32> -> tensor<5x6xf32>
  %y = weft.map [0, 0] to [5, 6] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %sum = tensor.extract %rows[%i, %j] : tensor<5x6xf32>
    %number = arith.index_cast %j : index to i32
    %rest = arith.sitofp %number : i32 to f32
    %all = arith.addf %sum, %rest : f32
    weft.yield %all : f32
  } : tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// A scalar has no dimensions to work over.
// CHECK-LABEL: func.func @a_scalar(
// CHECK:         weft.map [] to []
// CHECK:         weft.reshape %{{.*}} : tensor<f32> -> tensor<1x1xf32>
// CHECK:         weft.map [0, 0] to [1, 1]
func.func @a_scalar(%x: tensor<8xf32>, %r: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %sums = weft.map [] to [] stores [affine_map<() -> ()>] {
    %sum = weft.reduce sum [0] to [8] {
    ^bb0(%c: index):
      %image = tensor.extract %x[%c] : tensor<8xf32>
      weft.yield %image : f32
    } : f32
    weft.yield %sum : f32
  } : tensor<f32>
  %rows = weft.reshape %sums : tensor<f32> -> tensor<1x1xf32>
  %y = weft.map [0, 0] to [1, 1] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %sum = tensor.extract %rows[%i, %j] : tensor<1x1xf32>
    %rest = tensor.extract %r[%i, %j] : tensor<1x1xf32>
    %all = arith.addf %sum, %rest : f32
    weft.yield %all : f32
  } : tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}
