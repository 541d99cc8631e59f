// Halves of rows exchange parts: rows of the arrays have four cores, of which each knows its number in the
// half, and the half's first one in the row. They wait for each other alone.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s
// RUN: cat %target_sw26010 %s | sed 's/along_rows//' | not weft-translate - --weft-to-c 2>&1 | FileCheck %s --check-prefix=COLUMNS

// COLUMNS: error: {{.*}}expected it along rows: rows are parts of the mesh's, whose cores stand in 8 columns
module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x40xf64> {weft.name = "x", weft.role = "in"}) {
    cpe.cores {
      %a = cpe.spread : memref<16x4x64xf64> loc("a")
      %b = cpe.spread : memref<16x4x64xf64> loc("b")
      // CHECK:      const int mine = core % 4;
      // CHECK-NEXT: const int first = core % 8 - mine;
      // CHECK:      for (int round_1 = 1; round_1 < 4; ++round_1) {
      // CHECK-NEXT:   const int other = mine ^ round_1;
      // CHECK-NEXT:   weft_sync_part(15 << first);
      // CHECK-NEXT:   const doublev4 message = weft_load_v4d(a + other*4);
      // CHECK-NEXT:   weft_to_row_v4d(message, first + other);
      // CHECK-NEXT:   simd_store(weft_from_row_v4d(), b + other*4);
      cpe.exchange %a, %b along_rows block 4 counts [] from 4 [] to 4 [] : memref<16x4x64xf64>, memref<16x4x64xf64>
    }
    return
  }
}
