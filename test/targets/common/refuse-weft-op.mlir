// RUN: cat %target_portable %s | not weft-translate - --weft-to-c 2>&1 | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%y: memref<8xf64> {weft.role = "out"}) {
    // CHECK: error: no C form for `weft.table` on target 'portable'
    %t = weft.table dense<1.0> : tensor<8xf64>
    %i = arith.constant 0 : index
    %a = tensor.extract %t[%i] : tensor<8xf64>
    affine.store %a, %y[0] : memref<8xf64>
    return
  }
}
