// RUN: weft-opt %s --split-input-file --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Columns with a table of their own, where the second cache holds what is read and written; others go by the table of lines.
// What 4 and 8 by turns read, 32 rows 8 KB apart, is in one set of the first cache, which has 8 ways; the 8 rows of 4 and 2
// find their places.

// NOTE: decided {{.*}}2048 points in stages of radix 4, 8, 8, 8", Why="{{[0-9.]*}} cycles a point by the machine's table (dft_column_stage_cycles)
// NOTE: decided {{.*}}64 points in stages of radix 8, 8", Why="{{[0-9.]*}} cycles a point by the machine's table (dft_stage_cycles)
// NOTE: decided {{.*}}2048 points in stages of radix 4, 2, 8, 4, 8", {{.*}}rows that crowd in the first cache: 0.0 rounds of them"
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, l1d_bytes = 32768 : i64, l1d_ways = 8 : i64, l2_bytes = 1048576 : i64, line_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, dft_pair_stage_cycles = 50 : i64, dft_stage_cycles = array<i64: 2, 0, 224, 100, 4, 474, 358, 177, 8, 588, 482, 288, 16, 731, 735, 443>, dft_column_stage_cycles = array<i64: 2, 200, 320, 100, 4, 270, 440, 170, 8, 420, 570, 240, 16, 680, 820, 530>}} {
// CHECK-LABEL: func.func @by_stages(
// CHECK: weft.butterfly {{.*}} radix 4 done 1
// CHECK: weft.butterfly {{.*}} radix 8 done 4
// CHECK: weft.butterfly {{.*}} radix 8 done 32
// CHECK: weft.butterfly {{.*}} radix 8 done 256
func.func @by_stages(%x: tensor<2048x8xcomplex<f64>>) -> tensor<2048x8xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<2048x8xcomplex<f64>>
  return %y : tensor<2048x8xcomplex<f64>>
}
// CHECK-LABEL: func.func @far(
// CHECK: weft.butterfly {{.*}} radix 8 done 1
// CHECK: weft.butterfly {{.*}} radix 8 done 8
func.func @far(%x: tensor<64x256xcomplex<f64>>) -> tensor<64x256xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<64x256xcomplex<f64>>
  return %y : tensor<64x256xcomplex<f64>>
}
}

// -----

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, l1d_bytes = 32768 : i64, l1d_ways = 8 : i64, l2_bytes = 1048576 : i64, line_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, dft_pair_stage_cycles = 50 : i64, dft_crowded_rows_cycles = 140 : i64, dft_stage_cycles = array<i64: 2, 0, 224, 100, 4, 474, 358, 177, 8, 588, 482, 288, 16, 731, 735, 443>, dft_column_stage_cycles = array<i64: 2, 200, 320, 100, 4, 270, 440, 170, 8, 420, 570, 240, 16, 680, 820, 530>}} {
// CHECK-LABEL: func.func @by_rows(
// CHECK: weft.butterfly {{.*}} radix 4 done 1
// CHECK: weft.butterfly {{.*}} radix 2 done 4
// CHECK: weft.butterfly {{.*}} radix 8 done 8
// CHECK: weft.butterfly {{.*}} radix 4 done 64
// CHECK: weft.butterfly {{.*}} radix 8 done 256
func.func @by_rows(%x: tensor<2048x8xcomplex<f64>>) -> tensor<2048x8xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<2048x8xcomplex<f64>>
  return %y : tensor<2048x8xcomplex<f64>>
}
}
