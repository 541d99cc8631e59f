// Nothing is lent where there is no array between nests, or only one nest touches it.
// RUN: cat %target_avx512 %s | weft-opt - --lend-results | FileCheck %s

// CHECK-LABEL: func.func @one_nest
// CHECK:         memref.alloca
// CHECK-NOT:     reinterpret_cast
module attributes {weft.target = #target} {
func.func @one_nest(%x: memref<4x8xf64>, %y: memref<4x8xf64>) {
  %t = memref.alloca() : memref<4x8xf64>
  affine.for %i = 0 to 4 {
    %a = affine.vector_load %x[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %a, %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
    %b = affine.vector_load %t[%i, 0] : memref<4x8xf64>, vector<8xf64>
    affine.vector_store %b, %y[%i, 0] : memref<4x8xf64>, vector<8xf64>
  }
  return
}
}
