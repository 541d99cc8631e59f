//===- WrittenTerms.cpp - short sums within points, term by term ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/WrittenTerms.h"

#include "passes/loops/LoopIndices.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// Operations of all terms of a sum that is written out, at most: a window of 11x11 elements with
/// its weights. Bodies have to stay within what cores keep of their instructions.
constexpr int64_t mostOperations = 512;

bool isMadeOf(AffineExpr expr, ArrayRef<Value> operands, Value variable, bool ofOthers) {
  bool found = false;
  expr.walk([&](AffineExpr one) {
    if (auto at = dyn_cast<AffineDimExpr>(one))
      found |= (operands[at.getPosition()] == variable) != ofOthers;
  });
  return found;
}

bool isMixed(AffineExpr expr, ArrayRef<Value> operands, Value variable) {
  return isMadeOf(expr, operands, variable, false) && isMadeOf(expr, operands, variable, true);
}

bool isRemainder(AffineExpr expr) {
  return expr.getKind() == AffineExprKind::Mod || expr.getKind() == AffineExprKind::FloorDiv;
}

/// Whether an index of the loop's body needs what the loop's variable is.
bool isWindow(AffineForOp loop, Windows which) {
  Value variable = loop.getInductionVar();
  bool found = false;
  loop->walk([&](Operation *op) {
    if (!isa<affine::AffineLoadOp>(op))
      return;
    auto [map, operands] = indicesOf(op);
    for (AffineExpr index : map.getResults()) {
      if (which == Windows::All)
        found |= isMixed(index, operands, variable);
      index.walk([&, &values = operands](AffineExpr part) {
        found |= isRemainder(part) && isMixed(part, values, variable);
      });
    }
  });
  return found;
}

/// A body of operations alone, few in all terms together, that carry something.
bool isShort(AffineForOp loop) {
  if (loop.getNumIterOperands() == 0 || loop->hasAttr("weft.independent"))
    return false;
  int64_t operations = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumRegions() != 0)
      return false;
    operations += isa<arith::ConstantOp, affine::AffineApplyOp>(op) ? 0 : 1;
  }
  auto trips = static_cast<int64_t>(affine::getConstantTripCount(loop).value_or(0));
  return trips >= 1 && trips * operations <= mostOperations;
}

/// Indices of which constants are part say so.
void settleIndices(Operation *root) {
  root->walk([](Operation *op) {
    auto settle = [&](auto access, MutableOperandRange operandsOf) {
      AffineMap map = access.getAffineMap();
      SmallVector<Value> operands(access.getMapOperands());
      affine::fullyComposeAffineMapAndOperands(&map, &operands);
      affine::canonicalizeMapAndOperands(&map, &operands);
      access.setMap(map);
      operandsOf.assign(operands);
    };
    if (auto load = dyn_cast<affine::AffineLoadOp>(op))
      settle(load, load.getIndicesMutable());
    else if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      settle(apply, apply.getMapOperandsMutable());
  });
}

} // namespace

bool writeOutTerms(Operation *root, Windows which, function_ref<void(AffineForOp)> say) {
  SmallVector<AffineForOp> loops;
  root->walk([&](AffineForOp loop) { loops.push_back(loop); }); // inner ones first
  bool isAny = false;
  for (AffineForOp loop : loops) {
    if (!isShort(loop) || !isWindow(loop, which))
      continue;
    say(loop);
    Operation *around = loop->getParentOp();
    (void)affine::loopUnrollFull(loop);
    settleIndices(around);
    isAny = true;
  }
  return isAny;
}

} // namespace weft
