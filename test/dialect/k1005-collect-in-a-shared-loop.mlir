// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %part = cpe.spread : memref<8x8x16xf64>
    %all = memref.alloca() : memref<256xf64>
    affine.for %i = 0 to 8 {
      // expected-error@+1 {{expected it in `cpe.cores`, where all cores come by}}
      cpe.collect %part first 8 elements 4 cores 61 columns 8, %all : memref<8x8x16xf64>, memref<256xf64>
    } {weft.parallel}
  }
  return
}
