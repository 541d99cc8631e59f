// RUN: weft-opt %s --split-input-file --factor-transform | FileCheck %s
// The last stage of 128 points in 32 columns stores rows of the result: 16 of them lie 4096 bytes apart, in one set of 8 ways,
// half of which have what is read; 4 find their places. Where crowded rows of results have a cost, it decides; else the
// table does. Of 24 columns rows lie in four sets, and the table decides.

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, dft_pair_stage_cycles = 50 : i64, l1d_bytes = 32768 : i64, l1d_ways = 8 : i64, l2_bytes = 1048576 : i64, line_bytes = 64 : i64, dft_stage_cycles = array<i64: 2, 0, 224, 100, 4, 474, 358, 177, 8, 588, 482, 288, 16, 731, 735, 443>}} {
// CHECK-LABEL: func.func @table_alone
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK: weft.butterfly {{.*}} radix 16
func.func @table_alone(%x: tensor<128x32xcomplex<f64>>) -> tensor<128x32xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<128x32xcomplex<f64>>
  return %y : tensor<128x32xcomplex<f64>>
}
}

// -----

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, dft_pair_stage_cycles = 50 : i64, dft_crowded_columns_cycles = 400 : i64, l1d_bytes = 32768 : i64, l1d_ways = 8 : i64, l2_bytes = 1048576 : i64, line_bytes = 64 : i64, dft_stage_cycles = array<i64: 2, 0, 224, 100, 4, 474, 358, 177, 8, 588, 482, 288, 16, 731, 735, 443>}} {
// CHECK-LABEL: func.func @crowded
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK: weft.butterfly {{.*}} radix 4
// CHECK: weft.butterfly {{.*}} radix 4
func.func @crowded(%x: tensor<128x32xcomplex<f64>>) -> tensor<128x32xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<128x32xcomplex<f64>>
  return %y : tensor<128x32xcomplex<f64>>
}

// CHECK-LABEL: func.func @four_sets
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK: weft.butterfly {{.*}} radix 16
func.func @four_sets(%x: tensor<128x24xcomplex<f64>>) -> tensor<128x24xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<128x24xcomplex<f64>>
  return %y : tensor<128x24xcomplex<f64>>
}

// Rows half of a way apart: what the first stage reads is as crowded.
// CHECK-LABEL: func.func @wide
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK: weft.butterfly {{.*}} radix 16
func.func @wide(%x: tensor<128x128xcomplex<f64>>) -> tensor<128x128xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<128x128xcomplex<f64>>
  return %y : tensor<128x128xcomplex<f64>>
}
}
