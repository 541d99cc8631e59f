// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

// The place in the source stands where the line changes, without folders.

module attributes {weft.target = #target} {
  func.func @f(%x: memref<8xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<8xf64> {weft.name = "y", weft.role = "out"}) {
    %a = affine.load %x[0] : memref<8xf64> loc("y"("/home/me/fft.weft":3:5))
    // CHECK: /* fft.weft:3:5 */
    // CHECK-NEXT: y[0] = x[0];
    affine.store %a, %y[0] : memref<8xf64> loc("y"("/home/me/fft.weft":3:5))
    // CHECK-NEXT: y[1] = 1.0;
    %b = arith.constant 1.0 : f64
    affine.store %b, %y[1] : memref<8xf64> loc("y"("/home/me/fft.weft":3:9))
    // CHECK-NEXT: /* fft.weft:4:5 */
    // CHECK-NEXT: y[2] = 1.0;
    affine.store %b, %y[2] : memref<8xf64> loc("y"("/home/me/fft.weft":4:5))
    return
  }
}
