// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %part = cpe.spread : memref<8x8x16xf64>
    %all = memref.alloca() : memref<256xf32>
    // expected-error@+1 {{expected an array of `cpe.spread` and an array of each core with one element type}}
    cpe.collect %part first 8 elements 4 cores 61 columns 8, %all : memref<8x8x16xf64>, memref<256xf32>
  }
  return
}
