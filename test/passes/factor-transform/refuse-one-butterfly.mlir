// RUN: weft-opt %s --factor-transform | FileCheck %s
// No line is one butterfly that more than a stage would have: where there are too few lines for a lane each,
// work before them that would be packed with them, more points or more operations than the machine's numbers
// allow, where vectors lie along lines, and where no number says what it costs.

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, dft_packing_cycles = 1000 : i64, dft_packed_operation_cycles = 700 : i64, dft_turning_cycles = 100 : i64, dft_turned_operation_cycles = 10 : i64, dft_turned_point_cycles = 10 : i64, dft_turned_double_points = 40 : i64, dft_turned_single_points = 60 : i64, dft_turned_operations = 1000 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 3, 0, 900, 900, 5, 0, 100, 200, 9, 0, 300, 200, 7, 0, 90000, 90000>}} {
// CHECK-LABEL: func.func @few
// CHECK: weft.butterfly {{.*}} radix 3
// CHECK-NEXT: weft.butterfly {{.*}} radix 7
func.func @few(%x: tensor<3x21xcomplex<f64>>) -> tensor<3x21xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x21xcomplex<f64>>
  return %y : tensor<3x21xcomplex<f64>>
}
// CHECK-LABEL: func.func @worked
// CHECK: weft.butterfly {{.*}} radix 3
// CHECK-NEXT: weft.butterfly {{.*}} radix 7
func.func @worked(%x: tensor<8x21xf64>) -> tensor<8x21xcomplex<f64>> {
  %z = weft.map [0, 0] to [8, 21] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %x[%i, %j] : tensor<8x21xf64>
    %c = complex.create %e, %e : complex<f64>
    weft.yield %c : complex<f64>
  } : tensor<8x21xcomplex<f64>>
  %y = weft.dft %z axis 1 sign -1 : tensor<8x21xcomplex<f64>>
  return %y : tensor<8x21xcomplex<f64>>
}
// CHECK-LABEL: func.func @long
// CHECK: weft.butterfly {{.*}} radix 6
// CHECK-NEXT: weft.butterfly {{.*}} radix 7
func.func @long(%x: tensor<8x42xcomplex<f64>>) -> tensor<8x42xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x42xcomplex<f64>>
  return %y : tensor<8x42xcomplex<f64>>
}
// 34 points take 1220 operations.
// CHECK-LABEL: func.func @many
// CHECK: weft.butterfly {{.*}} radix 2
// CHECK-NEXT: weft.butterfly {{.*}} radix 17
func.func @many(%x: tensor<8x34xcomplex<f64>>) -> tensor<8x34xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x34xcomplex<f64>>
  return %y : tensor<8x34xcomplex<f64>>
}
// CHECK-LABEL: func.func @along
// CHECK: weft.butterfly {{.*}} radix 4
// CHECK-NEXT: weft.butterfly {{.*}} radix 5
func.func @along(%x: tensor<8x20xcomplex<f64>>) -> tensor<8x20xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x20xcomplex<f64>>
  return %y : tensor<8x20xcomplex<f64>>
}
}
