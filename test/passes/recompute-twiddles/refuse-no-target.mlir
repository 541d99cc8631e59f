// RUN: not weft-opt %s --recompute-twiddles 2>&1 | FileCheck %s
// CHECK: no target: expected the attribute `weft.target`
func.func @nothing() { return }
