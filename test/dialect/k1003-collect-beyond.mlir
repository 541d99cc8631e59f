// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %part = cpe.spread : memref<8x8x16xf64>
    %all = memref.alloca() : memref<244xf64>
    // expected-error@+1 {{gives each core 256 elements, where there is room for 244}}
    cpe.collect %part first 8 elements 4 cores 61 columns 8, %all : memref<8x8x16xf64>, memref<244xf64>
  }
  return
}
