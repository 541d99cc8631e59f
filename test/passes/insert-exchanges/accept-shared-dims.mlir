// Nests say which of their loops go over the rows and the columns of the mesh. What they pass on
// stays with the cores; of its 40 rows, 5 with each, 33 are there: six columns of the mesh have five,
// the seventh three, the last none. The next nest has all of them, and two columns of each row.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --canonicalize | FileCheck %s --implicit-check-not=cpe.sync

// CHECK-LABEL: func.func @matrices
// CHECK:         affine.for %[[I:.*]] = 0 to 64 step 8 {
// CHECK-COUNT-2:   cpe.spread : memref<8x8x80x2xf64>
// CHECK:           affine.for %[[R:.*]] = 0 to 8 {
// CHECK-NEXT:        affine.for %[[C:.*]] = 0 to 6 {
// CHECK:               affine.for %[[A:.*]] = 0 to 5 {
// CHECK-NEXT:            affine.for %[[B:.*]] = 0 to 15 {
// CHECK-NEXT:              affine.load %arg0[%{{.*}}, %[[C]] * 5 + %[[A]], %[[B]], 0]
// CHECK-NEXT:              affine.store %{{.*}}, %[[ROWS:.*]][%[[R]], %[[C]], %[[B]] + %[[A]] * 16, 0]
// CHECK:           affine.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:        affine.for %{{.*}} = 6 to 7 {
// CHECK:               affine.for %{{.*}} = 0 to 3 {
// CHECK:           cpe.exchange %[[ROWS]], %[[COLUMNS:.*]] along_rows block 4 counts [5] from 4 [32] to 20 [4]
// CHECK:           affine.for %[[R:.*]] = 0 to 8 {
// CHECK-NEXT:        affine.for %[[C:.*]] = 0 to 8 {
// CHECK:               affine.for %[[A:.*]] = 0 to 33 {
// CHECK-NEXT:            affine.for %[[B:.*]] = 0 to 2 {
// CHECK-NEXT:              affine.load %[[COLUMNS]][%[[R]], %[[C]],
module attributes {weft.target = #target} {
  func.func @matrices(%x: memref<64x33x15x2xf64>, %y: memref<64x33x16xf64>) {
    %t = memref.alloc() : memref<8x40x16x2xf64>
    cpe.cores {
      affine.for %i = 0 to 64 step 8 {
        affine.for %l = 0 to 8 {
          affine.for %a = 0 to 33 {
            affine.for %b = 0 to 15 {
              %v = affine.load %x[%i + %l, %a, %b, 0] : memref<64x33x15x2xf64>
              affine.store %v, %t[%l, %a, %b, 0] : memref<8x40x16x2xf64>
            } {weft.independent}
          } {weft.independent, weft.over_columns}
        } {weft.independent, weft.parallel, weft.over_rows}
        cpe.sync
        affine.for %l = 0 to 8 {
          affine.for %a = 0 to 33 {
            affine.for %b = 0 to 16 {
              %v = affine.load %t[%l, %a, %b, 0] : memref<8x40x16x2xf64>
              affine.store %v, %y[%i + %l, %a, %b] : memref<64x33x16xf64>
            } {weft.independent, weft.over_columns}
          } {weft.independent}
        } {weft.independent, weft.parallel, weft.over_rows}
        cpe.sync
      } {weft.in_turn}
    }
    return
  }
}
