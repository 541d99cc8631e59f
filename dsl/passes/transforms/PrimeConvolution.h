//===- PrimeConvolution.h - what convolutions of primes share --------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A stage whose radix is a prime without a butterfly is a cyclic convolution with a known vector,
// by two transforms of a length that has butterflies (Bluestein.h, Rader.h).
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_PRIMECONVOLUTION_H
#define WEFT_PASSES_TRANSFORMS_PRIMECONVOLUTION_H

#include "passes/transforms/ButterflyMaps.h"
#include "passes/transforms/Stages.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace weft {

/// A map of one element to one, over a part of its result or all of it, in a chain.
class ElementMap {
public:
  /// Over points from `lower` to `upper`; goes on with `init` where there is one.
  ElementMap(const Chain &chain, mlir::RankedTensorType result, llvm::ArrayRef<int64_t> lower,
             llvm::ArrayRef<int64_t> upper, mlir::Value init = {});

  mlir::AffineExpr dim(int64_t n) { return inner.getAffineDimExpr(n); }
  mlir::Location location() { return unnamed(chain.location); }
  mlir::ValueRange point() { return map.bodyBlock()->getArguments(); }
  Parts load(mlir::Value tensor, llvm::ArrayRef<mlir::AffineExpr> indices) {
    return arithmetic->split(extractAt(inner, location(), tensor, indices, point()));
  }
  /// The map's result, as a stage of the chain.
  mlir::Value finish(Parts value, llvm::ArrayRef<mlir::AffineExpr> store, int64_t innerDims,
                     int64_t innerIn);
  /// The same of a map at the edge of one.
  mlir::Value finish(Parts value, llvm::ArrayRef<mlir::AffineExpr> store);

  mlir::OpBuilder inner{static_cast<mlir::MLIRContext *>(nullptr)};
  std::optional<RealBuilder> arithmetic;
  const Chain &chain;
  MapOp map;
};

/// The stage of radix `prime` after `done`, with the meaning of `weft.butterfly`. Its lines are
/// along the axis of [pre..., prime * lines, post...]; arrays of the convolution are
/// [pre..., length, lines, post...], without `lines` where there is one.
class PrimeConvolution {
protected:
  /// By transforms of `radices`, or of `coprime` ones in the other order on the way back.
  PrimeConvolution(const Chain &chain, mlir::Value input, int64_t prime, int64_t done, int64_t sign,
                   llvm::ArrayRef<int64_t> radices, bool coprime = false);

  int64_t axis() const { return chain.axis; }
  /// Index k of the axis of the stage's input, at the point of a stage of the convolution.
  llvm::SmallVector<mlir::AffineExpr> inputIndices(StageBody &body, mlir::AffineExpr k) const;
  /// The convolution's first transform; `load` gives the inputs of its first stage.
  mlir::Value transformed(llvm::function_ref<Parts(StageBody &, int64_t)> load);
  /// Times `factors`, which have been transformed themselves, and 1/length.
  mlir::Value multiplied(mlir::Value input, std::vector<Exact> factors);
  mlir::Value inverse(mlir::Value value);

  /// A constant tensor.
  mlir::Value table(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                    const std::vector<Exact> &values);
  /// Transforms of this prime whose results are turned by different roots.
  int64_t count() const { return lines / done; }

  /// A map over results y_j of the stage, [pre..., j, p, l, post...].
  class Results {
  public:
    /// For j in `first` to `last`; goes on with `init` where there is one.
    Results(PrimeConvolution &stage, int64_t first, int64_t last, mlir::Value init = {});

    /// An element of the convolution's array, at the map's line.
    Parts at(mlir::Value array, mlir::AffineExpr index);
    Parts at(mlir::Value array, mlir::Value index);
    /// Point k of the line in the stage's input.
    Parts input(int64_t k);
    /// Stores `value` times values[j - first] and what is due to the stages that follow, w^(j*p).
    mlir::Value finish(Parts value, llvm::ArrayRef<Exact> values);

    mlir::AffineExpr j, p, l;
    ElementMap map;

  private:
    llvm::SmallVector<mlir::AffineExpr> onOwnLine(mlir::AffineExpr index);
    llvm::SmallVector<mlir::AffineExpr> around(llvm::ArrayRef<mlir::AffineExpr> axes);
    PrimeConvolution &stage;
    int64_t first, last;
  };

  const Chain &chain;
  mlir::Value given; ///< the stage's input
  mlir::RankedTensorType type, padded;
  mlir::ComplexType element;
  int64_t prime, done, sign;
  llvm::SmallVector<int64_t> radices; ///< of the convolution's transform
  bool coprime;
  int64_t length; ///< their product
  int64_t lines;  ///< transforms of length `prime` in one line: (p, l)
  int64_t innerDims;
};

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_PRIMECONVOLUTION_H
