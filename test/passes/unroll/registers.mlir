// RUN: cat %target_portable %s | weft-opt - --unroll | FileCheck %s
// 6 values live at once leave room for 2 copies in 16 registers.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @wide
// CHECK: affine.for %{{.*}} = 0 to 64 step 4 {
func.func @wide(%x: memref<6x64xf64>, %y: memref<64xf64>) {
  affine.for %i = 0 to 64 step 2 {
    %a = affine.vector_load %x[0, %i] : memref<6x64xf64>, vector<2xf64>
    %b = affine.vector_load %x[1, %i] : memref<6x64xf64>, vector<2xf64>
    %c = affine.vector_load %x[2, %i] : memref<6x64xf64>, vector<2xf64>
    %d = affine.vector_load %x[3, %i] : memref<6x64xf64>, vector<2xf64>
    %e = affine.vector_load %x[4, %i] : memref<6x64xf64>, vector<2xf64>
    %f = affine.vector_load %x[5, %i] : memref<6x64xf64>, vector<2xf64>
    %ab = arith.mulf %a, %b : vector<2xf64>
    %cd = arith.mulf %c, %d : vector<2xf64>
    %ef = arith.mulf %e, %f : vector<2xf64>
    %abcd = arith.addf %ab, %cd : vector<2xf64>
    %sum = arith.addf %abcd, %ef : vector<2xf64>
    affine.vector_store %sum, %y[%i] : memref<64xf64>, vector<2xf64>
  }
  return
}
}
