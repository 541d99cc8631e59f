//===- PointBody.h - the body of a map, on buffers --------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The inside of `lower-to-loops`: what one point of a map computes, written with
// loads from buffers and real arithmetic. A complex value is a pair of reals.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_POINTBODY_H
#define WEFT_PASSES_LOWERING_POINTBODY_H

#include "passes/loops/Buffers.h"

#include "mlir/IR/IRMapping.h"

#include <functional>

namespace weft {

/// A scalar under lowering: one real number (or integer, index), or a pair.
struct Scalar {
  mlir::Value real;
  mlir::Value imaginary; ///< null unless complex
};

/// Two values of one reduction combined; `kind` is sum, prod, max or min.
Scalar combineScalars(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef kind,
                      Scalar left, Scalar right);

class PointBody {
public:
  /// The buffer that holds a tensor; an index of the tensor becomes one of the buffer.
  using BufferOf = std::function<mlir::FailureOr<Buffer>(
      mlir::Value tensor, llvm::SmallVector<mlir::OpFoldResult> &index)>;

  /// Reductions along contiguous data become lane loops where they have at least so many
  /// iterations; 0: never, since a loop around them is the lane loop.
  int64_t reductionLanes = 0;
  /// Lanes may be picked from vectors: data that lies a few elements apart counts as contiguous.
  bool picked = false;

  /// `scalars` maps what is already lowered (outer loop variables, outer scalars).
  PointBody(mlir::OpBuilder &builder, mlir::IRMapping &scalars,
            llvm::DenseMap<mlir::Value, Scalar> &pairs, BufferOf bufferOf)
      : builder(builder), scalars(scalars), pairs(pairs), bufferOf(std::move(bufferOf)) {}

  /// Lowers one op that computes scalars; fails with an error at the op.
  mlir::LogicalResult lower(mlir::Operation *op);

  /// The lowered form of a scalar of the old IR.
  Scalar get(mlir::Value old);

  void store(mlir::Location loc, Scalar value, Buffer buffer,
             llvm::ArrayRef<mlir::OpFoldResult> index);

  /// The results of an affine map at lowered operands, as indices.
  llvm::SmallVector<mlir::OpFoldResult> indices(mlir::Location loc, mlir::AffineMap map,
                                                mlir::ValueRange operands);

private:
  mlir::LogicalResult lowerExtract(mlir::tensor::ExtractOp op);
  mlir::LogicalResult lowerReduce(ReduceOp op);
  mlir::LogicalResult lowerApply(mlir::affine::AffineApplyOp op);

  mlir::OpBuilder &builder;
  mlir::IRMapping &scalars;
  llvm::DenseMap<mlir::Value, Scalar> &pairs;
  BufferOf bufferOf;
};

} // namespace weft

#endif // WEFT_PASSES_LOWERING_POINTBODY_H
