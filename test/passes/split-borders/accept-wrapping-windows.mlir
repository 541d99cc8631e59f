// A short sum over a window that wraps around is written out, term by term: where the row wraps is
// then told by one variable, and the inside of a row has neither remainders nor loops. One whose
// terms are many stays, as does one whose indices have a remainder of its own variable alone.
// RUN: cat %target_avx512 %s | weft-opt - --split-borders --canonicalize --mlir-print-local-scope | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --split-borders --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}its 3 terms written out

// CHECK-LABEL: func.func @window
// CHECK:         affine.for %[[J:.*]] = 0 to 8 {
// CHECK-NOT:     iter_args
// CHECK:         affine.for %[[J:.*]] = 8 to 120 {
// CHECK-NEXT:      affine.load %arg0[%[[J]] - 1]
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      affine.load %arg0[%[[J]]]
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      affine.load %arg0[%[[J]] + 1]
// CHECK-LABEL: func.func @long
// CHECK:         affine.for %{{.*}} = 0 to 128 {
// CHECK:           affine.for %{{.*}} = 0 to 600 iter_args
// CHECK-LABEL: func.func @own
// CHECK:         affine.for %{{.*}} = 0 to 128 {
// CHECK:           affine.for %{{.*}} = 0 to 5 iter_args
module attributes {weft.target = #target} {
  func.func @window(%x: memref<128xf64>, %y: memref<128xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 128 {
      %s = affine.for %a = 0 to 3 iter_args(%part = %zero) -> (f64) {
        %v = affine.load %x[(%j + %a + 127) mod 128] : memref<128xf64>
        %more = arith.addf %part, %v : f64
        affine.yield %more : f64
      }
      affine.store %s, %y[%j] : memref<128xf64>
    } {weft.independent, weft.lane}
    return
  }
  func.func @long(%x: memref<128xf64>, %y: memref<128xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 128 {
      %s = affine.for %a = 0 to 600 iter_args(%part = %zero) -> (f64) {
        %v = affine.load %x[(%j + %a) mod 128] : memref<128xf64>
        %more = arith.addf %part, %v : f64
        affine.yield %more : f64
      }
      affine.store %s, %y[%j] : memref<128xf64>
    } {weft.independent, weft.lane}
    return
  }
  func.func @own(%x: memref<128x3xf64>, %y: memref<128xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %j = 0 to 128 {
      %s = affine.for %a = 0 to 5 iter_args(%part = %zero) -> (f64) {
        %v = affine.load %x[%j, %a mod 3] : memref<128x3xf64>
        %more = arith.addf %part, %v : f64
        affine.yield %more : f64
      }
      affine.store %s, %y[%j] : memref<128xf64>
    } {weft.independent, weft.lane}
    return
  }
}
