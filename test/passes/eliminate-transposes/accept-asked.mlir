// A schedule asks for it: the copy is read where it comes from, though its rows are columns there.
// RUN: weft-opt %s --eliminate-transposes | FileCheck %s
// RUN: sed 's/fold t into/fold u into/' %s | weft-opt - --eliminate-transposes | FileCheck %s --check-prefix=LEFT

// CHECK-LABEL: func.func @asked
// CHECK-NOT:     tensor<64x8xf64>
// CHECK:         weft.map [0] to [512]
// CHECK:           tensor.extract %arg0[%{{.*}}, %{{.*}}] : tensor<8x64xf64>
// LEFT:          weft.map [0, 0] to [64, 8]
func.func @asked(%x: tensor<8x64xf64>) -> tensor<512xf64> attributes {weft.schedule = ["fold t into dma"]} {
  %t = weft.map [0, 0] to [64, 8] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%j, %i] : tensor<8x64xf64>
    weft.yield %v : f64
  } : tensor<64x8xf64> loc("t")
  %r = weft.reshape %t : tensor<64x8xf64> -> tensor<512xf64>
  %y = weft.map [0] to [512] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %r[%i] : tensor<512xf64>
    %s = arith.addf %v, %v : f64
    weft.yield %s : f64
  } : tensor<512xf64> loc("y")
  return %y : tensor<512xf64>
}
