// A schedule wants a value in a cache: its nests go slice by slice, and it is one slice, however small
// the whole is.
// RUN: cat %target_avx512 %s | weft-opt - --join-nests --keep-slices | FileCheck %s
// RUN: sed 's/weft.schedule = .*\]} {/weft.entry} {/' %s > %t.1
// RUN: cat %target_avx512 %t.1 | weft-opt - --join-nests --keep-slices | FileCheck %s --check-prefix=APART

// CHECK:      affine.for %[[I:.*]] = 0 to 64 {
// CHECK-NEXT:   %[[SLICE:.*]] = memref.alloca() {weft.slice} : memref<64xf64>
// CHECK:        affine.store %{{.*}}, %[[SLICE]]
// CHECK:        affine.load %[[SLICE]]
// APART:      memref.alloc() : memref<64x64xf64>
module attributes {weft.target = #target} {
func.func @rows(%x: memref<64x64xf64>, %y: memref<64x64xf64>) attributes {weft.schedule = ["place a in cache"]} {
  %a = memref.alloc() : memref<64x64xf64> loc("a")
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %v = affine.load %x[%i, %j] : memref<64x64xf64>
      affine.store %v, %a[%i, %j] : memref<64x64xf64>
    } {weft.independent}
  } {weft.independent}
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %v = affine.load %a[%i, 63 - %j] : memref<64x64xf64>
      affine.store %v, %y[%i, %j] : memref<64x64xf64>
    } {weft.independent}
  } {weft.independent}
  return
}
}
