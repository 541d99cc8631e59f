// 20 points of tiles, each a matrix of 4096 bytes: a body stores a vector of each, and all of them
// would fall into one set of the first cache. A line more for each matrix puts them into others, where
// who reads the matrices by rows finds them, too.
// RUN: cat %target_avx512 %s | weft-opt - --align-arrays | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @tiles
// CHECK: %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<20x1040xf32>
// CHECK: affine.vector_store %{{.*}}, %[[A]][0, %[[I:.*]] * 16] {weft.aligned} : memref<20x1040xf32>, vector<16xf32>
// CHECK: affine.vector_store %{{.*}}, %[[A]][19, %[[I]] * 16] {weft.aligned}
// CHECK: affine.load %[[A]][%{{.*}}, %{{.*}} * 16 + %{{.*}}] : memref<20x1040xf32>
func.func @tiles(%x: memref<64x16xf32>, %y: memref<20x64x16xf32>) {
  %a = memref.alloc() : memref<4x5x64x16xf32>
  affine.for %i = 0 to 64 {
    %v = affine.vector_load %x[%i, 0] : memref<64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[0, 0, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[0, 1, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[0, 2, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[0, 3, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[0, 4, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[1, 0, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[1, 1, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[1, 2, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[1, 3, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[1, 4, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[2, 0, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[2, 1, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[2, 2, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[2, 3, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[2, 4, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[3, 0, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[3, 1, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[3, 2, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[3, 3, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
    affine.vector_store %v, %a[3, 4, %i, 0] : memref<4x5x64x16xf32>, vector<16xf32>
  }
  %b = memref.collapse_shape %a [[0, 1], [2], [3]] : memref<4x5x64x16xf32> into memref<20x64x16xf32>
  affine.for %p = 0 to 20 {
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 16 {
        %v = affine.load %b[%p, %i, %j] : memref<20x64x16xf32>
        affine.store %v, %y[%p, %i, %j] : memref<20x64x16xf32>
      }
    }
  }
  return
}
}
