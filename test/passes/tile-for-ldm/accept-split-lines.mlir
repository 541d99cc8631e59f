// The schedule says how many cores of a row share a line: of 2048 points two have 1024 each, four 512, in
// rounds of 32 and 16 lines, of which one is for every half or quarter of a row. Without it eight do, but
// where halves of a row save a tenth of what lines are filled up with: of 2187 points.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}each of its lines by the 2 cores of a part of a row, 32 at a time", {{.*}}parts of 1024 points, of 32768 bytes {{.*}} in 2 rounds
// NOTE: decided {{.*}}each of its lines by the 4 cores of a part of a row, 16 at a time", {{.*}}parts of 512 points, of 16384 bytes
// NOTE: decided {{.*}}each of its lines by the 8 cores of a row, 8 at a time"
// NOTE: decided {{.*}}each of its lines by the 4 cores of a part of a row, 16 at a time", {{.*}}; its {{[0-9]+}} rows of {{[0-9]+}} are filled up

// CHECK-LABEL: func.func @by_two
// CHECK:         weft.blocks [0] to [64] steps [32] places {{.*}}weft.sharing = 2 : i64
// CHECK:           weft.map [0, 0, 0, 0] to [32, 1, 1, 128]
// CHECK-LABEL: func.func @by_four
// CHECK:         weft.blocks [0] to [64] steps [16] places {{.*}}weft.sharing = 4 : i64
// CHECK-LABEL: func.func @by_eight
// CHECK:         weft.blocks [0] to [64] steps [8] places
// CHECK-NOT:     weft.sharing
// CHECK-LABEL: func.func @filled
// CHECK:         weft.blocks [0] to [64] steps [16] places {{.*}}weft.sharing = 4 : i64
module attributes {weft.target = #target} {
func.func @by_two(%x: tensor<64x2048xcomplex<f64>>) -> tensor<64x2048xcomplex<f64>> attributes {weft.split = 2 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x2048xcomplex<f64>>
  return %y : tensor<64x2048xcomplex<f64>>
}
func.func @by_four(%x: tensor<64x2048xcomplex<f64>>) -> tensor<64x2048xcomplex<f64>> attributes {weft.split = 4 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x2048xcomplex<f64>>
  return %y : tensor<64x2048xcomplex<f64>>
}
func.func @by_eight(%x: tensor<64x2048xcomplex<f64>>) -> tensor<64x2048xcomplex<f64>> attributes {weft.split = 8 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x2048xcomplex<f64>>
  return %y : tensor<64x2048xcomplex<f64>>
}
func.func @filled(%x: tensor<64x2187xcomplex<f64>>) -> tensor<64x2187xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x2187xcomplex<f64>>
  return %y : tensor<64x2187xcomplex<f64>>
}
}
