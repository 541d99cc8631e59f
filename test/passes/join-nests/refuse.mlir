// RUN: cat %target_avx512 %s | weft-opt - --join-nests --remarks-filter=join-nests --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Nests stay apart where one sees another slice of the other, where all fits the cache, and where
// a slice does not.

// NOTE: rejected {{.*}}Why="what both touch has 8192 bytes
// NOTE: rejected {{.*}}Why="what both touch has 4194304 bytes, a slice 1048576
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @neighbours
// CHECK-COUNT-2: {weft.independent}
func.func @neighbours(%y: memref<64x64x64xf64>) {
  %c = arith.constant 1.0 : f64
  affine.for %z = 0 to 63 {
    affine.for %j = 0 to 64 {
      affine.store %c, %y[%z, %j, 0] : memref<64x64x64xf64>
    }
  } {weft.independent}
  affine.for %z = 0 to 63 {
    affine.for %i = 0 to 64 {
      %a = affine.load %y[%z + 1, 0, %i] : memref<64x64x64xf64>
      affine.store %a, %y[%z, 1, %i] : memref<64x64x64xf64>
    }
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @other_way
// CHECK-COUNT-2: {weft.independent}
func.func @other_way(%y: memref<64x64x64xf64>) {
  %c = arith.constant 1.0 : f64
  affine.for %z = 0 to 64 {
    affine.for %j = 0 to 64 {
      affine.store %c, %y[%z, %j, 0] : memref<64x64x64xf64>
    }
  } {weft.independent}
  affine.for %z = 0 to 64 {
    affine.for %i = 0 to 64 {
      affine.store %c, %y[%i, %z, 1] : memref<64x64x64xf64>
    }
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @small
// CHECK-COUNT-2: {weft.independent}
func.func @small(%y: memref<16x64xf64>) {
  %c = arith.constant 1.0 : f64
  affine.for %z = 0 to 16 {
    affine.for %j = 0 to 64 {
      affine.store %c, %y[%z, %j] : memref<16x64xf64>
    }
  } {weft.independent}
  affine.for %z = 0 to 16 {
    affine.for %j = 0 to 64 {
      %a = affine.load %y[%z, %j] : memref<16x64xf64>
      affine.store %a, %y[%z, %j] : memref<16x64xf64>
    }
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @large_slices
// CHECK-COUNT-2: {weft.independent}
func.func @large_slices(%y: memref<4x131072xf64>) {
  %c = arith.constant 1.0 : f64
  affine.for %z = 0 to 4 {
    affine.for %j = 0 to 131072 {
      affine.store %c, %y[%z, %j] : memref<4x131072xf64>
    }
  } {weft.independent}
  affine.for %z = 0 to 4 {
    affine.for %j = 0 to 131072 {
      %a = affine.load %y[%z, %j] : memref<4x131072xf64>
      affine.store %a, %y[%z, %j] : memref<4x131072xf64>
    }
  } {weft.independent}
  return
}
}
