// D1203: 0 is success, so no code of a fault.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%idx: tensor<8xi64>) -> tensor<8xi64> {
  // expected-error @below {{[D1203] code is 0: expected 1 to 2147483647}}
  %safe = weft.checked_indices %idx below 16 code 0 : tensor<8xi64>
  return %safe : tensor<8xi64>
}
