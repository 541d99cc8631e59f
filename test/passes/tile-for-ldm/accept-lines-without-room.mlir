// Lines whose stages a core has room for, but not for the line beside them, are shared by the cores of a row;
// shorter ones, and lines that cannot be shared, are not.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s

// CHECK-DAG: tensor<64x1280xcomplex<f64>>: each of its lines by the 8 cores of a row, 8 at a time", Why="a line takes 40960 bytes, and as many as 20480 to come and go, of 57344 that a core has;
// CHECK-DAG: tensor<64x1152xcomplex<f64>>: its stages (3) over blocks of a line
// CHECK-DAG: tensor<3x1280xcomplex<f64>>: its stages (3) over blocks of a line
module attributes {weft.target = #target} {
func.func @shared(%x: tensor<64x1280xcomplex<f64>>) -> tensor<64x1280xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x1280xcomplex<f64>>
  return %y : tensor<64x1280xcomplex<f64>>
}
func.func @shorter(%x: tensor<64x1152xcomplex<f64>>) -> tensor<64x1152xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x1152xcomplex<f64>>
  return %y : tensor<64x1152xcomplex<f64>>
}
func.func @few(%x: tensor<3x1280xcomplex<f64>>) -> tensor<3x1280xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x1280xcomplex<f64>>
  return %y : tensor<3x1280xcomplex<f64>>
}
}
