// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// Rows of which only halves are used are read in halves where shuffles are what a block waits for.

module attributes {weft.target = #target} {
// CHECK: __m512d weft_load_halves_pd(const double *a, const double *b)

// CHECK-LABEL: int turned(
// CHECK-NOT:  loadu
// CHECK:      v0 = weft_load_halves_pd(&x[i*16], &x[i*16 + 8]);
// CHECK:      v1 = weft_load_halves_pd(&x[i*16 + 4], &x[i*16 + 12]);
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

// Stored to in between.
// CHECK-LABEL: int written(
// CHECK-NOT:  weft_load_halves_pd
// CHECK:      _mm512_shuffle_f64x2(
func.func @written(%x: memref<16xf64> {weft.name = "x", weft.role = "in"},
                   %y: memref<16xf64> {weft.name = "y", weft.role = "out"}) {
  %a = affine.vector_load %x[0] : memref<16xf64>, vector<8xf64>
  %b = affine.vector_load %x[8] : memref<16xf64>, vector<8xf64>
  %0 = vector.shuffle %a, %b [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>, vector<8xf64>
  affine.vector_store %0, %y[0] : memref<16xf64>, vector<8xf64>
  %1 = vector.shuffle %a, %b [4, 5, 6, 7, 12, 13, 14, 15] : vector<8xf64>, vector<8xf64>
  %2 = arith.addf %0, %1 : vector<8xf64>
  affine.vector_store %2, %y[8] : memref<16xf64>, vector<8xf64>
  return
}

// One of the two is used whole as well.
// CHECK-LABEL: int whole(
// CHECK-NOT:  weft_load_halves_pd
// CHECK:      _mm512_shuffle_f64x2(
func.func @whole(%x: memref<16xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<8xf64> {weft.name = "y", weft.role = "out"}) {
  %a = affine.vector_load %x[0] : memref<16xf64>, vector<8xf64>
  %b = affine.vector_load %x[8] : memref<16xf64>, vector<8xf64>
  %0 = vector.shuffle %a, %b [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>, vector<8xf64>
  %1 = arith.addf %0, %b : vector<8xf64>
  affine.vector_store %1, %y[0] : memref<8xf64>, vector<8xf64>
  return
}

// Operations are what it waits for.
// CHECK-LABEL: int worked(
// CHECK-NOT:  weft_load_halves_pd
// CHECK:      _mm512_shuffle_f64x2(
func.func @worked(%x: memref<16xf64> {weft.name = "x", weft.role = "in"},
                  %y: memref<8xf64> {weft.name = "y", weft.role = "out"}) {
  %a = affine.vector_load %x[0] : memref<16xf64>, vector<8xf64>
  %b = affine.vector_load %x[8] : memref<16xf64>, vector<8xf64>
  %0 = vector.shuffle %a, %b [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>, vector<8xf64>
  %1 = arith.addf %0, %0 : vector<8xf64>
  %2 = arith.mulf %1, %0 : vector<8xf64>
  affine.vector_store %2, %y[0] : memref<8xf64>, vector<8xf64>
  return
}

// It only moves.
// CHECK-LABEL: int moved(
// CHECK-NOT:  weft_load_halves_pd
// CHECK:      _mm512_shuffle_f64x2(
func.func @moved(%x: memref<16xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<8xf64> {weft.name = "y", weft.role = "out"}) {
  %a = affine.vector_load %x[0] : memref<16xf64>, vector<8xf64>
  %b = affine.vector_load %x[8] : memref<16xf64>, vector<8xf64>
  %0 = vector.shuffle %a, %b [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>, vector<8xf64>
  affine.vector_store %0, %y[0] : memref<8xf64>, vector<8xf64>
  return
}

// Floats, of which only the upper halves are used.
// CHECK-LABEL: int singles(
// CHECK:      weft_load_halves_ps(&x[8], &x[24])
func.func @singles(%x: memref<32xf32> {weft.name = "x", weft.role = "in"},
                   %y: memref<16xf32> {weft.name = "y", weft.role = "out"}) {
  %a = affine.vector_load %x[0] : memref<32xf32>, vector<16xf32>
  %b = affine.vector_load %x[16] : memref<32xf32>, vector<16xf32>
  %0 = vector.shuffle %a, %b [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31] : vector<16xf32>, vector<16xf32>
  %1 = arith.addf %0, %0 : vector<16xf32>
  affine.vector_store %1, %y[0] : memref<16xf32>, vector<16xf32>
  return
}

// One of a chain of pairs is not of loads: none is.
// CHECK-LABEL: int chained(
// CHECK-NOT:  weft_load_halves_pd
// CHECK:      _mm512_shuffle_f64x2(
func.func @chained(%x: memref<24xf64> {weft.name = "x", weft.role = "in"},
                   %y: memref<16xf64> {weft.name = "y", weft.role = "out"}) {
  %a = affine.vector_load %x[0] : memref<24xf64>, vector<8xf64>
  %b = affine.vector_load %x[8] : memref<24xf64>, vector<8xf64>
  %c = affine.vector_load %x[16] : memref<24xf64>, vector<8xf64>
  %0 = vector.shuffle %a, %b [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>, vector<8xf64>
  %1 = vector.shuffle %b, %c [4, 5, 6, 7, 12, 13, 14, 15] : vector<8xf64>, vector<8xf64>
  %2 = vector.shuffle %c, %c [1, 0, 3, 2, 5, 4, 7, 6] : vector<8xf64>, vector<8xf64>
  %3 = arith.addf %0, %2 : vector<8xf64>
  affine.vector_store %3, %y[0] : memref<16xf64>, vector<8xf64>
  affine.vector_store %1, %y[8] : memref<16xf64>, vector<8xf64>
  return
}

// A loop beside them, whose turns threads may share: what they load before is loaded where it stands.
// CHECK-LABEL: int beside(
// CHECK-NOT:  weft_load_halves_pd
// CHECK:      _mm512_shuffle_f64x2(
func.func @beside(%x: memref<16xf64> {weft.name = "x", weft.role = "in"},
                  %y: memref<24xf64> {weft.name = "y", weft.role = "out"}) {
  %a = affine.vector_load %x[0] : memref<16xf64>, vector<8xf64>
  %b = affine.vector_load %x[8] : memref<16xf64>, vector<8xf64>
  %0 = vector.shuffle %a, %b [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf64>, vector<8xf64>
  %1 = arith.addf %0, %0 : vector<8xf64>
  affine.vector_store %1, %y[0] : memref<24xf64>, vector<8xf64>
  affine.for %i = 8 to 24 step 8 {
    affine.vector_store %1, %y[%i] : memref<24xf64>, vector<8xf64>
  }
  return
}
}
