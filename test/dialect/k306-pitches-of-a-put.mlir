// RUN: weft-opt %s --verify-diagnostics --split-input-file

func.func @without_a_place(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<8xf64>
    // expected-error@+1 {{expected positive pitches, as many as counts, with the element of the LDM that the first block begins with}}
    cpe.dma_put %a, %x[%at] block 4 counts [2] strides [8] pitches [4] : memref<8xf64>, memref<64xf64>
  }
  return
}

// -----

func.func @beyond_the_array(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<9xf64>
    // expected-error@+1 {{moves 10 elements: expected an LDM array of at least as many, found 'memref<9xf64>'}}
    cpe.dma_put %a[%at], %x[%at] block 4 counts [2] strides [8] pitches [6] : memref<9xf64>, memref<64xf64>
  }
  return
}
