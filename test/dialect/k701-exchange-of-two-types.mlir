// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = memref.alloca() : memref<8x8x64xf64>
    // expected-error@+1 {{expected two arrays of `cpe.spread` with one element type}}
    cpe.exchange %a, %b along_rows block 8 counts [] from 8 [] to 8 [] : memref<8x8x64xf64>, memref<8x8x64xf64>
  }
  return
}
