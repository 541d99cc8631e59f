// A get in parts is a loop of requests, each with its number; a wait for a part waits for no other.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<8x64xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<8x64xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK: __thread_local volatile int weft_came[8];
    // CHECK-LABEL: void f_cores(
    cpe.cores {
      affine.for %i = 0 to 2 {
        %at = affine.apply affine_map<(i) -> (i * 256)>(%i)
        %a = memref.alloca() : memref<256xf64>
        %b = memref.alloca() : memref<256xf64>
        // CHECK: for (ptrdiff_t part = 0; part < 4; ++part) {
        // CHECK-NEXT: weft_get_part(part, x + (i*4 + part)*64, buffer0 + part*64, 512, 0, 0);
        cpe.dma_get %x[%at], %a block 64 counts [4] strides [64] in_parts : memref<8x64xf64>, memref<256xf64>
        // CHECK: weft_get_part(part, x + (i*4 + part)*64, buffer1 + part*64, 512, 128, 128);
        cpe.dma_get %x[%at], %b block 16 counts [4, 4] strides [64, 32] in_parts : memref<8x64xf64>, memref<256xf64>
        affine.for %j = 0 to 4 {
          // CHECK: weft_wait_part(j);
          cpe.dma_wait part %j
          %v = affine.load %a[%j * 64] : memref<256xf64>
          affine.store %v, %b[%j] : memref<256xf64>
        }
        // CHECK: weft_wait();
        cpe.dma_put %b, %y[%at] block 256 counts [] strides [] : memref<256xf64>, memref<8x64xf64>
        cpe.dma_wait
      } {weft.parallel}
    }
    return
  }
}
