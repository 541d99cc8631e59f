// RUN: weft-interp %s | FileCheck %s

// CHECK: y: float64[4] = [1, 10, 2, 20]
// CHECK-NEXT: result0: float64 = 33
// CHECK-NEXT: result1: float64 = 20
// CHECK-NEXT: result2: float64 = 8
func.func @f(%y: memref<4xf64> {weft.name = "y", weft.role = "out"}) -> (f64, f64, f64) {
  %a = arith.constant dense<[1.0, 2.0]> : vector<2xf64>
  %b = arith.constant dense<[10.0, 20.0]> : vector<2xf64>
  %pairs = vector.shuffle %a, %b [0, 2, 1, 3] : vector<2xf64>, vector<2xf64>
  affine.vector_store %pairs, %y[0] : memref<4xf64>, vector<4xf64>
  %v = affine.vector_load %y[0] : memref<4xf64>, vector<4xf64>
  %sum = vector.reduction <add>, %v : vector<4xf64> into f64
  %last = vector.extract %v[3] : f64 from vector<4xf64>
  %two = arith.constant 2.0 : f64
  %twos = vector.broadcast %two : f64 to vector<2xf64>
  %three = arith.constant 3.0 : f64
  %some = vector.insert %three, %twos [1] : f64 into vector<2xf64>
  %made = vector.from_elements %two, %two : vector<2xf64>
  %f = math.fma %some, %made, %a : vector<2xf64>
  %least = vector.reduction <minimumf>, %f : vector<2xf64> into f64
  %three_more = arith.addf %least, %three : f64
  return %sum, %last, %three_more : f64, f64, f64
}
