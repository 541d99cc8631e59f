// Blocks that cannot be as a schedule asks say why: too few bytes of which buffers, the transform's own
// axis, a loop that nobody has, a width that does not divide.
// RUN: sed 's/SCHEDULE/tile y.axis2 by 64 -> o, i/' %s > %t.1
// RUN: cat %target_sw26010 %t.1 | not weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm 2>&1 | FileCheck %s --check-prefix=ROOM
// RUN: sed 's/SCHEDULE/tile y.axis1 by 8 -> o, i/' %s > %t.2
// RUN: cat %target_sw26010 %t.2 | not weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: sed 's/SCHEDULE/distribute z.axis0 over cpes/' %s > %t.3
// RUN: cat %target_sw26010 %t.3 | not weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: sed 's/SCHEDULE/tile s.axis0 by 5 -> o, i/' %s > %t.4
// RUN: cat %target_sw26010 %t.4 | not weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm 2>&1 | FileCheck %s --check-prefix=DIVIDES

// ROOM:    error: {{.*}}schedule: tile y.axis2 by 64 -> o, i: 64 lines of 'y' take 131072 bytes, [[#131072 - 43008]] more than a core has for them: of each what its stages read and store has 2048; expected 1 to 21 lines
// AXIS:    error: {{.*}}schedule: tile y.axis1 by 8 -> o, i: axis1 is what the transform goes along: its points depend on each other; expected y.axis0, y.axis2
// NAME:    error: {{.*}}schedule: distribute z.axis0 over cpes: 'z' has no loops of its own: it is an input, or computed within another loop, or by a kernel that is called; expected an axis of one of y, s
// DIVIDES: error: {{.*}}schedule: tile s.axis0 by 5 -> o, i: 12 is no multiple of 5; expected 1, 2, 3, 4, 6, 12
module attributes {weft.target = #target} {
func.func @columns(%x: tensor<8x64x128xcomplex<f64>>, %v: tensor<12xf64>) -> (tensor<8x64x128xcomplex<f64>>, tensor<12xf64>)
    attributes {weft.schedule = ["SCHEDULE"]} {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x64x128xcomplex<f64>> loc("y")
  %s = weft.map [0] to [12] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %a = tensor.extract %v[%i] : tensor<12xf64>
    %b = arith.addf %a, %a : f64
    weft.yield %b : f64
  } : tensor<12xf64> loc("s")
  return %y, %s : tensor<8x64x128xcomplex<f64>>, tensor<12xf64>
}
}
