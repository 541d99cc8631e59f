// RUN: cat %target_avx512 %s | weft-opt - --join-nests | FileCheck %s
// In each step in time: elementwise work that others read as well, then a transform's nests. Planes
// too large for the second cache are joined for the third; within them rows for the first.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @steps
// CHECK:      affine.for %{{.*}} = 0 to 6 {
// CHECK-NEXT:   affine.for %[[Z:.*]] = 0 to 16 {
// CHECK-NEXT:     affine.for %[[Y:.*]] = 0 to 512 {
// CHECK-NEXT:       affine.for %{{.*}} = 0 to 512 {
// CHECK:              affine.store %{{.*}}, %arg0[%[[Z]], %[[Y]], %{{.*}}]
// CHECK-NEXT:       }
// CHECK-NEXT:       affine.for
// CHECK-NEXT:         affine.load %arg0[%[[Z]], %[[Y]], %{{.*}}]
// CHECK-NEXT:         affine.store %{{.*}}, %arg1[%[[Z]], %[[Y]], {{.*}}]
// CHECK-NEXT:       }
// CHECK-NEXT:     } {weft.independent}
// CHECK-NEXT:     affine.for %[[X:.*]] = 0 to 512 {
// CHECK-NEXT:       affine.for
// CHECK-NEXT:         affine.load %arg1[%[[Z]], %{{.*}}, %[[X]]]
// CHECK:          } {weft.independent}
// CHECK-NEXT:   } {weft.independent}
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @steps(%v: memref<16x512x512xf64>, %t: memref<16x512x512xf64>) {
  affine.for %step = 0 to 6 {
    affine.for %z = 0 to 16 {
      affine.for %y = 0 to 512 {
        affine.for %x = 0 to 512 {
          %a = affine.load %v[%z, %y, %x] : memref<16x512x512xf64>
          %b = arith.mulf %a, %a : f64
          affine.store %b, %v[%z, %y, %x] : memref<16x512x512xf64>
        }
      } {weft.independent}
    } {weft.independent}
    affine.for %z = 0 to 16 {
      affine.for %y = 0 to 512 {
        affine.for %x = 0 to 512 {
          %a = affine.load %v[%z, %y, %x] : memref<16x512x512xf64>
          affine.store %a, %t[%z, %y, 511 - %x] : memref<16x512x512xf64>
        }
      } {weft.independent}
    } {weft.independent}
    affine.for %z = 0 to 16 {
      affine.for %x = 0 to 512 {
        affine.for %y = 0 to 512 {
          %a = affine.load %t[%z, %y, %x] : memref<16x512x512xf64>
          affine.store %a, %t[%z, 511 - %y, %x] : memref<16x512x512xf64>
        }
      } {weft.independent}
    } {weft.independent}
  }
  return
}
}
