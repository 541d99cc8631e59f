// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %u = cpe.spread : memref<8x8x512xf64>
    // expected-error@+1 {{wraps around a line of 60 cores on 8 columns, whose last one is not beside the first one}}
    cpe.halo %u rows 120 own 2 cores 60 columns 8 before 1 after 1 wraps block 128 counts [] strides [] : memref<8x8x512xf64>
  }
  return
}
