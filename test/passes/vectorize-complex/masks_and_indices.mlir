// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// Comparisons give masks; an index used as a number is a broadcast plus the lane's step.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @ramp
// CHECK-DAG: %[[STEP:.*]] = arith.constant dense<[0, 3, 6, 9, 12, 15, 18, 21]> : vector<8xi64>
// CHECK:     %[[BASE:.*]] = vector.broadcast %{{.*}} : i64 to vector<8xi64>
// CHECK:     %[[N:.*]] = arith.addi %[[BASE]], %[[STEP]] : vector<8xi64>
// CHECK:     %[[F:.*]] = arith.sitofp %[[N]] : vector<8xi64> to vector<8xf64>
// CHECK:     %[[M:.*]] = arith.cmpf ogt, %[[X:.*]], %[[F]] : vector<8xf64>
// CHECK:     arith.select %[[M]], %[[X]], %[[F]] : vector<8xi1>, vector<8xf64>
func.func @ramp(%x: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf64>
    %j = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    %n = arith.index_cast %j : index to i64
    %f = arith.sitofp %n : i64 to f64
    %m = arith.cmpf ogt, %v, %f : f64
    %s = arith.select %m, %v, %f : f64
    affine.store %s, %x[%i] : memref<8xf64>
  } {weft.lane}
  return
}
}
