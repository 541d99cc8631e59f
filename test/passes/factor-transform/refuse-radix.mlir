// A composite radix without a codelet is named with its place.
// RUN: weft-opt %s --factor-transform -verify-diagnostics

func.func @n148(%x: tensor<3x148xcomplex<f64>>) -> tensor<3x148xcomplex<f64>> {
  // expected-error @below {{no stage of radix 74: expected radices from 2 to 96 without primes beyond 31, or primes, with the product 148}}
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 74, 2>} : tensor<3x148xcomplex<f64>>
  return %y : tensor<3x148xcomplex<f64>>
}
