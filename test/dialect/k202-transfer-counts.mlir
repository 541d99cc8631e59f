// RUN: weft-opt %s --verify-diagnostics

func.func @f(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<8xf64>
    // expected-error@+1 {{expected a positive block, and positive counts and strides in pairs}}
    cpe.dma_get %x[%at], %a block 4 counts [2] strides [] : memref<64xf64>, memref<8xf64>
  }
  return
}
