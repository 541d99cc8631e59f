// RUN: weft-interp %s --entry f --input 'dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>' | FileCheck %s
// RUN: not weft-interp %s --entry outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not weft-interp %s --entry unwritten 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: weft-interp %s --entry column --input 'dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>' | FileCheck %s --check-prefix=COLUMN

// CHECK: result0: int64 = 3
// CHECK-NEXT: result1: int64[2, 2] = {{\[\[}}1, 3], [3, 4]]
func.func @f(%x: tensor<2x2xi64>) -> (i64, tensor<2x2xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = tensor.extract %x[%one, %zero] : tensor<2x2xi64>
  %y = tensor.insert %a into %x[%zero, %one] : tensor<2x2xi64>
  return %a, %y : i64, tensor<2x2xi64>
}

// OUTSIDE: [[#@LINE+4]]:8: error: 'tensor.extract' op the index [4] is outside of the shape [4] in dimension 0
func.func @outside() -> i64 {
  %x = weft.table dense<[1, 2, 3, 4]> : tensor<4xi64>
  %four = arith.constant 4 : index
  %a = tensor.extract %x[%four] : tensor<4xi64>
  return %a : i64
}

// UNWRITTEN: error: 'func.func' op output result0 [1] is an element that was never written
func.func @unwritten() -> tensor<2xi64> {
  %x = tensor.empty() : tensor<2xi64>
  %zero = arith.constant 0 : index
  %a = arith.constant 1 : i64
  %y = tensor.insert %a into %x[%zero] : tensor<2xi64>
  return %y : tensor<2xi64>
}

// COLUMN: result0: int64[2, 2] = {{\[\[}}1, 8], [3, 9]]
func.func @column(%x: tensor<2x2xi64>) -> tensor<2x2xi64> {
  %one = arith.constant 1 : index
  %part = weft.table dense<[8, 9]> : tensor<2xi64>
  %y = tensor.insert_slice %part into %x[0, %one] [2, 1] [1, 1] : tensor<2xi64> into tensor<2x2xi64>
  return %y : tensor<2x2xi64>
}
