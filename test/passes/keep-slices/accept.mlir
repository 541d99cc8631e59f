// Between nests a slice lies in memory of its own, and the last nest alone writes the result; what comes
// behind reads that. An array that nobody else touches is one slice.
// RUN: cat %target_avx512 %s | weft-opt - --keep-slices | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --keep-slices --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="slices of a value of type memref<256x128x128xf64> in memory of their own", Why="the last nest alone writes the whole; 131072 bytes stay in a cache", bytes=33554432, slice=131072
// NOTE: decided {{.*}}Why="nobody else needs the whole; 131072 bytes stay in a cache"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @planes
// CHECK:       affine.for %[[Z:.*]] = 0 to 256 {
// CHECK-NEXT:    %[[SLICE:.*]] = memref.alloca() {weft.slice} : memref<128x128xf64>
// CHECK:         affine.load %arg0[%[[Z]] + %{{.*}}, %{{.*}}, %{{.*}}]
// CHECK:         affine.store %{{.*}}, %[[SLICE]][%{{.*}}, %{{.*}}]
// CHECK:         affine.for %[[J:.*]] = 0 to 128 step 32
// CHECK:         affine.load %[[SLICE]][%{{.*}}, %[[J]] + %{{.*}}]
// CHECK:         affine.store %{{.*}}, %arg1[%[[Z]], %{{.*}}, %[[J]] + %{{.*}}]
// CHECK:         affine.load %arg1[%[[Z]], %{{.*}}, 0]
func.func @planes(%x: memref<256x128x128xf64> {weft.name = "x"},
                  %y: memref<256x128x128xf64> {weft.name = "y"}, %z: memref<256x128xf64>) {
  affine.for %z0 = 0 to 256 {
    // A loop that runs once does not hide whose slice it is.
    affine.for %once = 0 to 1 {
      affine.for %r = 0 to 128 {
        affine.for %c = 0 to 128 {
          %a = affine.load %x[%z0 + %once, %r, %c] : memref<256x128x128xf64>
          affine.store %a, %y[%z0 + %once, %r, %c] : memref<256x128x128xf64>
        }
      } {weft.independent}
    } {weft.independent}
    affine.for %j = 0 to 128 step 32 {
      %block = memref.alloca() : memref<128x32xf64>
      affine.for %r = 0 to 128 {
        affine.for %c = 0 to 32 {
          %a = affine.load %y[%z0, %r, %j + %c] : memref<256x128x128xf64>
          affine.store %a, %block[%r, %c] : memref<128x32xf64>
        }
      }
      affine.for %r = 0 to 128 {
        affine.for %c = 0 to 32 {
          %a = affine.load %block[%r, %c] : memref<128x32xf64>
          affine.store %a, %y[%z0, %r, %j + %c] : memref<256x128x128xf64>
        }
      }
    } {weft.independent}
    affine.for %r = 0 to 128 {
      %a = affine.load %y[%z0, %r, 0] : memref<256x128x128xf64>
      affine.store %a, %z[%z0, %r] : memref<256x128xf64>
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @alone
// CHECK-NOT:     memref.alloc()
// CHECK:         affine.for %[[Z:.*]] = 0 to 256 {
// CHECK-NEXT:      %[[SLICE:.*]] = memref.alloca() {weft.slice} : memref<128x128xf64>
// CHECK:           affine.store %{{.*}}, %[[SLICE]][%{{.*}}, %{{.*}}]
// CHECK:           affine.load %[[SLICE]][%{{.*}}, 0]
func.func @alone(%x: memref<256x128x128xf64>, %z: memref<256x128xf64>) {
  %t = memref.alloc() : memref<256x128x128xf64>
  affine.for %z0 = 0 to 256 {
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %x[%z0, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %t[%z0, %r, %c] : memref<256x128x128xf64>
      }
    } {weft.independent}
    affine.for %r = 0 to 128 {
      %a = affine.load %t[%z0, %r, 0] : memref<256x128x128xf64>
      affine.store %a, %z[%z0, %r] : memref<256x128xf64>
    } {weft.independent}
  } {weft.independent}
  return
}
}
