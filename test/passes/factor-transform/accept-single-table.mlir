// RUN: weft-opt %s --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Lines of c64 go by their own table where the machine has one, lines of c128 and columns by the other.

// NOTE: decided {{.*}}256 points in stages of radix 16, 16", Why="{{[0-9.]*}} cycles a point by the machine's table (dft_single_stage_cycles)
// NOTE: decided {{.*}}256 points in stages of radix 8, 4, 8", Why="{{[0-9.]*}} cycles a point by the machine's table (dft_stage_cycles)

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 4, 300, 100, 300, 8, 300, 300, 100, 16, 900, 900, 900>, dft_single_stage_cycles = array<i64: 4, 900, 900, 900, 8, 900, 900, 900, 16, 300, 300, 300>}} {
// CHECK-LABEL: func.func @single
// CHECK: weft.butterfly {{.*}} radix 16
// CHECK-NEXT: weft.butterfly {{.*}} radix 16
func.func @single(%x: tensor<8x256xcomplex<f32>>) -> tensor<8x256xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x256xcomplex<f32>>
  return %y : tensor<8x256xcomplex<f32>>
}
// CHECK-LABEL: func.func @double
// CHECK: weft.butterfly {{.*}} radix 8
// CHECK-NEXT: weft.butterfly {{.*}} radix 4
// CHECK-NEXT: weft.butterfly {{.*}} radix 8
func.func @double(%x: tensor<8x256xcomplex<f64>>) -> tensor<8x256xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x256xcomplex<f64>>
  return %y : tensor<8x256xcomplex<f64>>
}
}
