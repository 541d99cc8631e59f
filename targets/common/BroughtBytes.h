//===- BroughtBytes.h - what blocks bring to the caches --------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_BROUGHTBYTES_H
#define WEFT_TARGETS_COMMON_BROUGHTBYTES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include "llvm/ADT/DenseMap.h"

#include <array>

namespace weft {

/// Bytes that one iteration of a loop brings of an array that a cache of so many does not hold.
class BroughtBytes {
public:
  explicit BroughtBytes(int64_t cacheBytes) : cacheBytes(cacheBytes) {}

  /// By all its loads of vectors, or all its stores.
  int64_t of(mlir::affine::AffineForOp block, mlir::Value array, bool isStore);

private:
  int64_t cacheBytes;
  /// By block, loads and stores, and array.
  llvm::DenseMap<mlir::Operation *, std::array<llvm::DenseMap<mlir::Value, int64_t>, 2>> blocks;
};

} // namespace weft

#endif // WEFT_TARGETS_COMMON_BROUGHTBYTES_H
