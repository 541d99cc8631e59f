// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --recompute-twiddles --remarks-filter=recompute-twiddles --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE --allow-empty < %t
// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --recompute-twiddles | FileCheck %s --check-prefix=CPU
// Lines that fit with their tables, lines that do not fit without any, columns, lines that are to be
// shared, and targets without an LDM.

// NOTE-NOT: decided
// NOTE: rejected {{.*}}tensor<64x1600xcomplex<f64>>: some of the twiddles {{.*}} computed", Why="a line takes 51200 bytes and other tables 1472, of 57344 that a core has: too few are left
// NOTE-NOT: decided

// CPU-LABEL: func.func @some
// CPU:       weft.table {{.*}} : tensor<{{15|7|9}}x{{.*}}xcomplex<f64>>
// CPU:       return

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @fits
// CHECK:       weft.table {{.*}} : tensor<15x64xcomplex<f64>>
func.func @fits(%x: tensor<64x1024xcomplex<f64>>) -> tensor<64x1024xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x1024xcomplex<f64>>
  return %y : tensor<64x1024xcomplex<f64>>
}

// CHECK-LABEL: func.func @too_long
// CHECK:       weft.table {{.*}} : tensor<15x128xcomplex<f64>>
func.func @too_long(%x: tensor<64x2048xcomplex<f64>>) -> tensor<64x2048xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x2048xcomplex<f64>>
  return %y : tensor<64x2048xcomplex<f64>>
}

// CHECK-LABEL: func.func @hardly_too_long
// CHECK:       weft.table {{.*}} : tensor<15x100xcomplex<f64>>
func.func @hardly_too_long(%x: tensor<64x1600xcomplex<f64>>) -> tensor<64x1600xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x1600xcomplex<f64>>
  return %y : tensor<64x1600xcomplex<f64>>
}

// CHECK-LABEL: func.func @columns
// CHECK:       weft.table {{.*}} : tensor<80x15xcomplex<f64>>
func.func @columns(%x: tensor<1280x64xcomplex<f64>>) -> tensor<1280x64xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<1280x64xcomplex<f64>>
  return %y : tensor<1280x64xcomplex<f64>>
}

// CHECK-LABEL: func.func @some
// CHECK:       weft.table {{.*}} : tensor<15x80xcomplex<f64>>
func.func @some(%x: tensor<64x1280xcomplex<f64>>) -> tensor<64x1280xcomplex<f64>> attributes {weft.split = 2 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x1280xcomplex<f64>>
  return %y : tensor<64x1280xcomplex<f64>>
}

// A product of two inputs, which a core would hold both.
// CHECK-LABEL: func.func @two_inputs
// CHECK:       weft.table {{.*}} : tensor<15x80xcomplex<f64>>
func.func @two_inputs(%x: tensor<64x1280xcomplex<f64>>, %z: tensor<64x1280xcomplex<f64>>) -> tensor<64x1280xcomplex<f64>> {
  %a = weft.map [0, 0] to [64, 1280] stores [affine_map<(k, n) -> (k, n)>] {
  ^bb0(%k: index, %n: index):
    %e = tensor.extract %x[%k, %n] : tensor<64x1280xcomplex<f64>>
    %f = tensor.extract %z[%k, %n] : tensor<64x1280xcomplex<f64>>
    %p = complex.mul %e, %f : complex<f64>
    weft.yield %p : complex<f64>
  } : tensor<64x1280xcomplex<f64>>
  %y = weft.dft %a axis 1 sign -1 : tensor<64x1280xcomplex<f64>>
  return %y : tensor<64x1280xcomplex<f64>>
}
}
