// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

// Addresses are linear, nested by common factors, a constant last, so that places that differ by
// constants have the rest in common; divisions vanish where ranges allow it.

module attributes {weft.target = #target} {
  func.func @f(%x: memref<8x64x2xf64> {weft.name = "x", weft.role = "in"},
               %y: memref<8x64x2xf64> {weft.name = "y", weft.role = "out"}) {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 63 {
        // CHECK: y[(i*64 + j)*2 + 1] = x[(i*64 + j)*2 + 2];
        %a = affine.load %x[%i, %j + 1, 0] : memref<8x64x2xf64>
        affine.store %a, %y[%i, %j, 1] : memref<8x64x2xf64>
      }
      affine.for %k = 0 to 8 {
        // CHECK: y[(i*64 + j)*2] = x[(((i + 3) % 8)*64 + j)*2];
        %b = affine.load %x[(%i + 3) mod 8, (%i * 8 + %k) mod 8, 0] : memref<8x64x2xf64>
        affine.store %b, %y[%i, (%i * 8 + %k) mod 8, 0] : memref<8x64x2xf64>
      }
    }
    // CHECK: y[1023] = x[0];
    %c = affine.load %x[0, 0, 0] : memref<8x64x2xf64>
    affine.store %c, %y[7, 63, 1] : memref<8x64x2xf64>
    return
  }
}
