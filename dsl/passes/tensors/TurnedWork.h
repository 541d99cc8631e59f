//===- TurnedWork.h - elementwise work before a transpose ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_TURNEDWORK_H
#define WEFT_PASSES_TENSORS_TURNEDWORK_H

#include "passes/Passes.h"

namespace weft {

/// Where a map reworks the elements of a stage one by one, and stores them with their indices in
/// another order, makes it two: one that reworks them where they are, and one that only turns them,
/// which is returned. Null, and nothing changed, where it does something else, or reads more than
/// numbers and rows beside them, which would then be read in the other order.
MapOp workBeforeTurning(MapOp stage, MapOp map);

} // namespace weft

#endif // WEFT_PASSES_TENSORS_TURNEDWORK_H
