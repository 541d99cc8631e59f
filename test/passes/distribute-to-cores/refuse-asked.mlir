// Who is asked to share a loop has to be there.
// RUN: not weft-opt %s --distribute-to-cores 2>&1 | FileCheck %s
// RUN: sed 's/over cpes/over ranks/' %s | not weft-opt - --distribute-to-cores 2>&1 | FileCheck %s --check-prefix=RANKS

// CHECK: error: {{.*}}schedule: distribute y.axis0 over cpes: threads do the iterations here; expected threads
// RANKS: error: {{.*}}schedule: distribute y.axis0 over ranks: who is a rank is said by a parameter of the kind `groups`; expected threads
func.func @asked(%x: memref<4xf64>, %y: memref<4xf64>) attributes {weft.schedule = ["distribute y.axis0 over cpes"]} {
  affine.for %i = 0 to 4 {
    %a = affine.load %x[%i] : memref<4xf64>
    affine.store %a, %y[%i] : memref<4xf64>
  } {weft.independent, weft.distribute = "distribute y.axis0 over cpes"}
  return
}
