// A put from the midst of a core's array: blocks that lie one behind the other are one transfer,
// others one each.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%y: memref<64x64xf64> {weft.name = "y", weft.role = "out"}) {
    cpe.cores {
      %a = cpe.spread : memref<8x8x80xf64> loc("a")
      affine.for %r = 0 to 8 {
        affine.for %c = 0 to 8 {
          %at = affine.apply affine_map<(r, c) -> (r * 512 + c * 8)>(%r, %c)
          %from = arith.constant 16 : index
          // CHECK: weft_put(a + 16, y + {{.*}}, 512, 64, 448);
          cpe.dma_put %a[%from] of [%r, %c], %y[%at] block 8 counts [8] strides [64] : memref<8x8x80xf64>, memref<64x64xf64>
          // CHECK: for (ptrdiff_t [[I:.*]] = 0; [[I]] < 6; ++[[I]]) {
          // CHECK-NEXT: weft_put(a + [[I]]*10 + 16, y + {{.*}}, 32, 0, 0);
          cpe.dma_put %a[%from] of [%r, %c], %y[%at] block 4 counts [6] strides [64] pitches [10] : memref<8x8x80xf64>, memref<64x64xf64>
        } {weft.parallel, weft.mesh}
      } {weft.parallel, weft.mesh}
      cpe.dma_wait
      cpe.sync
    }
    return
  }
}
