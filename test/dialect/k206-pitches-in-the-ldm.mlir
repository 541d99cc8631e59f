// RUN: weft-opt %s --verify-diagnostics --split-input-file

func.func @without_a_place(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<8xf64>
    // expected-error@+1 {{expected positive pitches, as many as counts, with the element of the LDM that the first block comes to}}
    cpe.dma_get %x[%at], %a block 4 counts [2] strides [8] pitches [4] : memref<64xf64>, memref<8xf64>
  }
  return
}

// -----

func.func @of_fewer_directions(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<64xf64>
    // expected-error@+1 {{expected positive pitches, as many as counts}}
    cpe.dma_get %x[%at], %a[%at] block 4 counts [2, 2] strides [32, 8] pitches [6] : memref<64xf64>, memref<64xf64>
  }
  return
}
