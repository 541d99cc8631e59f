// A kernel with index arithmetic that is called in a program's loop was not inlined.
// RUN: weft-opt %s --inline | FileCheck %s

// CHECK-LABEL: func.func @steps
// CHECK-NOT:     call
// CHECK:         affine.apply
// CHECK:         scf.yield
func.func private @reverse(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %j = affine.apply affine_map<(i) -> (7 - i)>(%i)
    %a = tensor.extract %x[%j] : tensor<8xf64>
    weft.yield %a : f64
  } : tensor<8xf64>
  return %y : tensor<8xf64>
}
func.func @steps(%x: tensor<8xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<8xf64>) {
    %w = func.call @reverse(%v) : (tensor<8xf64>) -> tensor<8xf64>
    scf.yield %w : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}
