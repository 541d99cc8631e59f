// An array whose parts cannot go from core to core passes through memory between the nests of a round:
// every core waits for all others, in this round and before the next one.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}rounds without a sync of all cores", Why="{{.*}} passes through memory between its nests"

// CHECK-LABEL: func.func @rounds
// CHECK-COUNT-2: cpe.sync
// CHECK:         } {weft.in_turn}
module attributes {weft.target = #target} {
  func.func @rounds(%x: memref<64x60xf64>, %y: memref<64x60xf64>) {
    %t = memref.alloc() : memref<8x60xf64>
    cpe.cores {
      affine.for %i = 0 to 64 step 8 {
        affine.for %l = 0 to 8 {
          affine.for %p = 0 to 60 {
            %v = affine.load %x[%i + %l, %p] : memref<64x60xf64>
            affine.store %v, %t[%l, %p] : memref<8x60xf64>
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
        affine.for %l = 0 to 8 {
          affine.for %p = 0 to 60 {
            %v = affine.load %t[%l, 59 - %p] : memref<8x60xf64>
            affine.store %v, %y[%i + %l, %p] : memref<64x60xf64>
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
      } {weft.in_turn}
    }
    return
  }
}
