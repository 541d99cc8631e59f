//===- SquareCopy.h - a transposing copy's squares of elements ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_SQUARECOPY_H
#define WEFT_PASSES_VECTORS_SQUARECOPY_H

#include "dialect/Target.h"
#include "passes/loops/AccessPattern.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IRMapping.h"

namespace weft {

/// What the bodies of two nested loops copy from lines (elements contiguous along the outer loop)
/// to lanes (contiguous along the inner one), or back, and how one square of it moves through
/// registers. An interleaved complex element counts as two columns: the transposition sorts real
/// and imaginary parts on the way; where both sides are interleaved, whole complex elements change
/// places. Real elements may be computed with before they are stored: their vectors lie as what is
/// stored by then.
class SquareCopy {
public:
  SquareCopy(mlir::affine::AffineForOp outer, mlir::affine::AffineForOp inner,
             const VectorUnit &vectors, bool masked)
      : outer(outer), inner(inner), vectors(vectors), masked(masked) {}

  /// False where the nest is something else.
  bool find();
  /// Moves the square that begins where `variables` has the two loops' variables.
  void move(mlir::OpBuilder &builder, const mlir::IRMapping &variables);

  /// Iterations of one of the two loops that a square takes.
  int64_t blockOf(mlir::affine::AffineForOp loop) const {
    if (loop == narrow)
      return present;
    return lanes / (loop == outer ? parts : laneParts);
  }
  /// The loop that has fewer iterations than a vector has lanes, if one has.
  mlir::affine::AffineForOp narrowLoop() const { return narrow; }
  int64_t numberBytes() const { return vectors.bytes / lanes; }
  /// Bytes of an element that is contiguous along the outer loop.
  int64_t elementBytes() const { return parts * numberBytes(); }
  /// Numbers by which the side that is contiguous along one of the two loops moves with another.
  int64_t strideOf(mlir::affine::AffineForOp along, mlir::affine::AffineForOp by);
  /// Whether elements along one of the two loops may move twice.
  bool mayRepeat(mlir::affine::AffineForOp loop);
  /// Whether what is stored is contiguous along the inner loop.
  bool storesAlongInner() const { return fromLines; }

private:
  /// Elements that move together: one real element, or both parts of a complex one.
  /// `line` is contiguous along the outer loop, lanes[part] along the inner one (one
  /// access for both parts where the lanes are interleaved as well).
  struct Group {
    Access line;
    llvm::SmallVector<Access> lanes;
  };

  /// Real elements of which one tensor is read along the one loop, and all else, if it moves, is
  /// read and stored along the other.
  struct Work {
    Access turned;
    llvm::DenseMap<mlir::Operation *, Access> others; ///< loads and stores
  };

  using Copies = llvm::SmallVectorImpl<std::pair<Access, Access>>;

  bool collect(Copies &copies);
  bool collectWork();
  bool group(Copies &copies);
  bool isContiguous(const Access &access, mlir::affine::AffineForOp loop, int64_t extent,
                    int64_t stride);
  bool staysAtEnd(const Access &access, mlir::affine::AffineForOp loop, int64_t extent,
                  int64_t stride);
  void findNarrow();
  /// A vector of an access that is contiguous along one of the loops.
  mlir::Value load(mlir::OpBuilder &builder, const Access &access, mlir::AffineMap map,
                   mlir::ValueRange operands, mlir::affine::AffineForOp along);
  void store(mlir::OpBuilder &builder, mlir::Value value, const Access &access, mlir::AffineMap map,
             mlir::ValueRange operands, mlir::affine::AffineForOp along);
  mlir::Value mask(mlir::OpBuilder &builder, mlir::Location where);
  /// What is transposed: all rows of a square, of which some may not be there.
  void fill(mlir::OpBuilder &builder, llvm::SmallVector<mlir::Value> &rows);
  llvm::SmallVector<mlir::Value> operandsOf(const Access &access, const mlir::IRMapping &variables);
  void moveGroup(mlir::OpBuilder &builder, const Group &group, const mlir::IRMapping &variables);
  void moveWork(mlir::OpBuilder &builder, const mlir::IRMapping &variables);
  void workRow(mlir::OpBuilder &builder, mlir::Value turned, int64_t row,
               const mlir::IRMapping &variables);

  mlir::affine::AffineForOp outer, inner;
  VectorUnit vectors;
  bool masked;
  mlir::affine::AffineForOp narrow; ///< the loop that has no whole vector, of
  int64_t present = 0;              ///< so many iterations
  AddressSpace space;
  llvm::SmallVector<Group> groups;
  std::optional<Work> work; ///< instead of groups
  bool fromLines = false;
  int64_t lanes = 0;
  int64_t parts = 1;     ///< reals in an element of a line
  int64_t laneParts = 1; ///< reals in an element of the lanes
};

} // namespace weft

#endif // WEFT_PASSES_VECTORS_SQUARECOPY_H
