//===- LineCosts.h - what a target's table says of stages -----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_LINECOSTS_H
#define WEFT_PASSES_TRANSFORMS_LINECOSTS_H

#include "dialect/Target.h"
#include "dialect/Weft.h"
#include "passes/transforms/Factorisation.h"

#include "mlir/IR/BuiltinTypes.h"

namespace weft {

/// What the target's table says of stages along the lines of such a tensor of complex numbers, its
/// last dimension; nothing (isKnown) where there is no table.
StageCosts stageCostsOf(mlir::RankedTensorType type, const Target &target);

/// The same of columns: lines along another dimension than the last one, over blocks as
/// tile-for-ldm has them; nothing where a target has no `dft_pair_stage_cycles` either: there
/// columns have not been measured.
StageCosts columnCostsOf(mlir::RankedTensorType type, int64_t axis, const Target &target);

/// The same of contiguous lines whose results a transpose alone reads, where its rows go across
/// them: they are packed line beside line, and the last stage stores where the transpose has them.
/// Nothing where a target has no `dft_put_round_cycles`, nor of rows and arrays longer than those
/// of columns that go by their own table: 256 points in 512 KB and in memory took 1.44 and 1.1
/// times as long.
StageCosts putCostsOf(DftOp op, const Target &target);

/// The radices of contiguous lines that are packed line beside line; none where there is no line
/// for each lane, where they come from beyond the caches, or where the machine's table does not say
/// what that costs.
llvm::SmallVector<int64_t> packedOrder(llvm::ArrayRef<int64_t> shape, const StageCosts &costs);

/// Whether stages of these radices along such lines, whose first one turns no whole squares or
/// whose vectors are not all full, take less time than by lines that are packed, in stages of
/// `packed`; or there are too few lines to fill a vector with one each. Short lines with an edge,
/// as where the halves of a real transform's spectrum meet, take less time packed.
bool goesAlongInParts(mlir::RankedTensorType type, const StageCosts &costs,
                      llvm::ArrayRef<int64_t> radices, llvm::ArrayRef<int64_t> packed,
                      bool hasEdges);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_LINECOSTS_H
