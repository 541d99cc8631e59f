// D1201: source is of i32 or i64.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%idx: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{operand #0 must be statically shaped tensor of 32-bit signless integer or 64-bit signless integer values}}
  %safe = weft.checked_indices %idx below 16 code 1 : tensor<8xf64>
  return %safe : tensor<8xf64>
}
