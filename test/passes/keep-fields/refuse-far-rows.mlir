// Rows that come from any other ones and are no first dimension, and a field that all cores together have no room for,
// stay in main memory.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --remarks-filter=.* --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// WHY: rows of {{.*}} are not read in their order
// WHY: more than there are
// CHECK-LABEL: func.func @mirrored
// CHECK-NOT:     cpe.cores
// CHECK-LABEL: func.func @large
// CHECK-NOT:     cpe.cores
module attributes {weft.target = #target} {
  func.func @mirrored(%u: memref<128x46xf64>, %v: memref<128x46xf64>) {
    affine.for %t = 0 to 10 {
      affine.for %j = 0 to 46 {
        affine.for %i = 0 to 128 {
          %a = affine.load %u[127 - %i, 45 - %j] : memref<128x46xf64>
          affine.store %a, %v[%i, %j] : memref<128x46xf64>
        }
      } {weft.independent}
    }
    return
  }
  func.func @large(%u: memref<1024x1024xf64>) {
    affine.for %t = 0 to 10 {
      affine.for %i = 0 to 1024 {
        affine.for %j = 0 to 1024 {
          %a = affine.load %u[%i, %j] : memref<1024x1024xf64>
          %s = arith.addf %a, %a : f64
          affine.store %s, %u[%i, %j] : memref<1024x1024xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    }
    return
  }
}
