// The sizes of caches and vectors come from the target, never from a guess.
// RUN: not weft-opt %s --tile-for-ldm 2>&1 | FileCheck %s

// CHECK: error: no target: expected the attribute `weft.target` on the module
module {}
