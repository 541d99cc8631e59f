// One core of a row or of a column sends, the others receive: eight messages a turn, what is left
// behind the loop. A sync before keeps the one that sent last apart.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x40xf32> {weft.name = "x", weft.role = "in"}) {
    cpe.cores {
      %a = cpe.spread : memref<8x8x40xf32> loc("a")
      %b = cpe.spread : memref<8x8x40xf32> loc("b")
      affine.for %s = 0 to 8 {
        // CHECK:      weft_sync_row();
        // CHECK-NEXT: if (core % 8 == [[S:.*]]) {
        // CHECK-NEXT:   for (int n = 0; n < 32; n += 32) {
        // CHECK:          const floatv4 message = weft_load_v4f(a + n);
        // CHECK-NEXT:     simd_putr(message, 8);
        // CHECK-NEXT:     simd_store(message, b + n);
        // CHECK:          const floatv4 message = weft_load_v4f(a + n + 28);
        // CHECK:        const floatv4 message = weft_load_v4f(a + 32);
        // CHECK:        const floatv4 message = weft_load_v4f(a + 36);
        // CHECK:      else {
        // CHECK-NEXT:   for (int n = 0; n < 32; n += 32) {
        // CHECK-NEXT:     simd_store(weft_from_row_v4f(), b + n);
        // CHECK:        simd_store(weft_from_row_v4f(), b + 36);
        cpe.broadcast %a from %s, %b along_rows : memref<8x8x40xf32>, memref<8x8x40xf32>
        // CHECK:      weft_sync_column();
        // CHECK-NEXT: if (core / 8 == [[S]]) {
        // CHECK:        simd_putc(message, 8);
        // CHECK:        simd_store(weft_from_column_v4f(), a + n);
        cpe.broadcast %b from %s, %a : memref<8x8x40xf32>, memref<8x8x40xf32>
      }
    }
    return
  }
}
