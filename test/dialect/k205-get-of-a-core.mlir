// RUN: weft-opt %s --verify-diagnostics

func.func @f(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = cpe.spread : memref<8x8x8xf64>
    // expected-error@+1 {{expected a row and a column of an array of `cpe.spread`, and of no other}}
    cpe.dma_get %x[%at], %a block 8 counts [] strides [] : memref<64xf64>, memref<8x8x8xf64>
  }
  return
}
