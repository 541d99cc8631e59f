//===- CutMaps.h - a map for a part of its points -----------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_CUTMAPS_H
#define WEFT_PASSES_CONTRACTIONS_CUTMAPS_H

#include "passes/Passes.h"

namespace weft {

/// Of a dimension of a map, `width` points from `scale` times the origin, and `offset`, on.
struct DimCut {
  unsigned dim;
  int64_t width;
  mlir::Value origin;
  int64_t scale = 1, offset = 0;
};

/// The same map for the points of the cuts, with a result of `shape` that its own `stores` fill,
/// and `init`, if there is one. An index of a cut dimension is `origin * scale + own + offset`,
/// made by an `affine.apply` of these two operands.
MapOp cutMap(mlir::OpBuilder &builder, MapOp old, llvm::ArrayRef<DimCut> cuts,
             llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<mlir::AffineMap> stores,
             mlir::Value init = {});

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_CUTMAPS_H
