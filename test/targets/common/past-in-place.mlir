// RUN: cat %target_avx512 %s | sed 's/ahead_bytes = 8192/results_ask = true, l2_ways = 16 : i64, past_in_place_bytes = 16777216 : i64, ahead_bytes = 8192/' \
// RUN:   | weft-translate - --weft-to-c | FileCheck %s
// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s --check-prefix=OTHER
// On machines where that is faster, columns that are computed in their place go past the caches, if
// their rows drive each other from the second one, and ask for what the next block loads, as columns
// do that go to another array.

// OTHER-LABEL: int in_place(
// OTHER-NOT:   weft_store_past
// OTHER:       _mm512_storeu_pd(&y[
// OTHER-LABEL: int elsewhere(
// OTHER:       weft_store_past_pd(&y[
// OTHER-NOT:   weft_load_ahead
// OTHER-LABEL: int near_rows(

module attributes {weft.target = #target} {
// 256 rows 64 KB apart, 256 bytes of each.
// CHECK-LABEL: int in_place(
// CHECK:      weft_load_ahead(&y[{{.*}}], 256);
// CHECK-NEXT: weft_load_ahead(&y[{{.*}}], 65536);
// CHECK-NOT:  _mm512_storeu_pd(&y[
// CHECK:      weft_store_past_pd(&y[(j*256 + [[COLUMN:.*]])*32
// CHECK-NEXT: weft_load_ahead(&y[(j*256 + [[COLUMN]])*32
// CHECK-SAME: , 256);
// CHECK:      weft_stored_past();
func.func @in_place(%y: memref<256x256x32xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %c = 0 to 256 {
    %columns = memref.alloca() : memref<256x32xf64>
    affine.for %r = 0 to 256 {
      affine.for %i = 0 to 32 step 8 {
        %a = affine.vector_load %y[%r, %c, %i] : memref<256x256x32xf64>, vector<8xf64>
        affine.vector_store %a, %columns[%r, %i] : memref<256x32xf64>, vector<8xf64>
      }
    }
    affine.for %r = 0 to 256 {
      affine.for %i = 0 to 32 step 8 {
        %a = affine.vector_load %columns[255 - %r, %i] : memref<256x32xf64>, vector<8xf64>
        %d = arith.addf %a, %a : vector<8xf64>
        affine.vector_store %d, %y[%r, %c, %i] : memref<256x256x32xf64>, vector<8xf64>
      }
    }
  } {weft.independent}
  return
}

// CHECK-LABEL: int elsewhere(
// CHECK:      weft_store_past_pd(&y[(j*256 + [[COLUMN:.*]])*32
// CHECK-NEXT: weft_load_ahead(&x[(j*256 + [[COLUMN]])*32
// CHECK-SAME: , 256);
func.func @elsewhere(%x: memref<256x256x32xf64> {weft.name = "x", weft.role = "in"},
                     %y: memref<256x256x32xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %c = 0 to 256 {
    %columns = memref.alloca() : memref<256x32xf64>
    affine.for %r = 0 to 256 {
      affine.for %i = 0 to 32 step 8 {
        %a = affine.vector_load %x[%r, %c, %i] : memref<256x256x32xf64>, vector<8xf64>
        affine.vector_store %a, %columns[%r, %i] : memref<256x32xf64>, vector<8xf64>
      }
    }
    affine.for %r = 0 to 256 {
      affine.for %i = 0 to 32 step 8 {
        %a = affine.vector_load %columns[255 - %r, %i] : memref<256x32xf64>, vector<8xf64>
        %d = arith.addf %a, %a : vector<8xf64>
        affine.vector_store %d, %y[%r, %c, %i] : memref<256x256x32xf64>, vector<8xf64>
      }
    }
  } {weft.independent}
  return
}

// Rows 4352 bytes apart lie in other lines of the second cache each, which still has them.
// CHECK-LABEL: int near_rows(
// CHECK-NOT:  weft_store_past
// CHECK:      _mm512_storeu_pd(&y[
// CHECK-NEXT: weft_load_ahead(&y[
func.func @near_rows(%y: memref<4096x17x32xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %c = 0 to 17 {
    %columns = memref.alloca() : memref<1024x32xf64>
    affine.for %r = 0 to 1024 {
      affine.for %i = 0 to 32 step 8 {
        %a = affine.vector_load %y[%r, %c, %i] : memref<4096x17x32xf64>, vector<8xf64>
        affine.vector_store %a, %columns[%r, %i] : memref<1024x32xf64>, vector<8xf64>
      }
    }
    affine.for %r = 0 to 1024 {
      affine.for %i = 0 to 32 step 8 {
        %a = affine.vector_load %columns[1023 - %r, %i] : memref<1024x32xf64>, vector<8xf64>
        %d = arith.addf %a, %a : vector<8xf64>
        affine.vector_store %d, %y[%r, %c, %i] : memref<4096x17x32xf64>, vector<8xf64>
      }
    }
  } {weft.independent}
  return
}

// Parts of 128 bytes gain nothing past the caches.
// CHECK-LABEL: int short_parts(
// CHECK-NOT:  weft_store_past
// CHECK:      _mm512_storeu_pd(&y[
func.func @short_parts(%y: memref<512x512x16xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %c = 0 to 512 {
    %columns = memref.alloca() : memref<512x16xf64>
    affine.for %r = 0 to 512 {
      affine.for %i = 0 to 16 step 8 {
        %a = affine.vector_load %y[%r, %c, %i] : memref<512x512x16xf64>, vector<8xf64>
        affine.vector_store %a, %columns[%r, %i] : memref<512x16xf64>, vector<8xf64>
      }
    }
    affine.for %r = 0 to 512 {
      affine.for %i = 0 to 16 step 8 {
        %a = affine.vector_load %columns[511 - %r, %i] : memref<512x16xf64>, vector<8xf64>
        %d = arith.addf %a, %a : vector<8xf64>
        affine.vector_store %d, %y[%r, %c, %i] : memref<512x512x16xf64>, vector<8xf64>
      }
    }
  } {weft.independent}
  return
}
}
