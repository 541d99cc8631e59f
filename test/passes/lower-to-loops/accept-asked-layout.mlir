// A schedule has the complex numbers of a value split: a row of real parts before one of imaginary ones.
// The result of another value does not take such memory.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops | FileCheck %s

// CHECK-LABEL: func.func @between
// CHECK-DAG:     %[[A:.*]] = memref.alloc() : memref<4x2x8xf64>
// CHECK:         affine.store %{{.*}}, %[[A]][%[[I:.*]], 0, %[[J:.*]]]
// CHECK:         affine.store %{{.*}}, %[[A]][%[[I]], 1, %[[J]]]
// CHECK:         affine.load %[[A]][3, 0, %{{.*}}]
// CHECK:         affine.store %{{.*}}, %arg1[%[[I:.*]], %[[J:.*]], 0]
module attributes {weft.target = #target} {
func.func @between(%x: tensor<4x8xcomplex<f64>> {weft.name = "x"}) -> (tensor<4x8xcomplex<f64>> {weft.name = "y"}) attributes {weft.schedule = ["layout a as split"]} {
  %c3 = arith.constant 3 : index
  %a = weft.map [0, 0] to [4, 8] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %j] : tensor<4x8xcomplex<f64>>
    weft.yield %v : complex<f64>
  } : tensor<4x8xcomplex<f64>> loc("a")
  %y = weft.map [0, 0] to [4, 8] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %a[%c3, %j] : tensor<4x8xcomplex<f64>>
    weft.yield %v : complex<f64>
  } : tensor<4x8xcomplex<f64>> loc("y")
  return %y : tensor<4x8xcomplex<f64>>
}
}
