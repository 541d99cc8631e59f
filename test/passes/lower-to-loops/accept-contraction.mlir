// A marked product: panels of rows and columns whose sums the loop over the terms carries, stored
// after four terms and taken up again; what is done with whole sums comes behind the last ones.
// RUN: weft-opt %s --lower-to-loops | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @f
  // CHECK: affine.for {{.*}} = 0 to 2 {
  // CHECK: affine.for {{.*}} = 0 to 16 {
  // CHECK: affine.for {{.*}} = 0 to 4 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32)
  // CHECK: math.fma
  // CHECK: math.fma
  // CHECK: } {weft.independent, weft.lane}
  // The third row.
  // CHECK: affine.for {{.*}} = 0 to 4 iter_args(%{{[a-z0-9]*}} = %{{[a-z0-9]*}}) -> (f32)
  // The terms behind the fourth.
  // CHECK: affine.load
  // CHECK: affine.for {{.*}} = 4 to 6 iter_args
  func.func @f(%a: tensor<5x6xf32>, %b: tensor<6x16xf32>) -> tensor<5x16xf32> {
    %c = weft.map [0, 0] to [5, 16] stores [affine_map<(i, j) -> (i, j)>] attributes {weft.contraction = {rows = 2 : i64, vectors = 1 : i64, depth = 4 : i64, panels = 1 : i64}} {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [6] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<5x6xf32>
        %y = tensor.extract %b[%k, %j] : tensor<6x16xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<5x16xf32>
    return %c : tensor<5x16xf32>
  }
  // The middle block of terms stores sums as they are.
  // CHECK-LABEL: @worked
  // CHECK-NOT: arith.maximumf
  // CHECK: affine.for {{.*}} = 4 to 8 step 4 {
  // CHECK-NOT: arith.maximumf
  // CHECK: affine.for {{.*}} = 8 to 12 iter_args
  // CHECK: affine.load %{{.*}}[%{{.*}}] : memref<16xf32>
  // CHECK: arith.maximumf
  func.func @worked(%a: tensor<2x12xf32>, %b: tensor<12x16xf32>, %d: tensor<16xf32>) -> tensor<2x16xf32> {
    %zero = arith.constant 0.0 : f32
    %c = weft.map [0, 0] to [2, 16] stores [affine_map<(i, j) -> (i, j)>] attributes {weft.contraction = {rows = 2 : i64, vectors = 1 : i64, depth = 4 : i64, panels = 1 : i64}} {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [12] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<2x12xf32>
        %y = tensor.extract %b[%k, %j] : tensor<12x16xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      %bias = tensor.extract %d[%j] : tensor<16xf32>
      %more = arith.addf %sum, %bias : f32
      %most = arith.maximumf %more, %zero : f32
      weft.yield %most : f32
    } : tensor<2x16xf32>
    return %c : tensor<2x16xf32>
  }

  // Panels overlap: the sums do not take the memory of what is added to them.
  // CHECK-LABEL: @apart
  // CHECK: memref.alloc() : memref<5x16xf32>
  // CHECK-NOT: memref.alloc
  // CHECK: return
  func.func @apart(%a: tensor<5x6xf32>, %b: tensor<6x16xf32>, %r: tensor<5x16xf32>) -> tensor<5x16xf32> {
    %twice = weft.map [0, 0] to [5, 16] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %x = tensor.extract %r[%i, %j] : tensor<5x16xf32>
      %xx = arith.addf %x, %x : f32
      weft.yield %xx : f32
    } : tensor<5x16xf32>
    %c = weft.map [0, 0] to [5, 16] stores [affine_map<(i, j) -> (i, j)>] attributes {weft.contraction = {rows = 2 : i64, vectors = 1 : i64, depth = 0 : i64, panels = 1 : i64}} {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [6] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<5x6xf32>
        %y = tensor.extract %b[%k, %j] : tensor<6x16xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      %before = tensor.extract %twice[%i, %j] : tensor<5x16xf32>
      %more = arith.addf %sum, %before : f32
      weft.yield %more : f32
    } : tensor<5x16xf32>
    return %c : tensor<5x16xf32>
  }
  // A panel of rows goes through all of the dimension before them before the next one does.
  // CHECK-LABEL: @rows_first
  // CHECK:      affine.for %[[N:.*]] = 0 to 2 {
  // CHECK-NEXT:   affine.for %[[ROW:.*]] = 0 to 2 {
  // CHECK-NEXT:     affine.for %[[LINE:.*]] = 0 to 3 {
  // CHECK:            affine.for %[[COLUMN:.*]] = 0 to 1 {
  // CHECK:              affine.for %{{.*}} = 0 to 6 iter_args
  // CHECK:      } {weft.independent}
  func.func @rows_first(%a: tensor<4x6xf32>, %b: tensor<2x3x6x16xf32>) -> tensor<2x3x4x16xf32> {
    %c = weft.map [0, 0, 0, 0] to [2, 3, 4, 16] stores [affine_map<(n, l, i, j) -> (n, l, i, j)>] attributes {weft.contraction = {rows = 2 : i64, vectors = 1 : i64, depth = 0 : i64, panels = 1 : i64, rows_first}} {
    ^bb0(%n: index, %l: index, %i: index, %j: index):
      %sum = weft.reduce sum [0] to [6] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<4x6xf32>
        %y = tensor.extract %b[%n, %l, %k, %j] : tensor<2x3x6x16xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<2x3x4x16xf32>
    return %c : tensor<2x3x4x16xf32>
  }
  // A panel of columns has all lines before the next one; of the last columns, which fill less than
  // a panel, as well.
  // CHECK-LABEL: @within_columns
  // CHECK:      affine.for %[[N:.*]] = 0 to 2 {
  // CHECK-NEXT:   affine.for %[[COLUMN:.*]] = 0 to 2 {
  // CHECK-NEXT:     affine.for %[[LINE:.*]] = 0 to 3 {
  // CHECK:            affine.for %[[ROW:.*]] = 0 to 2 {
  // CHECK:              affine.for %{{.*}} = 0 to 6 iter_args
  // CHECK:        affine.for %{{.*}} = 0 to 1 {
  // CHECK-NEXT:     affine.for %{{.*}} = 0 to 3 {
  func.func @within_columns(%a: tensor<3x4x6xf32>, %b: tensor<2x6x40xf32>) -> tensor<2x3x4x40xf32> {
    %c = weft.map [0, 0, 0, 0] to [2, 3, 4, 40] stores [affine_map<(n, l, i, j) -> (n, l, i, j)>] attributes {weft.contraction = {rows = 2 : i64, vectors = 1 : i64, depth = 0 : i64, panels = 1 : i64, within_columns = 1 : i64}} {
    ^bb0(%n: index, %l: index, %i: index, %j: index):
      %sum = weft.reduce sum [0] to [6] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%l, %i, %k] : tensor<3x4x6xf32>
        %y = tensor.extract %b[%n, %k, %j] : tensor<2x6x40xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<2x3x4x40xf32>
    return %c : tensor<2x3x4x40xf32>
  }
}
