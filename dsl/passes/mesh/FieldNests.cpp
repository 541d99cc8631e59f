//===- FieldNests.cpp - nests of a loop over time, and their accesses ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/FieldNests.h"

#include "passes/loops/LoopIndices.h"
#include "passes/mesh/CoreLoops.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

bool isWhole(Value array) {
  auto type = cast<MemRefType>(array.getType());
  bool isMade = isa<BlockArgument>(array) || array.getDefiningOp<memref::AllocOp>() ||
                array.getDefiningOp<memref::GetGlobalOp>();
  return isMade && type.hasStaticShape() && type.getLayout().isIdentity() &&
         llvm::all_of(array.getUsers(), [&](Operation *user) {
           return llvm::none_of(user->getResultTypes(), llvm::IsaPred<MemRefType>) ||
                  wholeArrayOf(user->getResult(0)) == array;
         });
}

IndexOf::IndexOf(Operation *access, unsigned dim) {
  auto [map, values] = indicesOf(access);
  expr = map.getResult(dim);
  operands = std::move(values);
}

bool IndexOf::isMadeOf(Value variable) const {
  bool found = false;
  expr.walk([&](AffineExpr one) {
    if (auto at = dyn_cast<AffineDimExpr>(one))
      found |= operands[at.getPosition()] == variable;
  });
  return found;
}

bool IndexOf::isMadeOfOthers(Value variable) const {
  bool found = false;
  expr.walk([&](AffineExpr one) {
    if (auto at = dyn_cast<AffineDimExpr>(one))
      found |= operands[at.getPosition()] != variable;
  });
  return found;
}

int64_t IndexOf::at(int64_t number) const {
  SmallVector<AffineExpr> numbers(operands.size(),
                                  getAffineConstantExpr(number, expr.getContext()));
  return cast<AffineConstantExpr>(expr.replaceDims(numbers)).getValue();
}

static unsigned rankOf(Value array) { return cast<MemRefType>(array.getType()).getRank(); }

std::optional<unsigned> dimOf(Operation *access, Value variable) {
  std::optional<unsigned> found;
  for (unsigned dim = 0; dim < rankOf(arrayOf(access)); ++dim)
    if (IndexOf(access, dim).isMadeOf(variable)) {
      if (found)
        return std::nullopt;
      found = dim;
    }
  return found;
}

bool isIndexedBy(Operation *access, Value variable) {
  for (unsigned dim = 0; dim < rankOf(arrayOf(access)); ++dim)
    if (IndexOf(access, dim).isMadeOf(variable))
      return true;
  return false;
}

int64_t pointsOf(AffineForOp loop) {
  int64_t inside = 1;
  for (auto inner : loop.getBody()->getOps<AffineForOp>())
    inside = std::max(inside, pointsOf(inner));
  return std::max<int64_t>(tripsOf(loop), 1) * inside;
}

SmallVector<AffineForOp> rowLoopsOf(AffineForOp root) {
  SmallVector<AffineForOp> loops;
  for (AffineForOp loop = root; loop && loop->hasAttr("weft.independent");) {
    if (!loop.hasConstantBounds() || loop.getStepAsInt() != 1 || loop.getNumIterOperands() != 0)
      break;
    loops.push_back(loop);
    if (!llvm::hasSingleElement(loop.getBody()->without_terminator()))
      break;
    loop = dyn_cast<AffineForOp>(loop.getBody()->front());
  }
  return loops;
}

bool goesAlong(Operation *access, AffineForOp loop) {
  Value variable = loop.getInductionVar();
  auto dim = dimOf(access, variable);
  if (!dim)
    return !isIndexedBy(access, variable) && isa<affine::AffineLoadOp>(access);
  auto index = loopIndices(access);
  return index && *dim + 1 == rankOf(arrayOf(access)) && index->back().factor == 1;
}

SmallVector<AffineForOp> lanesWithin(AffineForOp rows) {
  SmallVector<AffineForOp> found;
  rows->walk([&](AffineForOp loop) {
    bool combines = loop.getNumIterOperands() != 0;
    bool mayBe =
        loop != rows && loop.hasConstantBounds() && loop.getStepAsInt() == 1 &&
        (combines ? combinedOverCores(loop).has_value() : loop->hasAttr("weft.independent"));
    for (Operation &op : *loop.getBody())
      mayBe &= op.getNumRegions() == 0 &&
               (!isa<affine::AffineLoadOp, affine::AffineStoreOp>(op) || goesAlong(&op, loop));
    if (mayBe)
      found.push_back(loop);
  });
  return found;
}

Value wholeArrayOf(Value memref) {
  auto view = memref.getDefiningOp<memref::ReinterpretCastOp>();
  if (!view)
    return memref;
  auto from = dyn_cast<MemRefType>(view.getSource().getType()), to = view.getType();
  bool isAll = from && from.hasStaticShape() && to.hasStaticShape() &&
               from.getLayout().isIdentity() && to.getLayout().isIdentity() &&
               from.getNumElements() == to.getNumElements();
  return isAll ? wholeArrayOf(view.getSource()) : Value();
}

void forEachAccess(Value array, function_ref<void(Operation *)> visit) {
  for (Operation *user : array.getUsers()) {
    if (user->getNumResults() == 1 && isa<MemRefType>(user->getResult(0).getType()))
      forEachAccess(user->getResult(0), visit);
    else
      visit(user);
  }
}

void findCopy(FieldNest &nest) {
  SmallVector<AffineForOp> loops = perfectLoops(nest.root);
  if (loops.empty() || nest.isSum)
    return;
  auto body = loops.back().getBody()->without_terminator();
  if (!llvm::hasNItems(body, 2))
    return;
  auto load = dyn_cast<affine::AffineLoadOp>(*body.begin());
  auto store = dyn_cast<affine::AffineStoreOp>(*std::next(body.begin()));
  if (!load || !store || store.getValueToStore() != load)
    return;
  Value from = wholeArrayOf(load.getMemref()), to = wholeArrayOf(store.getMemref());
  auto shape = cast<MemRefType>(load.getMemref().getType()).getShape();
  if (!from || !to || from == to || from.getType() != to.getType() ||
      load.getMemref().getType() != store.getMemref().getType() || shape.size() != loops.size())
    return;
  auto ofLoad = loopIndices(load), ofStore = loopIndices(store);
  if (!ofLoad || !ofStore)
    return;
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    if (loop.getConstantUpperBound() != shape[dim] || loop.getStepAsInt() != 1)
      return;
    for (const LoopIndex &index : {(*ofLoad)[dim], (*ofStore)[dim]})
      if (index.value != loop.getInductionVar() || index.factor != 1 || index.constant != 0)
        return;
  }
  nest.to = to;
  nest.source = from;
}

template <typename Access> static bool accesses(const FieldNest &nest, Value array) {
  Operation *root = nest.root;
  bool found = false;
  forEachAccess(
      array, [&](Operation *user) { found |= isa<Access>(user) && root->isProperAncestor(user); });
  return found;
}

bool writes(const FieldNest &nest, Value array) {
  return accesses<affine::AffineStoreOp>(nest, array);
}

bool reads(const FieldNest &nest, Value array) {
  return accesses<affine::AffineLoadOp>(nest, array);
}

} // namespace weft
