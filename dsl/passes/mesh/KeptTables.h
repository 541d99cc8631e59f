//===- KeptTables.h - parts of tables that stay with the cores ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_KEPTTABLES_H
#define WEFT_PASSES_MESH_KEPTTABLES_H

#include "passes/mesh/MeshTiling.h"

namespace weft {

/// Of the tables that a nest reads in every iteration of a loop around it, each core's part comes
/// once, before the loop, and stays; as long as `room`, which becomes less, has bytes for it.
/// `analysis` is that of what one core does of the nest.
void keepTableParts(mlir::affine::AffineForOp around, MeshNest &nest, FootprintAnalysis &analysis,
                    int64_t &room);

} // namespace weft

#endif // WEFT_PASSES_MESH_KEPTTABLES_H
