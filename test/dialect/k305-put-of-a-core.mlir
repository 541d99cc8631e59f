// RUN: weft-opt %s --verify-diagnostics

func.func @f(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<8xf64>
    // expected-error@+1 {{expected a row and a column of an array of `cpe.spread`, and of no other}}
    cpe.dma_put %a of [%at, %at], %x[%at] block 8 counts [] strides [] : memref<8xf64>, memref<64xf64>
  }
  return
}
