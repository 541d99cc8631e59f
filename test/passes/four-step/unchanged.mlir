// RUN: cat %target_avx512 %s | weft-opt - --four-step --remarks-filter=four-step --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// RUN: cat %target_sw26010 %s | weft-opt - --four-step | FileCheck %s
// Short lines, many that are not long enough, columns, radices that are given, and lengths without
// two factors.

// NOTE-NOT: decided
// NOTE: rejected {{.*}}20000 points in four steps
// NOTE-SAME: they have no two factors that suit vectors of 8 numbers, with primes to 31
// NOTE: rejected {{.*}}37888 points in four steps
// NOTE-NOT: decided

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @short
// CHECK: weft.dft %{{.*}} : tensor<8192xcomplex<f64>>
func.func @short(%x: tensor<8192xcomplex<f64>>) -> tensor<8192xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<8192xcomplex<f64>>
  return %y : tensor<8192xcomplex<f64>>
}

// CHECK-LABEL: func.func @many
// CHECK: weft.dft %{{.*}} : tensor<64x16384xcomplex<f64>>
func.func @many(%x: tensor<64x16384xcomplex<f64>>) -> tensor<64x16384xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x16384xcomplex<f64>>
  return %y : tensor<64x16384xcomplex<f64>>
}

// CHECK-LABEL: func.func @columns
// CHECK: weft.dft %{{.*}} axis 0 sign -1 : tensor<65536x2xcomplex<f64>>
func.func @columns(%x: tensor<65536x2xcomplex<f64>>) -> tensor<65536x2xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<65536x2xcomplex<f64>>
  return %y : tensor<65536x2xcomplex<f64>>
}

// CHECK-LABEL: func.func @given
// CHECK: weft.dft %{{.*}} {radices = array<i64: 16, 16, 16, 16>} : tensor<65536xcomplex<f64>>
func.func @given(%x: tensor<65536xcomplex<f64>>) -> tensor<65536xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 {radices = array<i64: 16, 16, 16, 16>} : tensor<65536xcomplex<f64>>
  return %y : tensor<65536xcomplex<f64>>
}

// 2^5 * 5^4 has too few factors of 2; 2^10 * 37 a prime without a butterfly.
// CHECK-LABEL: func.func @odd
// CHECK: weft.dft %{{.*}} : tensor<20000xcomplex<f64>>
func.func @odd(%x: tensor<20000xcomplex<f64>>) -> tensor<20000xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<20000xcomplex<f64>>
  return %y : tensor<20000xcomplex<f64>>
}

// CHECK-LABEL: func.func @prime
// CHECK: weft.dft %{{.*}} : tensor<37888xcomplex<f64>>
func.func @prime(%x: tensor<37888xcomplex<f64>>) -> tensor<37888xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<37888xcomplex<f64>>
  return %y : tensor<37888xcomplex<f64>>
}
}
