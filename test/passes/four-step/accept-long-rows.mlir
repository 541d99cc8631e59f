// RUN: cat %target_avx512 %s | sed 's/ahead_bytes = 8192/ahead_bytes = 8192 : i64, four_step_columns_per_row = 20, four_step_uncrowded_points = 65536/' \
// RUN:   | weft-opt - --four-step --remarks-filter=four-step --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Rows that are longer than columns, of any factors; they begin with a cache line where they may.

// NOTE: decided {{.*}}65536 points in four steps, as 64 rows of 1024
// NOTE: decided {{.*}}1000000 points in four steps, as 250 rows of 4000
// NOTE: decided {{.*}}177147 points in four steps, as 81 rows of 2187
// NOTE-SAME: 2834352 bytes, 1048576 or more (four_step_double_bytes)
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @power
// CHECK: weft.twiddle rows 64 cols 1024
func.func @power(%x: tensor<65536xcomplex<f64>>) -> tensor<65536xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<65536xcomplex<f64>>
  return %y : tensor<65536xcomplex<f64>>
}

// CHECK-LABEL: func.func @even
// CHECK: weft.twiddle rows 250 cols 4000
func.func @even(%x: tensor<1000000xcomplex<f64>>) -> tensor<1000000xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<1000000xcomplex<f64>>
  return %y : tensor<1000000xcomplex<f64>>
}

// CHECK-LABEL: func.func @odd
// CHECK: weft.twiddle rows 81 cols 2187
func.func @odd(%x: tensor<177147xcomplex<f64>>) -> tensor<177147xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<177147xcomplex<f64>>
  return %y : tensor<177147xcomplex<f64>>
}

// Fewer points, no multiple of 4096, go stage by stage.
// CHECK-LABEL: func.func @shorter
// CHECK: weft.dft %{{.*}} : tensor<57600xcomplex<f64>>
func.func @shorter(%x: tensor<57600xcomplex<f64>>) -> tensor<57600xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<57600xcomplex<f64>>
  return %y : tensor<57600xcomplex<f64>>
}
}
