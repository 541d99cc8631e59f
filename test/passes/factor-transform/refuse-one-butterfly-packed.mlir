// RUN: weft-opt %s --factor-transform | FileCheck %s
// Lines are packed side by side rather than one butterfly each where the machine's numbers say that this costs less,
// but for lines that are too few for a lane each, those with arithmetic before, which would be packed with them, and
// arrays of more bytes than the machine packs from.

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, dft_packing_cycles = 500 : i64, dft_packed_array_bytes = 4096 : i64, dft_packed_operation_cycles = 1 : i64, dft_turning_cycles = 100 : i64, dft_turned_operation_cycles = 10 : i64, dft_turned_point_cycles = 10 : i64, dft_turned_double_points = 40 : i64, dft_turned_single_points = 60 : i64, dft_turned_operations = 1000 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 3, 0, 900, 900, 5, 0, 100, 200, 7, 0, 90000, 90000>}} {
// CHECK-LABEL: func.func @lines
// CHECK: weft.butterfly {{.*}} radix 3
// CHECK-NEXT: weft.butterfly {{.*}} radix 7
func.func @lines(%x: tensor<8x21xcomplex<f64>>) -> tensor<8x21xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x21xcomplex<f64>>
  return %y : tensor<8x21xcomplex<f64>>
}
// CHECK-LABEL: func.func @few
// CHECK: weft.butterfly {{.*}} radix 21
// CHECK-NOT: weft.butterfly
func.func @few(%x: tensor<7x21xcomplex<f64>>) -> tensor<7x21xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<7x21xcomplex<f64>>
  return %y : tensor<7x21xcomplex<f64>>
}
// CHECK-LABEL: func.func @far
// CHECK: weft.butterfly {{.*}} radix 21
// CHECK-NOT: weft.butterfly
func.func @far(%x: tensor<13x21xcomplex<f64>>) -> tensor<13x21xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<13x21xcomplex<f64>>
  return %y : tensor<13x21xcomplex<f64>>
}
// CHECK-LABEL: func.func @windowed
// CHECK: weft.butterfly {{.*}} radix 21
// CHECK-NOT: weft.butterfly
func.func @windowed(%x: tensor<8x21xcomplex<f64>>, %w: tensor<21xf64>) -> tensor<8x21xcomplex<f64>> {
  %z = weft.map [0, 0] to [8, 21] stores [affine_map<(i, j) -> (i, j)>] {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %x[%i, %j] : tensor<8x21xcomplex<f64>>
    %b = tensor.extract %w[%j] : tensor<21xf64>
    %re = complex.re %a : complex<f64>
    %im = complex.im %a : complex<f64>
    %c = arith.mulf %re, %b : f64
    %d = arith.mulf %im, %b : f64
    %e = complex.create %c, %d : complex<f64>
    weft.yield %e : complex<f64>
  } : tensor<8x21xcomplex<f64>>
  %y = weft.dft %z axis 1 sign -1 : tensor<8x21xcomplex<f64>>
  return %y : tensor<8x21xcomplex<f64>>
}
}
