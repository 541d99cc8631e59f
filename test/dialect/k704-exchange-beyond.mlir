// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x64xf64>
    // expected-error@+1 {{reaches element 67 of `to`, of which a core has 64}}
    cpe.exchange %a, %b along_rows block 4 counts [2] from 8 [4] to 8 [8] : memref<8x8x64xf64>, memref<8x8x64xf64>
  }
  return
}
