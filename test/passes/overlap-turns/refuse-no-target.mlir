// RUN: not weft-opt %s --overlap-turns 2>&1 | FileCheck %s
// CHECK: no target: expected the attribute `weft.target`
func.func @nothing() { return }
