// Blocks that take turns: each gets memory of its own, so that threads may take whole turns; the
// loops in them are for threads that are more than the turns.
// RUN: weft-opt %s --distribute-to-cores=min-work=100 | FileCheck %s
// RUN: weft-opt %s --distribute-to-cores=min-work=100 \
// RUN:   --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE: its 12 turns over the threads

// CHECK-LABEL: func.func @strips
// CHECK-NOT:     memref.alloc
// CHECK:         affine.for {{.*}} = 0 to 4 {
// CHECK-NEXT:      affine.for {{.*}} = 0 to 12 step 4 {
// CHECK-NEXT:        %[[OWN:.*]] = memref.alloc() {weft.in_turn} : memref<64x8xf64>
// CHECK-NEXT:        affine.for {{.*}} = 0 to 64 {
// CHECK:               affine.store {{.*}}, %[[OWN]]
// CHECK:             } {weft.independent, weft.parallel}
// CHECK:             affine.for {{.*}} = 0 to 64 {
// CHECK:             } {weft.independent, weft.parallel}
// CHECK-NEXT:      } {weft.in_turn}
// CHECK-NEXT:    } {weft.in_turn, weft.parallel}
func.func @strips(%y: memref<4x12x64x8xf64>) {
  %zero = arith.constant 0.0 : f64
  %own = memref.alloc() {weft.in_turn} : memref<64x8xf64>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 12 step 4 {
      affine.for %k = 0 to 64 {
        affine.for %l = 0 to 8 {
          affine.store %zero, %own[%k, %l] : memref<64x8xf64>
        } {weft.independent}
      } {weft.independent}
      affine.for %k = 0 to 64 {
        affine.for %l = 0 to 8 {
          %v = affine.load %own[%k, %l] : memref<64x8xf64>
          affine.store %v, %y[%i, %j, %k, %l] : memref<4x12x64x8xf64>
        } {weft.independent}
      } {weft.independent}
    } {weft.in_turn}
  } {weft.in_turn}
  return
}
