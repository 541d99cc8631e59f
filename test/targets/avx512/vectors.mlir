// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64xf32> {weft.name = "x", weft.role = "in"},
               %s: memref<f32> {weft.name = "s", weft.role = "in"},
               %y: memref<64xf32> {weft.name = "y", weft.role = "out"}) {
    affine.for %i = 0 to 64 step 16 {
      // CHECK: const __m512 v0 = _mm512_loadu_ps(&x[i]);
      %a = affine.vector_load %x[%i] : memref<64xf32>, vector<16xf32>
      // CHECK: const __m512 v1 = _mm512_set1_ps(s[0]);
      %t = affine.load %s[] : memref<f32>
      %b = vector.broadcast %t : f32 to vector<16xf32>
      // CHECK: const __mmask16 v2 = _mm512_cmp_ps_mask(v0, v1, _CMP_NLE_UQ);
      %m = arith.cmpf ugt, %a, %b : vector<16xf32>
      // CHECK: const __m512 v3 = _mm512_mask_blend_ps(v2, v1, v0);
      %c = arith.select %m, %a, %b : vector<16xi1>, vector<16xf32>
      // CHECK: _mm512_storeu_ps(&y[i], v3);
      affine.vector_store %c, %y[%i] : memref<64xf32>, vector<16xf32>
    }
    return
  }
}
