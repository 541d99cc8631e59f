// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %u = cpe.spread : memref<8x8x512xf64>
    // expected-error@+1 {{expected rows of whole messages of 32 bytes, found 30 elements of}}
    cpe.halo %u rows 128 own 2 cores 64 columns 8 before 1 after 1 block 30 counts [] strides [] : memref<8x8x512xf64>
  }
  return
}
