// Cores in a line: along the first row of the mesh, back along the second. Each sends forward and
// hears from the one behind it, and then the other way round. Where cores do not divide the rows,
// how far the next core's rows lie from a core's own differs from core to core.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x40xf64> {weft.name = "x", weft.role = "in"}) {
    cpe.cores {
      %u = cpe.spread : memref<8x8x512xf64> loc("u")
      // CHECK:      const int place = weft_place(core, 8, 64);
      // CHECK-NEXT: const int ahead = place < 0 ? -1 : place == 63 ? weft_core_at(0, 8) : weft_core_at(place + 1,
      // CHECK-NEXT:     8);
      // CHECK-NEXT: const int behind = place < 0 ? -1 : place == 0 ? weft_core_at(63, 8) : weft_core_at(place - 1,
      // CHECK-NEXT:     8);
      // CHECK-NEXT: weft_sync();
      // CHECK-NEXT: weft_pass(core, ahead, behind, u + 256, u, 32);
      // CHECK-NEXT: weft_sync();
      // CHECK-NEXT: weft_pass(core, behind, ahead, u + 128, u + 384, 32);
      cpe.halo %u rows 128 own 2 cores 64 columns 8 before 1 after 1 wraps block 128 counts [] strides [] : memref<8x8x512xf64>
      // CHECK:      const int place = weft_place(core, 8, 44);
      // CHECK-NEXT: const int ahead = place < 0 ? -1 : place == 43 ? -1 :
      // CHECK:      for (int n = 0; n < 2; ++n) {
      // CHECK-NEXT:   weft_pass(core, ahead, behind,
      // CHECK-NEXT:       u + (n*12 + (place == 43 ? 3 : (place + 1) * 127 / 43 - place * 127 / 43))*16, u + n*192,
      // CHECK-NEXT:       4);
      // CHECK-NEXT: }
      // CHECK-NOT:  weft_sync
      cpe.halo %u rows 130 own 3 cores 44 columns 8 before 1 after 0 block 16 counts [2] strides [192] : memref<8x8x512xf64>
    }
    return
  }
}
