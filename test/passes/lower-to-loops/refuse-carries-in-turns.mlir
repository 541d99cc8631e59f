// Steps stay one by one where copies are a small part of them, and where a schedule names what
// would stand there twice.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops --canonicalize --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-DAG: Why="copies are a small part of {{[0-9]+}} operations a point, 256 at most"
// CHECK-DAG: Why="64 bytes are copied in a step that stores 8256"
// CHECK-DAG: Why="there are 3 steps"

// CHECK-LABEL: func.func @sums
// CHECK:         affine.for %{{.*}} = 0 to 7 {
func.func @sums(%a: tensor<8xf64>, %w: tensor<8x300xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %r = scf.for %t = %c0 to %c7 step %c1 iter_args(%v = %a) -> (tensor<8xf64>) {
    %new = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %j = affine.apply affine_map<(i) -> (7 - i)>(%i)
      %y = tensor.extract %v[%j] : tensor<8xf64>
      %s = weft.reduce "sum" [0] to [300] {
      ^bb0(%k: index):
        %x = tensor.extract %w[%i, %k] : tensor<8x300xf64>
        weft.yield %x : f64
      } : f64
      %z = arith.mulf %y, %s : f64
      weft.yield %z : f64
    } : tensor<8xf64>
    scf.yield %new : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}

// CHECK-LABEL: func.func @beside_much_else
// CHECK:         affine.for %{{.*}} = 0 to 7 {
func.func @beside_much_else(%a: tensor<8xf64>, %b: tensor<1024xf64>) -> (tensor<8xf64>, tensor<1024xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %r:2 = scf.for %t = %c0 to %c7 step %c1 iter_args(%v = %a, %u = %b) -> (tensor<8xf64>, tensor<1024xf64>) {
    %new = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %j = affine.apply affine_map<(i) -> (7 - i)>(%i)
      %y = tensor.extract %v[%j] : tensor<8xf64>
      weft.yield %y : f64
    } : tensor<8xf64>
    %more = weft.map [0] to [1024] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %y = tensor.extract %u[%i] : tensor<1024xf64>
      %z = arith.mulf %y, %y : f64
      weft.yield %z : f64
    } : tensor<1024xf64>
    scf.yield %new, %more : tensor<8xf64>, tensor<1024xf64>
  }
  return %r#0, %r#1 : tensor<8xf64>, tensor<1024xf64>
}

// CHECK-LABEL: func.func @few
// CHECK:         affine.for %{{.*}} = 0 to 3 {
func.func @few(%a: tensor<8xf64>) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%v = %a) -> (tensor<8xf64>) {
    %new = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %j = affine.apply affine_map<(i) -> (7 - i)>(%i)
      %y = tensor.extract %v[%j] : tensor<8xf64>
      weft.yield %y : f64
    } : tensor<8xf64>
    scf.yield %new : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}

// CHECK-LABEL: func.func @scheduled
// CHECK:         affine.for %{{.*}} = 0 to 7 {
func.func @scheduled(%a: tensor<8xf64>) -> tensor<8xf64> attributes {weft.schedule = ["order linear"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %r = scf.for %t = %c0 to %c7 step %c1 iter_args(%v = %a) -> (tensor<8xf64>) {
    %new = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
    ^bb0(%i: index):
      %j = affine.apply affine_map<(i) -> (7 - i)>(%i)
      %y = tensor.extract %v[%j] : tensor<8xf64>
      weft.yield %y : f64
    } : tensor<8xf64>
    scf.yield %new : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}
}
