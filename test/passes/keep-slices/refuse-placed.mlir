// A value that a schedule wants in a cache is larger, and its loops have no slices in common.
// RUN: cat %target_avx512 %s | not weft-opt - --join-nests --keep-slices 2>&1 | FileCheck %s

// CHECK: error: {{.*}}schedule: place a in cache: 'a' has 8388608 bytes, 7340032 more than a cache (l2_bytes), and the loops that make it and read it do not go over the same slices; expected values that each iteration of an outer loop makes and reads alone
module attributes {weft.target = #target} {
func.func @turned(%x: memref<1024x1024xf64>, %y: memref<1024x1024xf64>) attributes {weft.schedule = ["place a in cache"]} {
  %a = memref.alloc() : memref<1024x1024xf64> loc("a")
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 1024 {
      %v = affine.load %x[%i, %j] : memref<1024x1024xf64>
      affine.store %v, %a[%i, %j] : memref<1024x1024xf64>
    } {weft.independent}
  } {weft.independent}
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 1024 {
      %v = affine.load %a[%j, %i] : memref<1024x1024xf64>
      affine.store %v, %y[%i, %j] : memref<1024x1024xf64>
    } {weft.independent}
  } {weft.independent}
  return
}
}
