// Rounds of eight lines, one for each row of cores: what passes from nest to nest of a round stays with the
// cores, where no round finds what another one has left. Of the table, each core keeps its part; no core
// waits for those of other rows. Nests are shared such that one exchange is enough between them; what
// comes and goes in runs of less than a kilobyte does so in longer ones of the whole row.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s --implicit-check-not=cpe.sync

// CHECK-LABEL: func.func @rounds
// CHECK:         cpe.cores {
// CHECK-NEXT:      %[[TABLE:.*]] = cpe.spread : memref<8x8x32xf64>
// CHECK-NEXT:      affine.for %[[R:.*]] = 0 to 8 {
// CHECK-NEXT:        affine.for %[[C:.*]] = 0 to 8 {
// CHECK-NEXT:          %[[AT:.*]] = affine.apply #{{.*}}(%[[C]])
// CHECK-NEXT:          cpe.dma_get %{{.*}}[%[[AT]]], %[[TABLE]] of[%[[R]], %[[C]]] block 32
// CHECK-NEXT:          cpe.dma_wait
// CHECK:           affine.for %{{.*}} = 0 to 64 step 8 {
// CHECK-DAG:         %[[LAST:.*]] = cpe.spread : memref<8x8x1024xf64>
// CHECK:             cpe.dma_get %arg0[%{{.*}}], %[[GOT:.*]] of[%{{.*}}, %{{.*}}] block 1024 counts []
// CHECK:             cpe.exchange %[[GOT]], %[[IN:.*]] along_rows block 32
// CHECK:             affine.load %[[TABLE]]
// CHECK:             affine.load %[[IN]]
// CHECK:             affine.store %{{.*}}, %[[FROM:.*]][
// CHECK:             cpe.exchange %[[FROM]], %[[TO:.*]] along_rows block 4 counts [32] from 4 [32] to 128 [4]
// CHECK:             affine.load %[[TO]]
// CHECK:             affine.store %{{.*}}, %[[LAST]][
// CHECK-NOT:         cpe.exchange
// CHECK:             affine.load %[[LAST]]
// CHECK:             affine.store {{.*}}, %[[OUT:.*]][
// CHECK:             cpe.exchange %[[OUT]], %[[PUT:.*]] along_rows block 4
// CHECK:             cpe.dma_put %[[PUT]]
// CHECK:           } {weft.in_turn}
module attributes {weft.target = #target} {
  memref.global "private" constant @w : memref<256xf64> = dense<2.0>
  func.func @rounds(%x: memref<64x8192xf64>, %y: memref<64x8192xf64>) {
    %w = memref.get_global @w : memref<256xf64>
    %t = memref.alloc() : memref<8x8192xf64>
    %u = memref.alloc() : memref<8x8192xf64>
    cpe.cores {
      affine.for %i = 0 to 64 step 8 {
        affine.for %l = 0 to 8 {
          affine.for %p = 0 to 256 {
            %factor = affine.load %w[%p] : memref<256xf64>
            affine.for %j = 0 to 32 {
              %v = affine.load %x[%i + %l, %j * 256 + %p] : memref<64x8192xf64>
              %z = arith.mulf %v, %factor : f64
              affine.store %z, %t[%l, %p * 32 + %j] : memref<8x8192xf64>
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
        affine.for %l = 0 to 8 {
          affine.for %k = 0 to 32 {
            affine.for %q = 0 to 32 {
              affine.for %j = 0 to 8 {
                %v = affine.load %t[%l, %j * 1024 + %q * 32 + %k] : memref<8x8192xf64>
                affine.store %v, %u[%l, %q * 256 + %j * 32 + %k] : memref<8x8192xf64>
              }
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
        affine.for %l = 0 to 8 {
          affine.for %h = 0 to 8 {
            affine.for %k = 0 to 32 {
              affine.for %j = 0 to 32 {
                %v = affine.load %u[%l, %j * 256 + %h * 32 + %k] : memref<8x8192xf64>
                affine.store %v, %y[%i + %l, %j * 256 + %h * 32 + %k] : memref<64x8192xf64>
              } {weft.independent}
            } {weft.independent}
          } {weft.independent}
        } {weft.independent, weft.parallel}
        cpe.sync
      } {weft.in_turn}
    }
    return
  }
}
