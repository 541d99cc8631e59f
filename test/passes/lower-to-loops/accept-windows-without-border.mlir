// Sums over windows in panels read an image as it lies, not a copy with zeros around: rows have no
// terms that lie beyond it, each stretch of terms that the same rows have is a loop of its own, and
// the lines of the image's border stand beside the others. An image with its border that something
// else reads, too, or results of too many kinds, stay as they are.
// RUN: weft-opt %s --lower-to-loops --mlir-print-local-scope | FileCheck %s
// RUN: weft-opt %s --lower-to-loops --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE-DAG: decided {{.*}}its image as it lies, without a border
// NOTE-DAG: rejected {{.*}}its image as it lies, without a border", Why="results of 25 kinds

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, max_unroll = 8 : i64}} {
  // Every second pixel of 6 by 6 with a border of one before them.
  // CHECK-LABEL: @half
  // CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<6x6x2xf32>
  // CHECK-NOT:     affine.store
  // The first line: from the second term on.
  // CHECK:         affine.for %[[I:.*]] = 0 to 1 {
  // CHECK:           affine.for %[[M:.*]] = 1 to 3 iter_args
  // The first of the terms along the line, of two rows: the first one has none.
  // CHECK:             affine.for %[[N:.*]] = 0 to 1 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32) {
  // CHECK:               affine.for %[[C:.*]] = 0 to 2
  // CHECK:                 affine.load %[[X]][%[[I]] * 2 + %[[M]] - 1, %[[N]] + %{{[a-z0-9]+}} * 6 + 1, %[[C]]]
  // CHECK:                 affine.load %[[X]][%[[I]] * 2 + %[[M]] - 1, %[[N]] + %{{[a-z0-9]+}} * 6 + 3, %[[C]]]
  // CHECK-NOT:             affine.load %[[X]]
  // The others, of all rows.
  // CHECK:             affine.for %[[N:.*]] = 1 to 3 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32, f32) {
  // CHECK:                 affine.load %[[X]][%[[I]] * 2 + %[[M]] - 1, %[[N]] + %{{[a-z0-9]+}} * 6 - 1, %
  // The other lines: all terms.
  // CHECK:         affine.for %[[I:.*]] = 1 to 3 {
  // CHECK:           affine.for %{{.*}} = 0 to 3 iter_args
  // CHECK:             affine.for %{{.*}} = 0 to 1 iter_args
  // CHECK:             affine.for %{{.*}} = 1 to 3 iter_args
  func.func @half(%x: tensor<6x6x2xf32>, %g: tensor<3x3x2x16xf32>) -> tensor<3x3x16xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<7x7x2xf32>
    %above = weft.map [0, 0, 0] to [1, 7, 2] init(%empty : tensor<7x7x2xf32>) stores [affine_map<(i, j, c) -> (i, j, c)>] {
    ^bb0(%i: index, %j: index, %c: index):
      weft.yield %zero : f32
    } : tensor<7x7x2xf32>
    %before = weft.map [1, 0, 0] to [7, 1, 2] init(%above : tensor<7x7x2xf32>) stores [affine_map<(i, j, c) -> (i, j, c)>] {
    ^bb0(%i: index, %j: index, %c: index):
      weft.yield %zero : f32
    } : tensor<7x7x2xf32>
    %bordered = weft.map [1, 1, 0] to [7, 7, 2] init(%before : tensor<7x7x2xf32>) stores [affine_map<(i, j, c) -> (i, j, c)>] {
    ^bb0(%i: index, %j: index, %c: index):
      %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %l = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
      %pixel = tensor.extract %x[%k, %l, %c] : tensor<6x6x2xf32>
      weft.yield %pixel : f32
    } : tensor<7x7x2xf32>
    %y = weft.map [0, 0, 0] to [3, 3, 16] stores [affine_map<(i, j, f) -> (i, j, f)>] attributes {weft.contraction = {rows = 3 : i64, vectors = 1 : i64, depth = 0 : i64, panels = 1 : i64}} {
    ^bb0(%i: index, %j: index, %f: index):
      %sum = weft.reduce sum [0, 0, 0] to [3, 3, 2] {
      ^bb0(%m: index, %n: index, %c: index):
        %k = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %m)
        %l = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%j, %n)
        %pixel = tensor.extract %bordered[%k, %l, %c] : tensor<7x7x2xf32>
        %weight = tensor.extract %g[%m, %n, %c, %f] : tensor<3x3x2x16xf32>
        %product = arith.mulf %pixel, %weight : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<3x3x16xf32>
    return %y : tensor<3x3x16xf32>
  }

  // CHECK-LABEL: @read_twice
  // CHECK:         affine.store
  // CHECK:         affine.for %{{.*}} = 0 to 3 iter_args
  // CHECK-NOT:     affine.for %{{.*}} = 1 to 3
  func.func @read_twice(%x: tensor<4xf32>, %g: tensor<3x1x16xf32>) -> (tensor<4x16xf32>, tensor<6xf32>) {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<6x1xf32>
    %before = weft.map [0, 0] to [1, 1] init(%empty : tensor<6x1xf32>) stores [affine_map<(i, c) -> (i, c)>] {
    ^bb0(%i: index, %c: index):
      weft.yield %zero : f32
    } : tensor<6x1xf32>
    %behind = weft.map [5, 0] to [6, 1] init(%before : tensor<6x1xf32>) stores [affine_map<(i, c) -> (i, c)>] {
    ^bb0(%i: index, %c: index):
      weft.yield %zero : f32
    } : tensor<6x1xf32>
    %bordered = weft.map [1, 0] to [5, 1] init(%behind : tensor<6x1xf32>) stores [affine_map<(i, c) -> (i, c)>] {
    ^bb0(%i: index, %c: index):
      %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %pixel = tensor.extract %x[%k] : tensor<4xf32>
      weft.yield %pixel : f32
    } : tensor<6x1xf32>
    %y = weft.map [0, 0] to [4, 16] stores [affine_map<(i, f) -> (i, f)>] attributes {weft.contraction = {rows = 4 : i64, vectors = 1 : i64, depth = 0 : i64, panels = 1 : i64}} {
    ^bb0(%i: index, %f: index):
      %sum = weft.reduce sum [0, 0] to [3, 1] {
      ^bb0(%m: index, %c: index):
        %k = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %m)
        %pixel = tensor.extract %bordered[%k, %c] : tensor<6x1xf32>
        %weight = tensor.extract %g[%m, %c, %f] : tensor<3x1x16xf32>
        %product = arith.mulf %pixel, %weight : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<4x16xf32>
    %c0 = arith.constant 0 : index
    %z = weft.map [0] to [6] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %pixel = tensor.extract %bordered[%i, %c0] : tensor<6x1xf32>
      weft.yield %pixel : f32
    } : tensor<6xf32>
    return %y, %z : tensor<4x16xf32>, tensor<6xf32>
  }

  // Filters of 5 by 5 have results of five kinds along each dimension.
  // CHECK-LABEL: @five
  // CHECK:         affine.store
  // CHECK:         affine.for %{{.*}} = 0 to 5 iter_args
  func.func @five(%x: tensor<8x8x1xf32>, %g: tensor<5x5x1x16xf32>) -> tensor<8x8x16xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<12x12x1xf32>
    %around = weft.map [0, 0, 0] to [12, 12, 1] init(%empty : tensor<12x12x1xf32>) stores [affine_map<(i, j, c) -> (i, j, c)>] {
    ^bb0(%i: index, %j: index, %c: index):
      weft.yield %zero : f32
    } : tensor<12x12x1xf32>
    %bordered = weft.map [2, 2, 0] to [10, 10, 1] init(%around : tensor<12x12x1xf32>) stores [affine_map<(i, j, c) -> (i, j, c)>] {
    ^bb0(%i: index, %j: index, %c: index):
      %k = affine.apply affine_map<(d0) -> (d0 - 2)>(%i)
      %l = affine.apply affine_map<(d0) -> (d0 - 2)>(%j)
      %pixel = tensor.extract %x[%k, %l, %c] : tensor<8x8x1xf32>
      weft.yield %pixel : f32
    } : tensor<12x12x1xf32>
    %y = weft.map [0, 0, 0] to [8, 8, 16] stores [affine_map<(i, j, f) -> (i, j, f)>] attributes {weft.contraction = {rows = 8 : i64, vectors = 1 : i64, depth = 0 : i64, panels = 1 : i64}} {
    ^bb0(%i: index, %j: index, %f: index):
      %sum = weft.reduce sum [0, 0, 0] to [5, 5, 1] {
      ^bb0(%m: index, %n: index, %c: index):
        %k = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %m)
        %l = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%j, %n)
        %pixel = tensor.extract %bordered[%k, %l, %c] : tensor<12x12x1xf32>
        %weight = tensor.extract %g[%m, %n, %c, %f] : tensor<5x5x1x16xf32>
        %product = arith.mulf %pixel, %weight : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<8x8x16xf32>
    return %y : tensor<8x8x16xf32>
  }
}
