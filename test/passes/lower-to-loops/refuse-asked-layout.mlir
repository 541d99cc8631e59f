// The memory of a value whose layout a schedule asks for is seen by others than loops.
// RUN: cat %target_avx512 %s | not weft-opt - --lower-to-loops 2>&1 | FileCheck %s
// RUN: sed 's/layout y/layout x/' %s > %t.1
// RUN: cat %target_avx512 %t.1 | not weft-opt - --lower-to-loops 2>&1 | FileCheck %s --check-prefix=INPUT

// CHECK: error: {{.*}}schedule: layout y as split: 'y': the caller's array holds it; expected complex values between loops of one kernel
// INPUT: error: {{.*}}schedule: layout x as split: 'x': it has no memory of its own: it is an input, or computed where it is read; expected complex
module attributes {weft.target = #target} {
func.func @result(%x: tensor<8xcomplex<f64>> {weft.name = "x"}) -> (tensor<8xcomplex<f64>> {weft.name = "y"}) attributes {weft.schedule = ["layout y as split"]} {
  %y = weft.map [0] to [8] stores [affine_map<(i) -> (i)>] {
  ^bb0(%i: index):
    %v = tensor.extract %x[%i] : tensor<8xcomplex<f64>>
    weft.yield %v : complex<f64>
  } : tensor<8xcomplex<f64>> loc("y")
  return %y : tensor<8xcomplex<f64>>
}
}
