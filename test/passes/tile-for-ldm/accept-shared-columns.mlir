// Columns of 2048 that no core has room for, with their neighbours beside them: rounds of eight
// columns for each core of a row, as many times two as fit. Of the loop over p of the first stage and
// the loop over l of the others the cores of a column of the mesh share one of eight; columns are the
// innermost loop. Four columns are left: a round of the last 32. Of what is read beside the columns a
// core has an array more.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}each of its columns by the 8 cores of a column of the mesh, 32 at a time", Why="a line takes 65536 bytes, a core's memory has 43008 for it; they exchange their parts of 256 points, of 8192 bytes with what they get, behind stage 1; in 9 rounds, 4 columns a core", bytes=8192, lines=4, points=256
// NOTE: decided {{.*}}each of its columns by the 8 cores of a column of the mesh, 16 at a time", {{.*}}, of 12288 bytes with what they get, behind stage 1; in 4 rounds, 2 columns a core", bytes=12288

// CHECK-LABEL: func.func @columns
// CHECK:         %[[EMPTY:.*]] = tensor.empty
// CHECK:         %[[WHOLE:.*]] = weft.blocks [0, 0] to [3, 96] steps [1, 32] init(%[[EMPTY]]
// CHECK-SAME:    places [#[[PLACE:.*]]]
// CHECK:         ^bb0(%[[PLANE:.*]]: index, %[[ROUND:.*]]: index):
// CHECK:           %[[FIRST:.*]] = weft.map [0, 0, 0, 0] to [8, 1, 16, 32]
// CHECK:             ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[OWN:.*]]: index):
// CHECK:             %[[COLUMN:.*]] = affine.apply #{{.*}}(%[[ROUND]], %[[OWN]])
// CHECK:             tensor.extract %arg0[%[[PLANE]], %{{.*}}, %[[COLUMN]]] : tensor<3x2048x100xcomplex<f64>>
// CHECK:           : tensor<2048x32xcomplex<f64>>
// CHECK:           %[[SECOND:.*]] = weft.map [0, 0, 0, 0] to [8, 8, 2, 32]
// CHECK:             tensor.extract %[[FIRST]]
// CHECK:           weft.map [0, 0, 0, 0] to [8, 1, 32, 32]
// CHECK:             tensor.extract %[[SECOND]]
// CHECK:         weft.blocks [0, 68] to [3, 100] steps [1, 32] init(%[[WHOLE]]

// CHECK-LABEL: func.func @product
// CHECK:         weft.blocks [0] to [64] steps [16]
// CHECK:           weft.map [0, 0, 0, 0] to [8, 1, 16, 16]
module attributes {weft.target = #target} {
func.func @columns(%x: tensor<3x2048x100xcomplex<f64>>) -> tensor<3x2048x100xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x2048x100xcomplex<f64>>
  return %y : tensor<3x2048x100xcomplex<f64>>
}
func.func @product(%x: tensor<2048x64xcomplex<f64>>, %f: tensor<2048x64xcomplex<f64>>)
    -> tensor<2048x64xcomplex<f64>> {
  %p = weft.map [0, 0] to [2048, 64] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%i, %j] : tensor<2048x64xcomplex<f64>>
    %b = tensor.extract %f[%i, %j] : tensor<2048x64xcomplex<f64>>
    %c = complex.mul %a, %b : complex<f64>
    weft.yield %c : complex<f64>
  } : tensor<2048x64xcomplex<f64>>
  %y = weft.dft %p axis 0 sign -1 : tensor<2048x64xcomplex<f64>>
  return %y : tensor<2048x64xcomplex<f64>>
}
}
