// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// Hints for the next block: stores to lines that nobody has read, loads from page to page; and for
// blocks behind it, loads from here and there. None for what the block or a nest joined with it has touched
// before, for loads one behind the other, nor for arrays that stay in a cache.

module attributes {weft.target = #target} {
// CHECK: weft_load_ahead(const void *p, uintptr_t bytes)
// CHECK: weft_store_ahead(const void *p, uintptr_t bytes)

// Rows of x to y; then columns of y, which are in the cache.
// CHECK-LABEL: int rows(
// CHECK-NOT:  weft_load_ahead
// CHECK:      _mm512_storeu_pd(&y[
// CHECK-NEXT: weft_store_ahead(&y[{{.*}}], 4096);
// CHECK-NOT:  weft_
func.func @rows(%x: memref<64x256x512xf64> {weft.name = "x", weft.role = "in"},
                %y: memref<64x256x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %z = 0 to 64 {
    affine.for %r = 0 to 256 {
      %line = memref.alloca() : memref<512xf64>
      affine.for %i = 0 to 512 step 8 {
        %a = affine.vector_load %x[%z, %r, %i] : memref<64x256x512xf64>, vector<8xf64>
        affine.vector_store %a, %line[%i] : memref<512xf64>, vector<8xf64>
      }
      affine.for %i = 0 to 512 step 8 {
        %a = affine.vector_load %line[504 - %i] : memref<512xf64>, vector<8xf64>
        affine.vector_store %a, %y[%z, %r, %i] : memref<64x256x512xf64>, vector<8xf64>
      }
    } {weft.independent}
    affine.for %c = 0 to 512 step 16 {
      %columns = memref.alloca() : memref<256x16xf64>
      affine.for %r = 0 to 256 {
        affine.for %i = 0 to 16 step 8 {
          %a = affine.vector_load %y[%z, %r, %c + %i] : memref<64x256x512xf64>, vector<8xf64>
          affine.vector_store %a, %columns[%r, %i] : memref<256x16xf64>, vector<8xf64>
        }
      }
      affine.for %r = 0 to 256 {
        affine.for %i = 0 to 16 step 8 {
          %a = affine.vector_load %columns[255 - %r, %i] : memref<256x16xf64>, vector<8xf64>
          affine.vector_store %a, %y[%z, %r, %c + %i] : memref<64x256x512xf64>, vector<8xf64>
        }
      }
    } {weft.independent}
  } {weft.independent}
  return
}

// Columns in place: their lines in the next block are asked for where they are read, with those of
// the next row, and once more where results are stored.
// CHECK-LABEL: int columns(
// CHECK:      weft_load_ahead(&y[{{.*}}], 128);
// CHECK-NEXT: weft_load_ahead(&y[{{.*}}], 4096);
// CHECK:      _mm512_loadu_pd(&y[
// CHECK-NOT:  weft_
// CHECK:      _mm512_storeu_pd(&y[
// CHECK-NEXT: weft_load_ahead(&y[{{.*}}], 128);
// CHECK-NOT:  weft_
func.func @columns(%y: memref<4096x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %c = 0 to 512 step 16 {
    %columns = memref.alloca() : memref<4096x16xf64>
    affine.for %r = 0 to 4096 {
      affine.for %i = 0 to 16 step 8 {
        %a = affine.vector_load %y[%r, %c + %i] : memref<4096x512xf64>, vector<8xf64>
        affine.vector_store %a, %columns[%r, %i] : memref<4096x16xf64>, vector<8xf64>
      }
    }
    affine.for %r = 0 to 4096 {
      affine.for %i = 0 to 16 step 8 {
        %a = affine.vector_load %columns[4095 - %r, %i] : memref<4096x16xf64>, vector<8xf64>
        affine.vector_store %a, %y[%r, %c + %i] : memref<4096x512xf64>, vector<8xf64>
      }
    }
  } {weft.independent}
  return
}

// Points of a line from eight places, two lines ahead; results that go past the caches ask for nothing.
// CHECK-LABEL: int apart(
// CHECK:         weft_load_ahead(&x[i*512 + j], 8192);
// CHECK:         weft_load_ahead(&x[i*512 + j + 64], 8192);
// CHECK-COUNT-6: weft_load_ahead(
// CHECK-NOT:     weft_store_ahead
func.func @apart(%x: memref<8192x512xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<8192x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 8192 {
    %line = memref.alloca() : memref<512xf64>
    affine.for %i = 0 to 64 step 8 {
      %a0 = affine.vector_load %x[%r, %i + 0] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %a0, %line[%i + 0] : memref<512xf64>, vector<8xf64>
      %a1 = affine.vector_load %x[%r, %i + 64] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %a1, %line[%i + 64] : memref<512xf64>, vector<8xf64>
      %a2 = affine.vector_load %x[%r, %i + 128] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %a2, %line[%i + 128] : memref<512xf64>, vector<8xf64>
      %a3 = affine.vector_load %x[%r, %i + 192] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %a3, %line[%i + 192] : memref<512xf64>, vector<8xf64>
      %a4 = affine.vector_load %x[%r, %i + 256] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %a4, %line[%i + 256] : memref<512xf64>, vector<8xf64>
      %a5 = affine.vector_load %x[%r, %i + 320] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %a5, %line[%i + 320] : memref<512xf64>, vector<8xf64>
      %a6 = affine.vector_load %x[%r, %i + 384] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %a6, %line[%i + 384] : memref<512xf64>, vector<8xf64>
      %a7 = affine.vector_load %x[%r, %i + 448] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %a7, %line[%i + 448] : memref<512xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 512 step 8 {
      %a = affine.vector_load %line[504 - %i] : memref<512xf64>, vector<8xf64>
      %d = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %d, %y[%r, %i] : memref<8192x512xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// All loads of a line ask, those that are left over, too; not where lines are short.
// CHECK-LABEL: int left_over(
// CHECK:         weft_load_ahead(&x[i*88 + j], 8448);
// CHECK:         weft_load_ahead(&x[i*88 + j + 40], 8448);
// CHECK:         weft_load_ahead(&x[i*88 + 80], 8448);
func.func @left_over(%x: memref<32768x88xf64> {weft.name = "x", weft.role = "in"},
                     %y: memref<88xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 32768 {
    %line = memref.alloca() : memref<88xf64>
    affine.for %i = 0 to 40 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<32768x88xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<88xf64>, vector<8xf64>
      %b = affine.vector_load %x[%r, %i + 40] : memref<32768x88xf64>, vector<8xf64>
      affine.vector_store %b, %line[%i + 40] : memref<88xf64>, vector<8xf64>
    }
    %a = affine.vector_load %x[%r, 80] : memref<32768x88xf64>, vector<8xf64>
    affine.vector_store %a, %line[80] : memref<88xf64>, vector<8xf64>
  } {weft.independent}
  return
}

// CHECK-LABEL: int brief(
// CHECK-NOT:     weft_load_ahead
func.func @brief(%x: memref<32768x64xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<64xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 32768 {
    %line = memref.alloca() : memref<64xf64>
    affine.for %i = 0 to 32 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<32768x64xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<64xf64>, vector<8xf64>
      %b = affine.vector_load %x[%r, %i + 32] : memref<32768x64xf64>, vector<8xf64>
      affine.vector_store %b, %line[%i + 32] : memref<64xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// Columns so tall that the second cache has lost the next block's lines before it begins.
// CHECK-LABEL: int tall(
// CHECK-NOT:  weft_
func.func @tall(%x: memref<8192x512xf64> {weft.name = "x", weft.role = "in"},
                %y: memref<512xf64> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<8xf64>
  affine.for %c = 0 to 512 step 128 {
    %sums = memref.alloca() : memref<128xf64>
    affine.for %i = 0 to 128 step 8 {
      affine.vector_store %zero, %sums[%i] : memref<128xf64>, vector<8xf64>
    }
    affine.for %r = 0 to 8192 {
      affine.for %i = 0 to 128 step 8 {
        %s = affine.vector_load %sums[%i] : memref<128xf64>, vector<8xf64>
        %a = affine.vector_load %x[%r, %c + %i] : memref<8192x512xf64>, vector<8xf64>
        %t = arith.addf %s, %a : vector<8xf64>
        affine.vector_store %t, %sums[%i] : memref<128xf64>, vector<8xf64>
      }
    }
    affine.for %i = 0 to 128 step 8 {
      %s = affine.vector_load %sums[%i] : memref<128xf64>, vector<8xf64>
      affine.vector_store %s, %y[%c + %i] : memref<512xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// Three rows that overlap are read once.
// CHECK-LABEL: int windows(
// CHECK:      weft_load_ahead(&x[
func.func @windows(%x: memref<6002x512xf64> {weft.name = "x", weft.role = "in"},
                   %y: memref<512xf64> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant dense<0.0> : vector<8xf64>
  affine.for %c = 0 to 512 step 8 {
    %sums = memref.alloca() : memref<8xf64>
    affine.vector_store %zero, %sums[0] : memref<8xf64>, vector<8xf64>
    affine.for %r = 0 to 6000 {
      %s = affine.vector_load %sums[0] : memref<8xf64>, vector<8xf64>
      %a = affine.vector_load %x[%r, %c] : memref<6002x512xf64>, vector<8xf64>
      %b = affine.vector_load %x[%r + 1, %c] : memref<6002x512xf64>, vector<8xf64>
      %d = affine.vector_load %x[%r + 2, %c] : memref<6002x512xf64>, vector<8xf64>
      %t = arith.addf %s, %a : vector<8xf64>
      %u = arith.addf %t, %b : vector<8xf64>
      %v = arith.addf %u, %d : vector<8xf64>
      affine.vector_store %v, %sums[0] : memref<8xf64>, vector<8xf64>
    }
    %s = affine.vector_load %sums[0] : memref<8xf64>, vector<8xf64>
    affine.vector_store %s, %y[%c] : memref<512xf64>, vector<8xf64>
  } {weft.independent}
  return
}

// 4 MiB are in the third cache.
// CHECK-LABEL: int small(
// CHECK-NOT:  weft_
func.func @small(%x: memref<1024x512xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<1024x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 1024 {
    %line = memref.alloca() : memref<512xf64>
    affine.for %i = 0 to 512 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<1024x512xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<512xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 512 step 8 {
      %a = affine.vector_load %line[504 - %i] : memref<512xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<1024x512xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}
}
