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
// Several loops that wrap around: the inside of the inner one is cut out of the inside of the outer
// one, its border rows stay whole.
// CHECK-LABEL: func.func @both
// CHECK:         affine.for %{{.*}} = 0 to 1 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 40 {
// CHECK:             affine.load %arg0[%{{.*}} + 39, %{{.*}}, %{{.*}}]
// CHECK:             affine.load %arg0[%{{.*}}, (%{{.*}} + 1) mod 40, %{{.*}}]
// CHECK:         affine.for %{{.*}} = 1 to 40 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 39 {
// CHECK:             affine.load %arg0[%{{.*}} - 1, %{{.*}}, %{{.*}}]
// CHECK:             affine.load %arg0[%{{.*}}, %{{.*}} + 1, %{{.*}}]
// CHECK:         affine.for %{{.*}} = 1 to 40 {
// CHECK-NEXT:      affine.for %{{.*}} = 39 to 40 {
// CHECK:             affine.load %arg0[%{{.*}}, %{{.*}} - 39, %{{.*}}]
// What passes through a core's memory as a whole, beside enough of it for all cores, may wrap around
// there.
// CHECK-LABEL: func.func @whole
// CHECK-COUNT-4: affine.for %{{.*}} = 0 to 20 {
// CHECK-NOT:     affine.for
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
  func.func @both(%x: memref<40x40x40xf64>, %y: memref<40x40x40xf64>) {
    affine.for %i = 0 to 40 {
      affine.for %j = 0 to 40 {
        affine.for %k = 0 to 40 {
          %a = affine.load %x[(%i + 39) mod 40, %j, %k] : memref<40x40x40xf64>
          %b = affine.load %x[%i, (%j + 1) mod 40, %k] : memref<40x40x40xf64>
          %s = arith.addf %a, %b : f64
          affine.store %s, %y[%i, %j, %k] : memref<40x40x40xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    } {weft.independent}
    return
  }
  func.func @whole(%x: memref<20x20x20x20xf64>, %y: memref<20x20x20x20xf64>) {
    affine.for %h = 0 to 20 {
      affine.for %i = 0 to 20 {
        affine.for %j = 0 to 20 {
          affine.for %k = 0 to 20 {
            %a = affine.load %x[%h, %i, (%j + 19) mod 20, %k] : memref<20x20x20x20xf64>
            affine.store %a, %y[%h, %i, %j, %k] : memref<20x20x20x20xf64>
          } {weft.independent, weft.lane}
        } {weft.independent}
      } {weft.independent}
    } {weft.independent}
    return
  }
}
