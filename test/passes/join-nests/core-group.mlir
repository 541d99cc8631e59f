// RUN: cat %target_sw26010 %s | weft-opt - --join-nests --remarks-filter=join-nests --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// On a core group nests become one that fill one array together: a padded image, whole planes where these are
// enough for the cores, else the rows that have all columns.

// NOTE-COUNT-6: decided {{.*}}Why="both fill {{.*}}memref<64x52x52xf32>, which goes to memory in longer runs as a whole"
// NOTE-COUNT-2: rejected {{.*}}Why="3 iterations are not enough for 64 cores (cores)"
// NOTE-COUNT-4: decided {{.*}}Why="both fill {{.*}}memref<3x52x52xf32>, which
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @planes
// CHECK:      affine.for %[[C:.*]] = 0 to 64 {
// CHECK-NEXT:   affine.for %{{.*}} = 0 to 1 {
// CHECK-NEXT:     affine.for %{{.*}} = 0 to 52 {
// CHECK:        affine.for %{{.*}} = 51 to 52 {
// CHECK-NEXT:     affine.for %{{.*}} = 0 to 52 {
// CHECK:        affine.for %[[I:.*]] = 1 to 51 {
// CHECK-NEXT:     affine.for %{{.*}} = 0 to 1 {
// CHECK:          affine.for %{{.*}} = 51 to 52 {
// CHECK:          affine.for %[[J:.*]] = 1 to 51 {
// CHECK-NEXT:       affine.load %arg0[%[[C]], %[[I]] - 1, %[[J]] - 1]
// CHECK-NEXT:       affine.store %{{.*}}, %arg1[%[[C]], %[[I]], %[[J]]]
// CHECK-NOT:  affine.for
// CHECK:      return
func.func @planes(%x: memref<64x50x50xf32>, %y: memref<64x52x52xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %c = 0 to 64 {
    affine.for %i = 0 to 1 {
      affine.for %j = 0 to 52 {
        affine.store %zero, %y[%c, %i, %j] : memref<64x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 64 {
    affine.for %i = 51 to 52 {
      affine.for %j = 0 to 52 {
        affine.store %zero, %y[%c, %i, %j] : memref<64x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 64 {
    affine.for %i = 1 to 51 {
      affine.for %j = 0 to 1 {
        affine.store %zero, %y[%c, %i, %j] : memref<64x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 64 {
    affine.for %i = 1 to 51 {
      affine.for %j = 51 to 52 {
        affine.store %zero, %y[%c, %i, %j] : memref<64x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 64 {
    affine.for %i = 1 to 51 {
      affine.for %j = 1 to 51 {
        %a = affine.load %x[%c, %i - 1, %j - 1] : memref<64x50x50xf32>
        affine.store %a, %y[%c, %i, %j] : memref<64x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @few
// CHECK-COUNT-2: affine.for %{{.*}} = 0 to 3 {
// CHECK:      affine.for %{{.*}} = 0 to 3 {
// CHECK-NEXT:   affine.for %{{.*}} = 1 to 51 {
// CHECK-NEXT:     affine.for %{{.*}} = 0 to 1 {
// CHECK:          affine.for %{{.*}} = 51 to 52 {
// CHECK:          affine.for %{{.*}} = 1 to 51 {
// CHECK-NOT:  affine.for
// CHECK:      return
func.func @few(%x: memref<3x50x50xf32>, %y: memref<3x52x52xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %c = 0 to 3 {
    affine.for %i = 0 to 1 {
      affine.for %j = 0 to 52 {
        affine.store %zero, %y[%c, %i, %j] : memref<3x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 3 {
    affine.for %i = 51 to 52 {
      affine.for %j = 0 to 52 {
        affine.store %zero, %y[%c, %i, %j] : memref<3x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 3 {
    affine.for %i = 1 to 51 {
      affine.for %j = 0 to 1 {
        affine.store %zero, %y[%c, %i, %j] : memref<3x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 3 {
    affine.for %i = 1 to 51 {
      affine.for %j = 51 to 52 {
        affine.store %zero, %y[%c, %i, %j] : memref<3x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 3 {
    affine.for %i = 1 to 51 {
      affine.for %j = 1 to 51 {
        %a = affine.load %x[%c, %i - 1, %j - 1] : memref<3x50x50xf32>
        affine.store %a, %y[%c, %i, %j] : memref<3x52x52xf32>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  return
}

// What reads the other's elements stays behind it: between, all cores meet.
// CHECK-LABEL: func.func @reads
// CHECK-COUNT-2: affine.for %{{.*}} = 0 to 64 {
func.func @reads(%y: memref<64x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %c = 0 to 64 {
    affine.for %i = 0 to 8 {
      affine.store %zero, %y[%c, %i, 0] : memref<64x8x8xf32>
    } {weft.independent}
  } {weft.independent}
  affine.for %c = 0 to 64 {
    affine.for %i = 0 to 8 {
      %a = affine.load %y[%c, %i, 0] : memref<64x8x8xf32>
      affine.store %a, %y[%c, %i, 1] : memref<64x8x8xf32>
    } {weft.independent}
  } {weft.independent}
  return
}
}
