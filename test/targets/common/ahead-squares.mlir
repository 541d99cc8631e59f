// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// Squares that go to planes of an array beyond the third cache, but not past it, ask for the lines of the next but one:
// in a row and on in the next row. None within a tile, which ends before, nor for planes so small
// that a page has many of them.

module attributes {weft.target = #target} {
// CHECK-LABEL: int rows(
// CHECK-COUNT-8: weft_store_ahead(&y[{{.*}}], 128);
// CHECK-NOT:  weft_store_ahead
func.func @rows(%x: memref<192x512xf64> {weft.name = "x", weft.role = "in"},
                %y: memref<16x192x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %c = 0 to 16 step 8 {
    affine.for %r = 0 to 192 {
      affine.for %i = 0 to 512 step 8 {
        %a = affine.vector_load %x[%r, %i] : memref<192x512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%c + 0, %r, %i] : memref<16x192x512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%c + 1, %r, %i] : memref<16x192x512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%c + 2, %r, %i] : memref<16x192x512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%c + 3, %r, %i] : memref<16x192x512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%c + 4, %r, %i] : memref<16x192x512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%c + 5, %r, %i] : memref<16x192x512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%c + 6, %r, %i] : memref<16x192x512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%c + 7, %r, %i] : memref<16x192x512xf64>, vector<8xf64>
      }
    }
  }
  return
}

// CHECK-LABEL: int tiles(
// CHECK-NOT:  weft_store_ahead
func.func @tiles(%x: memref<192x512xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<16x192x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %t = 0 to 512 step 32 {
    affine.for %r = 0 to 192 {
      affine.for %c = 0 to 16 step 8 {
        affine.for %i = 0 to 32 step 8 {
          %a = affine.vector_load %x[%r, %t + %i] : memref<192x512xf64>, vector<8xf64>
          affine.vector_store %a, %y[%c + 0, %r, %t + %i] : memref<16x192x512xf64>, vector<8xf64>
          affine.vector_store %a, %y[%c + 1, %r, %t + %i] : memref<16x192x512xf64>, vector<8xf64>
          affine.vector_store %a, %y[%c + 2, %r, %t + %i] : memref<16x192x512xf64>, vector<8xf64>
          affine.vector_store %a, %y[%c + 3, %r, %t + %i] : memref<16x192x512xf64>, vector<8xf64>
          affine.vector_store %a, %y[%c + 4, %r, %t + %i] : memref<16x192x512xf64>, vector<8xf64>
          affine.vector_store %a, %y[%c + 5, %r, %t + %i] : memref<16x192x512xf64>, vector<8xf64>
          affine.vector_store %a, %y[%c + 6, %r, %t + %i] : memref<16x192x512xf64>, vector<8xf64>
          affine.vector_store %a, %y[%c + 7, %r, %t + %i] : memref<16x192x512xf64>, vector<8xf64>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: int near(
// CHECK-NOT:  weft_store_ahead
func.func @near(%x: memref<512x64xf64> {weft.name = "x", weft.role = "in"},
                %y: memref<512x3072xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 512 {
    affine.for %i = 0 to 64 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<512x64xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i + 0] : memref<512x3072xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i + 64] : memref<512x3072xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i + 128] : memref<512x3072xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i + 192] : memref<512x3072xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i + 256] : memref<512x3072xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i + 320] : memref<512x3072xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i + 384] : memref<512x3072xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i + 448] : memref<512x3072xf64>, vector<8xf64>
    }
  }
  return
}
}
