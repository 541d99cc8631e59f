// Threads take as long to meet however wide vectors are: a loop must do as many operations more for them
// as its vectors have lanes. A loop without lanes need not, and a function of the C library is work.
// RUN: cat %target_avx512 %s | weft-opt - --distribute-to-cores=min-work=100 | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --distribute-to-cores=min-work=100 --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}Why="640 operations; 800 pay for the threads (min-work)"
// NOTE: decided {{.*}}Why="960 operations; 800 pay for the threads (min-work)"
// NOTE: decided {{.*}}Why="640 operations; 100 pay for the threads (min-work)"
// NOTE: decided {{.*}}Why="1072 operations; 800 pay for the threads (min-work)"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @little
// CHECK-NOT:     weft.parallel
// CHECK-LABEL: func.func @enough
// CHECK:         weft.parallel
// CHECK-LABEL: func.func @one_by_one
// CHECK:         weft.parallel
// CHECK-LABEL: func.func @sines
// CHECK:         weft.parallel
func.func @little(%x: memref<160xf64>, %y: memref<160xf64>) {
  affine.for %i = 0 to 160 {
    %a = affine.load %x[%i] : memref<160xf64>
    %b = arith.addf %a, %a : f64
    affine.store %b, %y[%i] : memref<160xf64>
  } {weft.independent, weft.lane}
  return
}
func.func @enough(%x: memref<240xf64>, %y: memref<240xf64>) {
  affine.for %i = 0 to 240 {
    %a = affine.load %x[%i] : memref<240xf64>
    %b = arith.addf %a, %a : f64
    affine.store %b, %y[%i] : memref<240xf64>
  } {weft.independent, weft.lane}
  return
}
func.func @one_by_one(%x: memref<160xf64>, %y: memref<160xf64>) {
  affine.for %i = 0 to 160 {
    %a = affine.load %x[%i] : memref<160xf64>
    %b = arith.addf %a, %a : f64
    affine.store %b, %y[%i] : memref<160xf64>
  } {weft.independent}
  return
}
func.func @sines(%x: memref<16xf64>, %y: memref<16xf64>) {
  affine.for %i = 0 to 16 {
    %a = affine.load %x[%i] : memref<16xf64>
    %b = math.sin %a : f64
    affine.store %b, %y[%i] : memref<16xf64>
  } {weft.independent, weft.lane}
  return
}
}
