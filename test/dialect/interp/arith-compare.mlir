// Ordered comparisons with NaN do not hold, unordered ones do; vectors lane by lane.
// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: bool[4] = [true, false, false, true]
// CHECK-NEXT: result1: bool = false
// CHECK-NEXT: result2: bool = true
// CHECK-NEXT: result3: float64[4] = [1, 20, 30, 4]
func.func @f() -> (tensor<4xi1>, i1, i1, tensor<4xf64>) {
  %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %b = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf64>
  %limits = arith.constant dense<[2.0, 2.0, 2.0, 5.0]> : tensor<4xf64>
  %below = arith.cmpf olt, %a, %limits : tensor<4xf64>
  %nan = arith.constant 0x7FF8000000000000 : f64
  %ordered = arith.cmpf oge, %nan, %nan : f64
  %unordered = arith.cmpf une, %nan, %nan : f64
  %chosen = arith.select %below, %a, %b : tensor<4xi1>, tensor<4xf64>
  return %below, %ordered, %unordered, %chosen : tensor<4xi1>, i1, i1, tensor<4xf64>
}
