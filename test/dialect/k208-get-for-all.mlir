// RUN: weft-opt %s --split-input-file --verify-diagnostics

func.func @in_a_shared_loop(%x: memref<64xf64>) {
  cpe.cores {
    affine.for %i = 0 to 64 {
      %a = memref.alloca() : memref<1xf64>
      // expected-error@+1 {{comes for all: expected it whole, where all cores come by, to a whole array that is not spread}}
      cpe.dma_get %x[%i], %a block 1 counts [] strides [] for_all : memref<64xf64>, memref<1xf64>
    } {weft.parallel}
  }
  return
}

// -----

func.func @in_parts(%x: memref<64xf64>, %at: index) {
  cpe.cores {
    %a = memref.alloca() : memref<64xf64>
    // expected-error@+1 {{comes for all}}
    cpe.dma_get %x[%at], %a block 32 counts [2] strides [32] in_parts for_all : memref<64xf64>, memref<64xf64>
  }
  return
}
