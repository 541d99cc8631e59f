// A next value that reads other elements of the one before cannot overwrite it: it is
// computed beside it and copied at the end of the step.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @reverse
// CHECK:         %[[NEXT:.*]] = memref.alloc
// CHECK:         affine.for %{{.*}} = 0 to 3 {
// CHECK:           affine.load %arg1[-%{{.*}} + 7]
// CHECK:           affine.store %{{.*}}, %[[NEXT]]
// CHECK:           affine.load %[[NEXT]]
// CHECK:           affine.store %{{.*}}, %arg1
module attributes {weft.target = #target} {
func.func @reverse(%x: tensor<8xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<8xf64>) {
    %w = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %j = affine.apply affine_map<(i) -> (7 - i)>(%i)
      %a = tensor.extract %v[%j] : tensor<8xf64>
      weft.yield %a : f64
    } : tensor<8xf64>
    scf.yield %w : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}
}
