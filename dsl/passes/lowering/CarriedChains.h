//===- CarriedChains.h - next values where carried ones lie ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_CARRIEDCHAINS_H
#define WEFT_PASSES_LOWERING_CARRIEDCHAINS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace weft {

/// The values that may lie in the memory of `carried`, of a loop over time, one after the other:
/// `next`, which takes its place, what this goes on with, and so on, last ones first. Nobody reads
/// the carried value once the first of them is stored. None where that cannot be.
llvm::SmallVector<mlir::Value> chainOver(mlir::scf::ForOp loop, mlir::Value carried,
                                         mlir::Value next);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_CARRIEDCHAINS_H
