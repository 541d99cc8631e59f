// Not marked: vectors of arguments, whose place the caller chooses; of rows that are no multiple of
// their lanes; behind an index that is data.
// RUN: cat %target_avx512 %s | weft-opt - --align-arrays | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @f
// CHECK-NOT: weft.aligned
// CHECK: return
func.func @f(%x: memref<64xf64>, %at: memref<1xindex>) {
  %a = memref.alloc() : memref<8x12xf64>
  %zero = arith.constant 0 : index
  %n = memref.load %at[%zero] : memref<1xindex>
  affine.for %i = 0 to 8 {
    %v = affine.vector_load %x[%i * 8] : memref<64xf64>, vector<8xf64>
    affine.vector_store %v, %a[%i, 0] : memref<8x12xf64>, vector<8xf64>
  }
  %w = vector.load %a[%zero, %n] : memref<8x12xf64>, vector<8xf64>
  vector.store %w, %a[%zero, %n] : memref<8x12xf64>, vector<8xf64>
  return
}
}
