// RUN: weft-opt %s --verify-diagnostics --split-input-file

func.func @f(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<9xf64>
    // expected-error@+1 {{moves 8 elements: expected an LDM array of as many, found 'memref<9xf64>'}}
    cpe.dma_get %x[%at], %a block 4 counts [2] strides [8] : memref<64xf64>, memref<9xf64>
  }
  return
}

// -----

func.func @behind_the_end(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<9xf64>
    // expected-error@+1 {{moves to 10 elements: expected an LDM array of at least as many, found 'memref<9xf64>'}}
    cpe.dma_get %x[%at], %a[%at] block 4 counts [2] strides [8] pitches [6] : memref<64xf64>, memref<9xf64>
  }
  return
}
