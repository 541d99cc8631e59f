// RUN: weft-opt %s --split-input-file --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Where vectors lie along the line, a table of what stages cost chooses the radices: here
// a first stage of 4 and inner ones of 2; what begins with 8 costs more. Where the first cache does not hold a line,
// each stage costs more: fewer of them.

// NOTE: decided {{.*}}64 points in stages of radix 4, 2, 2, 4", Why="2.25 cycles a point by the machine's table (dft_stage_cycles)
// NOTE: rejected {{.*}}stages of radix 8, 8", Why="25.00 cycles a point rather than 2.25
// NOTE: decided {{.*}}64 points in stages of radix 8, 8"
// NOTE: decided {{.*}}18 points in stages of radix 3, 6"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 2, 0, 100, 900, 4, 400, 900, 300, 8, 5000, 5000, 5000>}} {
// CHECK-LABEL: func.func @rows
// CHECK: weft.butterfly {{.*}} radix 4
// CHECK: weft.butterfly {{.*}} radix 2
// CHECK: weft.butterfly {{.*}} radix 2
// CHECK: weft.butterfly {{.*}} radix 4
func.func @rows(%x: tensor<8x64xcomplex<f64>>) -> tensor<8x64xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x64xcomplex<f64>>
  return %y : tensor<8x64xcomplex<f64>>
}

// Columns have the fewest stages where the target has no dft_pair_stage_cycles, and lengths that no
// stage of whole squares can begin; along lines the small ones lead.
// CHECK-LABEL: func.func @columns
// CHECK-COUNT-2: weft.butterfly {{.*}} radix 8
func.func @columns(%x: tensor<64x8xcomplex<f64>>) -> tensor<64x8xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<64x8xcomplex<f64>>
  return %y : tensor<64x8xcomplex<f64>>
}
// CHECK-LABEL: func.func @odd
// CHECK: weft.butterfly {{.*}} radix 3
// CHECK: weft.butterfly {{.*}} radix 6
func.func @odd(%x: tensor<8x18xcomplex<f64>>) -> tensor<8x18xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x18xcomplex<f64>>
  return %y : tensor<8x18xcomplex<f64>>
}
// A prime that the table lacks stands behind a first stage that turns squares.
// CHECK-LABEL: func.func @prime
// CHECK: weft.butterfly {{.*}} radix 4
// CHECK-NEXT: weft.butterfly {{.*}} radix 17
func.func @prime(%x: tensor<8x68xcomplex<f64>>) -> tensor<8x68xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x68xcomplex<f64>>
  return %y : tensor<8x68xcomplex<f64>>
}
// CHECK-LABEL: func.func @long
// CHECK: weft.butterfly {{.*}} radix 4
// CHECK-NEXT: weft.butterfly {{.*}} radix 16
// CHECK-NEXT: weft.butterfly {{.*}} radix 16
func.func @long(%x: tensor<8x1024xcomplex<f64>>) -> tensor<8x1024xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x1024xcomplex<f64>>
  return %y : tensor<8x1024xcomplex<f64>>
}
}

// -----

// Equal costs, but vectors of 4 do not fill 10 points: what does two again is dearer.
// NOTE: decided {{.*}}80 points in stages of radix 4, 2, 10", Why="3.00 cycles a point
// NOTE: rejected {{.*}}stages of radix 10, 8"
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 2, 0, 100, 9000, 4, 500, 9000, 9000, 5, 0, 9000, 9000, 8, 600, 9000, 9000, 10, 0, 9000, 600>}} {
// CHECK-LABEL: func.func @filled
// CHECK: weft.butterfly {{.*}} radix 4
// CHECK-NEXT: weft.butterfly {{.*}} radix 2
// CHECK-NEXT: weft.butterfly {{.*}} radix 10
func.func @filled(%x: tensor<8x80xcomplex<f64>>) -> tensor<8x80xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x80xcomplex<f64>>
  return %y : tensor<8x80xcomplex<f64>>
}
}
