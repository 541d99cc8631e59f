// Columns that are a part of a vector, side by side in the result, are a vector of which the other lanes are masked:
// neither are they filled up, nor are rows the columns then. A vector's worth of them stays columns, too.
// RUN: cat %target_avx512 %s | weft-opt - --arrange-contractions --mlir-print-local-scope | FileCheck %s
// RUN: cat %target_avx2 %s | weft-opt - --arrange-contractions --mlir-print-local-scope | FileCheck %s --check-prefix=WHOLE

module attributes {weft.target = #target} {
  // CHECK-LABEL: @part
  // CHECK: weft.map [0, 0, 0] to [1, 300, 6] {{.*}} attributes {weft.contraction = {depth = 20 : i64, panels = 1 : i64, rows = {{[0-9]+}} : i64, vectors = 1 : i64}}
  // CHECK-NOT: weft.map
  // CHECK-LABEL: @whole
  // WHOLE-LABEL: @part
  // WHOLE: weft.map [0, 0, 0] to [1, 6, 304]
  // WHOLE-LABEL: @whole
  func.func @part(%a: tensor<300x20xf32>, %b: tensor<20x6xf32>) -> tensor<300x6xf32> {
    %c = weft.map [0, 0] to [300, 6] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [20] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<300x20xf32>
        %y = tensor.extract %b[%k, %j] : tensor<20x6xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<300x6xf32>
    return %c : tensor<300x6xf32>
  }
  // CHECK: weft.map [0, 0, 0] to [1, 300, 16] {{.*}}weft.contraction
  // CHECK-NOT: weft.map
  // CHECK: return
  // CHECK-LABEL: @overlapping
  // WHOLE: weft.map [0, 0, 0] to [1, 300, 16] {{.*}}weft.contraction
  func.func @whole(%a: tensor<300x20xf32>, %b: tensor<20x16xf32>) -> tensor<300x16xf32> {
    %c = weft.map [0, 0] to [300, 16] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [20] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<300x20xf32>
        %y = tensor.extract %b[%k, %j] : tensor<20x16xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<300x16xf32>
    return %c : tensor<300x16xf32>
  }
  // Two vectors of 24 columns overlap: all terms at once, which parts of would be taken twice.
  // CHECK: weft.map [0, 0, 0] to [1, 100, 24] {{.*}}weft.contraction = {depth = 2000 : i64,{{.*}}vectors = 2
  func.func @overlapping(%a: tensor<100x2000xf32>, %b: tensor<2000x24xf32>) -> tensor<100x24xf32> {
    %c = weft.map [0, 0] to [100, 24] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [2000] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<100x2000xf32>
        %y = tensor.extract %b[%k, %j] : tensor<2000x24xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<100x24xf32>
    return %c : tensor<100x24xf32>
  }
  // Even fewer, beside so many rows of terms that they would not stay in half of the second cache
  // turned; beside few rows they are the rows.
  // CHECK-LABEL: @beside_many
  // CHECK: weft.map [0, 0, 0] to [1, 16384, 3] {{.*}}weft.contraction
  func.func @beside_many(%a: tensor<16384x64xf32>, %b: tensor<3x64xf32>) -> tensor<16384x3xf32> {
    %c = weft.map [0, 0] to [16384, 3] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [64] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<16384x64xf32>
        %y = tensor.extract %b[%j, %k] : tensor<3x64xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<16384x3xf32>
    return %c : tensor<16384x3xf32>
  }
  // CHECK-LABEL: @beside_few
  // CHECK: weft.map [0, 0, 0] to [1, 3, 1024] {{.*}}weft.contraction
  func.func @beside_few(%a: tensor<1024x64xf32>, %b: tensor<3x64xf32>) -> tensor<1024x3xf32> {
    %c = weft.map [0, 0] to [1024, 3] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [64] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<1024x64xf32>
        %y = tensor.extract %b[%j, %k] : tensor<3x64xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<1024x3xf32>
    return %c : tensor<1024x3xf32>
  }
  // What is fixed is turned once: few columns are its rows.
  // CHECK-LABEL: @beside_fixed
  // CHECK: weft.map [0, 0, 0] to [1, 3, 16384] {{.*}}weft.contraction
  func.func @beside_fixed(%a: tensor<16384x64xf32> {weft.fixed}, %b: tensor<3x64xf32>) -> tensor<16384x3xf32> {
    %c = weft.map [0, 0] to [16384, 3] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [64] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<16384x64xf32>
        %y = tensor.extract %b[%j, %k] : tensor<3x64xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<16384x3xf32>
    return %c : tensor<16384x3xf32>
  }
}
