// Tiles of planes, multiplied by all cores of a mesh: tiles are the columns, planes are read as they
// are, and the result's tiles are stored where they lie in the whole.
// RUN: cat %target_sw26010 %s | weft-opt - --arrange-contractions --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: @planes
// CHECK:         weft.map [0, 0] to [16, 32] stores [affine_map<(d0, d1) -> (0, d0, d1)>, affine_map<(d0, d1) -> (1, d0, d1)>]
// CHECK:           tensor.extract %arg0
// CHECK:         } : tensor<2x16x32xf32>
// CHECK:         weft.map [0, 0, 0] to [2, 16, 32]
// CHECK-SAME:      weft.contraction = {shared}
// CHECK:         weft.map [0, 0] to [16, 32] stores [affine_map<(d0, d1) -> (d0, d1 * 2)>, affine_map<(d0, d1) -> (d0, d1 * 2 + 1)>]
// CHECK:         } : tensor<16x64xf32>
// CHECK-NEXT:    return
module attributes {weft.target = #target} {
  func.func @planes(%x: tensor<16x64xf32>, %u: tensor<2x16x16xf32>) -> tensor<16x64xf32> {
    %t = weft.map [0, 0] to [16, 32] stores [affine_map<(c, a) -> (c, a, 0)>, affine_map<(c, a) -> (c, a, 1)>] attributes {weft.codelet} {
    ^bb0(%c: index, %a: index):
      %even = affine.apply affine_map<(a) -> (a * 2)>(%a)
      %odd = affine.apply affine_map<(a) -> (a * 2 + 1)>(%a)
      %p = tensor.extract %x[%c, %even] : tensor<16x64xf32>
      %q = tensor.extract %x[%c, %odd] : tensor<16x64xf32>
      %s = arith.addf %p, %q : f32
      %d = arith.subf %p, %q : f32
      weft.yield %s, %d : f32, f32
    } : tensor<16x32x2xf32>
    %m = weft.map [0, 0, 0] to [16, 32, 2] stores [affine_map<(k, a, i) -> (k, a, i)>] {
    ^bb0(%k: index, %a: index, %i: index):
      %sum = weft.reduce "sum" [0] to [16] {
      ^bb0(%c: index):
        %f = tensor.extract %u[%i, %k, %c] : tensor<2x16x16xf32>
        %e = tensor.extract %t[%c, %a, %i] : tensor<16x32x2xf32>
        %product = arith.mulf %f, %e : f32
        weft.yield %product : f32
      } : f32
      weft.yield %sum : f32
    } : tensor<16x32x2xf32>
    %b = weft.map [0, 0] to [16, 32] stores [affine_map<(k, a) -> (k, a, 0)>, affine_map<(k, a) -> (k, a, 1)>] attributes {weft.codelet} {
    ^bb0(%k: index, %a: index):
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %p = tensor.extract %m[%k, %a, %c0] : tensor<16x32x2xf32>
      %q = tensor.extract %m[%k, %a, %c1] : tensor<16x32x2xf32>
      %s = arith.addf %p, %q : f32
      %d = arith.subf %p, %q : f32
      weft.yield %s, %d : f32, f32
    } : tensor<16x32x2xf32>
    %y = weft.map [0, 0, 0] to [16, 32, 2] stores [affine_map<(k, a, i) -> (k, a * 2 + i)>] {
    ^bb0(%k: index, %a: index, %i: index):
      %e = tensor.extract %b[%k, %a, %i] : tensor<16x32x2xf32>
      weft.yield %e : f32
    } : tensor<16x64xf32>
    return %y : tensor<16x64xf32>
  }
}
