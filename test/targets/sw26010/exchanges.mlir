// Cores exchange parts: a core's own is copied, then pairs in rounds, whose messages stand behind each
// other, eight at most. Two are on their way before the first that comes is taken, so that a core
// needs room for one message to send and one that came. Loops of one turn are none.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x40xf64> {weft.name = "x", weft.role = "in"}) {
    cpe.cores {
      %a = cpe.spread : memref<8x8x1536xf64> loc("a")
      %b = cpe.spread : memref<8x8x1536xf64> loc("b")
      // CHECK:      const int mine = core % 8;
      // CHECK-NEXT: for (int n = 0; n < 6; ++n) {
      // CHECK-NEXT:   const doublev4 message = weft_load_v4d(a + (n*32 + mine)*8);
      // CHECK:        simd_store(message, b + (mine*6 + n)*32);
      // CHECK-NEXT:   simd_store(message_1, b + (mine*6 + n)*32 + 4);
      // CHECK:      for (int round_1 = 1; round_1 < 8; ++round_1) {
      // CHECK-NEXT:   const int other = mine ^ round_1;
      // CHECK-NEXT:   weft_sync_row();
      // CHECK-NEXT:   for (int n = 0; n < 6; ++n) {
      // CHECK-NEXT:     const doublev4 message = weft_load_v4d(a + (n*32 + other)*8);
      // CHECK-NEXT:     const doublev4 message_1 = weft_load_v4d(a + (n*32 + other)*8 + 4);
      // CHECK-NEXT:     const doublev4 message_2 = weft_load_v4d(a + (n*32 + other)*8 + 64);
      // CHECK:          const doublev4 message_7 = weft_load_v4d(a + (n*32 + other)*8 + 196);
      // CHECK-NEXT:     weft_to_row_v4d(message, other);
      // CHECK-NEXT:     weft_to_row_v4d(message_1, other);
      // CHECK-NEXT:     simd_store(weft_from_row_v4d(), b + (other*6 + n)*32);
      // CHECK-NEXT:     weft_to_row_v4d(message_2, other);
      // CHECK-NEXT:     simd_store(weft_from_row_v4d(), b + (other*6 + n)*32 + 4);
      // CHECK:          weft_to_row_v4d(message_7, other);
      // CHECK-NEXT:     simd_store(weft_from_row_v4d(), b + (other*6 + n)*32 + 24);
      // CHECK-NEXT:     simd_store(weft_from_row_v4d(), b + (other*6 + n)*32 + 28);
      // CHECK-NEXT:   }
      // CHECK-NEXT: }
      cpe.exchange %a, %b along_rows block 8 counts [24] from 8 [64] to 192 [8] : memref<8x8x1536xf64>, memref<8x8x1536xf64>
      // CHECK:      const int mine = core / 8;
      // CHECK:        weft_sync_column();
      // CHECK-NEXT:   const doublev4 message = weft_load_v4d(b + other*4);
      // CHECK-NEXT:   weft_to_column_v4d(message, other);
      // CHECK-NEXT:   simd_store(weft_from_column_v4d(), a + other*4);
      // CHECK-NEXT: }
      cpe.exchange %b, %a block 4 counts [1] from 4 [8] to 4 [8] : memref<8x8x1536xf64>, memref<8x8x1536xf64>
    }
    return
  }
}
