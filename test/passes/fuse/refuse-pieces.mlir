// What several stores make stays where a read is of more than one of them, where elements would be computed twice, and
// where something else than a map reads it.
// RUN: weft-opt %s --fuse | FileCheck %s

#i = affine_map<(i) -> (i)>
#behind = affine_map<(i) -> (i + 4)>

// CHECK-LABEL: func.func @across
// CHECK-COUNT-2: weft.map [0] to [4]
// CHECK:         weft.map [0] to [8]
func.func @across(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<8xf64> {
  %e = tensor.empty() : tensor<8xf64>
  %a = weft.map [0] to [4] init(%e : tensor<8xf64>) stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<4xf64>
    weft.yield %v : f64
  } : tensor<8xf64>
  %b = weft.map [0] to [4] init(%a : tensor<8xf64>) stores [#behind] {
  ^bb0(%i: index):
    %v = tensor.extract %y[%i] : tensor<4xf64>
    weft.yield %v : f64
  } : tensor<8xf64>
  %c = weft.map [0] to [8] stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %b[%i] : tensor<8xf64>
    %w = arith.negf %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  return %c : tensor<8xf64>
}

// The first map's elements 2 and 3 are stored over.
// CHECK-LABEL: func.func @over
// CHECK-COUNT-3: weft.map
func.func @over(%x: tensor<4xf64>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %a = weft.map [0] to [4] stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<4xf64>
    weft.yield %v : f64
  } : tensor<4xf64>
  %b = weft.map [2] to [4] init(%a : tensor<4xf64>) stores [#i] {
  ^bb0(%i: index):
    weft.yield %zero : f64
  } : tensor<4xf64>
  %c = weft.map [0] to [4] stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %b[%i] : tensor<4xf64>
    %w = arith.negf %v : f64
    weft.yield %w : f64
  } : tensor<4xf64>
  return %c : tensor<4xf64>
}

// CHECK-LABEL: func.func @twice
// CHECK-COUNT-3: weft.map
func.func @twice(%x: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %a = weft.map [0] to [8] stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xf64>
    %w = arith.addf %v, %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  %b = weft.map [0] to [8] stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %w = arith.negf %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  %c = weft.map [0] to [8] stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %w = arith.mulf %v, %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  return %b, %c : tensor<8xf64>, tensor<8xf64>
}

// What no map stores is what a map goes on with.
// CHECK-LABEL: func.func @goes_on
// CHECK-COUNT-2: weft.map
func.func @goes_on(%x: tensor<8xf64>) -> tensor<4xf64> {
  %a = weft.map [0] to [4] init(%x : tensor<8xf64>) stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xf64>
    %w = arith.addf %v, %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  %b = weft.map [0] to [4] stores [#i] {
  ^bb0(%i: index):
    %j = affine.apply #behind(%i)
    %v = tensor.extract %a[%j] : tensor<8xf64>
    %w = arith.negf %v : f64
    weft.yield %w : f64
  } : tensor<4xf64>
  return %b : tensor<4xf64>
}

// CHECK-LABEL: func.func @returned
// CHECK-COUNT-2: weft.map
func.func @returned(%x: tensor<8xf64>) -> (tensor<8xf64>, tensor<4xf64>) {
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
  return %a, %b : tensor<8xf64>, tensor<4xf64>
}

// The zeros of the second map do not pay for the first one's functions, which 16 points would call.
// CHECK-LABEL: func.func @few_for_many
// CHECK:         weft.map [0] to [4]
// CHECK:         weft.map [0] to [16]
// CHECK:         weft.map [0, 0] to [4, 4]
func.func @few_for_many(%x: tensor<4xf64>) -> tensor<4x4xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<20xf64>
  %a = weft.map [0] to [4] init(%e : tensor<20xf64>) stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<4xf64>
    %w = math.exp %v : f64
    weft.yield %w : f64
  } : tensor<20xf64>
  %b = weft.map [0] to [16] init(%a : tensor<20xf64>) stores [#behind] {
  ^bb0(%i: index):
    weft.yield %zero : f64
  } : tensor<20xf64>
  %c = weft.map [0, 0] to [4, 4] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %b[%j] : tensor<20xf64>
    weft.yield %v : f64
  } : tensor<4x4xf64>
  return %c : tensor<4x4xf64>
}

