// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %part = cpe.spread : memref<8x8x16xf64>
    %all = memref.alloca() : memref<256xf64>
    // expected-error@+1 {{expected a line of 1 to 32 cores on 1 to 8 columns, found 33 on 4}}
    cpe.collect %part first 8 elements 4 cores 33 columns 4, %all : memref<8x8x16xf64>, memref<256xf64>
  }
  return
}
