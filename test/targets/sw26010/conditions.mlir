// What some cores do: all constraints at once, indices as elsewhere.
// RUN: cat %target_sw26010 %s | weft-translate - --weft-to-c | FileCheck %s

#some = affine_set<(r, c, t) : (-r + 5 >= 0, c mod 2 - t == 0)>
module attributes {weft.target = #target} {
  func.func @f(%y: memref<64x8xf64> {weft.name = "y", weft.role = "out"}) {
    cpe.cores {
      %a = cpe.spread : memref<8x8x8xf64> loc("a")
      affine.for %t = 0 to 2 {
        affine.for %r = 0 to 8 {
          affine.for %c = 0 to 8 {
            // CHECK:      const ptrdiff_t [[R:.*]] = task / 8;
            // CHECK-NEXT: const ptrdiff_t [[C:.*]] = task % 8;
            // CHECK:      if (-[[R]] + 5 >= 0 && {{.*}}[[C]] % 2{{.*}} == 0) {
            // CHECK:        weft_put(a, y + ([[R]]*8 + [[C]])*8, 64, 0, 0);
            // CHECK-NEXT: }
            affine.if #some(%r, %c, %t) {
              %at = affine.apply affine_map<(r, c) -> (r * 64 + c * 8)>(%r, %c)
              cpe.dma_put %a of [%r, %c], %y[%at] block 8 counts [] strides [] : memref<8x8x8xf64>, memref<64x8xf64>
            }
          } {weft.parallel, weft.mesh}
        } {weft.parallel, weft.mesh}
        cpe.dma_wait
        cpe.sync
      }
    }
    return
  }
}