// Fixed inputs alone give the second factor, once.
// CHECK-LABEL: func.func @fixed
// CHECK:         weft.map [0] to [4]
// CHECK:           math.exp
// CHECK:         weft.map [0] to [4]
// CHECK-NOT:       math.exp
func.func @fixed(%x: tensor<8xf64>, %z: tensor<8xf64> {weft.fixed}) -> tensor<8xf64> {
  %e = tensor.empty() : tensor<8xf64>
  %a = weft.map [0] to [4] init(%e : tensor<8xf64>) stores [#i, affine_map<(i) -> (7 - i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %z[%i] : tensor<8xf64>
    %w = math.exp %v : f64
    %u = arith.negf %w : f64
    weft.yield %w, %u : f64, f64
  } : tensor<8xf64>
  %c = weft.map [0] to [4] stores [#i, affine_map<(i) -> (7 - i)>] {
  ^bb0(%i: index):
    %m = affine.apply affine_map<(i) -> (7 - i)>(%i)
    %p = tensor.extract %x[%i] : tensor<8xf64>
    %q = tensor.extract %x[%m] : tensor<8xf64>
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %w = tensor.extract %a[%m] : tensor<8xf64>
    %s = arith.mulf %p, %v : f64
    %t = arith.mulf %q, %w : f64
    weft.yield %s, %t : f64, f64
  } : tensor<8xf64>
  return %c : tensor<8xf64>
}

// What one store makes as well; but not the product of two vectors, which has more elements than they.
// CHECK-LABEL: func.func @fixed_whole
// CHECK:           math.exp
// CHECK:         weft.map
// CHECK-NOT:       math.exp
// CHECK-LABEL: func.func @fixed_product
// CHECK-COUNT-1: weft.map
// CHECK-NOT:     weft.map
func.func @fixed_whole(%x: tensor<8xf64>, %z: tensor<8xf64> {weft.fixed}) -> tensor<8xf64> {
  %a = weft.map [0] to [8] stores [#i] {
  ^bb0(%i: index):
    %v = tensor.extract %z[%i] : tensor<8xf64>
    %w = math.exp %v : f64
    weft.yield %w : f64
  } : tensor<8xf64>
  %c = weft.map [0] to [8] stores [#i] {
  ^bb0(%i: index):
    %p = tensor.extract %x[%i] : tensor<8xf64>
    %v = tensor.extract %a[%i] : tensor<8xf64>
    %s = arith.mulf %p, %v : f64
    weft.yield %s : f64
  } : tensor<8xf64>
  return %c : tensor<8xf64>
}
func.func @fixed_product(%x: tensor<8x8xf64>, %z: tensor<8xf64> {weft.fixed}, %w: tensor<8xf64> {weft.fixed}) -> tensor<8x8xf64> {
  %a = weft.map [0, 0] to [8, 8] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %u = tensor.extract %z[%i] : tensor<8xf64>
    %v = tensor.extract %w[%j] : tensor<8xf64>
    %p = arith.mulf %u, %v : f64
    weft.yield %p : f64
  } : tensor<8x8xf64>
  %c = weft.map [0, 0] to [8, 8] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %p = tensor.extract %x[%i, %j] : tensor<8x8xf64>
    %v = tensor.extract %a[%i, %j] : tensor<8x8xf64>
    %s = arith.mulf %p, %v : f64
    weft.yield %s : f64
  } : tensor<8x8xf64>
  return %c : tensor<8x8xf64>
}
