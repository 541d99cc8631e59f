// RUN: cat %target_avx512 %s | not weft-translate - --weft-to-c 2>&1 | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<8xf64> {weft.role = "in"}, %y: memref<8xf64> {weft.role = "out"}) {
    // CHECK: error: no C form for `affine.vector_load`{{.*}}expected vectors of the target's width, found 4xf64
    %a = affine.vector_load %x[0] : memref<8xf64>, vector<4xf64>
    affine.vector_store %a, %y[0] : memref<8xf64>, vector<4xf64>
    return
  }
}
