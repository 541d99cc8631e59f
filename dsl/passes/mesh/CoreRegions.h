//===- CoreRegions.h - what the cores do, part by part ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_COREREGIONS_H
#define WEFT_PASSES_MESH_COREREGIONS_H

#include "dialect/Cpe.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Iterations that each core has at the least, or it shares loops inside as well.
inline constexpr int64_t fewestIterations = 4;

/// The `cpe.cores` before an op, nothing between them but what is neither memory nor a loop.
cpe::CoresOp coresBefore(mlir::Operation *op);

/// Into the part before, if there is one, where all cores have ended theirs.
void joinWithBefore(cpe::CoresOp cores);

/// The loop in a `cpe.cores` of its own, or in the one just before it.
void placeOnCores(mlir::affine::AffineForOp loop);

} // namespace weft

#endif // WEFT_PASSES_MESH_COREREGIONS_H
