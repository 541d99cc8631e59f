// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x64xf64>
    // expected-error@+1 {{expected a positive block and positive steps, and positive counts and strides in pairs}}
    cpe.exchange %a, %b along_rows block 4 counts [2] from 8 [4] to 8 [] : memref<8x8x64xf64>, memref<8x8x64xf64>
  }
  return
}
