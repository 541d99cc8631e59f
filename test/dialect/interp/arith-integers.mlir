// Integers wrap; division by zero is zero, as in the emitted C.
// RUN: weft-interp %s | FileCheck %s

// CHECK: result0: int32 = -2147483648
// CHECK-NEXT: result1: int32 = 0
// CHECK-NEXT: result2: int32 = -4
// CHECK-NEXT: result3: int32 = -3
// CHECK-NEXT: result4: int32 = -1
// CHECK-NEXT: result5: int32 = 2147483644
// CHECK-NEXT: result6: int32 = -2
// CHECK-NEXT: result7: bool = true
func.func @f() -> (i32, i32, i32, i32, i32, i32, i32, i1) {
  %greatest = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  %m = arith.constant -7 : i32
  %wrapped = arith.addi %greatest, %one : i32
  %none = arith.divsi %m, %zero : i32
  %down = arith.floordivsi %m, %two : i32
  %up = arith.ceildivsi %m, %two : i32
  %rest = arith.remsi %m, %two : i32
  %logical = arith.shrui %m, %one : i32
  %arithmetic = arith.shrsi %m, %two : i32
  %above = arith.cmpi ugt, %m, %greatest : i32
  return %wrapped, %none, %down, %up, %rest, %logical, %arithmetic, %above
    : i32, i32, i32, i32, i32, i32, i32, i1
}
