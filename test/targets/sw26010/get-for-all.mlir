// What comes for all is a request of one core.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<64xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<64x64xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK: static inline void weft_get_for_all(int core,
    // CHECK: athread_get(BCAST_MODE,
    // CHECK-LABEL: void f_cores(
    cpe.cores {
      %zero = arith.constant 0 : index
      %a = memref.alloca() : memref<64xf64>
      // CHECK:      weft_sync();
      // CHECK:      weft_get_for_all(core, x, buffer0, 512, 0, 0);
      // CHECK:      weft_wait();
      // CHECK:      weft_sync();
      cpe.sync
      cpe.dma_get %x[%zero], %a block 64 counts [] strides [] for_all : memref<64xf64>, memref<64xf64>
      cpe.dma_wait
      cpe.sync
      affine.for %i = 0 to 64 {
        %at = affine.apply affine_map<(i) -> (i * 64)>(%i)
        cpe.dma_put %a, %y[%at] block 64 counts [] strides [] : memref<64xf64>, memref<64x64xf64>
        cpe.dma_wait
      } {weft.parallel}
    }
    return
  }
}
