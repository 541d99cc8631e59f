// A single map has no neighbour.
// RUN: weft-opt %s > %t.before
// RUN: weft-opt %s --fuse > %t.after
// RUN: diff %t.before %t.after

func.func @alone(%x: tensor<8xf64>) -> tensor<8xf64> {
  %a = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xf64>
    weft.yield %v : f64
  } : tensor<8xf64>
  return %a : tensor<8xf64>
}
