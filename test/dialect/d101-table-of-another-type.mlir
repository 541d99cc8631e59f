// D101: the value has the type of the result.
// RUN: weft-opt %s -verify-diagnostics

func.func @table() -> tensor<8xi64> {
  // expected-error @below {{all of {value, result} have same type}}
  %t = "weft.table"() {value = dense<0> : tensor<4xi64>} : () -> tensor<8xi64>
  return %t : tensor<8xi64>
}
