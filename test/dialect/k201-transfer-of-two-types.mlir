// RUN: weft-opt %s --verify-diagnostics

func.func @f(%x: memref<8xf32>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<8xf64>
    // expected-error@+1 {{moves 'f32' of main memory and 'f64' of the LDM: expected one type}}
    cpe.dma_get %x[%at], %a block 8 counts [] strides [] : memref<8xf32>, memref<8xf64>
  }
  return
}
