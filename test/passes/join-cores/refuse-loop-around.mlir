// What an iteration stores and cores then read is not for one of them to do: the loop stays with the
// management core.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores --join-cores | FileCheck %s

// CHECK-LABEL: func.func @around
// CHECK:         affine.for %{{.*}} = 0 to 5 {
// CHECK:           cpe.cores {
module attributes {weft.target = #target} {
  func.func @around(%x: memref<8192xf64>, %y: memref<8192xf64>) {
    affine.for %t = 0 to 5 {
      affine.for %i = 0 to 8192 {
        %v = affine.load %x[%i] : memref<8192xf64>
        affine.store %v, %y[%i] : memref<8192xf64>
      } {weft.independent}
      %v = affine.load %y[3] : memref<8192xf64>
      affine.store %v, %x[%t] : memref<8192xf64>
    }
    return
  }
}
