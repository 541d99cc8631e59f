// RUN: cat %target_portable %s | weft-translate - --weft-to-c | FileCheck %s

// Numbers are read back as they were; a table that nobody reads is left out.

module attributes {weft.target = #target} {
  // CHECK: _Alignas(64) static const float w[5] = {
  // CHECK-NEXT: 1.0f, -0.1f, INFINITY, NAN, 1e+30f,
  memref.global "private" constant @w : memref<5xf32> = dense<[1.0, -0.1, 0x7F800000, 0x7FC00000, 1.0e30]> {alignment = 64 : i64}
  // CHECK-NOT: other
  memref.global "private" constant @other : memref<2xf32> = dense<[1.0, 2.0]>
  func.func @f(%y: memref<f32> {weft.role = "out"}) {
    %w = memref.get_global @w : memref<5xf32>
    %a = affine.load %w[3] : memref<5xf32>
    affine.store %a, %y[] : memref<f32>
    return
  }
}
