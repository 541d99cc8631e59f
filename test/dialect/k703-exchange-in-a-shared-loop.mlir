// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x64xf64>
    affine.for %i = 0 to 8 {
    // expected-error@+1 {{expected it in `cpe.cores`, where all cores come by}}
    cpe.exchange %a, %b along_rows block 8 counts [] from 8 [] to 8 [] : memref<8x8x64xf64>, memref<8x8x64xf64>
    } {weft.parallel}
  }
  return
}
