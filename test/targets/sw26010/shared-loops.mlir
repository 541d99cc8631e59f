// Loops that the cores share are one over all their iterations; a strided transfer of three levels
// is a loop over strided ones; arrays that are never in use together share bytes.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<8x64x64xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<8x64x64xf64> {weft.name = "y", weft.role = "out"}) {
    cpe.cores {
      // CHECK: for (ptrdiff_t task = core; task < 64; task += 64) {
      // CHECK-NEXT: const ptrdiff_t i = task / 8;
      // CHECK-NEXT: const ptrdiff_t i_1 = (task % 8)*8;
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 64 step 8 {
          %a = memref.alloca() : memref<128xf64> loc("a")
          %b = memref.alloca() : memref<128xf64> loc("b")
          %at = affine.apply affine_map<(i, j) -> (i * 4096 + j)>(%i, %j)
          // CHECK: for (ptrdiff_t block = 0; block < 2; ++block) {
          // CHECK-NEXT: weft_get(x + (i*2 + block)*2048 + i_1, a + block*64, 512, 64, 448);
          cpe.dma_get %x[%at], %a block 8 counts [2, 8] strides [2048, 64] : memref<8x64x64xf64>, memref<128xf64>
          cpe.dma_wait
          affine.for %k = 0 to 128 {
            %v = affine.load %a[%k] : memref<128xf64>
            affine.store %v, %b[%k] : memref<128xf64>
          }
          cpe.dma_put %b, %y[%at] block 8 counts [2, 8] strides [2048, 64] : memref<128xf64>, memref<8x64x64xf64>
          cpe.dma_wait
        } {weft.parallel}
      } {weft.parallel}
      // CHECK: weft_sync();
      cpe.sync
    }
    return
  }
}
