// RUN: weft-opt %s --split-input-file --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// No first stage turns whole squares of a line of 45 points: vectors lie along it all the same, and the last
// one of a stage does some points again, where a lane for each line would take longer.

// NOTE: decided {{.*}}45 points in stages of radix 5, 9", Why="vectors along the line, not all of them full: 1.13 cycles a point by the machine's table (dft_stage_cycles); 45.32 where each line is a lane
// NOTE: decided {{.*}}35 points in stages of radix 5, 7", Why="stages: 2, the fewest
// NOTE: decided {{.*}}35 points in stages of radix 5, 7", Why="vectors along the line, not all of them full: 360.29 cycles {{.*}}; 7 lines are too few for a lane each

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, dft_packing_cycles = 1000 : i64, dft_packed_operation_cycles = 700 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 3, 0, 900, 900, 5, 0, 100, 200, 9, 0, 300, 200, 7, 0, 90000, 90000>}} {
// CHECK-LABEL: func.func @pays
// CHECK: weft.butterfly {{.*}} radix 5
// CHECK-NEXT: weft.butterfly {{.*}} radix 9
func.func @pays(%x: tensor<8x45xcomplex<f64>>) -> tensor<8x45xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x45xcomplex<f64>>
  return %y : tensor<8x45xcomplex<f64>>
}
// CHECK-LABEL: func.func @dear
// CHECK: weft.butterfly {{.*}} radix 5
// CHECK-NEXT: weft.butterfly {{.*}} radix 7
func.func @dear(%x: tensor<8x35xcomplex<f64>>) -> tensor<8x35xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x35xcomplex<f64>>
  return %y : tensor<8x35xcomplex<f64>>
}
// With too few lines for lanes there is no other way.
// CHECK-LABEL: func.func @few
// CHECK: weft.butterfly {{.*}} radix 5
// CHECK-NEXT: weft.butterfly {{.*}} radix 7
func.func @few(%x: tensor<7x35xcomplex<f64>>) -> tensor<7x35xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<7x35xcomplex<f64>>
  return %y : tensor<7x35xcomplex<f64>>
}
}

// -----

// Where lanes may be masked the second stage may leave some of them empty: of eight, one.
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, masked_lanes = true, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, dft_packing_cycles = 1000 : i64, dft_packed_operation_cycles = 700 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 3, 0, 900, 900, 5, 0, 900, 900, 7, 0, 100, 900, 15, 0, 900, 100>}} {
// CHECK-LABEL: func.func @empty_lane
// CHECK: weft.butterfly {{.*}} radix 7
// CHECK-NEXT: weft.butterfly {{.*}} radix 15
func.func @empty_lane(%x: tensor<20x105xcomplex<f32>>) -> tensor<20x105xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<20x105xcomplex<f32>>
  return %y : tensor<20x105xcomplex<f32>>
}
}
