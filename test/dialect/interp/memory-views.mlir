// RUN: weft-interp %s --entry f | FileCheck %s
// RUN: not weft-interp %s --entry outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// CHECK: result0: int64 = 5
// CHECK-NEXT: result1: int64 = 6
// CHECK-NEXT: result2: int64 = 6
// CHECK-NEXT: result3: int64 = 3
memref.global "private" constant @table : memref<2x3xi64> = dense<[[1, 2, 3], [4, 5, 6]]>
func.func @f() -> (i64, i64, i64, i64) {
  %m = memref.get_global @table : memref<2x3xi64>
  %flat = memref.collapse_shape %m [[0, 1]] : memref<2x3xi64> into memref<6xi64>
  %a = affine.load %flat[4] : memref<6xi64>
  %pairs = memref.expand_shape %flat [[0, 1]] output_shape [3, 2] : memref<6xi64> into memref<3x2xi64>
  %b = affine.load %pairs[2, 1] : memref<3x2xi64>
  %part = memref.subview %m[0, 1] [2, 2] [1, 1] : memref<2x3xi64> to memref<2x2xi64, strided<[3, 1], offset: 1>>
  %one = arith.constant 1 : index
  %c = memref.load %part[%one, %one] : memref<2x2xi64, strided<[3, 1], offset: 1>>
  %again = memref.reinterpret_cast %m to offset: [0], sizes: [3, 2], strides: [2, 1] : memref<2x3xi64> to memref<3x2xi64>
  %d = affine.load %again[1, 0] : memref<3x2xi64>
  return %a, %b, %c, %d : i64, i64, i64, i64
}

// OUTSIDE: error: 'memref.reinterpret_cast' op reaches from element 0 to 7 of table, which has 6
func.func @outside() {
  %m = memref.get_global @table : memref<2x3xi64>
  %more = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<2x3xi64> to memref<8xi64>
  return
}
