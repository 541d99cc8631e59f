//===- CoreRegions.h - one start of the cores for much ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_COREREGIONS_H
#define WEFT_PASSES_COREREGIONS_H

#include "dialect/Cpe.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// The loop in a `cpe.cores` of its own, or in the one just before it.
void placeOnCores(mlir::affine::AffineForOp loop);

/// What stands between the parts that run on `cores` cores, as far as these can do it: sums,
/// each core a part of them, and loops around such parts. Every start of the cores costs as much
/// as thousands of operations.
void joinCores(mlir::Operation *root, int64_t cores);

} // namespace weft

#endif // WEFT_PASSES_COREREGIONS_H
