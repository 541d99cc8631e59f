// RUN: weft-interp %s --entry f | FileCheck %s
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
