// An index of one factor that the result has before the other factor's counts products, each with the whole
// other factor; and what is done with the sums is done before a panel is stored.
// RUN: weft-opt %s --arrange-contractions --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, vector_pipes = 2 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, clock_hz = 4000000000 : i64, memory_bytes_per_second = 40000000000 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @images(
  // CHECK:         %[[G:.*]] = weft.reshape %{{.*}} : tensor<64x32xf32> -> tensor<1x64x32xf32>
  // CHECK:         weft.map [0, 0, 0] to [3, 64, 128] {{.*}}weft.contraction
  // CHECK:         ^bb0(%[[B:.*]]: index, %[[K:.*]]: index, %[[P:.*]]: index):
  // CHECK:         ^bb0(%[[C:.*]]: index):
  // CHECK:           %[[ALL:.*]] = affine.apply affine_map<(d0) -> (0)>(%[[B]])
  // CHECK:           tensor.extract %[[G]][%[[ALL]], %[[K]], %[[C]]]
  // CHECK:           tensor.extract %{{.*}}[%[[B]], %{{.*}}, %[[C]], %{{.*}}]
  func.func @images(%x: tensor<3x32x128xf32>, %g: tensor<64x32xf32>) -> tensor<3x64x128xf32> {
    %y = weft.map [0, 0, 0] to [3, 64, 128] stores [affine_map<(n, k, p) -> (n, k, p)>] {
    ^bb0(%n: index, %k: index, %p: index):
      %sum = weft.reduce sum [0] to [32] {
      ^bb0(%c: index):
        %image = tensor.extract %x[%n, %c, %p] : tensor<3x32x128xf32>
        %filter = tensor.extract %g[%k, %c] : tensor<64x32xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<3x64x128xf32>
    return %y : tensor<3x64x128xf32>
  }
  // Groups, which both factors have: the last of a batch. A bias is added where sums are.
  // CHECK-LABEL: @groups(
  // CHECK:         weft.map [0, 0, 0] to [6, 64, 128] {{.*}}weft.contraction
  // CHECK:         ^bb0(%[[B:.*]]: index, %[[K:.*]]: index, %[[P:.*]]: index):
  // CHECK:         ^bb0(%[[C:.*]]: index):
  // CHECK:           %[[GROUP:.*]] = affine.apply affine_map<(d0) -> (d0 mod 2)>(%[[B]])
  // CHECK:           tensor.extract %{{.*}}[%[[GROUP]], %[[K]], %[[C]]]
  // CHECK:         %[[OWN:.*]] = affine.apply affine_map<(d0, d1, d2) -> (d0 mod 2)>(%[[B]], %[[K]], %[[P]])
  // CHECK:         %[[ROW:.*]] = affine.apply affine_map<(d0, d1, d2) -> (d1)>(%[[B]], %[[K]], %[[P]])
  // CHECK:         tensor.extract %arg2[%[[OWN]], %[[ROW]]]
  // CHECK:         arith.addf
  // CHECK-NOT:     weft.map
  // CHECK:         return
  func.func @groups(%x: tensor<3x2x32x128xf32>, %g: tensor<2x64x32xf32>, %b: tensor<2x64xf32>) -> tensor<3x2x64x128xf32> {
    %y = weft.map [0, 0, 0, 0] to [3, 2, 64, 128] stores [affine_map<(n, h, k, p) -> (n, h, k, p)>] {
    ^bb0(%n: index, %h: index, %k: index, %p: index):
      %sum = weft.reduce sum [0] to [32] {
      ^bb0(%c: index):
        %image = tensor.extract %x[%n, %h, %c, %p] : tensor<3x2x32x128xf32>
        %filter = tensor.extract %g[%h, %k, %c] : tensor<2x64x32xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      %bias = tensor.extract %b[%h, %k] : tensor<2x64xf32>
      %more = arith.addf %sum, %bias : f32
      weft.yield %more : f32
    } : tensor<3x2x64x128xf32>
    return %y : tensor<3x2x64x128xf32>
  }
  // Too few others fill no vectors: images and pixels stay together, as rows, and results are put in order.
  // CHECK-LABEL: @few(
  // CHECK:         weft.map [0, 0, 0] to [1, 48, 64] {{.*}}weft.contraction
  // CHECK:         weft.map [0, 0, 0] to [3, 64, 16]
  func.func @few(%x: tensor<3x32x16xf32>, %g: tensor<64x32xf32>) -> tensor<3x64x16xf32> {
    %y = weft.map [0, 0, 0] to [3, 64, 16] stores [affine_map<(n, k, p) -> (n, k, p)>] {
    ^bb0(%n: index, %k: index, %p: index):
      %sum = weft.reduce sum [0] to [32] {
      ^bb0(%c: index):
        %image = tensor.extract %x[%n, %c, %p] : tensor<3x32x16xf32>
        %filter = tensor.extract %g[%k, %c] : tensor<64x32xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<3x64x16xf32>
    return %y : tensor<3x64x16xf32>
  }
  // Filled-up columns are no results: what is done with sums is done when they are cropped.
  // CHECK-LABEL: @cropped(
  // CHECK:         weft.map [0, 0, 0] to [1, 64, 112] {{.*}}weft.contraction
  // CHECK:         weft.map [0, 0] to [64, 100]
  // CHECK:           arith.addf
  func.func @cropped(%x: tensor<32x100xf32>, %g: tensor<64x32xf32>, %b: tensor<64x100xf32>) -> tensor<64x100xf32> {
    %y = weft.map [0, 0] to [64, 100] stores [affine_map<(k, p) -> (k, p)>] {
    ^bb0(%k: index, %p: index):
      %sum = weft.reduce sum [0] to [32] {
      ^bb0(%c: index):
        %image = tensor.extract %x[%c, %p] : tensor<32x100xf32>
        %filter = tensor.extract %g[%k, %c] : tensor<64x32xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      %bias = tensor.extract %b[%k, %p] : tensor<64x100xf32>
      %more = arith.addf %sum, %bias : f32
      weft.yield %more : f32
    } : tensor<64x100xf32>
    return %y : tensor<64x100xf32>
  }
  // Indices of both sides: the batch is in the order of the result, and each factor is read at its own.
  // CHECK-LABEL: @both(
  // CHECK:         weft.map [0, 0, 0] to [6, 48, 64] {{.*}}weft.contraction
  // CHECK:         ^bb0(%[[B:.*]]: index, %{{.*}}: index, %{{.*}}: index):
  // CHECK:         ^bb0(%{{.*}}: index):
  // CHECK-DAG:       affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%[[B]])
  // CHECK-DAG:       affine.apply affine_map<(d0) -> (d0 mod 2)>(%[[B]])
  func.func @both(%a: tensor<3x48x40xf32>, %b: tensor<2x64x40xf32>) -> tensor<3x2x48x64xf32> {
    %y = weft.map [0, 0, 0, 0] to [3, 2, 48, 64] stores [affine_map<(n, m, i, j) -> (n, m, i, j)>] {
    ^bb0(%n: index, %m: index, %i: index, %j: index):
      %sum = weft.reduce sum [0] to [40] {
      ^bb0(%k: index):
        %left = tensor.extract %a[%n, %i, %k] : tensor<3x48x40xf32>
        %right = tensor.extract %b[%m, %j, %k] : tensor<2x64x40xf32>
        %product = arith.mulf %left, %right : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<3x2x48x64xf32>
    return %y : tensor<3x2x48x64xf32>
  }
  // The index of both factors first: what is done with sums stays with them.
  // CHECK-LABEL: @shared_first(
  // CHECK:         weft.map [0, 0, 0] to [6, 64, 128] {{.*}}weft.contraction
  // CHECK:           affine.apply affine_map<(d0) -> (d0 floordiv 3)>
  // CHECK:           arith.addf
  // CHECK-NOT:     weft.map
  // CHECK:         return
  func.func @shared_first(%x: tensor<2x3x32x128xf32>, %g: tensor<2x64x32xf32>, %b: tensor<2x64xf32>) -> tensor<2x3x64x128xf32> {
    %y = weft.map [0, 0, 0, 0] to [2, 3, 64, 128] stores [affine_map<(h, n, k, p) -> (h, n, k, p)>] {
    ^bb0(%h: index, %n: index, %k: index, %p: index):
      %sum = weft.reduce sum [0] to [32] {
      ^bb0(%c: index):
        %image = tensor.extract %x[%h, %n, %c, %p] : tensor<2x3x32x128xf32>
        %filter = tensor.extract %g[%h, %k, %c] : tensor<2x64x32xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      %bias = tensor.extract %b[%h, %k] : tensor<2x64xf32>
      %more = arith.addf %sum, %bias : f32
      weft.yield %more : f32
    } : tensor<2x3x64x128xf32>
    return %y : tensor<2x3x64x128xf32>
  }
  // Results in another order, or of another type, are made of the sums behind.
  // CHECK-LABEL: @transposed(
  // CHECK:         weft.map [0, 0, 0] to [1, {{.*}}weft.contraction
  // CHECK:         weft.map [0, 0, 0] to [4, 32, 64]
  // CHECK:           arith.addf
  func.func @transposed(%x: tensor<32x64xf32>, %g: tensor<32x4x32xf32>) -> tensor<32x64x4xf32> {
    %one = arith.constant 1.0 : f32
    %y = weft.map [0, 0, 0] to [4, 32, 64] stores [affine_map<(h, k, p) -> (k, p, h)>] {
    ^bb0(%h: index, %k: index, %p: index):
      %sum = weft.reduce sum [0] to [32] {
      ^bb0(%c: index):
        %image = tensor.extract %x[%c, %p] : tensor<32x64xf32>
        %filter = tensor.extract %g[%k, %h, %c] : tensor<32x4x32xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      %more = arith.addf %sum, %one : f32
      weft.yield %more : f32
    } : tensor<32x64x4xf32>
    return %y : tensor<32x64x4xf32>
  }
  // CHECK-LABEL: @compared(
  // CHECK:         weft.map [0, 0, 0] to [1, 64, 48] {{.*}}weft.contraction
  // CHECK:         weft.map [0, 0] to [64, 48]
  // CHECK:           arith.cmpf
  func.func @compared(%x: tensor<40x48xf32>, %g: tensor<64x40xf32>) -> tensor<64x48xi1> {
    %zero = arith.constant 0.0 : f32
    %y = weft.map [0, 0] to [64, 48] stores [affine_map<(k, p) -> (k, p)>] {
    ^bb0(%k: index, %p: index):
      %sum = weft.reduce sum [0] to [40] {
      ^bb0(%c: index):
        %image = tensor.extract %x[%c, %p] : tensor<40x48xf32>
        %filter = tensor.extract %g[%k, %c] : tensor<64x40xf32>
        %product = arith.mulf %image, %filter : f32
        weft.yield %product : f32
      } : f32
      %more = arith.cmpf ogt, %sum, %zero : f32
      weft.yield %more : i1
    } : tensor<64x48xi1>
    return %y : tensor<64x48xi1>
  }
}
