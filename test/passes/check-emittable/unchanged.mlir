// RUN: cat %target_avx512 %s | weft-opt - --check-emittable | FileCheck %s

// CHECK: affine.vector_store
module attributes {weft.target = #target} {
  func.func @f(%x: memref<8x2xf64>, %y: memref<8x2xf64>) {
    affine.for %i = 0 to 16 step 8 {
      %a = affine.vector_load %x[%i floordiv 2, 0] : memref<8x2xf64>, vector<8xf64>
      %m = arith.cmpf olt, %a, %a : vector<8xf64>
      %b = arith.select %m, %a, %a : vector<8xi1>, vector<8xf64>
      affine.vector_store %b, %y[%i floordiv 2, 0] : memref<8x2xf64>, vector<8xf64>
    }
    return
  }
}
