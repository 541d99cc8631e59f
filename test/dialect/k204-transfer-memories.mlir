// RUN: weft-opt %s --verify-diagnostics

func.func @f(%x: memref<64xf64>, %y: memref<8xf64>, %at: index) {
  cpe.cores {
    // expected-error@+1 {{expected one array in main memory and one made in `cpe.cores`}}
    cpe.dma_get %x[%at], %y block 8 counts [] strides [] : memref<64xf64>, memref<8xf64>
  }
  return
}
