// A copy that is returned, one that computes, and one that keeps the order stay.
// RUN: weft-opt %s --canonicalize > %t
// RUN: weft-opt %s --eliminate-transposes --canonicalize | diff %t -
func.func @returned(%x: tensor<4x2x8xf64>) -> tensor<8x8xf64> {
  %t = weft.map [0, 0, 0] to [2, 4, 8] stores [affine_map<(a, b, c) -> (a, b, c)>] {
  ^bb0(%a: index, %b: index, %c: index):
    %v = tensor.extract %x[%b, %a, %c] : tensor<4x2x8xf64>
    weft.yield %v : f64
  } : tensor<2x4x8xf64>
  %r = weft.reshape %t : tensor<2x4x8xf64> -> tensor<8x8xf64>
  return %r : tensor<8x8xf64>
}

func.func @computes(%x: tensor<4x2x8xf64>) -> tensor<64xf64> {
  %t = weft.map [0, 0, 0] to [2, 4, 8] stores [affine_map<(a, b, c) -> (a, b, c)>] {
  ^bb0(%a: index, %b: index, %c: index):
    %v = tensor.extract %x[%b, %a, %c] : tensor<4x2x8xf64>
    %w = arith.addf %v, %v : f64
    weft.yield %w : f64
  } : tensor<2x4x8xf64>
  %r = weft.reshape %t : tensor<2x4x8xf64> -> tensor<64xf64>
  %y = weft.map [0] to [64] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %r[%i] : tensor<64xf64>
    weft.yield %v : f64
  } : tensor<64xf64>
  return %y : tensor<64xf64>
}
