// What a loop makes lies in any gap that is wide enough, not behind all that is in use around it:
// %c has the place of %a, which nobody needs any more, before that of %b.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<4096xf64> {weft.name = "x", weft.role = "in"}) {
    cpe.cores {
      %c0 = arith.constant 0 : index
      // CHECK: double *const a = (double *)(weft_arrays + 0);
      // CHECK: double *const b = (double *)(weft_arrays + 24576);
      %a = memref.alloca() : memref<3072xf64> loc("a")
      %b = memref.alloca() : memref<3072xf64> loc("b")
      cpe.dma_get %x[%c0], %a block 3072 counts [] strides [] : memref<4096xf64>, memref<3072xf64>
      cpe.dma_wait
      affine.for %i = 0 to 3072 {
        %v = affine.load %a[%i] : memref<3072xf64>
        affine.store %v, %b[%i] : memref<3072xf64>
      }
      affine.for %n = 0 to 2 {
        // CHECK: double *const c = (double *)(weft_arrays + 0);
        %c = memref.alloca() : memref<2048xf64> loc("c")
        cpe.dma_get %x[%c0], %c block 2048 counts [] strides [] : memref<4096xf64>, memref<2048xf64>
        cpe.dma_wait
        affine.for %i = 0 to 2048 {
          %v = affine.load %c[%i] : memref<2048xf64>
          affine.store %v, %b[%i] : memref<3072xf64>
        }
      }
    }
    return
  }
}
