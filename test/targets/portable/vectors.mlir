// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  // CHECK: typedef double v2d __attribute__((vector_size(16)));
  func.func @f(%x: memref<8xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<8xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK: const v2d v0 = weft_splat_v2d(2.0);
    %two = arith.constant dense<2.0> : vector<2xf64>
    affine.for %i = 0 to 8 step 2 {
      // CHECK: const v2d v1 = *(const v2d_any *)&x[i];
      %a = affine.vector_load %x[%i] : memref<8xf64>, vector<2xf64>
      // CHECK: const v2d v2 = v1 * v0;
      %b = arith.mulf %a, %two : vector<2xf64>
      // CHECK: const v2l v3 = (v2l)(v1 < v2);
      %m = arith.cmpf olt, %a, %b : vector<2xf64>
      // CHECK: const v2d v4 = (v2d)((v3 & (v2l)v1) | (~v3 & (v2l)v2));
      %c = arith.select %m, %a, %b : vector<2xi1>, vector<2xf64>
      // CHECK: const v2d v5 = __builtin_shufflevector(v4, v1, 1, 2);
      %s = vector.shuffle %c, %a [1, 2] : vector<2xf64>, vector<2xf64>
      // CHECK: *(v2d_any *)&y[i] = v5;
      affine.vector_store %s, %y[%i] : memref<8xf64>, vector<2xf64>
    }
    return
  }
}
