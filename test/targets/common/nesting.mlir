// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

// A value used once is written where it is used, but no load passes a store.

module attributes {weft.target = #target} {
  func.func @f(%y: memref<4xf64> {weft.name = "y", weft.role = "out"}) {
    // CHECK: const double t0 = y[0];
    // CHECK: y[0] = y[1];
    %a = affine.load %y[0] : memref<4xf64>
    %b = affine.load %y[1] : memref<4xf64>
    affine.store %b, %y[0] : memref<4xf64>
    // CHECK: y[1] = t0 - (y[2] - y[3]) * -2.0;
    %c = affine.load %y[2] : memref<4xf64>
    %d = affine.load %y[3] : memref<4xf64>
    %e = arith.subf %c, %d : f64
    %two = arith.constant -2.0 : f64
    %g = arith.mulf %e, %two : f64
    %h = arith.subf %a, %g : f64
    affine.store %h, %y[1] : memref<4xf64>
    return
  }
}
