// On a CPU: scratch memory, the stack and tables begin with lines of 64 bytes, and vectors of them, of
// views too, are marked.
// RUN: cat %target_avx512 %s | weft-opt - --align-arrays | FileCheck %s

module attributes {weft.target = #target} {
// CHECK: memref.global {{.*}} {alignment = 64 : i64}
memref.global "private" constant @w : memref<16xf64> = dense<1.0>
// CHECK-LABEL: func.func @f
func.func @f() {
  // CHECK: memref.alloc() {alignment = 64 : i64}
  %a = memref.alloc() : memref<64xf64>
  %v = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf64> into memref<8x8xf64>
  %w = memref.get_global @w : memref<16xf64>
  affine.for %i = 0 to 8 {
    // CHECK: affine.vector_load %{{.*}}[8] {weft.aligned}
    %x = affine.vector_load %w[8] : memref<16xf64>, vector<8xf64>
    // CHECK: affine.vector_store {{.*}} {weft.aligned}
    affine.vector_store %x, %v[%i, 0] : memref<8x8xf64>, vector<8xf64>
  }
  return
}
}
