// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %u = cpe.spread : memref<8x8x512xf64>
    // expected-error@+1 {{expected an array of `cpe.spread`, and a line of 2 to 32 cores on it}}
    cpe.halo %u rows 128 own 2 cores 64 columns 4 before 1 after 1 block 128 counts [] strides [] : memref<8x8x512xf64>
  }
  return
}
