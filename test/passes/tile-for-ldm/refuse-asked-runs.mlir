// Runs of main memory that cannot be as long as the schedule asks for: the error names what keeps
// them from it, and what may be asked for.
// RUN: cat %target_sw26010 %s | not weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm 2>&1 | FileCheck %s

// CHECK: error: {{.*}}schedule: exchange 256: runs of 'y' in main memory have 64 elements at most: 64 columns lie side by side; expected 1 to 64
module attributes {weft.target = #target} {
func.func @narrow(%x: tensor<8x512x64xcomplex<f64>>) -> tensor<8x512x64xcomplex<f64>> attributes {weft.exchange = 256 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x512x64xcomplex<f64>> loc("y")
  return %y : tensor<8x512x64xcomplex<f64>>
}
}
