// A function of no tensors is as it was.
// RUN: cat %target_avx512 %s | weft-opt - --lower-to-loops | FileCheck %s

// CHECK:      func.func @nothing() {
// CHECK-NEXT:   return
// CHECK-NEXT: }
module attributes {weft.target = #target} {
func.func @nothing() {
  return
}
}
