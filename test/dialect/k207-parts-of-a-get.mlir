// RUN: weft-opt %s --verify-diagnostics

func.func @f(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<8xf64>
    // expected-error@+1 {{comes in parts: expected 2 to 8 blocks of a direction, to a whole array that is not spread, found 1}}
    cpe.dma_get %x[%at], %a block 8 counts [] strides [] in_parts : memref<64xf64>, memref<8xf64>
  }
  return
}
