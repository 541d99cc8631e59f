// D1502: groups divide the first extent.
// RUN: weft-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4x6xf64>) -> tensor<4x6xf64> {
  // expected-error @below {{[D1502] 3 groups do not divide the first extent of 'tensor<4x6xf64>'}}
  %y = weft.alltoall %x groups 3 : tensor<4x6xf64>
  return %y : tensor<4x6xf64>
}

// -----

func.func @scalar(%x: tensor<f64>) -> tensor<f64> {
  // expected-error @below {{[D1502] 2 groups do not divide the first extent of 'tensor<f64>'}}
  %y = weft.alltoall %x groups 2 : tensor<f64>
  return %y : tensor<f64>
}
