//===- KeptArrays.h - arrays that stay with the cores -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_KEPTARRAYS_H
#define WEFT_PASSES_MESH_KEPTARRAYS_H

#include "dialect/Cpe.h"
#include "passes/mesh/SpreadLayout.h"

namespace weft {

/// Arrays that nests of one start of the cores pass on stay with the cores, where all of them
/// together have room, `capacity` bytes each.
void keepArrays(cpe::CoresOp cores, Mesh mesh, int64_t capacity);

} // namespace weft

#endif // WEFT_PASSES_MESH_KEPTARRAYS_H
