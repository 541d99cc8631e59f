//===- CoreLoops.h - loops that the cores do as a whole -----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_CORELOOPS_H
#define WEFT_PASSES_MESH_CORELOOPS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/SetVector.h"

namespace weft {

/// Cores that each get as many iterations of a sum as the others.
int64_t partsOfSum(mlir::affine::AffineForOp sum, int64_t cores);

/// Whether the cores can do a loop as a whole, started once: what is in it is theirs (`isOnCores`,
/// at least one op), a sum that they share, or what each of them does for itself. `own`, if given:
/// small arrays for that, of which each core has one.
bool coresMayLoop(mlir::affine::AffineForOp loop, int64_t cores,
                  llvm::function_ref<bool(mlir::Operation *)> isOnCores,
                  llvm::SetVector<mlir::Value> *own = nullptr);

} // namespace weft

#endif // WEFT_PASSES_MESH_CORELOOPS_H
