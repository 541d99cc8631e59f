// A machine with cores that does not say what their start takes is refused by the name of the number.
// RUN: sed 's/start_cycles = [0-9]* : i64, //' %target_sw26010 > %t
// RUN: cat %t %s | not weft-opt - --distribute-to-cores 2>&1 | FileCheck %s

// CHECK: error: target 'sw26010' has no number 'start_cycles': expected it in `weft.target`
module attributes {weft.target = #target} {
  func.func @any(%x: memref<64xf64>) {
    return
  }
}
