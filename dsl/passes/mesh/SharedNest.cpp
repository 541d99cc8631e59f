//===- SharedNest.cpp - a nest that says how the mesh shares it ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/SharedNest.h"

#include "passes/lines/FilledLines.h"
#include "passes/loops/TurnLoops.h"
#include "passes/lowering/ContractionLoops.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

Indices Indices::of(Operation *access) {
  Indices indices;
  if (auto read = dyn_cast<affine::AffineReadOpInterface>(access)) {
    indices.map = read.getAffineMap();
    indices.operands = SmallVector<Value>(read.getMapOperands());
  } else {
    auto write = cast<affine::AffineWriteOpInterface>(access);
    indices.map = write.getAffineMap();
    indices.operands = SmallVector<Value>(write.getMapOperands());
  }
  affine::fullyComposeAffineMapAndOperands(&indices.map, &indices.operands);
  affine::canonicalizeMapAndOperands(&indices.map, &indices.operands);
  return indices;
}

AffineExpr Indices::exprOf(Value variable) const {
  MLIRContext *context = map.getContext();
  for (auto [number, operand] : llvm::enumerate(operands))
    if (operand == variable)
      return number < map.getNumDims() ? getAffineDimExpr(number, context)
                                       : getAffineSymbolExpr(number - map.getNumDims(), context);
  return getAffineConstantExpr(0, context);
}

static bool dependsOn(AffineExpr index, AffineExpr variable) {
  return index.replace(variable, getAffineConstantExpr(0, index.getContext())) != index;
}

std::optional<SharedNest> SharedNest::of(AffineForOp marked, Mesh whole) {
  SharedNest nest;
  nest.root = marked;
  nest.mesh = meshAt(marked, whole);
  while (auto around = dyn_cast<AffineForOp>(nest.root->getParentOp())) {
    if (around->hasAttr(inTurnMark) || !around->hasAttr("weft.independent"))
      break;
    nest.root = around;
  }
  for (AffineForOp loop = nest.root; loop;) {
    if (!loop.hasConstantBounds() || loop.getConstantLowerBound() != 0 || loop.getStepAsInt() != 1)
      return std::nullopt;
    if (loop->hasAttr(overRowsMark))
      nest.rows = loop;
    if (loop->hasAttr(overColumnsMark))
      nest.columns = loop;
    if (nest.rows && nest.columns)
      return nest;
    bool isBand = llvm::hasSingleElement(loop.getBody()->without_terminator());
    loop = isBand ? dyn_cast<AffineForOp>(loop.getBody()->front()) : AffineForOp();
  }
  return std::nullopt;
}

std::optional<unsigned> SharedNest::sharedDimOf(Value array) {
  std::optional<unsigned> shared;
  ArrayRef<int64_t> shape = cast<MemRefType>(array.getType()).getShape();
  bool all = true;
  root.walk([&](Operation *access) {
    if (accessedArray(access) != array)
      return;
    all &= isa<affine::AffineLoadOp, affine::AffineStoreOp>(access);
    Indices indices = Indices::of(access);
    AffineExpr row = indices.exprOf(rows.getInductionVar());
    AffineExpr column = indices.exprOf(columns.getInductionVar());
    std::optional<unsigned> here;
    for (auto [number, index] : llvm::enumerate(indices.map.getResults())) {
      bool isRow = index == row, isColumn = index == column;
      if (isColumn && !here)
        here = number;
      else if (number == 0 ? !isRow : dependsOn(index, row) || dependsOn(index, column))
        all = false;
    }
    all &= here && *here != 0 && (!shared || *shared == *here);
    shared = here;
  });
  if (!all || !shared || shape[0] != tripsOf(rows) || shape[0] % mesh.rows != 0 ||
      shape[*shared] % mesh.columns != 0 || tripsOf(columns) > shape[*shared])
    return std::nullopt;
  return shared;
}

} // namespace weft
