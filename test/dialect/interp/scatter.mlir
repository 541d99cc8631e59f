// Equal indices accumulate; of `set` the last one stays.
// RUN: weft-interp %s --entry f | FileCheck %s
// RUN: not weft-interp %s --entry outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// CHECK: result0: int64[3] = [10, 27, 30]
// CHECK-NEXT: result1: int64[3] = [10, 4, 30]
// CHECK-NEXT: result2: int64[3] = [10, 240, 30]
func.func @f() -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) {
  %base = weft.table dense<[10, 20, 30]> : tensor<3xi64>
  %indices = weft.table dense<[1, 1]> : tensor<2xi64>
  %v = weft.table dense<[3, 4]> : tensor<2xi64>
  %a = weft.scatter add %base, %indices, %v : tensor<3xi64>, tensor<2xi64>, tensor<2xi64> -> tensor<3xi64>
  %b = weft.scatter set %base, %indices, %v : tensor<3xi64>, tensor<2xi64>, tensor<2xi64> -> tensor<3xi64>
  %c = weft.scatter mul %base, %indices, %v : tensor<3xi64>, tensor<2xi64>, tensor<2xi64> -> tensor<3xi64>
  return %a, %b, %c : tensor<3xi64>, tensor<3xi64>, tensor<3xi64>
}

// OUTSIDE: error: 'weft.scatter' op the index [3] is outside of the shape [3] in dimension 0
func.func @outside() -> tensor<3xi64> {
  %base = weft.table dense<[10, 20, 30]> : tensor<3xi64>
  %indices = weft.table dense<[1, 3]> : tensor<2xi64>
  %v = weft.table dense<[3, 4]> : tensor<2xi64>
  %a = weft.scatter add %base, %indices, %v : tensor<3xi64>, tensor<2xi64>, tensor<2xi64> -> tensor<3xi64>
  return %a : tensor<3xi64>
}
