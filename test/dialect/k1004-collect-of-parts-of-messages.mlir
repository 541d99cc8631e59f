// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %part = cpe.spread : memref<8x8x16xf64>
    %all = memref.alloca() : memref<256xf64>
    // expected-error@+1 {{expected whole messages of 32 bytes, found 6 elements from 8 on of}}
    cpe.collect %part first 8 elements 6 cores 30 columns 8, %all : memref<8x8x16xf64>, memref<256xf64>
  }
  return
}
