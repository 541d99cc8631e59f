//===- VectorAccess.h - vectors of arrays in memory --------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_VECTORACCESS_H
#define WEFT_TARGETS_COMMON_VECTORACCESS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <optional>

namespace weft {

struct VectorAccess {
  mlir::Value memref;
  mlir::AffineExpr address; ///< in elements
  mlir::SmallVector<mlir::Value> operands;
  bool isStore = false;
};

/// Of a load or store of a vector.
std::optional<VectorAccess> accessOf(mlir::Operation *op);
/// Of a load of a number.
std::optional<VectorAccess> accessOf(mlir::affine::AffineLoadOp load);

/// Bytes that a load or store of a vector moves.
int64_t vectorBytes(mlir::Operation *op);

/// Bytes of a vector under a mask: of all lanes where it is not known which.
int64_t bytesUnder(mlir::VectorType type, mlir::Value mask);

/// Bytes by which an address moves with one iteration; nothing where that varies.
std::optional<int64_t> advance(const VectorAccess &access, mlir::affine::AffineForOp loop);

/// Elements from one address to another; nothing where that varies.
std::optional<int64_t> distance(const VectorAccess &from, const VectorAccess &to);

/// The loops around an op that are in `outer`, the innermost first.
llvm::SmallVector<mlir::affine::AffineForOp> loopsIn(mlir::affine::AffineForOp outer,
                                                     mlir::Operation *op);

/// The address with the variables of loops in `outer` at their begin.
mlir::AffineExpr addressAtBegin(const VectorAccess &access, mlir::affine::AffineForOp outer);

/// The innermost loop around an op whose iterations are blocks: it has arrays of their own, other
/// than slices of larger ones. Null where there is none.
mlir::affine::AffineForOp blockAround(mlir::Operation *op);

/// Whether `op`, or what is in it, touches the array; `loads` asks for loads only.
bool touches(mlir::Operation *op, mlir::Value array, bool loads);

/// An access of an array in memory that a cache of so many bytes does not hold.
std::optional<VectorAccess> accessBeyond(mlir::Operation *op, int64_t cacheBytes);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_VECTORACCESS_H
