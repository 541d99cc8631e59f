// What a schedule asks for and cannot be had is an error: a stage of a transform has all elements of a
// butterfly at once, and its lines stay where they are.
// RUN: not weft-opt %s --fuse 2>&1 | FileCheck %s
// RUN: sed 's/fuse a, b/fuse b, a/' %s | not weft-opt - --fuse 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: sed 's/fuse a, b/fold b into dma/' %s | not weft-opt - --fuse 2>&1 | FileCheck %s --check-prefix=FOLD

// CHECK: error: {{.*}}schedule: fuse a, b: 'a' in one loop with 'b': it is a stage of a transform: all elements of a butterfly come at once; expected values that are computed element by element
// ORDER: error: {{.*}}schedule: fuse b, a: 'a' does not read 'b'; expected a value and the one that reads it
// FOLD:  error: {{.*}}schedule: fold b into dma: 'b' is neither a transpose nor a reshape; expected none
func.func @stage(%x: tensor<8x4xf64>) -> tensor<4x8xf64> attributes {weft.schedule = ["fuse a, b"]} {
  %a = weft.map [0, 0] to [4, 4] stores [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + 4, j)>] attributes {weft.lines = 0 : i64} {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %j] : tensor<8x4xf64>
    %p = arith.addf %v, %v : f64
    weft.yield %v, %p : f64, f64
  } : tensor<8x4xf64> loc("a")
  %b = weft.map [0, 0] to [4, 8] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %k = affine.apply affine_map<(j) -> (7 - j)>(%j)
    %v = tensor.extract %a[%k, %i] : tensor<8x4xf64>
    %s = arith.addf %v, %v : f64
    weft.yield %s : f64
  } : tensor<4x8xf64> loc("b")
  return %b : tensor<4x8xf64>
}
