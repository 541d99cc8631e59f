// What groups exchange: from one memory to another, complex numbers as pairs; a table is no place
// to write to, and what is sent is not overwritten by what is received.
// RUN: cat %target_portable %s | weft-opt - --lower-to-loops | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[X:.*]]: memref<4x6x2xf64> {{.*}}, %[[Y:.*]]: memref<4x6x2xf64>
// CHECK: weft.exchange "allgather" %[[X]] to %[[WHOLE:.*]] groups 2 : memref<4x6x2xf64>, memref<8x6x2xf64>
// CHECK: weft.exchange "own" %[[WHOLE]] to %[[OWN:.*]] groups 2 : memref<8x6x2xf64>, memref<4x6x2xf64>
// CHECK: weft.exchange "alltoall" %[[OWN]] to %[[Y]] groups 2 : memref<4x6x2xf64>, memref<4x6x2xf64>
module attributes {weft.target = #target} {
func.func @f(%x: tensor<4x6xcomplex<f64>> {weft.name = "x"})
    -> (tensor<4x6xcomplex<f64>> {weft.name = "y"}) attributes {weft.groups = 2 : i64} {
  %whole = weft.allgather %x groups 2 : tensor<4x6xcomplex<f64>> -> tensor<8x6xcomplex<f64>>
  %own = weft.own %whole groups 2 : tensor<8x6xcomplex<f64>> -> tensor<4x6xcomplex<f64>>
  %y = weft.alltoall %own groups 2 : tensor<4x6xcomplex<f64>>
  return %y : tensor<4x6xcomplex<f64>>
}
}
