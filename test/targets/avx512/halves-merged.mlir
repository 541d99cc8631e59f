// RUN: sed 's/vector_bytes/merged_loads = true, vector_bytes/' %target_avx512 > %t
// RUN: cat %t %s | weft-translate - --weft-to-c | FileCheck %s
// Halves of two rows are merged by a load under a mask where the machine says that this takes less.

module attributes {weft.target = #target} {
// CHECK: __m512d weft_merge_halves_pd(const double *a, const double *b)
// CHECK-LABEL: int turned(
// CHECK-NOT:  loadu
// CHECK:      v0 = weft_merge_halves_pd(&x[i*16], &x[i*16 + 8]);
// CHECK:      v1 = weft_merge_halves_pd(&x[i*16 + 4], &x[i*16 + 12]);
// CHECK:      _mm512_add_pd(v0, v1)
func.func @turned(%x: memref<64xf64> {weft.name = "x", weft.role = "in"},
                  %y: memref<32xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %x[%i * 16] : memref<64xf64>, vector<8xf64>
    %b = affine.vector_load %x[%i * 16 + 8] : memref<64xf64>, vector<8xf64>
    %0 = vector.shuffle %a, %b [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>, vector<8xf64>
    %1 = vector.shuffle %a, %b [4, 5, 6, 7, 12, 13, 14, 15] : vector<8xf64>, vector<8xf64>
    %2 = arith.addf %0, %1 : vector<8xf64>
    affine.vector_store %2, %y[%i * 8] : memref<32xf64>, vector<8xf64>
  }
  return
}
}
