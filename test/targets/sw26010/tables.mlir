// A table begins at a line of main memory: a transfer of it takes no more lines than it must.
// RUN: cat %target_sw26010 %s | weft-opt - --align-arrays --mlir-print-debuginfo | weft-translate - --weft-to-c | FileCheck %s

module attributes {weft.target = #target} {
  // CHECK: _Alignas(128) static const double w[2] = {
  memref.global "private" constant @w : memref<2xf64> = dense<[1.0, 2.0]>
  func.func @f(%y: memref<2xf64> {weft.name = "y", weft.role = "out"}) {
    %w = memref.get_global @w : memref<2xf64>
    affine.for %i = 0 to 2 {
      %v = affine.load %w[%i] : memref<2xf64>
      affine.store %v, %y[%i] : memref<2xf64>
    }
    return
  }
}
