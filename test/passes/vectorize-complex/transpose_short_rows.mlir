// Threads share a transpose whose rows are short by its rows, and by the tiles of a row where that is
// long.
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --canonicalize | FileCheck %s
// RUN: cat %target_avx512 %s | sed 's/64x1024xf64/128x1024xf64/g; s/1024x64xf64/1024x128xf64/g; s/0 to 64 /0 to 128 /' | weft-opt - --vectorize-complex --canonicalize \
// RUN:   | FileCheck %s --check-prefix=LONG

// CHECK-LABEL: func.func @f
// CHECK:      affine.for %{{.*}} = 0 to 1024 step 32 {
// CHECK-NEXT:   affine.for %{{.*}} = 0 to 64 step 32 {
// CHECK:      weft.parallel
// LONG:       affine.for %{{.*}} = 0 to 128 step 32 {
// LONG-NEXT:    affine.for %{{.*}} = 0 to 1024 step 32 {
module attributes {weft.target = #target} {
  func.func @f(%x: memref<64x1024xf64>, %y: memref<1024x64xf64>) {
    affine.for %j = 0 to 1024 {
      affine.for %i = 0 to 64 {
        %e = affine.load %x[%i, %j] : memref<64x1024xf64>
        affine.store %e, %y[%j, %i] : memref<1024x64xf64>
      } {weft.independent, weft.lane}
    } {weft.independent, weft.parallel, weft.transpose}
    return
  }
}
