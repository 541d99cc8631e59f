// One nest passes nothing on; loops that depend on each other are left alone.
// RUN: cat %target_avx512 %s | weft-opt - > %t.before
// RUN: cat %target_avx512 %s | weft-opt - --keep-slices > %t.after
// RUN: diff %t.before %t.after

module attributes {weft.target = #target} {
func.func @one(%x: memref<256x128x128xf64>, %y: memref<256x128x128xf64>) {
  affine.for %z = 0 to 256 {
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %x[%z, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %y[%z, %r, %c] : memref<256x128x128xf64>
      }
    } {weft.independent}
  } {weft.independent}
  return
}

func.func @steps(%x: memref<256x128x128xf64>, %y: memref<256x128x128xf64>) {
  affine.for %t = 0 to 256 {
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %x[%t, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %y[%t, %r, %c] : memref<256x128x128xf64>
      }
    } {weft.independent}
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %y[%t, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %y[%t, %r, %c] : memref<256x128x128xf64>
      } {weft.independent}
    } {weft.independent}
  }
  return
}
}
