// Numbers of cores that cannot share the lines, as the schedule has it: the error says why, and which can.
// RUN: cat %target_sw26010 %s | not weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: cat %target_sw26010 %s | sed s/64x8192/24x2048/g | not weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: cat %target_sw26010 %s | sed 's/split = 2/split = 3/' | not weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm 2>&1 | FileCheck %s --check-prefix=THIRDS
// RUN: cat %target_sw26010 %s | sed s/64x8192/64x16384/g | not weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: cat %target_sw26010 %s | sed s/64x8192/64x512/g | not weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm 2>&1 | FileCheck %s --check-prefix=SHORT

// LONG: error: {{.*}}schedule: split 2: cores of a row share the lines of 'y': its part with each of 2 cores takes 131072 bytes before and behind an exchange, and they have 38229 for it; expected 8
// FEW: error: {{.*}}schedule: split 2: {{.*}}there are 24 lines, and 32 rows of cores; expected 4 or 8
// THIRDS: error: {{.*}}schedule: split 3: {{.*}}8 cores of a row have no parts of 3; expected 8
// NONE: error: {{.*}}schedule: split 2: {{.*}}; expected none
// SHORT: error: {{.*}}schedule: split 2: no line is longer than a core has room for; expected none
module attributes {weft.target = #target} {
func.func @lines(%x: tensor<64x8192xcomplex<f64>>) -> tensor<64x8192xcomplex<f64>> attributes {weft.split = 2 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<64x8192xcomplex<f64>> loc("y")
  return %y : tensor<64x8192xcomplex<f64>>
}
}
