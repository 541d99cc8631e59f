//===- SharedNests.h - nests that say how the mesh shares them ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_SHAREDNESTS_H
#define WEFT_PASSES_MESH_SHAREDNESTS_H

#include "passes/mesh/SpreadLayout.h"

#include "dialect/Cpe.h"

namespace weft {

/// Shares nests out over the mesh whose loops say that they go over its rows and columns, and keeps
/// the arrays that they pass on with the cores.
void shareNests(cpe::CoresOp cores, Mesh mesh, int64_t capacity);

} // namespace weft

#endif // WEFT_PASSES_MESH_SHAREDNESTS_H
