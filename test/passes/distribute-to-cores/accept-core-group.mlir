// On a core group: loops just inside of one with few iterations are shared out as well; nests one
// behind the other share one start of the cores, which wait for each other where one touches what
// another one stores.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores | FileCheck %s

// CHECK-LABEL: func.func @nests
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    cpe.cores {
// CHECK-NEXT:      affine.for {{.*}} = 0 to 16 {
// CHECK-NEXT:        affine.for {{.*}} = 0 to 4096 {
// CHECK:             } {weft.independent, weft.parallel}
// CHECK-NEXT:      } {weft.independent, weft.parallel}
// CHECK-NEXT:      affine.for {{.*}} = 0 to 8192 {
// CHECK:           } {weft.independent, weft.parallel}
// CHECK-NEXT:      cpe.sync
// CHECK-NEXT:      affine.for {{.*}} = 0 to 4096 {
// CHECK:           } {weft.independent, weft.parallel}
// CHECK-NEXT:    }
// CHECK-NEXT:    return
module attributes {weft.target = #target} {
  func.func @nests(%x: memref<16x4096xf64>, %y: memref<8192xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 4096 {
        affine.store %zero, %x[%i, %j] : memref<16x4096xf64>
      } {weft.independent}
    } {weft.independent}
    %t = memref.alloc() : memref<8192xf64>
    affine.for %i = 0 to 8192 {
      affine.store %zero, %t[%i] : memref<8192xf64>
    } {weft.independent}
    affine.for %i = 0 to 4096 {
      %v = affine.load %x[3, %i] : memref<16x4096xf64>
      %w = arith.addf %v, %v : f64
      affine.store %w, %t[%i] : memref<8192xf64>
    } {weft.independent}
    return
  }
}
