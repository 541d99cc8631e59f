// A sum over a window of rows is written out where that makes rows stay with the cores; where they
// do not, the loop over the window is there for other passes. Columns are
// turned around, so that none of them is a row.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --mlir-print-local-scope | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE-DAG: decided {{.*}}its 3 terms written out
// NOTE-DAG: rejected {{.*}}its fields stay with the cores

// CHECK-LABEL: func.func @kept
// CHECK:         cpe.cores {
// CHECK:           cpe.halo
// CHECK-NOT:       iter_args
// CHECK-LABEL: func.func @stays
// CHECK-NOT:     cpe.cores
// CHECK:         affine.for %{{.*}} = 0 to 3 iter_args
module attributes {weft.target = #target} {
  func.func @kept(%u: memref<128x64xf64>) {
    %zero = arith.constant 0.0 : f64
    %new = memref.alloc() : memref<128x64xf64>
    affine.for %t = 0 to 10 {
      affine.for %i = 0 to 128 {
        affine.for %j = 0 to 64 {
          %s = affine.for %a = 0 to 3 iter_args(%part = %zero) -> (f64) {
            %v = affine.load %u[(%i + %a + 127) mod 128, -%j + 63] : memref<128x64xf64>
            %more = arith.addf %part, %v : f64
            affine.yield %more : f64
          }
          affine.store %s, %new[%i, %j] : memref<128x64xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      affine.for %i = 0 to 128 {
        affine.for %j = 0 to 64 {
          %v = affine.load %new[%i, %j] : memref<128x64xf64>
          affine.store %v, %u[%i, %j] : memref<128x64xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    }
    return
  }
  // Rows turned around.
  func.func @stays(%u: memref<128x64xf64>) {
    %zero = arith.constant 0.0 : f64
    %new = memref.alloc() : memref<128x64xf64>
    affine.for %t = 0 to 10 {
      affine.for %i = 0 to 126 {
        affine.for %j = 0 to 64 {
          %s = affine.for %a = 0 to 3 iter_args(%part = %zero) -> (f64) {
            %v = affine.load %u[-%i - %a + 127, -%j + 63] : memref<128x64xf64>
            %more = arith.addf %part, %v : f64
            affine.yield %more : f64
          }
          affine.store %s, %new[%i, %j] : memref<128x64xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      affine.for %i = 0 to 128 {
        affine.for %j = 0 to 64 {
          %v = affine.load %new[%i, %j] : memref<128x64xf64>
          affine.store %v, %u[%i, %j] : memref<128x64xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    }
    return
  }
}
