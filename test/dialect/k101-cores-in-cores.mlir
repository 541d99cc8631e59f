// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    // expected-error@+1 {{'cpe.cores' op stands in another one: expected it on the management core}}
    cpe.cores {
    }
  }
  return
}
