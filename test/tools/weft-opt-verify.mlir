// The pass that changes what the IR computes is named, with the first number that differs; the
// passes that are wrong exist only for tests.
// RUN: weft-opt %s --canonicalize --cse --verify-each-numerically | FileCheck %s --check-prefix=RIGHT
// RUN: env WEFT_TEST_PASSES=1 not weft-opt %s --canonicalize --test-swap-operands --cse --verify-each-numerically -o %t 2>&1 | FileCheck %s --check-prefix=SWAP
// RUN: not ls %t
// RUN: env WEFT_TEST_PASSES=1 not weft-opt %s --cse --test-drop-checks --verify-each-numerically 2>&1 | FileCheck %s --check-prefix=CHECKS
// RUN: env WEFT_TEST_PASSES=1 not weft-opt %s --pass-pipeline='builtin.module(cse,func.func(canonicalize),test-swap-operands)' --verify-each-numerically 2>&1 | FileCheck %s --check-prefix=SWAP
// RUN: echo 'func.func @f(%%x: tensor<?xf64>) { return }' | not weft-opt --cse --verify-each-numerically 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// RIGHT: weft.checked_indices
// SWAP: weft-opt-verify.mlir:[[#]]:1: error: the pass test-swap-operands changed the result: y[0] (real part) is -[[VALUE:0[.][0-9]+]], before it was [[VALUE]] (bound {{.*}}e-{{.*}}, 12 of 12 numbers differ)
// SWAP-NOT: error
// CHECKS: error: 'tensor.extract' op the index [-1] is outside of the shape [12]
// CHECKS: error: the pass test-drop-checks changed the result: k cannot be run any more
// UNKNOWN: error: cannot be run before any pass: nothing to verify passes by
func.func @k(%x: tensor<12xcomplex<f64>> {weft.name = "x"}, %i: tensor<6xi64> {weft.name = "i"})
    -> (tensor<6xcomplex<f64>> {weft.name = "y"}) attributes {weft.entry} {
  %safe = weft.checked_indices %i below 12 code 1 : tensor<6xi64>
  %y = weft.map [0] to [6] stores [affine_map<(n) -> (n)>] {
  ^bb0(%n: index):
    %k = tensor.extract %safe[%n] : tensor<6xi64>
    %kk = arith.index_cast %k : i64 to index
    %a = tensor.extract %x[%kk] : tensor<12xcomplex<f64>>
    %b = tensor.extract %x[%n] : tensor<12xcomplex<f64>>
    %c = complex.sub %a, %b : complex<f64>
    weft.yield %c : complex<f64>
  } : tensor<6xcomplex<f64>>
  return %y : tensor<6xcomplex<f64>>
}
