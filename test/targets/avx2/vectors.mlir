// RUN: cat %target_avx2 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  // CHECK: #include <immintrin.h>
  // CHECK: typedef double v4d __attribute__((vector_size(32)));
  func.func @f(%x: memref<16xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<16xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK: const v4d v0 = weft_splat_v4d(2.0);
    %two = arith.constant dense<2.0> : vector<4xf64>
    affine.for %i = 0 to 16 step 4 {
      // CHECK: const v4d v1 = *(const v4d_any *)&x[i];
      %a = affine.vector_load %x[%i] : memref<16xf64>, vector<4xf64>
      // CHECK: const v4d v2 = v1 * v0;
      %b = arith.mulf %a, %two : vector<4xf64>
      // CHECK: const v4l v3 = (v4l)(v1 < v2);
      %m = arith.cmpf olt, %a, %b : vector<4xf64>
      // CHECK: const v4d v4 = _mm256_blendv_pd(v2, v1, (__m256d)v3);
      %c = arith.select %m, %a, %b : vector<4xi1>, vector<4xf64>
      // CHECK: const v4d v5 = __builtin_shufflevector(v4, v1, 1, 2, 4, 7);
      %s = vector.shuffle %c, %a [1, 2, 4, 7] : vector<4xf64>, vector<4xf64>
      // CHECK: const v4d v6 = _mm256_sqrt_pd(v5);
      %r = math.sqrt %s : vector<4xf64>
      // CHECK: *(v4d_any *)&y[i] = v6;
      affine.vector_store %r, %y[%i] : memref<16xf64>, vector<4xf64>
    }
    return
  }

  // CHECK: int g(const float *restrict x, float *restrict y,
  func.func @g(%x: memref<16xf32> {weft.name = "x", weft.role = "in"},
               %y: memref<8xf32> {weft.name = "y", weft.role = "out"}) {
    // CHECK: const v8f v0 = *(const v8f_any *)x;
    %a = affine.vector_load %x[0] : memref<16xf32>, vector<8xf32>
    // CHECK: const v8f v1 = *(const v8f_any *)&x[8];
    %b = affine.vector_load %x[8] : memref<16xf32>, vector<8xf32>
    // CHECK: const v8f v2 = weft_maximum_v8f(v0, v1);
    %c = arith.maximumf %a, %b : vector<8xf32>
    // CHECK: *(v8f_any *)y = v2;
    affine.vector_store %c, %y[0] : memref<8xf32>, vector<8xf32>
    return
  }
}
