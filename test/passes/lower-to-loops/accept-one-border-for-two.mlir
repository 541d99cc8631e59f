// The same zeros around two images: made for each, where it is filled, and never copied.
// RUN: cat %target_portable %s | weft-opt - --lower-to-loops | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @two(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4xf64>{{.*}}, %[[Y:[a-z0-9]+]]: memref<6xf64>{{.*}}, %[[Z:[a-z0-9]+]]: memref<6xf64>
// CHECK-NOT:     memref.alloc
// CHECK:         affine.store %{{.*}}, %[[Y]][%{{.*}}] : memref<6xf64>
// CHECK:         affine.load %[[X]]
// CHECK:         affine.store %{{.*}}, %[[Y]][%{{.*}}] : memref<6xf64>
// CHECK:         affine.store %{{.*}}, %[[Z]][%{{.*}}] : memref<6xf64>
// CHECK:         affine.load %[[X]]
// CHECK:         affine.store %{{.*}}, %[[Z]][%{{.*}}] : memref<6xf64>
// CHECK-NOT:     affine.for
func.func @two(%x: tensor<4xf64>) -> (tensor<6xf64>, tensor<6xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : index
  %none = tensor.empty() : tensor<6xf64>
  %low = weft.map [0] to [1] init(%none : tensor<6xf64>) stores [affine_map<(i) -> (i * 5)>] {
  ^bb0(%i: index):
    weft.yield %zero : f64
  } : tensor<6xf64>
  %y = weft.map [0] to [4] init(%low : tensor<6xf64>) stores [affine_map<(i) -> (i + 1)>] {
  ^bb0(%i: index):
    %e = tensor.extract %x[%i] : tensor<4xf64>
    weft.yield %e : f64
  } : tensor<6xf64>
  %z = weft.map [0] to [4] init(%low : tensor<6xf64>) stores [affine_map<(i) -> (i + 1)>] {
  ^bb0(%i: index):
    %e = tensor.extract %x[%i] : tensor<4xf64>
    %r = arith.addf %e, %e : f64
    weft.yield %r : f64
  } : tensor<6xf64>
  return %y, %z : tensor<6xf64>, tensor<6xf64>
}
}
