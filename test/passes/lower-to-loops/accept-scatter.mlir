// A copy of the base in the output, then the updates in order; elements of a row are independent.
// RUN: cat %target_portable %s | weft-opt - --lower-to-loops | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[BASE:.*]]: memref<16x4xf64>{{.*}}, %[[IDX:.*]]: memref<8xi32>{{.*}}, %[[V:.*]]: memref<8x4xf64>{{.*}}, %[[Y:.*]]: memref<16x4xf64>
// CHECK: %[[E:.*]] = affine.load %[[BASE]]
// CHECK: affine.store %[[E]], %[[Y]]
// CHECK: affine.for %[[J:.*]] = 0 to 8 {
// CHECK:   %[[K:.*]] = affine.load %[[IDX]][%[[J]]]
// CHECK:   %[[ROW:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK:   affine.for %[[C:.*]] = 0 to 4 {
// CHECK:     %[[U:.*]] = affine.load %[[V]][%[[J]], %[[C]]]
// CHECK:     %[[OLD:.*]] = memref.load %[[Y]][%[[ROW]], %[[C]]]
// CHECK:     %[[NEW:.*]] = arith.addf %[[OLD]], %[[U]]
// CHECK:     memref.store %[[NEW]], %[[Y]][%[[ROW]], %[[C]]]
// CHECK:   } {weft.independent, weft.lane}
// CHECK-NEXT: }{{$}}
module attributes {weft.target = #target} {
func.func @f(%base: tensor<16x4xf64>, %idx: tensor<8xi32>, %v: tensor<8x4xf64>) -> tensor<16x4xf64> {
  %y = weft.scatter add %base, %idx, %v : tensor<16x4xf64>, tensor<8xi32>, tensor<8x4xf64> -> tensor<16x4xf64>
  return %y : tensor<16x4xf64>
}
}
