// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %u = cpe.spread : memref<8x8x512xf64>
    // expected-error@+1 {{gives a neighbour 2 of 1 rows}}
    cpe.halo %u rows 64 own 1 cores 64 columns 8 before 2 after 1 block 128 counts [] strides [] : memref<8x8x512xf64>
  }
  return
}
