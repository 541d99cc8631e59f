//===- PiecedValues.h - tensors that several stores make ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A half spectrum is made by pairs, k and m-k in one point of a map, and its ends by another map
// that goes on with it; so is what was put together of slices, or padded. The piece that makes an
// element is known where the indices of a read stay within one.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_PIECEDVALUES_H
#define WEFT_PASSES_TENSORS_PIECEDVALUES_H

#include "passes/Passes.h"

#include "mlir/IR/AffineExpr.h"

#include <optional>

namespace weft {

/// An element that is read: what one store of one map yields at a point.
struct PieceRead {
  mlir::tensor::ExtractOp read;
  MapOp piece;
  unsigned store;                            ///< of the piece
  llvm::SmallVector<mlir::AffineExpr> point; ///< of the piece, of the reader's indices
  MapOp reader() const { return llvm::cast<MapOp>(read->getParentOp()); }
};

/// A tensor made by maps that each go on with the one before, the first with nothing, and all its
/// reads, each of which is of one store.
class PiecedValue {
public:
  /// Nothing where some map has marks or a loop of its own, or one of the tensor's users is no read
  /// of a map beside, or reads what lies in several pieces.
  static std::optional<PiecedValue> of(mlir::Value tensor);

  mlir::ArrayRef<PieceRead> reads() const { return found; }
  mlir::ArrayRef<MapOp> pieces() const { return maps; }
  /// Whether no piece that computes anything is evaluated at more points than it has: two stores at
  /// the same point of one reader are one.
  bool areEvaluatedOnce() const;

  /// Evaluates the pieces in their readers; the tensor is unused then.
  void evaluateInReaders();

private:
  std::optional<PieceRead> madeBy(mlir::tensor::ExtractOp read) const;

  llvm::SmallVector<MapOp> maps; ///< in their order
  llvm::SmallVector<PieceRead> found;
};

} // namespace weft

#endif // WEFT_PASSES_TENSORS_PIECEDVALUES_H
