// A target whose sums and products share pipes leaves sums as they are.
// RUN: cat %target_avx512 %s | weft-opt - --balance-sums | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @sums
// CHECK-NOT:     math.fma
func.func @sums(%x: memref<64xf64>) {
  affine.for %i = 0 to 64 step 8 {
    %p = affine.vector_load %x[%i] : memref<64xf64>, vector<8xf64>
    %1 = arith.addf %p, %p : vector<8xf64>
    %2 = arith.addf %1, %p : vector<8xf64>
    affine.vector_store %2, %x[%i] : memref<64xf64>, vector<8xf64>
  }
  return
}
}
