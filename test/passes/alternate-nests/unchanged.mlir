// Nothing changes where the first cache holds the array with what is read and written beside it, nor
// without an array between nests.
// RUN: cat %target_avx512 %s | weft-opt - --alternate-nests | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @small
// CHECK:         memref.alloca() : memref<1024xf64>
func.func @small(%x: memref<1024xf64>, %y: memref<1024xf64>) {
  %t = memref.alloca() : memref<1024xf64>
  affine.for %p = 0 to 1024 step 8 {
    %a = affine.vector_load %x[%p] : memref<1024xf64>, vector<8xf64>
    affine.vector_store %a, %t[%p] : memref<1024xf64>, vector<8xf64>
  } {weft.independent}
  affine.for %p = 0 to 128 step 8 {
    %a = affine.vector_load %t[%p + 128] : memref<1024xf64>, vector<8xf64>
    affine.vector_store %a, %y[%p] : memref<1024xf64>, vector<8xf64>
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @none
// CHECK-NOT:     memref.alloca
func.func @none(%x: memref<8192xf64>, %y: memref<8192xf64>) {
  affine.for %p = 0 to 8192 step 8 {
    %a = affine.vector_load %x[%p] : memref<8192xf64>, vector<8xf64>
    affine.vector_store %a, %y[%p] : memref<8192xf64>, vector<8xf64>
  } {weft.independent}
  return
}
}
