// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %part = cpe.spread : memref<8x8x16xf64>
    %all = memref.alloca() : memref<256xf64>
    // expected-error@+1 {{gives 12 elements from 8 on, where a core has 16}}
    cpe.collect %part first 8 elements 12 cores 61 columns 8, %all : memref<8x8x16xf64>, memref<256xf64>
  }
  return
}
