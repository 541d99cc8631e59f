// An array keeps its memory where a turn stores to other places than it reads from, where one turn
// sees what another has stored, where the result is read or written meanwhile or holds what the
// turn reads, where stores come before reads, where elements are left out, where the result is made
// too late; and, with a reason, where
// it is made anew in each turn of a loop and fits the first cache.
// RUN: cat %target_avx512 %s | weft-opt - --lend-results | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --lend-results --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a value of type memref<4x8xf64> lies in the memory of 'y'", Why="256 bytes stay in the first cache from one turn to the next", bytes=256

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @elsewhere
// CHECK:         memref.alloca
func.func @elsewhere(%x: memref<4x8xf64>, %y: memref<4x8xf64>) {
  %t = memref.alloca() : memref<4x8xf64>
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %x[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %y[3 - %i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  return
}

// Of one element each: the last turns begin earlier, and read again what others have replaced.
// CHECK-LABEL: func.func @overlapping
// CHECK:         memref.alloca
func.func @overlapping(%x: memref<12xf64>, %y: memref<12xf64>) {
  %t = memref.alloca() : memref<12xf64>
  affine.for %i = 0 to 8 step 4 {
    %a = affine.vector_load %x[%i] : memref<12xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i] : memref<12xf64>, vector<8xf64>
  }
  affine.for %i = 0 to 8 step 4 {
    %a = affine.vector_load %t[%i] : memref<12xf64>, vector<8xf64>
    %s = arith.addf %a, %a : vector<8xf64>
    affine.vector_store %s, %y[%i] : memref<12xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @used_meanwhile
// CHECK:         memref.alloca
func.func @used_meanwhile(%x: memref<4x8xf64>, %y: memref<4x8xf64>, %z: memref<8xf64>) {
  %t = memref.alloca() : memref<4x8xf64>
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %x[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  %flat = memref.reinterpret_cast %y to offset: [0], sizes: [32], strides: [1]
      : memref<4x8xf64> to memref<32xf64>
  %old = affine.vector_load %flat[0] : memref<32xf64>, vector<8xf64>
  affine.vector_store %old, %z[0] : memref<8xf64>, vector<8xf64>
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %y[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @adds_to_result
// CHECK:         memref.alloca
func.func @adds_to_result(%x: memref<4x8xf64>, %y: memref<4x8xf64>) {
  %t = memref.alloca() : memref<4x8xf64>
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %x[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
    %b = affine.vector_load %y[%i, 0] : memref<4x8xf64>, vector<8xf64>
    %s = arith.addf %a, %b : vector<8xf64>
    affine.vector_store %s, %y[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @stores_first
// CHECK:         memref.alloca
func.func @stores_first(%x: memref<4x2x8xf64>, %y: memref<4x2x8xf64>) {
  %t = memref.alloca() : memref<4x2x8xf64>
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %x[%i, 0, 0] : memref<4x2x8xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i, 0, 0] : memref<4x2x8xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i, 1, 0] : memref<4x2x8xf64>, vector<8xf64>
  }
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %t[%i, 0, 0] : memref<4x2x8xf64>, vector<8xf64>
    affine.vector_store %a, %y[%i, 1, 0] : memref<4x2x8xf64>, vector<8xf64>
    %b = affine.vector_load %t[%i, 1, 0] : memref<4x2x8xf64>, vector<8xf64>
    affine.vector_store %b, %y[%i, 0, 0] : memref<4x2x8xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @left_out
// CHECK:         memref.alloca
func.func @left_out(%x: memref<4x8xf64>, %y: memref<4x8xf64>) {
  %t = memref.alloca() : memref<4x8xf64>
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %x[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  affine.for %i = 0 to 3 {
    %a = affine.vector_load %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %y[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @made_late
// CHECK:         memref.alloca
func.func @made_late(%x: memref<4x8xf64>, %z: memref<4x8xf64>) {
  %t = memref.alloca() : memref<4x8xf64>
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %x[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  %y = memref.alloc() : memref<4x8xf64>
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %y[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %y[3 - %i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %z[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @stays_in_cache
// CHECK:         memref.alloca
func.func @stays_in_cache(%x: memref<9x4x8xf64>, %y: memref<9x4x8xf64> loc("y")) {
  affine.for %o = 0 to 9 {
    %t = memref.alloca() : memref<4x8xf64>
    affine.for %i = 0 to 4 {
      %a = affine.vector_load %x[%o, %i, 0] : memref<9x4x8xf64>, vector<8xf64>
      affine.vector_store %a, %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 4 {
      %a = affine.vector_load %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
      affine.vector_store %a, %y[%o, %i, 0] : memref<9x4x8xf64>, vector<8xf64>
    }
  }
  return
}

// A turn stores where the next one reads.
// CHECK-LABEL: func.func @next_turn_reads
// CHECK:         memref.alloca() : memref<256xf64>
func.func @next_turn_reads(%x: memref<256xf64>, %y: memref<256xf64>) {
  %t = memref.alloca() : memref<256xf64>
  %part = memref.alloca() : memref<64xf64>
  affine.for %i = 0 to 32 {
    %a = affine.vector_load %x[%i * 8] : memref<256xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i * 8] : memref<256xf64>, vector<8xf64>
  }
  affine.for %b = 0 to 4 {
    affine.for %i = 0 to 8 {
      %a = affine.vector_load %t[%i * 32 + %b * 8] : memref<256xf64>, vector<8xf64>
      affine.vector_store %a, %part[%i * 8] : memref<64xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 8 {
      %a = affine.vector_load %part[%i * 8] : memref<64xf64>, vector<8xf64>
      affine.vector_store %a, %y[%b * 64 + %i * 8] : memref<256xf64>, vector<8xf64>
    }
  }
  return
}

// 16 MiB go past the caches: no line of them comes there for an array; it does where the nest reads them.
// NOTE: rejected {{.*}}lies in the memory of {{.*}}Why="16777216 bytes are stored past the caches: no line comes there before"
// CHECK-LABEL: func.func @past
// CHECK:         memref.alloca
func.func @past(%x: memref<512x4096xf64>, %y: memref<512x4096xf64>) {
  affine.for %r = 0 to 512 {
    %t = memref.alloca() : memref<4096xf64>
    affine.for %i = 0 to 4096 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<512x4096xf64>, vector<8xf64>
      affine.vector_store %a, %t[%i] : memref<4096xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 4096 step 8 {
      %a = affine.vector_load %t[%i] : memref<4096xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<512x4096xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @past_but_read
// CHECK:         memref.alloca() : memref<4096xf64>
// CHECK-NOT:     memref.alloca
func.func @past_but_read(%y: memref<512x4096xf64>) {
  affine.for %r = 0 to 512 {
    %s = memref.alloca() : memref<4096xf64>
    %t = memref.alloca() : memref<4096xf64>
    affine.for %i = 0 to 4096 step 8 {
      %a = affine.vector_load %y[%r, %i] : memref<512x4096xf64>, vector<8xf64>
      affine.vector_store %a, %s[%i] : memref<4096xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 4096 step 8 {
      %a = affine.vector_load %s[4088 - %i] : memref<4096xf64>, vector<8xf64>
      affine.vector_store %a, %t[%i] : memref<4096xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 4096 step 8 {
      %a = affine.vector_load %t[%i] : memref<4096xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<512x4096xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}
}
