// Loops over the mesh of which only some columns have an iteration: each core still finds its row.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  func.func @f(%x: memref<8x8xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<8x8xf64> {weft.name = "y", weft.role = "out"}) {
    cpe.cores {
      // CHECK: for (ptrdiff_t task = core; task < 64; task += 64) {
      // CHECK-NEXT: const ptrdiff_t i = task / 8;
      // CHECK-NEXT: const ptrdiff_t i_1 = task % 8;
      // CHECK-NEXT: if (i_1 < 6) {
      // CHECK: y[i*8 + i_1] = x[i*8 + i_1];
      affine.for %r = 0 to 8 {
        affine.for %c = 0 to 6 {
          %v = affine.load %x[%r, %c] : memref<8x8xf64>
          affine.store %v, %y[%r, %c] : memref<8x8xf64>
        } {weft.parallel, weft.mesh}
      } {weft.parallel, weft.mesh}
      // CHECK: const ptrdiff_t i = task / 8;
      // CHECK-NEXT: const ptrdiff_t i_1 = task % 8;
      // CHECK-NEXT: if (i_1 == 6) {
      affine.for %r = 0 to 8 {
        affine.for %c = 6 to 7 {
          %v = affine.load %x[%r, %c] : memref<8x8xf64>
          affine.store %v, %y[%r, %c] : memref<8x8xf64>
        } {weft.parallel, weft.mesh}
      } {weft.parallel, weft.mesh}
      // CHECK: if (i_1 >= 3 && i_1 < 5) {
      affine.for %r = 0 to 8 {
        affine.for %c = 3 to 5 {
          %v = affine.load %x[%r, %c] : memref<8x8xf64>
          affine.store %v, %y[%r, %c] : memref<8x8xf64>
        } {weft.parallel, weft.mesh}
      } {weft.parallel, weft.mesh}
    }
    return
  }
}
