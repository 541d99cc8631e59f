// Complex elements: the matrix acts on real and imaginary parts; a row of zeros gives zero.
// RUN: weft-opt %s --simplify-butterflies | FileCheck %s

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, vector_registers = 32 : i64, fma = true, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, max_unroll = 8 : i64}} {
  // CHECK-LABEL: @f
  // CHECK-COUNT-2: arith.addf
  // CHECK-NOT: arith.addf
  // CHECK: weft.yield
  func.func @f(%x: tensor<8x2xcomplex<f64>>) -> tensor<8x2xcomplex<f64>> {
    %y = weft.winograd_transform %x axis 1 matrix dense<[[1.0, 1.0], [0.0, 0.0]]> : tensor<2x2xf64> : tensor<8x2xcomplex<f64>> -> tensor<8x2xcomplex<f64>>
    return %y : tensor<8x2xcomplex<f64>>
  }
}
