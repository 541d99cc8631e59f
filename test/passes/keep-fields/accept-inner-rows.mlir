// Rows inside a border: those that a core has beside them it leaves as they are. A single row is made
// by the cores that have it. 130 rows are three with each of 44 cores, some with two of them, of which
// one puts them. The last of nine steps is no half of a turn.
// RUN: cat %target_sw26010 %s | weft-opt - --keep-fields --canonicalize | FileCheck %s

// CHECK-DAG:   #[[$INNER:.*]] = affine_set<(d0, d1) : ((d0 * 127) floordiv 43 + d1 - 1 >= 0, -((d0 * 127) floordiv 43) - d1 + 128 >= 0)>
// CHECK-DAG:   #[[$ONE:.*]] = affine_set<(d0) : (-((d0 * 127) floordiv 43) >= 0, (d0 * 127) floordiv 43 + 2 >= 0)>
// CHECK-DAG:   #[[$THIRD:.*]] = affine_set<(d0) : (((d0 + 1) * 127) floordiv 43 - (d0 * 127) floordiv 43 - 3 >= 0, -d0 + 42 >= 0)>
// CHECK-DAG:   #[[$LAST:.*]] = affine_set<(d0) : (d0 - 43 >= 0)>
// CHECK-LABEL: func.func @inner
// CHECK:         %[[U:.*]] = cpe.spread : memref<8x8x240xf64>
// CHECK-NEXT:    %[[N:.*]] = cpe.spread : memref<8x8x240xf64>
// CHECK:         affine.for %{{.*}} = 0 to 4 {
// CHECK-NEXT:      cpe.halo %[[U]] rows 130 own 3 cores 44 columns 8 before 1 after 1 block 48 counts [] strides []
// CHECK-NEXT:      affine.for %[[P:.*]] = 0 to 44 {
// CHECK-NEXT:        affine.for %[[I:.*]] = 0 to 3 {
// CHECK-NEXT:          affine.if #[[$INNER]](%[[P]], %[[I]]) {
// CHECK-NEXT:            affine.for
// CHECK:           } {weft.parallel, weft.ring = 8 : i64}
// CHECK-NEXT:      affine.for %[[P:.*]] = 0 to 44 {
// CHECK-NEXT:        affine.if #[[$ONE]](%[[P]]) {
// CHECK:         affine.for %[[P:.*]] = 0 to 44 {
// CHECK:           cpe.dma_put %[[N]]
// CHECK-SAME:        counts [2]
// CHECK-NEXT:      affine.if #[[$THIRD]](%{{.*}}) {
// CHECK:             cpe.dma_put %[[N]]
// CHECK-SAME:          counts [1]
// CHECK:           affine.if #[[$LAST]](%{{.*}}) {
// CHECK:             cpe.dma_put %[[N]]
// CHECK-SAME:          counts [1]
module attributes {weft.target = #target} {
  func.func @inner(%u: memref<130x46xf64>) {
    %new = memref.alloc() : memref<130x46xf64>
    affine.for %t = 0 to 9 {
      affine.for %i = 1 to 129 {
        affine.for %j = 0 to 46 {
          %a = affine.load %u[%i - 1, %j] : memref<130x46xf64>
          %b = affine.load %u[%i + 1, %j] : memref<130x46xf64>
          %s = arith.addf %a, %b : f64
          affine.store %s, %new[%i, %j] : memref<130x46xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
      affine.for %j = 0 to 46 {
        %a = affine.load %u[1, %j] : memref<130x46xf64>
        affine.store %a, %new[0, %j] : memref<130x46xf64>
      } {weft.independent, weft.lane}
      affine.for %j = 0 to 46 {
        %a = affine.load %u[128, %j] : memref<130x46xf64>
        affine.store %a, %new[129, %j] : memref<130x46xf64>
      } {weft.independent, weft.lane}
      affine.for %i = 0 to 130 {
        affine.for %j = 0 to 46 {
          %a = affine.load %new[%i, %j] : memref<130x46xf64>
          affine.store %a, %u[%i, %j] : memref<130x46xf64>
        } {weft.independent, weft.lane}
      } {weft.independent}
    }
    return
  }
}
