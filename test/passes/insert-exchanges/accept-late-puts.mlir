// What the first nest of a round puts goes out at its end, behind what the last nest puts: no gets
// come between. The exchange before the put waits with it.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --remarks-filter=insert-exchanges --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}: put at the end of the round", Why="puts are served faster where no gets come between them"

// CHECK-LABEL: func.func @rounds
// CHECK:         affine.for %{{.*}} = 0 to 128 step 32 {
// CHECK:           cpe.dma_get %arg0
// CHECK:           affine.store %{{.*}}, %[[OWN:.*]][
// CHECK-NOT:       cpe.dma_put
// CHECK:           cpe.dma_put {{.*}}, %arg1[
// CHECK:           cpe.exchange %{{.*}}, %[[RUNS:.*]] along_rows
// CHECK:           cpe.dma_put %[[RUNS]] of[%{{.*}}, %{{.*}}], %arg2[
// CHECK:         } {weft.in_turn}
module attributes {weft.target = #target} {
  func.func @rounds(%x: memref<1024x128xf64>, %y: memref<1024x128xf64>, %w: memref<1024x128xf64> {weft.name = "w"}) {
    %t = memref.alloc() : memref<1024x32xf64>
    cpe.cores {
      affine.for %i = 0 to 128 step 32 {
        affine.for %c = 0 to 8 {
          affine.for %q = 0 to 4 {
            affine.for %l = 0 to 32 {
              affine.for %j = 0 to 32 {
                %v = affine.load %x[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
                affine.store %v, %t[%q * 256 + %c * 32 + %j, %l] : memref<1024x32xf64>
                affine.store %v, %w[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
              }
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
        affine.for %c = 0 to 8 {
          affine.for %q = 0 to 4 {
            affine.for %l = 0 to 32 {
              affine.for %j = 0 to 32 {
                %v = affine.load %t[%j * 32 + %q * 8 + %c, %l] : memref<1024x32xf64>
                affine.store %v, %y[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
              }
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
      } {weft.in_turn}
    }
    return
  }
}
