// RUN: weft-opt %s --split-input-file --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>&1 >%t | FileCheck %s
// Columns whose rows have up to `dft_column_row_bytes` go by their own table; without that number, up to 512 bytes.

// CHECK: decided {{.*}}64 points in stages of radix 4, 16", Why="{{[0-9.]*}} cycles a point by the machine's table (dft_column_stage_cycles)
// CHECK: decided {{.*}}64 points in stages of radix {{.*}} cycles a point by the machine's table (dft_stage_cycles)
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, l1d_bytes = 32768 : i64, l1d_ways = 8 : i64, l2_bytes = 1048576 : i64, line_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, dft_pair_stage_cycles = 50 : i64, dft_column_row_bytes = 1024 : i64, dft_stage_cycles = array<i64: 2, 0, 224, 100, 4, 474, 358, 177, 8, 588, 482, 288, 16, 731, 735, 443>, dft_column_stage_cycles = array<i64: 4, 100, 440, 170, 8, 820, 570, 640, 16, 680, 820, 130>}} {
func.func @rows_of_1024_bytes(%x: tensor<64x64xcomplex<f64>>) -> tensor<64x64xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<64x64xcomplex<f64>>
  return %y : tensor<64x64xcomplex<f64>>
}
func.func @longer(%x: tensor<64x128xcomplex<f64>>) -> tensor<64x128xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<64x128xcomplex<f64>>
  return %y : tensor<64x128xcomplex<f64>>
}
}

// -----

// CHECK: decided {{.*}}64 points in stages of radix {{.*}} cycles a point by the machine's table (dft_stage_cycles)
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, l1d_bytes = 32768 : i64, l1d_ways = 8 : i64, l2_bytes = 1048576 : i64, line_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, dft_pair_stage_cycles = 50 : i64, dft_stage_cycles = array<i64: 2, 0, 224, 100, 4, 474, 358, 177, 8, 588, 482, 288, 16, 731, 735, 443>, dft_column_stage_cycles = array<i64: 4, 100, 440, 170, 8, 820, 570, 640, 16, 680, 820, 130>}} {
func.func @without_the_number(%x: tensor<64x64xcomplex<f64>>) -> tensor<64x64xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<64x64xcomplex<f64>>
  return %y : tensor<64x64xcomplex<f64>>
}
}
