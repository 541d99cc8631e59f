// RUN: weft-opt %s --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Lines along which vectors do not lie are one butterfly each, where a vector has enough of them to take
// one in each lane, nothing but transforms lies around, and vectors along parts of a line cost more.

// NOTE: decided {{.*}}21 points in stages of radix 21", Why="lines in lanes, turned in registers, one butterfly each: 1.50 cycles a point by the machine's table
// NOTE: rejected {{.*}}stages of radix 3, 7", Why="lines would be packed side by side, and unpacked
// NOTE: decided {{.*}}35 points in stages of radix 35", Why="lines in lanes
// NOTE: rejected {{.*}}stages of radix 5, 7", Why="vectors along the line: 360.29 cycles a point

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, dft_packing_cycles = 1000 : i64, dft_packed_operation_cycles = 700 : i64, dft_turning_cycles = 100 : i64, dft_turned_operation_cycles = 10 : i64, dft_turned_point_cycles = 10 : i64, dft_turned_double_points = 40 : i64, dft_turned_single_points = 60 : i64, dft_turned_operations = 1000 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 3, 0, 900, 900, 5, 0, 100, 200, 9, 0, 300, 200, 7, 0, 90000, 90000>}} {
// CHECK-LABEL: func.func @lines
// CHECK: weft.butterfly {{.*}} radix 21
// CHECK-NOT: weft.butterfly
func.func @lines(%x: tensor<3x4x21xcomplex<f64>>) -> tensor<3x4x21xcomplex<f64>> {
  %y = weft.dft %x axis 2 sign -1 : tensor<3x4x21xcomplex<f64>>
  return %y : tensor<3x4x21xcomplex<f64>>
}
// CHECK-LABEL: func.func @not_in_parts
// CHECK: weft.butterfly {{.*}} radix 35
// CHECK-NOT: weft.butterfly
func.func @not_in_parts(%x: tensor<8x35xcomplex<f64>>) -> tensor<8x35xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x35xcomplex<f64>>
  return %y : tensor<8x35xcomplex<f64>>
}
// Behind and before transforms along another axis.
// CHECK-LABEL: func.func @between
// CHECK-COUNT-2: weft.butterfly {{.*}} axis 0
// CHECK: weft.butterfly {{.*}} radix 21
// CHECK-COUNT-2: weft.butterfly {{.*}} axis 0
func.func @between(%x: tensor<21x21xcomplex<f64>>) -> tensor<21x21xcomplex<f64>> {
  %a = weft.dft %x axis 0 sign -1 : tensor<21x21xcomplex<f64>>
  %b = weft.dft %a axis 1 sign -1 : tensor<21x21xcomplex<f64>>
  %c = weft.dft %b axis 0 sign 1 : tensor<21x21xcomplex<f64>>
  return %c : tensor<21x21xcomplex<f64>>
}// Behind arithmetic with the points of the lines and numbers that all of them share.
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
