// RUN: cat %target_avx512 %s | not weft-translate - --weft-to-c 2>&1 | FileCheck %s

// A vector operation that the target's table lacks is refused, never guessed.

module attributes {weft.target = #target} {
  func.func @f(%x: memref<8xf64> {weft.role = "in"}, %y: memref<8xf64> {weft.role = "out"}) {
    %a = affine.vector_load %x[0] : memref<8xf64>, vector<8xf64>
    // CHECK: error: no C form for `math.exp`{{.*}}targets/avx512/intrinsics.toml has no entry for math.exp : 8xf64 -> 8xf64
    %b = math.exp %a : vector<8xf64>
    affine.vector_store %b, %y[0] : memref<8xf64>, vector<8xf64>
    return
  }
}
