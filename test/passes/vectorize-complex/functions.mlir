// RUN: cat %target_avx512 %s | weft-opt - --vectorize-complex | FileCheck %s
// RUN: cat %target_portable %s | weft-opt - --vectorize-complex | FileCheck %s --check-prefix=EACH
// Functions that the C library has for whole vectors take them; elsewhere they are called lane by lane.

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @functions
// CHECK: %[[S:.*]] = math.sin %{{.*}} : vector<8xf64>
// CHECK: math.powf %{{.*}}, %[[S]] : vector<8xf64>
// EACH-LABEL: func.func @functions
// EACH: math.sin %{{.*}} : f64
func.func @functions(%x: memref<32xf64>, %y: memref<32xf64>) {
  affine.for %i = 0 to 32 {
    %v = affine.load %x[%i] : memref<32xf64>
    %s = math.sin %v : f64
    %p = math.powf %v, %s : f64
    affine.store %p, %y[%i] : memref<32xf64>
  } {weft.lane}
  return
}
}
