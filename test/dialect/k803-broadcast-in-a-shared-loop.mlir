// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x64xf64>
    affine.for %s = 0 to 8 {
      // expected-error@+1 {{expected it in `cpe.cores`, where all cores come by}}
      cpe.broadcast %a from %s, %b : memref<8x8x64xf64>, memref<8x8x64xf64>
    } {weft.parallel}
  }
  return
}
