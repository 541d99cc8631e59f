// D1301: the result has the type of base.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%base: tensor<16xf64>, %idx: tensor<8xi64>, %v: tensor<8xf64>) -> tensor<8xf64> {
  // expected-error @below {{[D1301] expected a base with a dimension and a result of its type, found 'tensor<16xf64>' and 'tensor<8xf64>'}}
  %y = weft.scatter add %base, %idx, %v : tensor<16xf64>, tensor<8xi64>, tensor<8xf64> -> tensor<8xf64>
  return %y : tensor<8xf64>
}
