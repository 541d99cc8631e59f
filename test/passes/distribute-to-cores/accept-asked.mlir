// The loop that a schedule names is shared, however little it does, and no other of its nest.
// RUN: weft-opt %s --distribute-to-cores | FileCheck %s

// CHECK:     affine.for
// CHECK:       affine.for
// CHECK:       } {weft.independent, weft.parallel}
// CHECK:     } {weft.independent}
// CHECK-NOT: weft.distribute =
func.func @asked(%x: memref<4x4xf64>, %y: memref<4x4xf64>) attributes {weft.schedule = ["distribute y.axis1 over threads"]} {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %a = affine.load %x[%i, %j] : memref<4x4xf64>
      affine.store %a, %y[%i, %j] : memref<4x4xf64>
    } {weft.independent, weft.distribute = "distribute y.axis1 over threads"}
  } {weft.independent}
  return
}
