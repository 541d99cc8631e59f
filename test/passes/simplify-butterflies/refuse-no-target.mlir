// Whether there are FMAs comes from the target, never from a guess.
// RUN: not weft-opt %s --simplify-butterflies 2>&1 | FileCheck %s

// CHECK: error: no target: expected the attribute `weft.target` on the module
module {}
