// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// Functions of whole vectors: glibc's where it has them, else one call after the other.

module attributes {weft.target = #target} {
  // CHECK:      #if defined(__GLIBC__)
  // CHECK:      extern __typeof__(x) whole types;
  // CHECK:      #else
  // CHECK:      x[i] = single;
  // CHECK:      static inline __m512d weft_sin_pd(__m512d x) {
  // CHECK:      WEFT_OF_LANES(_ZGVeN8v_sin, (__m512d), (x), sin(x[i]))
  // CHECK-NOT:  weft_cos_pd
  func.func @f(%x: memref<64xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<64xf64> {weft.name = "y", weft.role = "out"}) {
    affine.for %i = 0 to 64 step 8 {
      %a = affine.vector_load %x[%i] : memref<64xf64>, vector<8xf64>
      // CHECK: weft_sin_pd(
      %s = math.sin %a : vector<8xf64>
      // CHECK: weft_tanh_pd(
      %t = math.tanh %s : vector<8xf64>
      // CHECK: weft_log_pd(
      %l = math.log %t : vector<8xf64>
      // CHECK: weft_atan2_pd(
      %b = math.atan2 %l, %a : vector<8xf64>
      affine.vector_store %b, %y[%i] : memref<64xf64>, vector<8xf64>
    }
    return
  }
}
