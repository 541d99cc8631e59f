//===- HalfLoads.h - rows read in halves ------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_HALFLOADS_H
#define WEFT_TARGETS_COMMON_HALFLOADS_H

#include "targets/common/Intrinsics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace weft {

/// Whether a mask puts the lower halves (false) or the upper ones (true) of two vectors together.
std::optional<bool> upperHalves(llvm::ArrayRef<int64_t> mask);

/// Loads of vectors of which nothing is used but halves, put together in pairs, as rows are that
/// are turned in registers: where the target's table has `affine.vector_load:halves`, and shuffles
/// are what a block waits for, each pair is read from both places at once. The second half comes
/// with its load, on any port, where a shuffle waits for the one that all shuffles have; or
/// under a mask (`affine.vector_load:merged`), where it would wait for that as well.
llvm::DenseSet<mlir::Operation *> loadsInHalves(mlir::func::FuncOp func,
                                                const Intrinsics &intrinsics);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_HALFLOADS_H
