// A map that is in no block: two dimensions in place of one, lanes, and whose loop the cores share.
// RUN: cat %target_avx512 %s | weft-opt - --tile-for-ldm | FileCheck %s

// CHECK-DAG:   #[[$STORE:.*]] = affine_map<(d0, d1, d2) -> (d0 * 16 + d2, d1)>
// CHECK-DAG:   #[[$INDEX:.*]] = affine_map<(d0, d1) -> (d0 * 16 + d1)>
// CHECK-LABEL: func.func @map
// CHECK:         weft.map [0, 0, 0] to [4, 40, 16] stores [#[[$STORE]]]
// CHECK-SAME:      weft.distribute = "distribute o over threads", weft.distribute_dim = 0 : i64
// CHECK-SAME:      weft.lane_index = 1 : i64, weft.vectorize = "vectorize y.axis1"
// CHECK:           %[[I:.*]] = affine.apply #[[$INDEX]]
// CHECK:           tensor.extract %arg0[%[[I]], %{{.*}}]
module attributes {weft.target = #target} {
func.func @map(%x: tensor<64x40xf64>) -> tensor<64x40xf64>
    attributes {weft.schedule = ["tile y.axis0 by 16 -> o, i", "distribute o over threads", "vectorize y.axis1"]} {
  %y = weft.map [0, 0] to [64, 40] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %j] : tensor<64x40xf64>
    %s = arith.addf %v, %v : f64
    weft.yield %s : f64
  } : tensor<64x40xf64> loc("y")
  return %y : tensor<64x40xf64>
}
}
