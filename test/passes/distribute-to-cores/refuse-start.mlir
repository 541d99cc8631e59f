// What the management core does before the cores are started stays with it: 64 numbers, and 16 rows
// of 64 to add up.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores --remarks-filter=.* \
// RUN:   --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// CHECK-NOT: cpe.cores
// CHECK-NOT: weft.parallel
// NOTE: rejected {{.*}}What="a loop: its 64 iterations over the cores", Why="about {{[0-9]+}} cycles on the management core, {{[0-9]+}} on 64 cores; a start takes 21750, for 1 nests and 1 iterations"
// NOTE: rejected {{.*}}What="a loop: its 16 iterations over the cores"
module attributes {weft.target = #target} {
  func.func @few(%x: memref<64xf64>, %y: memref<64xf64>) {
    affine.for %i = 0 to 64 {
      %v = affine.load %x[%i] : memref<64xf64>
      affine.store %v, %y[%i] : memref<64xf64>
    } {weft.independent}
    return
  }

  func.func @rows(%x: memref<16x64xf64>, %y: memref<16xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %i = 0 to 16 {
      %s = affine.for %k = 0 to 64 iter_args(%sum = %zero) -> f64 {
        %v = affine.load %x[%i, %k] : memref<16x64xf64>
        %next = arith.addf %sum, %v : f64
        affine.yield %next : f64
      } {weft.reassociate}
      affine.store %s, %y[%i] : memref<16xf64>
    } {weft.independent}
    return
  }
}
