// A carried value that is reworked point by point is overwritten where it lies: in the
// caller's memory, without scratch.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @steps
// CHECK-NOT:     memref.alloc
// CHECK:         affine.for %{{.*}} = 0 to 6 {
// CHECK-NEXT:      affine.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:        %[[V:.*]] = affine.load %arg1[%[[I]]]
// CHECK-NEXT:        %[[W:.*]] = arith.addf %[[V]], %[[V]]
// CHECK-NEXT:        affine.store %[[W]], %arg1[%[[I]]]
module attributes {weft.target = #target} {
func.func @steps(%x: tensor<8xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %t = %c0 to %c6 step %c1 iter_args(%v = %x) -> (tensor<8xf64>) {
    %w = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %a = tensor.extract %v[%i] : tensor<8xf64>
      %b = arith.addf %a, %a : f64
      weft.yield %b : f64
    } : tensor<8xf64>
    scf.yield %w : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}
}
