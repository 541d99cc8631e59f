// D1202: below is positive.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%idx: tensor<8xi64>) -> tensor<8xi64> {
  // expected-error @below {{[D1202] below is 0: expected a positive number}}
  %safe = weft.checked_indices %idx below 0 code 1 : tensor<8xi64>
  return %safe : tensor<8xi64>
}
