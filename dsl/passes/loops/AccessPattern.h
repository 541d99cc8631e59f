//===- AccessPattern.h - how a loop walks through memory ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_ACCESSPATTERN_H
#define WEFT_PASSES_LOOPS_ACCESSPATTERN_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace weft {

/// Numbers values, so that addresses of different accesses are expressions over
/// the same dims and can be subtracted.
class AddressSpace {
public:
  mlir::AffineExpr dim(mlir::Value value);
  unsigned size() const { return numbers.size(); }
  /// In the order of their numbers.
  llvm::SmallVector<mlir::Value> values() const;

private:
  llvm::MapVector<mlir::Value, unsigned> numbers;
};

/// The iterations of a loop that run side by side: `lanes` consecutive values of
/// `iv`, the first of which is `first` plus a multiple of `lanes`.
struct LaneBlock {
  mlir::Value iv;
  int64_t lanes;
  int64_t first;
};

/// Reads so far apart from lane to lane are picked from the vectors between them; those further
/// apart go one by one, which is as fast.
inline constexpr int64_t farthestPicked = 4;

/// One affine.load or affine.store of a memref of static strides, its indices
/// composed down to loop variables, its address linear in elements.
struct Access {
  mlir::Operation *op;
  mlir::Value memref;
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> operands;
  mlir::AffineExpr address;
  bool isStore;
  bool isData = false; ///< some index is data: the ops are memref's, not affine's

  /// Nothing for other ops and for memrefs of dynamic strides.
  static std::optional<Access> of(mlir::Operation *op, AddressSpace &space);
  /// The same for memref.load and memref.store: indices that are data are unknowns of
  /// the address.
  static std::optional<Access> ofData(mlir::Operation *op, AddressSpace &space);

  /// The same for affine vectors too.
  static std::optional<Access> ofVector(mlir::Operation *op, AddressSpace &space);

  /// The same for vectors of which elements are left out.
  static std::optional<Access> ofMasked(mlir::Operation *op, AddressSpace &space);

  /// Elements at a time.
  int64_t width() const;
  bool uses(mlir::Value value) const { return llvm::is_contained(operands, value); }
  /// 0 or 1 for the real or imaginary part of an interleaved complex element (a
  /// last dimension of two, indexed by a constant); nothing otherwise.
  std::optional<int64_t> complexPart() const;
  /// Elements from one lane to the next; nothing where that varies.
  std::optional<int64_t> slope(const LaneBlock &block, AddressSpace &space) const;
  /// The indices with `iv` advanced by `by`, and, where `part` is given, with the
  /// last index replaced by it.
  mlir::AffineMap shifted(mlir::Value iv, int64_t by,
                          std::optional<int64_t> part = std::nullopt) const;
  /// Such indices of the element that lies so many behind.
  mlir::AffineMap behind(mlir::AffineMap indices, int64_t elements) const;
  /// Whether `iv` is part of one index, and those behind it are constants: what lies between two
  /// elements then has indices of that kind, too.
  bool isAlongOne(mlir::Value iv) const;
};

/// The value of `map(operands)` from lane to lane; nothing where that varies.
std::optional<int64_t> slopeOf(mlir::AffineExpr expr, mlir::AffineExpr dim, const LaneBlock &block);

/// to.address - from.address, where it is one number; memrefs must be the same.
std::optional<int64_t> distance(const Access &from, const Access &to, const AddressSpace &space);

/// Indices in which the variable of a loop that runs once is its value, but for `keep`'s.
mlir::AffineMap withoutSingleTurns(mlir::AffineMap map, llvm::ArrayRef<mlir::Value> operands,
                                   mlir::affine::AffineForOp keep);

/// Replaces an affine load or store, of one element or of a vector, by one of `array`.
void accessElsewhere(mlir::Operation *op, mlir::Value array, mlir::AffineMap map,
                     mlir::ValueRange operands);

/// The buffer that a view shows.
mlir::Value rootOf(mlir::Value memref);

/// How many of an array's first dimensions a view of all of it has as well: the array itself all of
/// them, pairs of reals as complex numbers all but the last one. Nothing of any other view.
std::optional<unsigned> sharedDims(mlir::Value view, mlir::Value array);

/// False only where the two buffers are certainly disjoint.
bool mayAlias(mlir::Value left, mlir::Value right);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_ACCESSPATTERN_H
