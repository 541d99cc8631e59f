// Of 100 iterations some cores have two: the others would wait for ever. As many for each core are
// fine, in loops right in one another, too; in a loop within the iterations of another loop they are
// not counted.
// RUN: cat %target_sw26010 %s | weft-opt - --verify-diagnostics

module attributes {weft.target = #target} {
  func.func @unequal() {
    cpe.cores {
      affine.for %i = 0 to 100 {
        // expected-error@+1 {{'cpe.sync' op expected it in `cpe.cores`, where all cores come by equally often}}
        cpe.sync
      } {weft.parallel}
    }
    return
  }
  func.func @as_many_for_each() {
    cpe.cores {
      affine.for %i = 0 to 512 step 4 {
        cpe.sync
      } {weft.parallel}
      affine.for %t = 0 to 3 {
        affine.for %i = 0 to 16 {
          affine.for %j = 0 to 8 {
            affine.for %k = 0 to 5 {
              cpe.sync
            }
          } {weft.parallel}
        } {weft.parallel}
      }
    }
    return
  }
  func.func @beside_other_work() {
    cpe.cores {
      affine.for %i = 0 to 32 {
        affine.for %j = 0 to 2 {
          // expected-error@+1 {{'cpe.sync' op expected it in `cpe.cores`, where all cores come by equally often}}
          cpe.sync
        } {weft.parallel}
        cpe.dma_wait
      } {weft.parallel}
    }
    return
  }
}
