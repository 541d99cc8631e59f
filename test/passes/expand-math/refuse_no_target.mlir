// RUN: not weft-opt %s --expand-math 2>&1 | FileCheck %s
// CHECK: no target: expected the attribute `weft.target`
func.func @nothing() { return }
