// RUN: not weft-opt %s --join-nests 2>&1 | FileCheck %s
// CHECK: no target: expected the attribute `weft.target`
func.func @nothing() { return }
