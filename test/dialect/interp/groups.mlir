// Two groups, each with its own part of the inputs; inputs and outputs have the groups in front.
// RUN: weft-interp %s --entry tensors --input 'dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>' | FileCheck %s
// RUN: weft-interp %s --entry memory --input 'dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>' | FileCheck %s
// RUN: not weft-interp %s --entry tensors --input 'dense<[0, 1, 2, 3]> : tensor<4xi64>' 2>&1 | FileCheck %s --check-prefix=FRONT
// RUN: not weft-interp %s --entry alone --input 'dense<[0, 1, 2, 3]> : tensor<4xi64>' 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not weft-interp %s --entry ends --input 'dense<[[0], [3]]> : tensor<2x1xi64>' 2>&1 | FileCheck %s --check-prefix=ENDS
// RUN: weft-interp %s --entry beside --input 'dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>' | FileCheck %s --check-prefix=BESIDE
// RUN: weft-interp %s --entry beside_in_memory --input 'dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>' | FileCheck %s --check-prefix=BESIDE
// RUN: not weft-interp %s --entry too_early --input 'dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>' 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not weft-interp %s --entry unwritten 2>&1 | FileCheck %s --check-prefix=UNWRITTEN

// CHECK: y: int64[2, 4] = {{\[\[}}0, 1, 4, 5], [2, 3, 6, 7]]
// CHECK: w: int64[2, 8] = {{\[\[}}0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]]
// CHECK: o: int64[2, 2] = {{\[\[}}0, 1], [6, 7]]
// FRONT: expected 2 groups in front, found [4]
func.func @tensors(%x: tensor<4xi64>)
    -> (tensor<4xi64> {weft.name = "y"}, tensor<8xi64> {weft.name = "w"},
        tensor<2xi64> {weft.name = "o"}) attributes {weft.groups = 2 : i64} {
  %y = weft.alltoall %x groups 2 : tensor<4xi64>
  %w = weft.allgather %x groups 2 : tensor<4xi64> -> tensor<8xi64>
  %o = weft.own %x groups 2 : tensor<4xi64> -> tensor<2xi64>
  return %y, %w, %o : tensor<4xi64>, tensor<8xi64>, tensor<2xi64>
}

func.func @memory(%x: memref<4xi64> {weft.role = "in"},
                  %y: memref<4xi64> {weft.name = "y", weft.role = "out"},
                  %w: memref<8xi64> {weft.name = "w", weft.role = "out"},
                  %o: memref<2xi64> {weft.name = "o", weft.role = "out"})
    attributes {weft.groups = 2 : i64} {
  weft.exchange "alltoall" %x to %y groups 2 : memref<4xi64>, memref<4xi64>
  weft.exchange "allgather" %x to %w groups 2 : memref<4xi64>, memref<8xi64>
  weft.exchange "own" %x to %o groups 2 : memref<4xi64>, memref<2xi64>
  return
}

// ALONE: is of 2 groups: the function should have weft.groups = 2
func.func @alone(%x: tensor<4xi64>) -> tensor<4xi64> {
  %y = weft.alltoall %x groups 2 : tensor<4xi64>
  return %y : tensor<4xi64>
}

// A group that ends with a code does not leave the other one waiting.
// ENDS: weft-interp: the kernel returned 7
func.func @ends(%x: tensor<1xi64>) -> tensor<2xi64> attributes {weft.groups = 2 : i64} {
  %safe = weft.checked_indices %x below 3 code 7 : tensor<1xi64>
  %y = weft.allgather %safe groups 2 : tensor<1xi64> -> tensor<2xi64>
  return %y : tensor<2xi64>
}

// BESIDE: y: int64[2, 4] = {{\[\[}}0, 1, 4, 5], [2, 3, 6, 7]]
func.func @beside(%x: tensor<4xi64>) -> (tensor<4xi64> {weft.name = "y"})
    attributes {weft.groups = 2 : i64} {
  %coming = weft.alltoall_begin %x groups 2 : tensor<4xi64>
  %y = weft.alltoall_end %coming of %x groups 2 : tensor<4xi64>
  return %y : tensor<4xi64>
}

func.func @beside_in_memory(%x: memref<4xi64> {weft.role = "in"},
                            %y: memref<4xi64> {weft.name = "y", weft.role = "out"})
    attributes {weft.groups = 2 : i64} {
  weft.exchange "alltoall_begin" %x to %y groups 2 : memref<4xi64>, memref<4xi64>
  weft.exchange "alltoall_end" %x to %y groups 2 : memref<4xi64>, memref<4xi64>
  return
}

// What has not arrived is not there.
// EARLY: output y [0] is an element that was never written or is undefined
func.func @too_early(%x: memref<4xi64> {weft.role = "in"},
                     %y: memref<4xi64> {weft.name = "y", weft.role = "out"})
    attributes {weft.groups = 2 : i64} {
  %space = memref.alloc() : memref<4xi64>
  weft.exchange "alltoall_begin" %x to %space groups 2 : memref<4xi64>, memref<4xi64>
  affine.for %i = 0 to 4 {
    %v = affine.load %space[%i] : memref<4xi64>
    %w = arith.addi %v, %v : i64
    affine.store %w, %y[%i] : memref<4xi64>
  }
  weft.exchange "alltoall_end" %x to %space groups 2 : memref<4xi64>, memref<4xi64>
  return
}

// UNWRITTEN: output argument0 [0] is an element that was never written
func.func @unwritten(%y: memref<4xi64> {weft.role = "out"}) attributes {weft.groups = 2 : i64} {
  %x = memref.alloc() : memref<4xi64>
  weft.exchange "alltoall" %x to %y groups 2 : memref<4xi64>, memref<4xi64>
  return
}
