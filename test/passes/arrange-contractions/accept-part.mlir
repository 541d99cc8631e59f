// A factor that is a part of its tensor is copied into one of its own, whose form the products rely on.
// RUN: cat %target_avx512 %s | weft-opt - --arrange-contractions --mlir-print-local-scope | FileCheck %s

module attributes {weft.target = #target} {
  // CHECK-LABEL: @part
  // CHECK: weft.map [0, 0] to [64, 40]
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT:   tensor.extract %arg0
  // CHECK: weft.map [0, 0, 0] to [1, 64, 64] {{.*}} attributes {weft.contraction
  func.func @part(%a: tensor<64x50xf32>, %b: tensor<40x64xf32>) -> tensor<64x64xf32> {
    %c = weft.map [0, 0] to [64, 64] stores [affine_map<(i, j) -> (i, j)>] {
    ^bb0(%i: index, %j: index):
      %sum = weft.reduce sum [0] to [40] {
      ^bb0(%k: index):
        %x = tensor.extract %a[%i, %k] : tensor<64x50xf32>
        %y = tensor.extract %b[%k, %j] : tensor<40x64xf32>
        %xy = arith.mulf %x, %y : f32
        weft.yield %xy : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
