// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// A mask that is known is one number, a bit a lane.

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x14xf32> {weft.name = "x", weft.role = "in"},
               %y: memref<64x14xf32> {weft.name = "y", weft.role = "out"}) {
    // CHECK: const __mmask16 [[MASK:v[0-9]+]] = (__mmask16)0x3fff;
    %mask = arith.constant dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false]> : vector<16xi1>
    %none = arith.constant dense<0.0> : vector<16xf32>
    %zero = arith.constant 0 : index
    affine.for %i = 0 to 64 {
      // CHECK: _mm512_mask_loadu_ps(v{{[0-9]+}}, [[MASK]], &x[i*14]);
      %a = vector.maskedload %x[%i, %zero], %mask, %none : memref<64x14xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
      // CHECK: _mm512_mask_storeu_ps(&y[i*14], [[MASK]],
      vector.maskedstore %y[%i, %zero], %mask, %a : memref<64x14xf32>, vector<16xi1>, vector<16xf32>
    }
    return
  }
}
