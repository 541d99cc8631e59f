// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s

// The cheapest instruction for each mask; index vectors only where none has the mask in it.

module attributes {weft.target = #target} {
  func.func @f(%x: memref<16xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<64xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK: const __m512i index0 = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    %a = affine.vector_load %x[0] : memref<16xf64>, vector<8xf64>
    %b = affine.vector_load %x[8] : memref<16xf64>, vector<8xf64>
    // CHECK: _mm512_unpacklo_pd(v0, v1)
    %0 = vector.shuffle %a, %b [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
    // CHECK: _mm512_unpackhi_pd(v1, v0)
    %1 = vector.shuffle %a, %b [9, 1, 11, 3, 13, 5, 15, 7] : vector<8xf64>, vector<8xf64>
    // CHECK: _mm512_mask_blend_pd(170, v0, v1)
    %2 = vector.shuffle %a, %b [0, 9, 2, 11, 4, 13, 6, 15] : vector<8xf64>, vector<8xf64>
    // CHECK: _mm512_permute_pd(v0, 85)
    %3 = vector.shuffle %a, %a [1, 0, 3, 2, 5, 4, 7, 6] : vector<8xf64>, vector<8xf64>
    // CHECK: _mm512_shuffle_f64x2(v0, v1, 68)
    %4 = vector.shuffle %a, %b [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>, vector<8xf64>
    // CHECK: _mm512_permutex_pd(v0, 216)
    %5 = vector.shuffle %a, %a [0, 2, 1, 3, 4, 6, 5, 7] : vector<8xf64>, vector<8xf64>
    // CHECK: _mm512_permutex2var_pd(v0, index0, v1)
    %6 = vector.shuffle %a, %b [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xf64>, vector<8xf64>
    // CHECK: _mm512_permutexvar_pd(index1, v1)
    %7 = vector.shuffle %a, %b [15, 14, 13, 12, 11, 10, 9, 8] : vector<8xf64>, vector<8xf64>
    // CHECK: _mm512_movedup_pd(v0)
    %8 = vector.shuffle %a, %a [0, 0, 2, 2, 4, 4, 6, 6] : vector<8xf64>, vector<8xf64>
    affine.vector_store %0, %y[0] : memref<64xf64>, vector<8xf64>
    affine.vector_store %1, %y[8] : memref<64xf64>, vector<8xf64>
    affine.vector_store %2, %y[16] : memref<64xf64>, vector<8xf64>
    affine.vector_store %3, %y[24] : memref<64xf64>, vector<8xf64>
    affine.vector_store %4, %y[32] : memref<64xf64>, vector<8xf64>
    affine.vector_store %5, %y[40] : memref<64xf64>, vector<8xf64>
    affine.vector_store %6, %y[48] : memref<64xf64>, vector<8xf64>
    affine.vector_store %7, %y[56] : memref<64xf64>, vector<8xf64>
    affine.vector_store %8, %y[56] : memref<64xf64>, vector<8xf64>
    return
  }

  func.func @g(%x: memref<16xf32> {weft.name = "x", weft.role = "in"},
               %y: memref<32xf32> {weft.name = "y", weft.role = "out"}) {
    %a = affine.vector_load %x[0] : memref<16xf32>, vector<16xf32>
    // CHECK: _mm512_moveldup_ps(v0)
    %0 = vector.shuffle %a, %a [0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14] : vector<16xf32>, vector<16xf32>
    // CHECK: _mm512_movehdup_ps(v0)
    %1 = vector.shuffle %a, %a [1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15] : vector<16xf32>, vector<16xf32>
    affine.vector_store %0, %y[0] : memref<32xf32>, vector<16xf32>
    affine.vector_store %1, %y[16] : memref<32xf32>, vector<16xf32>
    return
  }
}
