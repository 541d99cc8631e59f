// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// A result beyond the third cache that is copied line by line out of an array that the second one holds
// goes past them, and copies of any kind to a larger one; not so where the loop waits for what it reads,
// where lines do not follow each other, where the function reads the result, and where a cache holds it.

module attributes {weft.target = #target} {
// CHECK-LABEL: int copied(
// CHECK:         weft_store_past_ps(&y[(i*64 + j)*64], v0);
// CHECK-COUNT-3: weft_store_past_ps(&y
// CHECK:         weft_stored_past();
// CHECK-NEXT:    return 0;
func.func @copied(%x: memref<64x64xf32> {weft.name = "x", weft.role = "in"},
                  %y: memref<1024x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 1024 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%r, 0] : memref<64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 16] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 32] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 48] : memref<1024x64x64xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: int from_memory(
// CHECK-NOT:     weft_store_past
func.func @from_memory(%x: memref<768x64x64xf32> {weft.name = "x", weft.role = "in"},
                       %y: memref<768x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 768 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%n, %r, 0] : memref<768x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<768x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 16] : memref<768x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 32] : memref<768x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 48] : memref<768x64x64xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: int apart(
// CHECK-NOT:     weft_store_past
func.func @apart(%x: memref<64x64xf32> {weft.name = "x", weft.role = "in"},
                 %y: memref<768x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 768 step 4 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%r, 0] : memref<64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<768x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n + 1, %r, 0] : memref<768x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n + 2, %r, 0] : memref<768x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n + 3, %r, 0] : memref<768x64x64xf32>, vector<16xf32>
    }
  }
  return
}

// Of 16 MB and more no cache keeps a part.
// CHECK-LABEL: int much_from_memory(
// CHECK-COUNT-4: weft_store_past_ps(&y
func.func @much_from_memory(%x: memref<1024x64x64xf32> {weft.name = "x", weft.role = "in"},
                       %y: memref<1024x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 1024 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 16] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 32] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 48] : memref<1024x64x64xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: int far_apart(
// CHECK-COUNT-4: weft_store_past_ps(&y
func.func @far_apart(%x: memref<64x64xf32> {weft.name = "x", weft.role = "in"},
                 %y: memref<1024x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 1024 step 4 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%r, 0] : memref<64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n + 1, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n + 2, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n + 3, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: int read_again(
// CHECK-NOT:     weft_store_past
func.func @read_again(%x: memref<64x64xf32> {weft.name = "x", weft.role = "in"},
                      %y: memref<1024x64x64xf32> {weft.name = "y", weft.role = "out"},
                      %z: memref<1xf32> {weft.name = "z", weft.role = "out"}) {
  affine.for %n = 0 to 1024 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%r, 0] : memref<64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 16] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 32] : memref<1024x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 48] : memref<1024x64x64xf32>, vector<16xf32>
    }
  }
  %b = affine.load %y[5, 5, 5] : memref<1024x64x64xf32>
  affine.store %b, %z[0] : memref<1xf32>
  return
}

// CHECK-LABEL: int small(
// CHECK-NOT:     weft_store_past
func.func @small(%x: memref<64x64xf32> {weft.name = "x", weft.role = "in"},
                 %y: memref<256x64x64xf32> {weft.name = "y", weft.role = "out"}) {
  affine.for %n = 0 to 256 {
    affine.for %r = 0 to 64 {
      %a = affine.vector_load %x[%r, 0] : memref<64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 0] : memref<256x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 16] : memref<256x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 32] : memref<256x64x64xf32>, vector<16xf32>
      affine.vector_store %a, %y[%n, %r, 48] : memref<256x64x64xf32>, vector<16xf32>
    }
  }
  return
}

// Lines that a block computes go past the caches where they lie apart, too; what a later nest reads, from
// twice the bytes on (16 MiB here are not enough, 32 are), and into memory of the kernel's own. Copies to what is read do not.
// CHECK-LABEL: int blocks(
// CHECK:         weft_store_past_pd(&y[i*512 + j + 4096], v1);
// CHECK:         weft_store_past_pd(&y[i*512 + j], v1);
// CHECK:         weft_store_past_pd(&large[i*512 + j], v1);
// CHECK:         _mm512_storeu_pd(&z[i*512 + j], v1);
// CHECK-NOT:     weft_store_past_pd
func.func @blocks(%x: memref<16x512xf64> {weft.name = "x", weft.role = "in"},
                  %y: memref<4096x512xf64> {weft.name = "y", weft.role = "out"},
                  %z: memref<4096x512xf64> {weft.name = "z", weft.role = "out"},
                  %s: memref<2xf64> {weft.name = "s", weft.role = "out"}) {
  %large = memref.alloc() : memref<8192x512xf64> loc("large")
  affine.for %b = 0 to 4096 step 16 {
    %t = memref.alloca() : memref<8xf64>
    affine.for %c = 0 to 512 step 8 {
      %a = affine.vector_load %x[0, %c] : memref<16x512xf64>, vector<8xf64>
      affine.vector_store %a, %t[0] : memref<8xf64>, vector<8xf64>
      %d = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %d, %y[%b + 8, %c] : memref<4096x512xf64>, vector<8xf64>
      affine.vector_store %d, %y[%b, %c] : memref<4096x512xf64>, vector<8xf64>
      affine.vector_store %d, %large[%b, %c] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %d, %z[%b, %c] : memref<4096x512xf64>, vector<8xf64>
    }
    affine.for %c = 0 to 512 step 8 {
      %a = affine.vector_load %x[0, %c] : memref<16x512xf64>, vector<8xf64>
      affine.vector_store %a, %z[%b + 1, %c] : memref<4096x512xf64>, vector<8xf64>
    }
  } {weft.independent}
  %p = affine.load %large[5, 5] : memref<8192x512xf64>
  affine.store %p, %s[0] : memref<2xf64>
  %q = affine.load %z[5, 5] : memref<4096x512xf64>
  affine.store %q, %s[1] : memref<2xf64>
  return
}

