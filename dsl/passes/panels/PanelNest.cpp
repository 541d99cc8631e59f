//===- PanelNest.cpp - products of matrices as loops ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "passes/panels/PanelLoops.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static Value variableOf(AffineForOp loop) { return loop.getInductionVar(); }

std::optional<PanelAccess> PanelAccess::of(Operation *op) {
  Value memref = arrayOf(op);
  PanelAccess access;
  access.memref = rootOf(memref);
  auto type = cast<MemRefType>(memref.getType()), whole = cast<MemRefType>(access.memref.getType());
  if (!type.hasStaticShape() || !whole.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getNumElements() != whole.getNumElements() || cpe::isInLdm(memref))
    return std::nullopt;
  auto [map, operands] = indicesOf(op);
  AffineExpr place = getAffineConstantExpr(0, map.getContext());
  for (auto [index, extent] : llvm::zip_equal(map.getResults(), type.getShape()))
    place = place * extent + index;
  access.operands = operands;
  access.place = simplifyAffineExpr(place, operands.size(), 0);
  return access;
}

std::optional<int64_t> PanelAccess::constant() const {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(place, operands.size(), 0, &flat)) ||
      flat.size() != operands.size() + 1)
    return std::nullopt;
  return flat.back();
}

int64_t PanelAccess::strideOf(Value value) const {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(place, operands.size(), 0, &flat)) ||
      flat.size() != operands.size() + 1)
    return -1;
  int64_t stride = 0;
  for (auto [operand, factor] : llvm::zip(operands, flat))
    if (operand == value)
      stride += factor;
  return stride;
}

ProductShape PanelNest::shape() const {
  Value row = variableOf(rows), term = variableOf(terms);
  bool leftAlongTerms = left.strideOf(term) == 1;
  return {batch ? tripsOf(batch) : 1,
          tripsOf(rows),
          tripsOf(columns),
          tripsOf(terms),
          elementBytes(result.memref),
          leftAlongTerms,
          left.strideOf(leftAlongTerms ? row : term),
          right.strideOf(term),
          result.strideOf(row)};
}

const char *PanelNest::problem() const {
  ProductShape all = shape();
  Value row = variableOf(rows), column = variableOf(columns), term = variableOf(terms);
  if (left.strideOf(column) != 0 || right.strideOf(row) != 0)
    return "its factors are not of rows and of columns";
  if (right.strideOf(column) != 1 || result.strideOf(column) != 1)
    return "columns do not lie side by side in memory";
  if (right.strideOf(term) < all.columns || result.strideOf(row) < all.columns)
    return "rows of columns overlap in memory";
  bool alongTerms = left.strideOf(term) == 1 && left.strideOf(row) >= all.terms;
  bool alongRows = left.strideOf(row) == 1 && left.strideOf(term) >= all.rows;
  if (!alongTerms && !alongRows)
    return "neither rows nor terms of the left factor lie side by side in memory";
  return nullptr;
}

} // namespace weft
