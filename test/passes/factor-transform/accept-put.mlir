// RUN: weft-opt %s --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// RUN: sed 's/dft_put_round_cycles = 60 : i64, //' %s | weft-opt - --factor-transform 2>&1 | FileCheck %s --check-prefix=OTHER
// Contiguous lines whose results are columns, as a transpose wants them, are packed, and go by the table of columns: the last
// stage stores rows 1024 bytes apart, of which those of two stages by turns (or 16 of one) are in one set of the first cache.

// NOTE: decided {{.*}}240 points in stages of radix 15, 16", Why="{{[0-9.]*}} cycles a point by the machine's table (dft_column_stage_cycles)
// NOTE-SAME: rows that crowd in the first cache: 0.0 rounds of them
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, l1d_bytes = 49152 : i64, l1d_ways = 12 : i64, l2_bytes = 1048576 : i64, line_bytes = 64 : i64, dft_put_round_cycles = 60 : i64, dft_column_row_bytes = 1024 : i64, dft_line_cycles = 73 : i64, dft_l2_stage_cycles = 60 : i64, dft_crowded_rows_cycles = 174 : i64, dft_crowded_results_cycles = 761 : i64, dft_pair_stage_cycles = 50 : i64, dft_stage_cycles = array<i64: 2, 302, 126, 58, 3, 390, 218, 95, 4, 257, 208, 95, 5, 478, 311, 161, 8, 364, 302, 172, 10, 435, 340, 181, 12, 410, 309, 158, 15, 585, 458, 298, 16, 435, 406, 256>, dft_column_stage_cycles = array<i64: 2, 143, 228, 56, 3, 154, 242, 135, 4, 199, 279, 88, 5, 266, 323, 151, 8, 248, 401, 107, 10, 369, 428, 129, 12, 356, 440, 158, 15, 463, 592, 233, 16, 390, 528, 210>}} {
// CHECK-LABEL: func.func @put(
// CHECK: weft.butterfly {{.*}} radix 15 done 1
// CHECK: weft.butterfly {{.*}} radix 16 done 15
// OTHER-LABEL: func.func @put(
// OTHER: weft.butterfly {{.*}} radix {{12|16}} done 1
func.func @put(%x: tensor<64x240xcomplex<f64>>) -> tensor<240x64xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x240xcomplex<f64>>
  %z = weft.transpose %y perm [1, 0] : tensor<64x240xcomplex<f64>> -> tensor<240x64xcomplex<f64>>
  return %z : tensor<240x64xcomplex<f64>>
}

// Rows that stay rows, and fewer lines than a vector has lanes, are contiguous lines as any others.
// CHECK-LABEL: func.func @rows(
// CHECK: weft.butterfly {{.*}} radix {{12|16}} done 1
func.func @rows(%x: tensor<64x3x240xcomplex<f64>>) -> tensor<3x64x240xcomplex<f64>> {
  %y = weft.dft %x axis 2 sign -1 : tensor<64x3x240xcomplex<f64>>
  %z = weft.transpose %y perm [1, 0, 2] : tensor<64x3x240xcomplex<f64>> -> tensor<3x64x240xcomplex<f64>>
  return %z : tensor<3x64x240xcomplex<f64>>
}
// CHECK-LABEL: func.func @few(
// CHECK: weft.butterfly {{.*}} radix {{12|16}} done 1
func.func @few(%x: tensor<4x240xcomplex<f64>>) -> tensor<240x4xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<4x240xcomplex<f64>>
  %z = weft.transpose %y perm [1, 0] : tensor<4x240xcomplex<f64>> -> tensor<240x4xcomplex<f64>>
  return %z : tensor<240x4xcomplex<f64>>
}
}
