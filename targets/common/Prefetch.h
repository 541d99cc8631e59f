//===- Prefetch.h - lines of the next block, asked for in time ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_PREFETCH_H
#define WEFT_TARGETS_COMMON_PREFETCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace weft {

/// The vector loads and stores that also ask for what the next block will touch, so many
/// bytes further on. A block is an iteration of a loop that has local arrays. Asked for are
/// lines of arrays that no cache of `cacheBytes` holds and that nothing else in the block
/// or in the nests joined with it touches first: those of stores, which would be read
/// before they are written, and those of loads that go from page to page, where the
/// machine does not foresee them.
llvm::DenseMap<mlir::Operation *, int64_t> bytesAhead(mlir::func::FuncOp func, int64_t cacheBytes);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_PREFETCH_H
