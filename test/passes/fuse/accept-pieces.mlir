// What several stores make, and several maps read, is evaluated where it is read if each read is of one store.
// RUN: weft-opt %s --fuse --canonicalize | FileCheck %s
// RUN: weft-opt %s --fuse --remarks-filter=fuse --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="a value of type tensor<9xf64> is computed where a value of type tensor<9xf64> reads it", Why="each read is of one store, and of each element there is one at most"

#i = affine_map<(i) -> (i)>
#mirrored = affine_map<(i) -> (8 - i)>
#middle = affine_map<(i) -> (4)>
#last = affine_map<(i) -> (8)>

// Pairs of elements, k and 8 - k, and the rest of them, from one step to the next.
// CHECK-LABEL: func.func @pairs
// CHECK:       %[[PAIRS:.*]] = weft.map [1] to [4]
// CHECK-DAG:     %[[X:.*]] = tensor.extract %arg0[%[[K:.*]]]
// CHECK-DAG:     %[[Y:.*]] = tensor.extract %arg1[%[[K]]]
// CHECK-DAG:     %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK-DAG:     %[[DIFFERENCE:.*]] = arith.subf %[[X]], %[[Y]]
// CHECK:         arith.mulf %[[SUM]], %[[DIFFERENCE]]
// CHECK:       weft.map [0] to [1] init(%[[PAIRS]]
// CHECK-NOT:   weft.map
func.func @pairs(%x: tensor<8xf64>, %y: tensor<8xf64>) -> tensor<9xf64> {
  %e = tensor.empty() : tensor<9xf64>
  %a = weft.map [1] to [4] init(%e : tensor<9xf64>) stores [#i, #mirrored] {
  ^bb0(%k: index):
    %u = tensor.extract %x[%k] : tensor<8xf64>
    %v = tensor.extract %y[%k] : tensor<8xf64>
    %s = arith.addf %u, %v : f64
    %d = arith.subf %u, %v : f64
    weft.yield %s, %d : f64, f64
  } : tensor<9xf64>
  %b = weft.map [0] to [1] init(%a : tensor<9xf64>) stores [#i, #middle, #last] {
  ^bb0(%k: index):
    %u = tensor.extract %x[%k] : tensor<8xf64>
    %v = tensor.extract %y[%k] : tensor<8xf64>
    %s = arith.mulf %u, %v : f64
    weft.yield %s, %u, %v : f64, f64, f64
  } : tensor<9xf64>
  %f = tensor.empty() : tensor<9xf64>
  %c = weft.map [1] to [4] init(%f : tensor<9xf64>) stores [#i, #mirrored] {
  ^bb0(%k: index):
    %m = affine.apply affine_map<(k) -> (8 - k)>(%k)
    %u = tensor.extract %b[%k] : tensor<9xf64>
    %v = tensor.extract %b[%m] : tensor<9xf64>
    %s = arith.mulf %u, %v : f64
    weft.yield %s, %u : f64, f64
  } : tensor<9xf64>
  %d = weft.map [0] to [1] init(%c : tensor<9xf64>) stores [#i, #middle, #last] {
  ^bb0(%k: index):
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %u = tensor.extract %b[%k] : tensor<9xf64>
    %v = tensor.extract %b[%c4] : tensor<9xf64>
    %w = tensor.extract %b[%c8] : tensor<9xf64>
    weft.yield %u, %v, %w : f64, f64, f64
  } : tensor<9xf64>
  return %d : tensor<9xf64>
}

// Two maps that read half of the elements each.
// CHECK-LABEL: func.func @halves
// CHECK-COUNT-2: weft.map [0] to [4]
// CHECK-NOT:   weft.map
func.func @halves(%x: tensor<8xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %a = weft.map [0] to [8] stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xf64>
    %w = arith.addf %v, %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  %b = weft.map [0] to [4] stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %w = arith.negf %v : f64
    weft.yield %w : f64
  } : tensor<4xf64>
  %c = weft.map [0] to [4] stores [#i] {
  ^bb0(%i: index):
    %j = affine.apply affine_map<(i) -> (i + 4)>(%i)
    %v = tensor.extract %a[%j] : tensor<8xf64>
    %w = arith.mulf %v, %v : f64
    weft.yield %w : f64
  } : tensor<4xf64>
  return %b, %c : tensor<4xf64>, tensor<4xf64>
}

// Even and odd places from two stores, read at odd ones; zeros behind what is given.
// CHECK-LABEL: func.func @even_odd
// CHECK-COUNT-1: weft.map
// CHECK:         %[[Y:.*]] = tensor.extract %arg1[%
// CHECK-NOT:     arith.addf
// CHECK:         weft.yield %[[Y]]
// CHECK-NOT:   weft.map
func.func @even_odd(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<12xf64>
  %a = weft.map [0] to [4] init(%e : tensor<12xf64>) stores [affine_map<(i) -> (2 * i)>, affine_map<(i) -> (2 * i + 1)>] {
  ^bb0(%i: index):
    %u = tensor.extract %x[%i] : tensor<4xf64>
    %v = tensor.extract %y[%i] : tensor<4xf64>
    weft.yield %u, %v : f64, f64
  } : tensor<12xf64>
  %z = weft.map [8] to [12] init(%a : tensor<12xf64>) stores [#i] {
  ^bb0(%i: index):
    weft.yield %zero : f64
  } : tensor<12xf64>
  %b = weft.map [0] to [4] stores [#i] {
  ^bb0(%i: index):
    %j = affine.apply affine_map<(i) -> (7 - 2 * i)>(%i)
    %k = affine.apply affine_map<(i) -> (i + 8)>(%i)
    %v = tensor.extract %z[%j] : tensor<12xf64>
    %w = tensor.extract %z[%k] : tensor<12xf64>
    %s = arith.subf %v, %w : f64
    weft.yield %s : f64
  } : tensor<4xf64>
  return %b : tensor<4xf64>
}
