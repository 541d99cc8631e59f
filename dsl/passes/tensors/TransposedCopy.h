//===- TransposedCopy.h - maps that only change the order of axes --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A transposed copy costs a pass over memory, unless a transfer beside it does it: whoever reads
// the copy gets the elements from where they come from, or whoever computes them puts them where
// the copy has them. `fold` of a schedule asks for either.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_TRANSPOSEDCOPY_H
#define WEFT_PASSES_TENSORS_TRANSPOSEDCOPY_H

#include "passes/Directives.h"
#include "passes/tensors/LineChain.h"

namespace weft {

/// Of a transpose: it ends the transform of a line that is longer than caches.
inline constexpr llvm::StringLiteral ofLineMark = "weft.of_line";

/// Which of a map's indices stands at each place of a read; nothing where there is anything else.
std::optional<llvm::SmallVector<unsigned>> placesOf(mlir::tensor::ExtractOp read, MapOp map);

/// A map that only copies: what it copies, and which of its indices stands at each place of that.
struct TransposedCopy {
  MapOp map;
  mlir::Value source;
  llvm::SmallVector<unsigned> indexAt;

  /// Whether it copies all of the source.
  bool isWhole() const;
  /// The axis of the source that an axis of the copy is.
  unsigned sourceAxis(unsigned axis) const { return llvm::find(indexAt, axis) - indexAt.begin(); }
  /// The index in the copy, of what lies at an index of the source.
  mlir::AffineMap placeOf(mlir::AffineMap index) const;
};

std::optional<TransposedCopy> transposedCopyOf(MapOp map);

/// Transposes become maps, which can fold into the index maps of their neighbours.
void transposesToMaps(mlir::Operation *within);

/// Whether stages of a transform compute what it copies, for nobody else: they may put it there.
bool maybePut(const TransposedCopy &copy);

/// The copy that alone reads what a chain computes, and all of it.
std::optional<TransposedCopy> copyBehind(const LineChain &chain);

/// The copies that a schedule wants done by transfers: all of them, or those of some values.
class AskedFolds {
public:
  explicit AskedFolds(mlir::func::FuncOp func) : directives(directivesOf(func, "fold")) {}

  /// The directive about a copy.
  std::optional<Directive> of(const TransposedCopy &copy) const;
  /// An error where nothing of what a directive names is transposed or reshaped.
  mlir::LogicalResult areThere(mlir::func::FuncOp func) const;
  /// An error where one is left.
  mlir::LogicalResult areDone(mlir::func::FuncOp func) const;

private:
  std::vector<Directive> directives;
};

} // namespace weft

#endif // WEFT_PASSES_TENSORS_TRANSPOSEDCOPY_H
