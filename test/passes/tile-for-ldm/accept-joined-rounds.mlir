// Columns of planes, whole, by rows of cores, and then lines of the same planes, or first: one round
// does both. Not where something else reads what lies between, nor where lines are of other planes.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --lower-to-loops | FileCheck %s --check-prefix=LOOPS
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE:     its lines in the rounds of columns before them", Why="they alone read these, and a round has whole planes"
// NOTE:     the lines before its columns in their rounds", Why="the columns alone read these, and a round has whole planes"
// NOTE-NOT: in the rounds of columns
// NOTE-NOT: in their rounds

// CHECK-LABEL: func.func @both
// CHECK:         %[[ALL:.*]] = weft.blocks [0, 0] to [64, 64] steps [16, 64]
// CHECK:           ^bb0(%[[PLANE:[a-z0-9]+]]: index, %[[COLUMN:[a-z0-9]+]]: index):
// CHECK:           %[[FIRST:.*]] = weft.map [0, 0, 0, 0] to [16, 8, 1, 64]
// CHECK:           %[[COLUMNS:.*]] = weft.map [0, 0, 0, 0] to [16, 1, 8, 64]
// CHECK:           %[[LINES:.*]] = weft.blocks [0, 0] to [16, 64] steps [1, 1]
// CHECK:             tensor.extract %[[COLUMNS]][
// CHECK-NOT:         tensor.extract %arg0
// CHECK:           weft.yield %[[LINES]]
// CHECK-NOT:     weft.blocks
// CHECK:         return %[[ALL]]

// CHECK-LABEL: func.func @read_twice
// CHECK:         weft.blocks [0, 0] to [64, 64] steps [16, 64]
// CHECK:         weft.blocks [0, 0] to [64, 64] steps [1, 1]

// CHECK-LABEL: func.func @lines_first
// CHECK:         weft.blocks [0, 0] to [64, 64] steps [16, 64]
// CHECK:           %[[LINES:.*]] = weft.blocks [0, 0] to [16, 64] steps [1, 1]
// CHECK:             tensor.extract %arg0
// CHECK:           weft.map [0, 0, 0, 0] to [16, 8, 1, 64]
// CHECK:             tensor.extract %[[LINES]][
// CHECK-NOT:         tensor.extract %arg0
// CHECK:         return

// CHECK-LABEL: func.func @of_other_planes
// CHECK:         weft.blocks [0, 0] to [64, 64] steps [16, 64]
// CHECK:         weft.blocks [0, 0] to [64, 64] steps [1, 1]

// The lines' last stage stores where the result lies.
// LOOPS-LABEL: func.func @both
// LOOPS:         affine.for %[[PLANE:.*]] = 0 to 64 step 16 {
// LOOPS:           affine.for %[[COLUMN:.*]] = 0 to 64 step 64 {
// LOOPS-COUNT-2:     affine.for %{{.*}} = 0 to 16 {
// LOOPS:             affine.for %[[OVER:.*]] = 0 to 16 {
// LOOPS-NEXT:          affine.for %[[POINT:.*]] = 0 to 64 {
// LOOPS:                 affine.store %{{.*}}, %arg1[%[[PLANE]] + %[[OVER]]{{.*}}, %[[POINT]], %[[COLUMN]] + %{{.*}}, 0]
module attributes {weft.target = #target} {
func.func @both(%x: tensor<64x64x64xcomplex<f64>>) -> tensor<64x64x64xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x64x64xcomplex<f64>>
  %z = weft.dft %y axis 2 sign -1 : tensor<64x64x64xcomplex<f64>>
  return %z : tensor<64x64x64xcomplex<f64>>
}
func.func @read_twice(%x: tensor<64x64x64xcomplex<f64>>)
    -> (tensor<64x64x64xcomplex<f64>>, tensor<64x64x64xcomplex<f64>>) {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x64x64xcomplex<f64>>
  %z = weft.dft %y axis 2 sign -1 : tensor<64x64x64xcomplex<f64>>
  return %y, %z : tensor<64x64x64xcomplex<f64>>, tensor<64x64x64xcomplex<f64>>
}
func.func @lines_first(%x: tensor<64x64x64xcomplex<f64>>) -> tensor<64x64x64xcomplex<f64>> {
  %y = weft.dft %x axis 2 sign -1 : tensor<64x64x64xcomplex<f64>>
  %z = weft.dft %y axis 1 sign -1 : tensor<64x64x64xcomplex<f64>>
  return %z : tensor<64x64x64xcomplex<f64>>
}
func.func @of_other_planes(%x: tensor<64x64x64xcomplex<f64>>) -> tensor<64x64x64xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x64x64xcomplex<f64>>
  %t = weft.transpose %y perm [2, 1, 0] : tensor<64x64x64xcomplex<f64>> -> tensor<64x64x64xcomplex<f64>>
  %z = weft.dft %t axis 2 sign -1 : tensor<64x64x64xcomplex<f64>>
  return %z : tensor<64x64x64xcomplex<f64>>
}
}
