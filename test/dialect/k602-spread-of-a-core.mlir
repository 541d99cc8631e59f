// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    // expected-error@+1 {{expected rows, columns and a dimension or two of each core, found 'memref<8x8xf64>'}}
    %a = cpe.spread : memref<8x8xf64>
  }
  return
}
