// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x64xf32>
    %s = arith.constant 1 : index
    // expected-error@+1 {{expected two arrays of `cpe.spread` with one element type}}
    cpe.broadcast %a from %s, %b along_rows : memref<8x8x64xf64>, memref<8x8x64xf32>
  }
  return
}
