// Cores that have rows with others, and no whole messages: what is heard is moved to where rows lie in their order. A
// vector that the loop does not change is collected once.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @mirrored
// CHECK:         cpe.cores {
// CHECK:           %[[HEARD:.*]] = memref.alloca() : memref<256xf64>
// CHECK:           %[[ROWS:.*]] = memref.alloca() : memref<127xf64>
// CHECK:           cpe.collect %{{.*}} first 0 elements 4 cores 64 columns 8, %[[HEARD]]
// CHECK-NEXT:      affine.for %[[P:.*]] = 0 to 64 {
// CHECK-NEXT:        affine.for %[[N:.*]] = 0 to 2 {
// CHECK-NEXT:          %[[X:.*]] = affine.load %[[HEARD]][%[[P]] * 4 + %[[N]]]
// CHECK-NEXT:          affine.store %[[X]], %[[ROWS]][%[[N]] + (%[[P]] * 125) floordiv 63]
// CHECK:           affine.for %{{.*}} = 0 to 20000 {
// CHECK-NOT:         cpe.collect
// CHECK:             affine.load %[[ROWS]]
module attributes {weft.target = #target} {
  func.func @mirrored(%u: memref<127xf64>, %v: memref<127xf64>) {
    affine.for %t = 0 to 20000 {
      affine.for %i = 0 to 127 {
        %a = affine.load %u[126 - %i] : memref<127xf64>
        %b = affine.load %u[%i] : memref<127xf64>
        %c = affine.load %v[%i] : memref<127xf64>
        %d = math.fma %a, %b, %c : f64
        %e = arith.divf %d, %b : f64
        %f = math.sqrt %e : f64
        affine.store %f, %v[%i] : memref<127xf64>
      } {weft.independent, weft.lane}
    }
    return
  }
}
