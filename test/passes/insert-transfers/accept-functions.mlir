// Pieces of functions, which have no lanes, are as many as there are cores: longer runs in memory do not
// pay for cores that wait. The same of integers, which no vector of the target has.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @functions
// CHECK:         affine.for %{{.*}} = 0 to 512 step 8 {
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %{{.*}} block 8
func.func @functions(%x: memref<512xf64>, %y: memref<512xf64>) {
  cpe.cores {
    affine.for %i = 0 to 512 {
      %v = affine.load %x[%i] : memref<512xf64>
      %e = math.exp %v : f64
      affine.store %e, %y[%i] : memref<512xf64>
    } {weft.independent, weft.lane, weft.parallel}
  }
  return
}
// CHECK-LABEL: func.func @rows
// CHECK:         affine.for %{{.*}} = 0 to 59 {
// CHECK:             cpe.dma_get %arg0[{{.*}} block 129
func.func @rows(%x: memref<59x129xf32>, %y: memref<59x129xf32>) {
  cpe.cores {
    affine.for %i = 0 to 59 {
      affine.for %j = 0 to 129 {
        %v = affine.load %x[%i, %j] : memref<59x129xf32>
        %e = math.log %v : f32
        affine.store %e, %y[%i, %j] : memref<59x129xf32>
      } {weft.independent, weft.lane, weft.parallel}
    } {weft.independent, weft.parallel}
  }
  return
}
}
