// What a report tells apart has a number: messages between cores; a loop of all cores with the
// transfers before it; a loop of every core. What is within a nest begins none, and neither does a
// loop around nests.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

#here = loc("a.weft":2:5)
#there = loc("a.weft":3:5)

module attributes {weft.target = #target} {
  func.func @f(%x: memref<8x64xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<8x64xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK-LABEL: void f_cores(
    cpe.cores {
      %a = cpe.spread : memref<8x8x1536xf64>
      %b = cpe.spread : memref<8x8x1536xf64>
      %c = memref.alloca() : memref<64xf64>
      %zero = arith.constant 0 : index
      %one = arith.constant 1.0 : f64
      // CHECK: /* a.weft:2:5, nest 1 */
      // CHECK-NEXT: weft_get(
      cpe.dma_get %x[%zero], %c block 64 counts [] strides [] : memref<8x64xf64>, memref<64xf64> loc(#here)
      cpe.dma_wait
      // CHECK-NOT: nest
      // CHECK: for (ptrdiff_t task = core; task < 8
      affine.for %i = 0 to 8 {
        %at = affine.apply affine_map<(i) -> (i * 64)>(%i)
        cpe.dma_put %c, %y[%at] block 64 counts [] strides [] : memref<64xf64>, memref<8x64xf64> loc(#there)
        cpe.dma_wait
      } {weft.parallel} loc(#here)
      // CHECK: weft_sync();
      cpe.sync
      // CHECK: /* a.weft:2:5, nest 2 */
      // CHECK-NEXT: for (ptrdiff_t task = core; task < 8
      affine.for %i = 0 to 8 {
        %at = affine.apply affine_map<(i) -> (i * 64)>(%i)
        cpe.dma_put %c, %y[%at] block 64 counts [] strides [] : memref<64xf64>, memref<8x64xf64> loc(#here)
        cpe.dma_wait
      } {weft.parallel} loc(#here)
      affine.for %t = 0 to 2 {
        // CHECK: for (ptrdiff_t {{.*}} < 2; 
        // CHECK-NEXT: /* a.weft:3:5, nest 3: exchange */
        cpe.exchange %a, %b along_rows block 8 counts [24] from 8 [64] to 192 [8] : memref<8x8x1536xf64>, memref<8x8x1536xf64> loc(#there)
        // CHECK: /* a.weft:2:5, nest 4 */
        affine.for %k = 0 to 64 {
          affine.store %one, %c[%k] : memref<64xf64>
        } loc(#here)
      }
      // CHECK: /* nest 5 */
      cpe.dma_put %c, %y[%zero] block 64 counts [] strides [] : memref<64xf64>, memref<8x64xf64> loc(unknown)
      cpe.dma_wait
      // CHECK: weft_sync();
      // CHECK: /* a.weft:2:5, nest 6 */
      cpe.sync
      affine.for %i = 0 to 8 {
        affine.store %one, %c[%i] : memref<64xf64>
      } {weft.parallel} loc(#here)
    }
    return
  }
}