// Not what the nest itself reads, half a line at a time, nor lines that begin anywhere.
// CHECK-LABEL: int not_blocks(
// CHECK-NOT:     weft_store_past_pd
func.func @not_blocks(%x: memref<16x512xf64> {weft.name = "x", weft.role = "in"},
                      %y: memref<8192x512xf64> {weft.name = "y", weft.role = "out"},
                      %z: memref<8192x508xf64> {weft.name = "z", weft.role = "out"}) {
  affine.for %b = 0 to 8192 {
    %t = memref.alloca() : memref<8xf64>
    affine.for %c = 0 to 504 step 8 {
      %a = affine.vector_load %x[0, %c] : memref<16x512xf64>, vector<8xf64>
      affine.vector_store %a, %t[0] : memref<8xf64>, vector<8xf64>
      %d = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %d, %y[%b, %c] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %d, %z[%b, %c] : memref<8192x508xf64>, vector<8xf64>
    }
    affine.for %c = 0 to 504 step 8 {
      %a = affine.vector_load %y[%b, %c] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %a, %t[0] : memref<8xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}
// Nor lines of rows whose ends share a line with others: it would go to memory twice.
// CHECK-LABEL: int mixed(
// CHECK-NOT:     weft_store_past_pd
func.func @mixed(%x: memref<16x512xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<8192x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %b = 0 to 8192 {
    %t = memref.alloca() : memref<8xf64>
    affine.for %c = 0 to 504 step 8 {
      %a = affine.vector_load %x[0, %c] : memref<16x512xf64>, vector<8xf64>
      affine.vector_store %a, %t[0] : memref<8xf64>, vector<8xf64>
      %d = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %d, %y[%b, %c] : memref<8192x512xf64>, vector<8xf64>
    }
    %e = affine.vector_load %t[0] : memref<8xf64>, vector<8xf64>
    affine.vector_store %e, %y[%b, 500] : memref<8192x512xf64>, vector<8xf64>
  } {weft.independent}
  return
}
// Four lines of each of two rows, and what lies behind them, whole lines as well: none is shared.
// CHECK-LABEL: int rows(
// CHECK-COUNT-8: weft_store_past_pd(&y
// CHECK-NOT:     weft_store_past_pd
// CHECK:         weft_stored_past();
func.func @rows(%x: memref<16x512xf64> {weft.name = "x", weft.role = "in"},
                %y: memref<8192x520xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %b = 0 to 4096 {
    affine.for %c = 0 to 512 step 32 {
      %a = affine.vector_load %x[0, %c] : memref<16x512xf64>, vector<8xf64>
      %d = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %d, %y[%b * 2, %c] : memref<8192x520xf64>, vector<8xf64>
      affine.vector_store %d, %y[%b * 2, %c + 8] : memref<8192x520xf64>, vector<8xf64>
      affine.vector_store %d, %y[%b * 2, %c + 16] : memref<8192x520xf64>, vector<8xf64>
      affine.vector_store %d, %y[%b * 2, %c + 24] : memref<8192x520xf64>, vector<8xf64>
      affine.vector_store %d, %y[%b * 2 + 1, %c] : memref<8192x520xf64>, vector<8xf64>
      affine.vector_store %d, %y[%b * 2 + 1, %c + 8] : memref<8192x520xf64>, vector<8xf64>
      affine.vector_store %d, %y[%b * 2 + 1, %c + 16] : memref<8192x520xf64>, vector<8xf64>
      affine.vector_store %d, %y[%b * 2 + 1, %c + 24] : memref<8192x520xf64>, vector<8xf64>
    }
    %e = affine.vector_load %x[0, 0] : memref<16x512xf64>, vector<8xf64>
    %f = arith.addf %e, %e : vector<8xf64>
    affine.vector_store %f, %y[%b * 2, 512] : memref<8192x520xf64>, vector<8xf64>
    affine.vector_store %f, %y[%b * 2 + 1, 512] : memref<8192x520xf64>, vector<8xf64>
  }
  return
}
// Nor single lines of many rows, as stages of transforms store them.
// CHECK-LABEL: int lines_of_rows(
// CHECK-NOT:     weft_store_past_pd
func.func @lines_of_rows(%x: memref<16x512xf64> {weft.name = "x", weft.role = "in"},
                         %y: memref<8192x512xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %b = 0 to 4096 {
    affine.for %c = 0 to 512 step 8 {
      %a = affine.vector_load %x[0, %c] : memref<16x512xf64>, vector<8xf64>
      %d = arith.addf %a, %a : vector<8xf64>
      affine.vector_store %d, %y[%b * 2, %c] : memref<8192x512xf64>, vector<8xf64>
      affine.vector_store %d, %y[%b * 2 + 1, %c] : memref<8192x512xf64>, vector<8xf64>
    }
  }
  return
}
}
