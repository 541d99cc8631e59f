// What comes for all cores at once is there behind a sync, and may come where no core needs any more
// what lay there: rounds that fetch so keep their syncs.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}rounds without a sync of all cores", Why="what comes for all cores at once is there behind a sync"

// CHECK-LABEL: func.func @rounds
// CHECK:         cpe.sync
// CHECK:         cpe.dma_get {{.*}} for_all
// CHECK:         cpe.sync
// CHECK:         } {weft.in_turn}
module attributes {weft.target = #target} {
  func.func @rounds(%x: memref<64x60xf64>, %y: memref<64x60xf64>) {
    cpe.cores {
      %t = memref.alloca() : memref<480xf64>
      affine.for %i = 0 to 64 step 8 {
        cpe.sync
        %at = affine.apply affine_map<(d0) -> (d0 * 60)>(%i)
        cpe.dma_get %x[%at], %t block 480 counts [] strides [] for_all : memref<64x60xf64>, memref<480xf64>
        cpe.dma_wait
        cpe.sync
        affine.for %l = 0 to 8 {
          affine.for %p = 0 to 60 {
            %v = affine.load %t[%l * 60 + 59 - %p] : memref<480xf64>
            affine.store %v, %y[%i + %l, %p] : memref<64x60xf64>
          } {weft.independent}
        } {weft.independent, weft.parallel}
      } {weft.in_turn}
    }
    return
  }
}
