// What fuse has not made a map, as where it is left out, becomes one.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @turned
// CHECK: affine.for %[[I:.*]] = 0 to 6
// CHECK:   affine.for %[[J:.*]] = 0 to 5
// CHECK:     %[[X:.*]] = affine.load %arg0[%[[J]], %[[I]]]
// CHECK:     affine.store %[[X]], %{{.*}}[%[[I]], %[[J]]]
func.func @turned(%x: tensor<5x6xf64>) -> tensor<6x5xf64> {
  %y = weft.transpose %x perm [1, 0] : tensor<5x6xf64> -> tensor<6x5xf64>
  return %y : tensor<6x5xf64>
}
}
