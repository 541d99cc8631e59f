// For cores rows that wrap around are a nest of their own, too: those that do not are moved many at
// a time. CPUs split vectors alone.
// RUN: cat %target_sw26010 %s | weft-opt - --split-borders | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --split-borders | FileCheck %s --check-prefix=CPU

// CHECK-LABEL: func.func @rolled
// CHECK:         affine.for %[[I:.*]] = 0 to 3 {
// CHECK:           affine.load %arg0[%[[I]] + 12997, %{{.*}}]
// CHECK:         affine.for %[[J:.*]] = 3 to 13000 {
// CHECK:           affine.load %arg0[%[[J]] - 3, %{{.*}}]
// CPU-LABEL:   func.func @rolled
// CPU:           affine.for %{{.*}} = 0 to 13000 {
// CPU-NOT:       affine.for %{{.*}} = 3 to
module attributes {weft.target = #target} {
  func.func @rolled(%x: memref<13000x8xf64>, %y: memref<13000x8xf64>) {
    affine.for %i = 0 to 13000 {
      affine.for %j = 0 to 8 {
        %v = affine.load %x[%i - ((%i - 3) floordiv 13000) * 13000 - 3, %j] : memref<13000x8xf64>
        affine.store %v, %y[%i, %j] : memref<13000x8xf64>
      } {weft.independent, weft.lane}
    } {weft.independent}
    return
  }
}
