// RUN: weft-opt %s --split-input-file --factor-transform | FileCheck %s
// 16 first is cheap by the table. Where the arrays of a line fill the first cache a first
// stage of so many rows may cost more: 1024 points of c128 begin with 8 then, as two arrays have 32
// KB and three 48; 256 points and lines of c64 do not.

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 60 : i64, dft_double_many_rows_cycles = 130 : i64, l1d_bytes = 49152 : i64, dft_stage_cycles = array<i64: 8, 350, 300, 200, 16, 400, 400, 300>}} {
// CHECK-LABEL: func.func @full
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK-NEXT: weft.butterfly {{.*}} radix 8
// CHECK-NEXT: weft.butterfly {{.*}} radix 16
func.func @full(%x: tensor<8x1024xcomplex<f64>>) -> tensor<8x1024xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x1024xcomplex<f64>>
  return %y : tensor<8x1024xcomplex<f64>>
}
// CHECK-LABEL: func.func @short
// CHECK: weft.butterfly {{.*}} radix 16
// CHECK-NEXT: weft.butterfly {{.*}} radix 8
func.func @short(%x: tensor<8x128xcomplex<f64>>) -> tensor<8x128xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x128xcomplex<f64>>
  return %y : tensor<8x128xcomplex<f64>>
}
// CHECK-LABEL: func.func @single
// CHECK: weft.butterfly {{.*}} radix 16
func.func @single(%x: tensor<8x2048xcomplex<f32>>) -> tensor<8x2048xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x2048xcomplex<f32>>
  return %y : tensor<8x2048xcomplex<f32>>
}
}
