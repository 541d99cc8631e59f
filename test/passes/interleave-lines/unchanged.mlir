// A target that does not tell how far it looks ahead has no use for lines beside each other.
// RUN: cat %target_avx2 %s | weft-opt - --interleave-lines --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-NOT:     interleave-lines
// CHECK-LABEL: func.func @short
// CHECK:         affine.for %{{.*}} = 0 to 64 {
// CHECK-NEXT:      memref.alloca
func.func @short(%x: memref<64x16xf64>, %y: memref<64x16xf64>) {
  affine.for %line = 0 to 64 {
    %t = memref.alloca() : memref<16xf64>
    affine.for %p = 0 to 16 step 4 {
      %a = affine.vector_load %x[%line, %p] : memref<64x16xf64>, vector<4xf64>
      affine.vector_store %a, %t[%p] : memref<16xf64>, vector<4xf64>
    } {weft.independent}
    affine.for %p = 0 to 16 step 4 {
      %a = affine.vector_load %t[%p] : memref<16xf64>, vector<4xf64>
      affine.vector_store %a, %y[%line, %p] : memref<64x16xf64>, vector<4xf64>
    } {weft.independent}
  } {weft.independent, weft.parallel}
  return
}
}
