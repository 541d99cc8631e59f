// What groups exchange: on tensors, and in memory.
// RUN: weft-opt %s | weft-opt | FileCheck %s

// CHECK: weft.alltoall %{{.*}} groups 2 : tensor<4x6xf64>
// CHECK: weft.alltoall_begin %{{.*}} groups 2 : tensor<4x6xf64>
// CHECK: weft.alltoall_end %{{.*}} of %{{.*}} groups 2 : tensor<4x6xf64>
// CHECK: weft.allgather %{{.*}} groups 2 : tensor<4x6xf64> -> tensor<8x6xf64>
// CHECK: weft.own %{{.*}} groups 2 : tensor<8x6xf64> -> tensor<4x6xf64>
func.func @tensors(%x: tensor<4x6xf64>) -> tensor<4x6xf64> attributes {weft.groups = 2 : i64} {
  %a = weft.alltoall %x groups 2 : tensor<4x6xf64>
  %coming = weft.alltoall_begin %x groups 2 : tensor<4x6xf64>
  %there = weft.alltoall_end %coming of %x groups 2 : tensor<4x6xf64>
  %b = weft.allgather %a groups 2 : tensor<4x6xf64> -> tensor<8x6xf64>
  %c = weft.own %b groups 2 : tensor<8x6xf64> -> tensor<4x6xf64>
  return %c : tensor<4x6xf64>
}

// CHECK: weft.exchange "alltoall" %{{.*}} to %{{.*}} groups 2 : memref<4x6xf64>, memref<24xf64>
func.func @memory(%x: memref<4x6xf64>, %y: memref<24xf64>) attributes {weft.groups = 2 : i64} {
  weft.exchange "alltoall" %x to %y groups 2 : memref<4x6xf64>, memref<24xf64>
  return
}
