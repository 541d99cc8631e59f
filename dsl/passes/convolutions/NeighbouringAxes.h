//===- NeighbouringAxes.h - axes that move together are one ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_NEIGHBOURINGAXES_H
#define WEFT_PASSES_CONVOLUTIONS_NEIGHBOURINGAXES_H

#include "passes/Notes.h"
#include "passes/Passes.h"

namespace weft {

/// A map that reads a tensor with its axes in another order, such as [n, h, w, c] as [n, c, h, w]:
/// those that are neighbours in all that it reads and in its result are one axis, and runs in
/// memory are as long as they can be. Not where a schedule may name its axes, nor beside
/// transforms, whose chains are found by their shapes. False where there are none.
bool joinNeighbours(MapOp map, const Notes &notes);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_NEIGHBOURINGAXES_H
