// RUN: weft-interp %s --input 'dense<[0, 2]> : tensor<2xi64>' | FileCheck %s
// RUN: not weft-interp %s --input 'dense<[0, 3]> : tensor<2xi64>' 2>&1 | FileCheck %s --check-prefix=ABOVE
// RUN: not weft-interp %s --input 'dense<[-1, 0]> : tensor<2xi64>' 2>&1 | FileCheck %s --check-prefix=ABOVE

// CHECK: result0: int64[2] = [0, 2]
// ABOVE: weft-interp: the kernel returned 7
func.func @f(%x: tensor<2xi64>) -> tensor<2xi64> {
  %y = weft.checked_indices %x below 3 code 7 : tensor<2xi64>
  return %y : tensor<2xi64>
}
