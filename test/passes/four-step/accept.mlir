// RUN: cat %target_avx512 %s | weft-opt - --four-step --remarks-filter=four-step --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Columns, factors, lines, transposed; the scale goes with the columns, the sign with all.

// NOTE: decided {{.*}}16384 points in four steps, as 128 rows of 128
// NOTE-SAME: 262144 bytes, 262144 or more (four_step_double_bytes)
// NOTE: decided {{.*}}98304 points in four steps, as 256 rows of 384
// NOTE-SAME: 786432 bytes, 655360 or more (four_step_single_bytes)
// NOTE: decided {{.*}}65536 points in four steps, as 256 rows of 256
// NOTE-SAME: 1048576 bytes, 1048576 or more

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @line
// CHECK-SAME:    (%[[X:.*]]: tensor
// CHECK-NEXT: %[[M:.*]] = weft.reshape %[[X]] : tensor<16384xcomplex<f64>> -> tensor<128x128xcomplex<f64>>
// CHECK-NEXT: %[[A:.*]] = weft.dft %[[M]] axis 0 sign 1 {scale = 5.000000e-01 : f64} :
// CHECK-NEXT: %[[W:.*]] = weft.twiddle rows 128 cols 128 sign 1 :
// CHECK-NEXT: %[[B:.*]] = weft.map [0, 0] to [128, 128] stores
// CHECK-NEXT: bb0(%[[K:.*]]: index, %[[N:.*]]: index)
// CHECK-NEXT:   %[[E:.*]] = tensor.extract %[[A]][%[[K]], %[[N]]]
// CHECK-NEXT:   %[[F:.*]] = tensor.extract %[[W]][%[[K]], %[[N]]]
// CHECK-NEXT:   %[[P:.*]] = complex.mul %[[E]], %[[F]]
// CHECK-NEXT:   weft.yield %[[P]]
// CHECK:      %[[C:.*]] = weft.dft %[[B]] axis 1 sign 1 : tensor<128x128xcomplex<f64>>
// CHECK-NEXT: %[[T:.*]] = weft.transpose %[[C]] perm [1, 0] {weft.of_line} :
// CHECK-NEXT: %[[Y:.*]] = weft.reshape %[[T]] : tensor<128x128xcomplex<f64>> -> tensor<16384xcomplex<f64>>
// CHECK-NEXT: return %[[Y]]
func.func @line(%x: tensor<16384xcomplex<f64>>) -> tensor<16384xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign 1 {scale = 0.5 : f64} : tensor<16384xcomplex<f64>>
  return %y : tensor<16384xcomplex<f64>>
}

// Rows and columns are whole vectors, of 16 parts here.
// CHECK-LABEL: func.func @two_lines
// CHECK: weft.dft %{{.*}} axis 1 sign -1 : tensor<2x256x384xcomplex<f32>>
// CHECK: weft.dft %{{.*}} axis 2 sign -1 : tensor<2x256x384xcomplex<f32>>
// CHECK: weft.transpose %{{.*}} perm [0, 2, 1] {weft.of_line} : tensor<2x256x384xcomplex<f32>> -> tensor<2x384x256xcomplex<f32>>
func.func @two_lines(%x: tensor<2x98304xcomplex<f32>>) -> tensor<2x98304xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<2x98304xcomplex<f32>>
  return %y : tensor<2x98304xcomplex<f32>>
}

// Many, of which each is four times as long.
// CHECK-LABEL: func.func @many
// CHECK: weft.dft %{{.*}} axis 1 sign -1 : tensor<16x256x256xcomplex<f64>>
func.func @many(%x: tensor<16x65536xcomplex<f64>>) -> tensor<16x65536xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<16x65536xcomplex<f64>>
  return %y : tensor<16x65536xcomplex<f64>>
}
}
