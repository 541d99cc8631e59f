//===- Placement.cpp - where what a block makes lies ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/Placement.h"

using namespace mlir;

namespace weft {

AffineMap Placement::indexOf(AffineMap store) const {
  SmallVector<AffineExpr> dims(origin.size(), getAffineConstantExpr(0, store.getContext()));
  llvm::append_range(dims, store.getResults());
  return place.replaceDimsAndSymbols(dims, {}, store.getNumDims(), 0);
}

Placement Placement::of(AffineMap part, ArrayRef<Value> partOrigin) const {
  unsigned before = origin.size();
  SmallVector<AffineExpr> dims;
  for (unsigned n = 0; n < before; ++n)
    dims.push_back(getAffineDimExpr(n, part.getContext()));
  for (AffineExpr expr : part.getResults())
    dims.push_back(expr.shiftDims(part.getNumDims(), before));
  Placement found{buffer, place.replaceDimsAndSymbols(dims, {}, before + part.getNumDims(), 0),
                  origin, shape};
  llvm::append_range(found.origin, partOrigin);
  return found;
}

} // namespace weft
