// RUN: weft-interp %s --entry f | FileCheck %s
// RUN: weft-interp %s --entry masked | FileCheck %s --check-prefix=MASKED
// RUN: not weft-interp %s --entry beyond 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not weft-interp %s --entry outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// CHECK: y: int64[6] = [6, 1, 3, 0, 3, 4]
memref.global "private" constant @table : memref<6xi64> = dense<[1, 2, 3, 4, 5, 6]>
func.func @f(%y: memref<6xi64> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %m = memref.get_global @table : memref<6xi64>
  %places = arith.constant dense<[5, 0, 2, 100]> : vector<4xi64>
  %mask = arith.constant dense<[true, true, true, false]> : vector<4xi1>
  %rest = arith.constant dense<0> : vector<4xi64>
  %g = vector.gather %m[%zero] [%places], %mask, %rest : memref<6xi64>, vector<4xi64>, vector<4xi1>, vector<4xi64> into vector<4xi64>
  vector.store %g, %y[%zero] : memref<6xi64>, vector<4xi64>
  %l = vector.load %m[%two] : memref<6xi64>, vector<2xi64>
  vector.store %l, %y[%four] : memref<6xi64>, vector<2xi64>
  return
}

// OUTSIDE: error: 'vector.gather' op lane 0 is element 6 of table [6]
func.func @outside() {
  %zero = arith.constant 0 : index
  %m = memref.get_global @table : memref<6xi64>
  %places = arith.constant dense<6> : vector<1xi64>
  %mask = arith.constant dense<true> : vector<1xi1>
  %rest = arith.constant dense<0> : vector<1xi64>
  %g = vector.gather %m[%zero] [%places], %mask, %rest : memref<6xi64>, vector<1xi64>, vector<1xi1>, vector<1xi64> into vector<1xi64>
  return
}

// What a mask leaves out need not exist, and stays as it is.
// MASKED: y: int64[3] = [5, 6, 0]
func.func @masked(%y: memref<3xi64> {weft.name = "y", weft.role = "out"}) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %m = memref.get_global @table : memref<6xi64>
  %mask = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  %third = arith.constant dense<[true, false, false, false]> : vector<4xi1>
  %rest = arith.constant dense<0> : vector<4xi64>
  vector.maskedstore %y[%two], %third, %rest : memref<3xi64>, vector<4xi1>, vector<4xi64>
  %l = vector.maskedload %m[%four], %mask, %rest : memref<6xi64>, vector<4xi1>, vector<4xi64> into vector<4xi64>
  vector.maskedstore %y[%zero], %mask, %l : memref<3xi64>, vector<4xi1>, vector<4xi64>
  return
}

// BEYOND: error: 'vector.maskedload' op lane 1 runs over the end of table [6]
func.func @beyond() {
  %five = arith.constant 5 : index
  %m = memref.get_global @table : memref<6xi64>
  %mask = arith.constant dense<[true, true]> : vector<2xi1>
  %rest = arith.constant dense<0> : vector<2xi64>
  %l = vector.maskedload %m[%five], %mask, %rest : memref<6xi64>, vector<2xi1>, vector<2xi64> into vector<2xi64>
  return
}
