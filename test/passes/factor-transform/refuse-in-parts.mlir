// Lines of a length that has a codelet are turned in registers as they are: nothing is packed that vectors
// along the line in two stages could save.
// RUN: weft-opt %s --split-input-file --factor-transform | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 32 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, dft_packing_cycles = 1000 : i64, dft_packed_operation_cycles = 700 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 3, 0, 100, 200, 5, 0, 100, 200, 15, 0, 300, 200>}} {
// CHECK-LABEL: func.func @one_butterfly
// CHECK: weft.butterfly {{.*}} radix 15
// CHECK-NOT: weft.butterfly
func.func @one_butterfly(%x: tensor<8x15xcomplex<f64>>) -> tensor<8x15xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x15xcomplex<f64>>
  return %y : tensor<8x15xcomplex<f64>>
}
}

// -----

// A line whose first stage turns no squares costs more, once: a lane for each line takes less.
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, dft_slab_line_cycles = 1000000 : i64, dft_packing_cycles = 1000 : i64, dft_packed_operation_cycles = 700 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 3, 0, 900, 900, 5, 0, 100, 200, 9, 0, 300, 200>}} {
// CHECK-LABEL: func.func @dear_squares
// CHECK: weft.butterfly {{.*}} radix 3
// CHECK-NEXT: weft.butterfly {{.*}} radix 15
func.func @dear_squares(%x: tensor<8x45xcomplex<f64>>) -> tensor<8x45xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x45xcomplex<f64>>
  return %y : tensor<8x45xcomplex<f64>>
}
}
