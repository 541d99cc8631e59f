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

// What two stores make, too.
// CHECK-LABEL: func.func @asked_of_two_stores
// CHECK:         weft.map [0] to [4]
// CHECK:           arith.mulf
// CHECK-NOT:     weft.map
func.func @asked_of_two_stores(%x: tensor<4xf64>) -> tensor<8xf64> attributes {weft.schedule = ["fuse a, b"]} {
  %e = tensor.empty() : tensor<8xf64>
  %a = weft.map [0] to [4] init(%e : tensor<8xf64>) stores [affine_map<(i) -> (i)>, affine_map<(i) -> (7 - i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<4xf64>
    %p = arith.mulf %v, %v : f64
    weft.yield %p, %v : f64, f64
  } : tensor<8xf64> loc("a")
  %b = weft.map [0] to [4] stores [affine_map<(i) -> (2*i)>, affine_map<(i) -> (2*i + 1)>] {
  ^bb0(%i: index):
    %m = affine.apply affine_map<(i) -> (7 - i)>(%i)
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %w = tensor.extract %a[%m] : tensor<8xf64>
    weft.yield %v, %w : f64, f64
  } : tensor<8xf64> loc("b")
  return %b : tensor<8xf64>
}
