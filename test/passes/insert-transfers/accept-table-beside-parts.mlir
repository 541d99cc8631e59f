// A table of which a core keeps a part, and reads others as well: it comes once and stays, as if there
// were no part, and not in every turn of the loop. The part still comes from main memory.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-transfers --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @turns
// CHECK:         %[[E:.*]] = memref.get_global @e
// CHECK:         cpe.dma_get %[[E]][%{{.*}}], %{{.*}} of[%{{.*}}, %{{.*}}] block 4
// CHECK:         %[[OWN:.*]] = memref.alloca() : memref<32xf64>
// CHECK:         cpe.dma_get %[[E]][%{{.*}}], %[[OWN]] block 32
// CHECK:         affine.for %{{.*}} = 0 to 6 {
// CHECK-NOT:       %[[E]]
// CHECK:           affine.load %[[OWN]]
module attributes {weft.target = #target} {
  memref.global "private" @e : memref<32xf64>
  func.func @turns(%x: memref<6x64x32xf64>) {
    %e = memref.get_global @e : memref<32xf64>
    cpe.cores {
      %part = cpe.spread : memref<8x8x4xf64>
      affine.for %r = 0 to 8 {
        affine.for %c = 0 to 8 {
          %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%r)
          cpe.dma_get %e[%at], %part of[%r, %c] block 4 counts [] strides [] : memref<32xf64>, memref<8x8x4xf64>
          cpe.dma_wait
        } {weft.independent, weft.mesh, weft.parallel}
      } {weft.independent, weft.mesh, weft.parallel}
      affine.for %t = 0 to 6 {
        affine.for %r = 0 to 8 {
          affine.for %c = 0 to 8 {
            affine.for %z = 0 to 32 {
              %a = affine.load %e[%z] : memref<32xf64>
              %b = affine.load %part[%r, %c, 1] : memref<8x8x4xf64>
              %p = arith.mulf %a, %b : f64
              affine.store %p, %x[%t, %r * 8 + %c, %z] : memref<6x64x32xf64>
            }
          } {weft.independent, weft.mesh, weft.parallel}
        } {weft.independent, weft.mesh, weft.parallel}
      }
    }
    return
  }
}
