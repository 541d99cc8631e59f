// RUN: cat %target_avx2 %s | weft-translate - --weft-to-c | FileCheck %s

// A negation that only fused multiply-adds use is part of them, also where it takes turns.

module attributes {weft.target = #target} {
  func.func @f(%x: memref<8xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<16xf64> {weft.name = "y", weft.role = "out"}) {
    %a = affine.vector_load %x[0] : memref<8xf64>, vector<4xf64>
    %b = affine.vector_load %x[4] : memref<8xf64>, vector<4xf64>
    %n = arith.negf %a : vector<4xf64>
    // CHECK-NOT: = -v
    // CHECK: = _mm256_fnmadd_pd(v0, v1, v1);
    %p = math.fma %n, %b, %b : vector<4xf64>
    // CHECK: = _mm256_fmsub_pd(v1, v1, v0);
    %q = math.fma %b, %b, %n : vector<4xf64>
    // CHECK: = _mm256_fnmsub_pd(v1, v0, v0);
    %r = math.fma %b, %n, %n : vector<4xf64>
    // CHECK: = _mm256_fmadd_pd(v0, v0, v1);
    %s = math.fma %n, %n, %b : vector<4xf64>
    affine.vector_store %p, %y[0] : memref<16xf64>, vector<4xf64>
    affine.vector_store %q, %y[4] : memref<16xf64>, vector<4xf64>
    affine.vector_store %r, %y[8] : memref<16xf64>, vector<4xf64>
    affine.vector_store %s, %y[12] : memref<16xf64>, vector<4xf64>
    return
  }
}
