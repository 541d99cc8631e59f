// Lines of 2048 that no core has room for: rounds of eight, one for each row of cores. The loop over p of
// the first stage and the loop over l of the others are two, the inner of which the cores of a row
// may share: 128 points behind the first 16, 16 before the last 128. Three lines are left: a round
// of the last eight. Where there are many rounds, a row takes as many lines at a time as fit.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}each of its lines by the 8 cores of a row, 8 at a time", Why="a line takes 65536 bytes, a core's memory has 43008 for it; they exchange their parts of 256 points, of 8192 bytes with what they get, behind stage 1; in 2 rounds, 1 lines a row", bytes=8192, lines=1, points=256
// NOTE: decided {{.*}}each of its lines by the 8 cores of a row, 16 at a time", {{.*}}; in 8 rounds, 2 lines a row", bytes=8192, lines=2, points=256
// NOTE: decided {{.*}}each of its lines by the 8 cores of a row, 32 at a time", {{.*}}; in 62 rounds, 4 lines a row", bytes=8192, lines=4, points=256

// CHECK-LABEL: func.func @lines
// CHECK:         %[[EMPTY:.*]] = tensor.empty
// CHECK:         %[[WHOLE:.*]] = weft.blocks [0] to [16] steps [8] init(%[[EMPTY]]
// CHECK:         ^bb0(%[[ROUND:.*]]: index):
// CHECK:           %[[FIRST:.*]] = weft.map [0, 0, 0, 0] to [8, 1, 1, 128]
// CHECK:             %[[LINE:.*]] = affine.apply #{{.*}}(%[[ROUND]], %[[ROW:.*]])
// CHECK:             tensor.extract %arg0[%[[LINE]], %{{.*}}] : tensor<19x2048xcomplex<f64>>
// CHECK:           : tensor<8x2048xcomplex<f64>>
// CHECK:           %[[SECOND:.*]] = weft.map [0, 0, 0, 0] to [8, 8, 1, 16]
// CHECK:             tensor.extract %[[FIRST]]
// CHECK:           weft.map [0, 0, 0, 0] to [8, 1, 16, 16]
// CHECK:             tensor.extract %[[SECOND]]
// CHECK:         weft.blocks [11] to [19] steps [8] init(%[[WHOLE]]
// CHECK:           weft.map [0, 0, 0, 0] to [8, 1, 1, 128]

// CHECK-LABEL: func.func @pairs
// CHECK:         weft.blocks [0] to [128] steps [16] places
// CHECK-NEXT:    ^bb0(%[[ROUND:.*]]: index):
// CHECK:           weft.map [0, 0, 0, 0] to [16, 1, 1, 128]

// CHECK-LABEL: func.func @many
// CHECK:         weft.blocks [0] to [1984] steps [32] init
// CHECK:         weft.blocks [1984] to [2000] steps [8] init
module attributes {weft.target = #target} {
func.func @lines(%x: tensor<19x2048xcomplex<f64>>) -> tensor<19x2048xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<19x2048xcomplex<f64>>
  return %y : tensor<19x2048xcomplex<f64>>
}
func.func @pairs(%x: tensor<128x2048xcomplex<f64>>) -> tensor<128x2048xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<128x2048xcomplex<f64>>
  return %y : tensor<128x2048xcomplex<f64>>
}
func.func @many(%x: tensor<2000x2048xcomplex<f64>>) -> tensor<2000x2048xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<2000x2048xcomplex<f64>>
  return %y : tensor<2000x2048xcomplex<f64>>
}
}
