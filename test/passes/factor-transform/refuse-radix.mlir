// A composite radix without a codelet is named with its place.
// RUN: weft-opt %s --factor-transform -verify-diagnostics

func.func @n64(%x: tensor<3x64xcomplex<f64>>) -> tensor<3x64xcomplex<f64>> {
  // expected-error @below {{no stage of radix 32: expected radices from 2 to 16 or primes, with the product 64}}
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 32, 2>} : tensor<3x64xcomplex<f64>>
  return %y : tensor<3x64xcomplex<f64>>
}
