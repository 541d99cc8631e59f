// One core of a row or of a column sends, the others receive: eight messages a turn, all of which
// are loaded before the first is sent; what is left behind the loop. A message is 32 bytes as they lie in memory, eight numbers of f32. A sync before keeps
// the one that sent last apart.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x40xf32> {weft.name = "x", weft.role = "in"}) {
    cpe.cores {
      %a = cpe.spread : memref<8x8x80xf32> loc("a")
      %b = cpe.spread : memref<8x8x80xf32> loc("b")
      affine.for %s = 0 to 8 {
        // CHECK:      weft_sync_row();
        // CHECK-NEXT: if (core % 8 == [[S:.*]]) {
        // CHECK-NEXT:   for (int n = 0; n < 64; n += 64) {
        // CHECK-NEXT:     const doublev4 [[M:.*]] = weft_message(a + n);
        // CHECK-NEXT:     const doublev4 [[M1:.*]] = weft_message(a + n + 8);
        // CHECK:          weft_send_row([[M]], b + n);
        // CHECK-NEXT:     weft_send_row([[M1]], b + n + 8);
        // CHECK:        const doublev4 [[R:.*]] = weft_message(a + 64);
        // CHECK:        weft_send_row([[R]], b + 64);
        // CHECK-NEXT:   weft_send_row({{.*}}, b + 72);
        // CHECK-NEXT: }
        // CHECK-NEXT: else {
        // CHECK-NEXT:   for (int n = 0; n < 64; n += 64) {
        // CHECK-NEXT:     weft_receive_row(b + n);
        // CHECK:        weft_receive_row(b + 72);
        cpe.broadcast %a from %s, %b along_rows : memref<8x8x80xf32>, memref<8x8x80xf32>
        // CHECK:      weft_sync_column();
        // CHECK-NEXT: if (core / 8 == [[S]]) {
        // CHECK:          weft_message(b + n);
        // CHECK:          weft_send_column([[M]], a + n);
        // CHECK:          weft_receive_column(a + n);
        cpe.broadcast %b from %s, %a : memref<8x8x80xf32>, memref<8x8x80xf32>
        // One part of five, to where there is room for those of several senders.
        // CHECK:      weft_sync_column();
        // CHECK:        weft_message(a + [[S]]*8 + n);
        // CHECK:        weft_send_column([[M]], b + 16 + n);
        %two = arith.constant 2 : index
        cpe.broadcast %a[%s] from %s, %b[%two] elements 8 : memref<8x8x80xf32>, memref<8x8x80xf32>
      }
    }
    return
  }
}
