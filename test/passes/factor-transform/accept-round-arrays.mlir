// RUN: weft-opt %s --split-input-file --factor-transform | FileCheck %s
// A line of 1024 points is 16 KB: the first cache, 32 KB, holds two of its arrays and not three.
// Each stage goes through the second one then, and few are chosen, unless the machine says that two
// arrays are enough.

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 400 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 2, 900, 900, 900, 4, 300, 200, 200, 8, 300, 200, 200, 16, 650, 650, 650>}} {
// CHECK-LABEL: func.func @three
// CHECK-COUNT-3: weft.butterfly
// CHECK-NOT: weft.butterfly
func.func @three(%x: tensor<8x1024xcomplex<f64>>) -> tensor<8x1024xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x1024xcomplex<f64>>
  return %y : tensor<8x1024xcomplex<f64>>
}
}

// -----

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 400 : i64, dft_round_arrays = 2 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 2, 900, 900, 900, 4, 300, 200, 200, 8, 300, 200, 200, 16, 650, 650, 650>}} {
// CHECK-LABEL: func.func @two
// CHECK-COUNT-4: weft.butterfly
// CHECK-NOT: weft.butterfly
func.func @two(%x: tensor<8x1024xcomplex<f64>>) -> tensor<8x1024xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x1024xcomplex<f64>>
  return %y : tensor<8x1024xcomplex<f64>>
}
}
