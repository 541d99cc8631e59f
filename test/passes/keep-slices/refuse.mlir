// Slices stay in the array where part of it is in a cache when it is read again, with the reason;
// where the first nest leaves out elements or the last one does; where the last one reads what it has
// stored itself, in one turn or from turn to turn; where a slice is read that another iteration has
// written; and where lines come to a cache when they are written, whatever is done.
// RUN: cat %target_avx512 %s | weft-opt - --keep-slices | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --keep-slices --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: cat %target_avx2 %s | weft-opt - --keep-slices --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AVX2

// NOTE: rejected {{.*}}What="slices of a value of type memref<128x128x128xf64> in memory of their own", Why="16777216 bytes: of up to 16777216 a part is still in a cache when it is read"
// NOTE-NOT: slices of
// AVX2: rejected {{.*}}What="slices of a value of type memref<128x128x128xf64> in memory of their own", Why="lines of the whole come to a cache when they are written (stores_past)"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @small
// CHECK-NOT:     weft.slice
func.func @small(%x: memref<128x128x128xf64>, %y: memref<128x128x128xf64>) {
  affine.for %z = 0 to 128 {
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %x[%z, %r, %c] : memref<128x128x128xf64>
        affine.store %a, %y[%z, %r, %c] : memref<128x128x128xf64>
      }
    } {weft.independent}
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %y[%z, %r, %c] : memref<128x128x128xf64>
        %b = arith.addf %a, %a : f64
        affine.store %b, %y[%z, %r, %c] : memref<128x128x128xf64>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @not_filled
// CHECK-NOT:     weft.slice
func.func @not_filled(%x: memref<256x128x128xf64>, %y: memref<256x128x128xf64>) {
  affine.for %z = 0 to 256 {
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 127 {
        %a = affine.load %x[%z, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %y[%z, %r, %c] : memref<256x128x128xf64>
      }
    } {weft.independent}
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %y[%z, %r, %c] : memref<256x128x128xf64>
        %b = arith.addf %a, %a : f64
        affine.store %b, %y[%z, %r, %c] : memref<256x128x128xf64>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @not_written
// CHECK-NOT:     weft.slice
func.func @not_written(%x: memref<256x128x128xf64>, %y: memref<256x128x128xf64>) {
  affine.for %z = 0 to 256 {
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %x[%z, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %y[%z, %r, %c] : memref<256x128x128xf64>
      }
    } {weft.independent}
    affine.for %r = 1 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %y[%z, %r, %c] : memref<256x128x128xf64>
        %b = arith.addf %a, %a : f64
        affine.store %b, %y[%z, %r, %c] : memref<256x128x128xf64>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @after_store
// CHECK-NOT:     weft.slice
func.func @after_store(%x: memref<256x128x128xf64>, %y: memref<256x128x128xf64>) {
  affine.for %z = 0 to 256 {
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %x[%z, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %y[%z, %r, %c] : memref<256x128x128xf64>
      }
    } {weft.independent}
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %y[%z, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %y[%z, %r, %c] : memref<256x128x128xf64>
        %b = affine.load %y[%z, %r, %c] : memref<256x128x128xf64>
        affine.store %b, %x[%z, %r, %c] : memref<256x128x128xf64>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @turn_to_turn
// CHECK-NOT:     weft.slice
func.func @turn_to_turn(%x: memref<256x128x128xf64>, %y: memref<256x128x128xf64>) {
  affine.for %z = 0 to 256 {
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %x[%z, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %y[%z, %r, %c] : memref<256x128x128xf64>
      }
    } {weft.independent}
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %y[%z, %r, 127 - %c] : memref<256x128x128xf64>
        %b = arith.addf %a, %a : f64
        affine.store %b, %y[%z, %r, %c] : memref<256x128x128xf64>
      }
    } {weft.independent}
  } {weft.independent}
  return
}

// CHECK-LABEL: func.func @of_another
// CHECK-NOT:     weft.slice
func.func @of_another(%x: memref<256x128x128xf64>, %y: memref<256x128x128xf64>) {
  affine.for %z = 0 to 256 {
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %x[%z, %r, %c] : memref<256x128x128xf64>
        affine.store %a, %y[%z, %r, %c] : memref<256x128x128xf64>
      }
    } {weft.independent}
    affine.for %r = 0 to 128 {
      affine.for %c = 0 to 128 {
        %a = affine.load %y[255 - %z, %r, %c] : memref<256x128x128xf64>
        %b = arith.addf %a, %a : f64
        affine.store %b, %y[%z, %r, %c] : memref<256x128x128xf64>
      } {weft.independent}
    } {weft.independent}
  } {weft.independent}
  return
}
}
