// What reads across rows and is no plain transpose goes in tiles: what is left of each line is read before the next tile.
// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex --remarks-filter=vectorize-complex --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t

// NOTE: decided {{.*}}: in tiles", Why="it reads across rows, whose lines the caches would lose before the next one"
// NOTE: in tiles"
// NOTE-NOT: in tiles"

module attributes {weft.target = #target} {
// Backwards; 1003 columns and 1001 rows leave 11 and 41.
// CHECK-LABEL: func.func @backwards
// CHECK:       affine.for %[[I:.*]] = 0 to 960 step 64
// CHECK:         affine.for %[[J:.*]] = 0 to 992 step 16
// CHECK:           affine.for {{.*}} = 0 to 64
// CHECK:             affine.for {{.*}} = 0 to 16 step 8
// CHECK:       affine.for {{.*}} = 0 to 960
// CHECK:         affine.for {{.*}} = 992 to
// CHECK:       affine.for {{.*}} = 960 to 1001
// CHECK:         affine.for {{.*}} = 0 to
func.func @backwards(%x: memref<1003x1001xf64>, %y: memref<1001x1003xf64>) {
  affine.for %i = 0 to 1001 {
    affine.for %j = 0 to 1003 {
      %a = affine.load %x[%j, 1000 - %i] : memref<1003x1001xf64>
      %b = arith.addf %a, %a : f64
      affine.store %b, %y[%i, %j] : memref<1001x1003xf64>
    } {weft.lane}
  } {weft.independent}
  return
}

// Few rows, whose lines stay.
// CHECK-LABEL: func.func @few
// CHECK:       affine.for {{.*}} = 0 to 1000
// CHECK:         affine.for {{.*}} = 0 to 200 step 8
func.func @few(%x: memref<200x1000xf64>, %y: memref<1000x200xf64>) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 200 {
      %a = affine.load %x[%j, 999 - %i] : memref<200x1000xf64>
      %b = arith.addf %a, %a : f64
      affine.store %b, %y[%i, %j] : memref<1000x200xf64>
    } {weft.lane}
  } {weft.independent}
  return
}

// The second cache holds them, and the first one as many as are left.
// CHECK-LABEL: func.func @near
// CHECK:       affine.for {{.*}} = 0 to 200
// CHECK:         affine.for {{.*}} = 0 to 504 step 8
func.func @near(%x: memref<504x200xf64>, %y: memref<200x504xf64>) {
  affine.for %i = 0 to 200 {
    affine.for %j = 0 to 504 {
      %a = affine.load %x[%j, 199 - %i] : memref<504x200xf64>
      %b = arith.addf %a, %a : f64
      affine.store %b, %y[%i, %j] : memref<200x504xf64>
    } {weft.lane}
  } {weft.independent}
  return
}

// Their rows, 512 bytes apart, share eight sets of the first; cores share what tiles of 64 rows would not be enough for.
// CHECK-LABEL: func.func @crowded
// CHECK:       affine.for {{.*}} = 0 to 64 step 16
// CHECK:         affine.for {{.*}} = 0 to 400 step 16
// CHECK:           affine.for {{.*}} = 0 to 16 {
func.func @crowded(%x: memref<400x64xf64>, %y: memref<64x400xf64>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 400 {
      %a = affine.load %x[%j, 63 - %i] : memref<400x64xf64>
      %b = arith.addf %a, %a : f64
      affine.store %b, %y[%i, %j] : memref<64x400xf64>
    } {weft.lane}
  } {weft.independent, weft.parallel}
  return
}

// Rows along rows.
// CHECK-LABEL: func.func @along
// CHECK:       affine.for {{.*}} = 0 to 1024
// CHECK:         affine.for {{.*}} = 0 to 1024 step 8
func.func @along(%x: memref<1024x1024xf64>, %y: memref<1024x1024xf64>) {
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 1024 {
      %a = affine.load %x[1023 - %i, %j] : memref<1024x1024xf64>
      %b = arith.addf %a, %a : f64
      affine.store %b, %y[%i, %j] : memref<1024x1024xf64>
    } {weft.lane}
  } {weft.independent}
  return
}

// Iterations of the outer loop that depend on each other.
// CHECK-LABEL: func.func @dependent
// CHECK:       affine.for {{.*}} = 0 to 1024
// CHECK:         affine.for {{.*}} = 0 to 1024 step 8
func.func @dependent(%x: memref<1024x1024xf64>, %y: memref<1024x1024xf64>) {
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 1024 {
      %a = affine.load %x[%j, 1023 - %i] : memref<1024x1024xf64>
      %b = arith.addf %a, %a : f64
      affine.store %b, %y[%i, %j] : memref<1024x1024xf64>
    } {weft.lane}
  }
  return
}
}
