// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: float64 = 10
// CHECK-NEXT: result1: float64 = 24
// CHECK-NEXT: result2: float64 = 4
// CHECK-NEXT: result3: float64 = 1
// CHECK-NEXT: result4: complex128 = (3, 3)
func.func @f() -> (f64, f64, f64, f64, complex<f64>) {
  %x = weft.table dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %sum = weft.reduce sum [0] to [4] {
  ^bb0(%k: index):
    %a = tensor.extract %x[%k] : tensor<4xf64>
    weft.yield %a : f64
  } : f64
  %product = weft.reduce prod [0] to [4] {
  ^bb0(%k: index):
    %a = tensor.extract %x[%k] : tensor<4xf64>
    weft.yield %a : f64
  } : f64
  %max = weft.reduce max [0] to [4] {
  ^bb0(%k: index):
    %a = tensor.extract %x[%k] : tensor<4xf64>
    weft.yield %a : f64
  } : f64
  %min = weft.reduce min [0] to [4] {
  ^bb0(%k: index):
    %a = tensor.extract %x[%k] : tensor<4xf64>
    weft.yield %a : f64
  } : f64
  %three = weft.reduce sum [0] to [3] {
  ^bb0(%k: index):
    %c = complex.constant [1.0, 1.0] : complex<f64>
    weft.yield %c : complex<f64>
  } : complex<f64>
  return %sum, %product, %max, %min, %three : f64, f64, f64, f64, complex<f64>
}
