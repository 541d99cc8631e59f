// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x32xf64>
    %s = arith.constant 1 : index
    // expected-error@+1 {{sends 64 elements of a core to 32: expected as many}}
    cpe.broadcast %a from %s, %b along_rows : memref<8x8x64xf64>, memref<8x8x32xf64>
  }
  return
}
