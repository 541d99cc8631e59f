// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s

// A negation that only fused multiply-adds use is part of them.

module attributes {weft.target = #target} {
  func.func @f(%x: memref<16xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<32xf64> {weft.name = "y", weft.role = "out"}) {
    %a = affine.vector_load %x[0] : memref<16xf64>, vector<8xf64>
    %b = affine.vector_load %x[8] : memref<16xf64>, vector<8xf64>
    %n = arith.negf %a : vector<8xf64>
    // CHECK-NOT: xor
    // CHECK: = _mm512_fnmadd_pd(v0, v1, v1);
    %p = math.fma %n, %b, %b : vector<8xf64>
    // CHECK: = _mm512_fmsub_pd(v1, v1, v0);
    %q = math.fma %b, %b, %n : vector<8xf64>
    // CHECK: = _mm512_fnmsub_pd(v1, v0, v0);
    %r = math.fma %b, %n, %n : vector<8xf64>
    // CHECK: = _mm512_fmadd_pd(v0, v0, v1);
    %s = math.fma %n, %n, %b : vector<8xf64>
    affine.vector_store %p, %y[0] : memref<32xf64>, vector<8xf64>
    affine.vector_store %q, %y[8] : memref<32xf64>, vector<8xf64>
    affine.vector_store %r, %y[16] : memref<32xf64>, vector<8xf64>
    affine.vector_store %s, %y[24] : memref<32xf64>, vector<8xf64>
    return
  }
}
