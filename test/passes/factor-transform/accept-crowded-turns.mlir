// RUN: weft-opt %s --split-input-file --factor-transform | FileCheck %s
// Of 3072 points the last two stages take turns. By 8 and 12 they need 96 rows at once, 512 bytes
// apart, for which the 8 ways of the first cache have places for 64; by 8 and 8 64 rows, which are
// 768 bytes apart and find theirs. Where crowded turns have a cost, it decides; else the table does.

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, l1d_bytes = 32768 : i64, l1d_ways = 8 : i64, line_bytes = 64 : i64, dft_stage_cycles = array<i64: 4, 600, 300, 900, 6, 900, 350, 900, 8, 500, 400, 300, 12, 900, 900, 200>}} {
// CHECK-LABEL: func.func @table_alone
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK: weft.butterfly {{.*}} radix 4
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK: weft.butterfly {{.*}} radix 12
func.func @table_alone(%x: tensor<8x3072xcomplex<f64>>) -> tensor<8x3072xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x3072xcomplex<f64>>
  return %y : tensor<8x3072xcomplex<f64>>
}
}

// -----

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, dft_crowded_turns = 3 : i64, l1d_bytes = 32768 : i64, l1d_ways = 8 : i64, line_bytes = 64 : i64, dft_stage_cycles = array<i64: 4, 600, 300, 900, 6, 900, 350, 900, 8, 500, 400, 300, 12, 900, 900, 200>}} {
// CHECK-LABEL: func.func @crowded
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK: weft.butterfly {{.*}} radix 6
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK: weft.butterfly {{.*}} radix 8
func.func @crowded(%x: tensor<8x3072xcomplex<f64>>) -> tensor<8x3072xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x3072xcomplex<f64>>
  return %y : tensor<8x3072xcomplex<f64>>
}
}
