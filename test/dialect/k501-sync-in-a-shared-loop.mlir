// RUN: weft-opt %s --verify-diagnostics

func.func @f() {
  cpe.cores {
    affine.for %i = 0 to 4 {
      // expected-error@+1 {{'cpe.sync' op expected it in `cpe.cores`, where all cores come by equally often}}
      cpe.sync
    } {weft.parallel}
  }
  return
}
