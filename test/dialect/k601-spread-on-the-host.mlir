// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  // expected-error@+1 {{'cpe.spread' op expected it in `cpe.cores`}}
  %a = cpe.spread : memref<8x8x4xf64>
  return
}
