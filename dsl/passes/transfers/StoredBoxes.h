//===- StoredBoxes.h - the elements that loops store ---------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_STOREDBOXES_H
#define WEFT_PASSES_TRANSFERS_STOREDBOXES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <optional>

namespace weft {

/// Whether an op has an array, or a view of it, and is no view itself.
bool touches(mlir::Operation *op, mlir::Value root);

/// Whether an affine load, or an affine store, of one element or of a vector, in an op has an array
/// or a view of it.
bool loadsIn(mlir::Operation *op, mlir::Value root);
bool storesIn(mlir::Operation *op, mlir::Value root);

/// Indices along one dimension, as many of them as `count`, `step` apart.
struct Stretch {
  int64_t first = 0, count = 1, step = 1;
  int64_t end() const { return first + (count - 1) * step + 1; }
};

/// The elements of an array that an access reaches while the loops around it run, each of them
/// once: a stretch along each dimension.
struct Box {
  llvm::SmallVector<Stretch> stretches;

  /// Of an affine.load or affine.store; nothing where it reaches others, or one of them twice.
  static std::optional<Box> of(mlir::Operation *access);
  int64_t elements() const;
  /// May say so of some that do not.
  bool overlaps(const Box &other) const;
};

/// Whether boxes of one array are all of it, each element once.
bool areWhole(llvm::ArrayRef<Box> boxes, mlir::MemRefType type);

/// What a nest stores in an array itself, each time it runs; nothing where it stores in a view of
/// it, under a condition, or what is no box.
std::optional<llvm::SmallVector<Box>> boxesStored(mlir::affine::AffineForOp nest,
                                                  mlir::Value array);

/// Whether neither of two nests stores what the other one may touch.
bool areApart(mlir::Operation *one, mlir::Operation *other);

/// How many of these nests, from the first one on, together store each element of an array once and
/// read none of it; 0 where none do. May deny it wrongly.
unsigned fillersOf(llvm::ArrayRef<mlir::affine::AffineForOp> nests, mlir::Value root);

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_STOREDBOXES_H
