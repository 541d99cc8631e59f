// A table that is read along points and along columns: each core keeps its part of the former, the few
// elements of the latter are for insert-transfers, and runs are grouped beside both. So is an array that
// the cores only read.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @rounds
// CHECK:         %[[E:.*]] = memref.get_global @e
// CHECK-DAG:     cpe.dma_get %[[E]][%{{.*}}], %[[MINE:.*]] of[%{{.*}}, %{{.*}}] block 1 counts [128] strides [8]
// CHECK-DAG:     cpe.dma_get %arg2[%{{.*}}], %[[OTHER:.*]] of[%{{.*}}, %{{.*}}] block 1 counts [128] strides [8]
// CHECK:         affine.for %{{.*}} = 0 to 128 step 32 {
// CHECK:           cpe.dma_get %arg0[%{{.*}}], %{{.*}} of[%{{.*}}, %{{.*}}] block 32
// CHECK-DAG:       affine.load %[[MINE]]
// CHECK-DAG:       affine.load %[[OTHER]]
// CHECK-DAG:       affine.load %[[E]]
// CHECK:         } {weft.in_turn}
module attributes {weft.target = #target} {
  memref.global "private" @e : memref<1024xf64>
  func.func @rounds(%x: memref<1024x128xf64>, %y: memref<1024x128xf64>, %d: memref<1024xf64> {weft.name = "d"}) {
    %e = memref.get_global @e : memref<1024xf64>
    %t = memref.alloc() : memref<1024x32xf64>
    cpe.cores {
      affine.for %i = 0 to 128 step 32 {
        affine.for %c = 0 to 8 {
          affine.for %q = 0 to 4 {
            affine.for %l = 0 to 32 {
              affine.for %j = 0 to 32 {
                %v = affine.load %x[%j * 32 + %q * 8 + %c, %i + %l] : memref<1024x128xf64>
                %p = affine.load %e[%j * 32 + %q * 8 + %c] : memref<1024xf64>
                %f = affine.load %e[%i + %l] : memref<1024xf64>
                %g = affine.load %d[%j * 32 + %q * 8 + %c] : memref<1024xf64>
                %pf = arith.mulf %p, %f : f64
                %pfg = arith.mulf %pf, %g : f64
                %z = arith.mulf %pfg, %v : f64
                affine.store %z, %t[%q * 256 + %c * 32 + %j, %l] : memref<1024x32xf64>
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
