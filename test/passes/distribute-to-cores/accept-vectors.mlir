// Threads take as long to meet however wide vectors are: a loop must do as many operations more for them
// as its vectors have lanes.
// RUN: cat %target_avx512 %s | weft-opt - --distribute-to-cores=min-work=100 | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --distribute-to-cores=min-work=100 --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}Why="640 operations; 800 pay for the threads (min-work)"
// NOTE: decided {{.*}}Why="960 operations; 800 pay for the threads (min-work)"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @little
// CHECK-NOT:     weft.parallel
// CHECK-LABEL: func.func @enough
// CHECK:         weft.parallel
func.func @little(%x: memref<160xf64>, %y: memref<160xf64>) {
  affine.for %i = 0 to 160 {
    %a = affine.load %x[%i] : memref<160xf64>
    %b = arith.addf %a, %a : f64
    affine.store %b, %y[%i] : memref<160xf64>
  } {weft.independent}
  return
}
func.func @enough(%x: memref<240xf64>, %y: memref<240xf64>) {
  affine.for %i = 0 to 240 {
    %a = affine.load %x[%i] : memref<240xf64>
    %b = arith.addf %a, %a : f64
    affine.store %b, %y[%i] : memref<240xf64>
  } {weft.independent}
  return
}
}
