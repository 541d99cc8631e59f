// What a schedule asks for is computed where it is read, though it is read elsewhere too.
// RUN: weft-opt %s --fuse | FileCheck %s
// RUN: weft-opt %s --fuse --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="'a' is computed where 'b' reads it", Why="the schedule asks for it"

// CHECK-LABEL: func.func @asked
// CHECK:         %[[A:.*]] = weft.map [0] to [8]
// CHECK:           arith.mulf
// CHECK:         weft.map [0] to [8]
// CHECK-NOT:       tensor.extract %[[A]]
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK-COUNT-2:   tensor.extract %[[A]]
func.func @asked(%x: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) attributes {weft.schedule = ["fuse a, b"]} {
  %a = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xf64>
    %p = arith.mulf %v, %v : f64
    weft.yield %p : f64
  } : tensor<8xf64> loc("a")
  %b = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %s = arith.addf %v, %v : f64
    weft.yield %s : f64
  } : tensor<8xf64> loc("b")
  %c = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %s = arith.subf %v, %v : f64
    weft.yield %s : f64
  } : tensor<8xf64> loc("c")
  %d = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %s = arith.divf %v, %v : f64
    weft.yield %s : f64
  } : tensor<8xf64> loc("d")
  return %b, %c, %d : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
}
