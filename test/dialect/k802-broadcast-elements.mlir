// RUN: weft-opt %s --verify-diagnostics --split-input-file

func.func @f() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x32xf64>
    %s = arith.constant 1 : index
    // expected-error@+1 {{sends 64 elements of a core, found an array of 32: expected as many}}
    cpe.broadcast %a from %s, %b along_rows : memref<8x8x64xf64>, memref<8x8x32xf64>
  }
  return
}

// -----

func.func @parts() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x48xf64>
    %s = arith.constant 1 : index
    // expected-error@+1 {{sends 24 elements of a core, found an array of 64: expected as many, or some times as many}}
    cpe.broadcast %a[%s] from %s, %b[%s] elements 24 : memref<8x8x64xf64>, memref<8x8x48xf64>
  }
  return
}

// -----

func.func @no_number() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x64xf64>
    %b = cpe.spread : memref<8x8x32xf64>
    %s = arith.constant 1 : index
    // expected-error@+1 {{sends 32 elements of a core, found an array of 64: expected as many}}
    cpe.broadcast %a from %s, %b elements 32 : memref<8x8x64xf64>, memref<8x8x32xf64>
  }
  return
}
