// The schedule asks for runs of main memory of so many elements (`exchange`): each core alone has
// blocks of one column; a row of cores reaches 16 with blocks of two, as a message has; columns that
// are shared are no more than are asked for.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm | FileCheck %s

// CHECK-LABEL: func.func @one
// CHECK:         weft.blocks [0, 0] to [8, 512] steps [1, 1]
// CHECK-LABEL: func.func @of_a_row
// CHECK:         weft.blocks [0, 0] to [8, 512] steps [1, 2]
// CHECK-LABEL: func.func @shared
// CHECK:         weft.blocks [0, 0] to [8, 512] steps [1, 32]
// CHECK-SAME:    weft.in_turn
// CHECK-LABEL: func.func @long
// CHECK:         weft.blocks [0, 0] to [8, 512] steps [1, 16]
// CHECK-SAME:    weft.in_turn
module attributes {weft.target = #target} {
func.func @one(%x: tensor<8x512x512xcomplex<f64>>) -> tensor<8x512x512xcomplex<f64>> attributes {weft.exchange = 1 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x512x512xcomplex<f64>>
  return %y : tensor<8x512x512xcomplex<f64>>
}
func.func @of_a_row(%x: tensor<8x512x512xcomplex<f64>>) -> tensor<8x512x512xcomplex<f64>> attributes {weft.exchange = 16 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x512x512xcomplex<f64>>
  return %y : tensor<8x512x512xcomplex<f64>>
}
func.func @shared(%x: tensor<8x512x512xcomplex<f64>>) -> tensor<8x512x512xcomplex<f64>> attributes {weft.exchange = 32 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x512x512xcomplex<f64>>
  return %y : tensor<8x512x512xcomplex<f64>>
}
func.func @long(%x: tensor<8x2048x512xcomplex<f64>>) -> tensor<8x2048x512xcomplex<f64>> attributes {weft.exchange = 8 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x2048x512xcomplex<f64>>
  return %y : tensor<8x2048x512xcomplex<f64>>
}
}
