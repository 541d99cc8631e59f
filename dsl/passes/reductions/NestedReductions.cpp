//===- NestedReductions.cpp - reductions of many numbers each, in blocks -------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/reductions/BlockedReduction.h"

#include "dialect/Cpe.h"
#include "passes/loops/Hoist.h"
#include "passes/transfers/Footprint.h"
#include "passes/vectors/LaneBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// A nest of loops whose iterations are independent, and the loop in it that combines numbers.
class NestedReductions {
public:
  NestedReductions(AffineForOp loop, int64_t bytesOfCore) : loop(loop), bytesOfCore(bytesOfCore) {}

  bool analyse();
  void rewrite();
  AffineForOp reduction() { return loop; }
  int64_t results() const;
  int64_t iterationsOfBlock();
  int64_t blocks() { return std::min(reductionBlocks, tripsOf(loop) / iterationsOfBlock()); }

private:
  bool findAround();
  bool isPlain();
  bool pays(int64_t operations);
  SmallVector<Value> emitBlocks();
  void combine(ArrayRef<Value> ofBlocks);
  /// The variables of the loops around, counted from 0, behind a block's number.
  std::pair<AffineMap, SmallVector<Value>> place(Value block, ArrayRef<Value> variables);
  SmallVector<Value> variables(const IRMapping *mapping = nullptr) const;

  AffineForOp loop;
  int64_t bytesOfCore;
  SmallVector<AffineForOp> around; ///< outermost first
  SmallVector<Reduction> reductions;
};

int64_t NestedReductions::results() const {
  int64_t all = 1;
  for (AffineForOp one : around)
    all *= tripsOf(one);
  return all;
}

/// One of two lengths, by what the longest block and what is left behind the last one, which is
/// done when all blocks are, take together: 191 iterations are 63 blocks of 3 and 2 left rather
/// than 64 blocks of 2 and 63 left.
int64_t NestedReductions::iterationsOfBlock() {
  int64_t trips = tripsOf(loop), shorter = trips / reductionBlocks, longer = shorter + 1;
  int64_t left = trips - reductionBlocks * shorter;
  return shorter + left <= longer + trips % longer ? shorter : longer;
}

/// Whether anything is said of a loop but what it is: a mark of a schedule names it.
bool isNamed(AffineForOp loop) {
  return llvm::any_of(loop->getDiscardableAttrs(), [](NamedAttribute mark) {
    return mark.getName() != "weft.independent" && mark.getName() != "weft.lane" &&
           mark.getName() != "weft.reassociate";
  });
}

bool NestedReductions::findAround() {
  for (auto outer = dyn_cast<AffineForOp>(loop->getParentOp());
       outer && outer->hasAttr("weft.independent");
       outer = dyn_cast<AffineForOp>(outer->getParentOp())) {
    if (!outer.hasConstantBounds() || outer.getStepAsInt() != 1 ||
        outer.getNumIterOperands() != 0 || isNamed(outer))
      return false;
    around.insert(around.begin(), outer);
  }
  return !around.empty();
}

/// Whether nothing but the reduction, what it needs and what is stored of it is in the nest, and
/// nothing that is stored is read.
bool NestedReductions::isPlain() {
  llvm::SmallDenseSet<Value> stored, loaded;
  WalkResult walked = around.front().walk([&](Operation *op) {
    if (auto store = dyn_cast<affine::AffineStoreOp>(op)) {
      stored.insert(store.getMemRef());
      return WalkResult::advance();
    }
    if (auto load = dyn_cast<affine::AffineLoadOp>(op))
      loaded.insert(load.getMemRef());
    else if (auto data = dyn_cast<memref::LoadOp>(op))
      loaded.insert(data.getMemRef());
    else if (auto inner = dyn_cast<AffineForOp>(op)) {
      bool isKnown = inner == loop || llvm::is_contained(around, inner) || loop->isAncestor(inner);
      return isKnown ? WalkResult::advance() : WalkResult::interrupt();
    } else if (!isMemoryEffectFree(op))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !walked.wasInterrupted() &&
         llvm::none_of(stored, [&](Value array) { return loaded.contains(array); });
}

bool NestedReductions::pays(int64_t operations) {
  // Where each core has a column at least without blocks, these are longer.
  constexpr int64_t fewest = 1 << 13, few = 2, many = 8; // operations, iterations of a block
  int64_t ofBlock = tripsOf(loop) / reductionBlocks;
  if (operations < fewest || ofBlock < (results() < reductionBlocks ? few : many))
    return false;
  // Rows: the innermost loop of what is combined is contiguous.
  WalkResult rows = loop->walk([](AffineForOp one) {
    return one->hasAttr("weft.reassociate") ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!rows.wasInterrupted())
    return true;
  int64_t bytes = 0;
  loop.walk([&](affine::AffineLoadOp load) {
    int64_t times = 1;
    for (auto one = load->getParentOfType<AffineForOp>(); loop->isAncestor(one);
         one = one->getParentOfType<AffineForOp>())
      times *= tripsOf(one);
    bytes += times * elementBytes(load.getMemRef());
  });
  return bytes > bytesOfCore || results() == 1;
}

bool NestedReductions::analyse() {
  // What blocks come to is an eighth of what they read at most, where that is much.
  constexpr int64_t mostShort = 1024, fewestLong = 1024;
  if (loop.getNumIterOperands() == 0 || loop->hasAttr("weft.independent") || isNamed(loop) ||
      !findAround() || (results() > mostShort && tripsOf(loop) < fewestLong))
    return false;
  std::optional<int64_t> operations = reducedOperations(loop);
  if (!operations || !pays(*operations * results()) || !isPlain())
    return false;
  for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    Operation *combine = freeCombiner(loop, number, false);
    if (!combine)
      return false;
    reductions.push_back({carried, combine});
  }
  return true;
}

SmallVector<Value> NestedReductions::variables(const IRMapping *mapping) const {
  SmallVector<Value> found;
  for (AffineForOp one : around) {
    Value variable = one.getInductionVar();
    found.push_back(mapping ? mapping->lookup(variable) : variable);
  }
  return found;
}

std::pair<AffineMap, SmallVector<Value>> NestedReductions::place(Value block,
                                                                 ArrayRef<Value> variables) {
  MLIRContext *context = loop.getContext();
  SmallVector<AffineExpr> indices{getAffineDimExpr(0, context)};
  SmallVector<Value> operands{block};
  for (auto [number, one] : llvm::enumerate(around)) {
    indices.push_back(getAffineDimExpr(number + 1, context) -
                      AffineForOp(one).getConstantLowerBound());
    operands.push_back(variables[number]);
  }
  return {AffineMap::get(operands.size(), 0, indices, context), operands};
}

/// What each block comes to: an array for each number that the loop carries.
SmallVector<Value> NestedReductions::emitBlocks() {
  AffineForOp outermost = around.front();
  Location where = loop.getLoc();
  OpBuilder builder(outermost);
  SmallVector<int64_t> shape{blocks()};
  for (AffineForOp one : around)
    shape.push_back(tripsOf(one));
  SmallVector<Value> arrays, neutral;
  for (const Reduction &reduction : reductions) {
    auto type = MemRefType::get(shape, reduction.carried.getType());
    arrays.push_back(memref::AllocOp::create(builder, where, type));
    neutral.push_back(arith::ConstantOp::create(builder, where, reduction.neutral(builder)));
  }
  auto shared = AffineForOp::create(builder, where, 0, blocks());
  shared->setAttr("weft.independent", builder.getUnitAttr());
  builder.setInsertionPointToStart(shared.getBody());
  IRMapping mapping;
  auto nest = cast<AffineForOp>(builder.clone(*outermost, mapping));
  auto part = cast<AffineForOp>(mapping.lookup(loop.getOperation()));
  SmallVector<affine::AffineStoreOp> stores;
  nest.walk([&](affine::AffineStoreOp store) { stores.push_back(store); });
  for (affine::AffineStoreOp store : stores)
    store.erase();
  // The part of a block: its variable is the one that the loop had.
  int64_t each = iterationsOfBlock(), first = loop.getConstantLowerBound();
  part.getInitsMutable().assign(neutral);
  part.setConstantLowerBound(0);
  part.setConstantUpperBound(each);
  builder.setInsertionPointToStart(part.getBody());
  AffineMap at = AffineMap::get(
      2, 0, builder.getAffineDimExpr(0) * each + builder.getAffineDimExpr(1) + first);
  auto apply = affine::AffineApplyOp::create(
      builder, where, at, ValueRange{shared.getInductionVar(), part.getInductionVar()});
  part.getInductionVar().replaceAllUsesExcept(apply, apply);
  builder.setInsertionPointAfter(part);
  auto [map, operands] = place(shared.getInductionVar(), variables(&mapping));
  for (auto [result, array] : llvm::zip(part.getResults(), arrays))
    affine::AffineStoreOp::create(builder, where, result, array, map, operands);
  eraseUnused(nest);
  return arrays;
}

/// In the place of the loop: what the blocks have come to, and the iterations behind them.
void NestedReductions::combine(ArrayRef<Value> ofBlocks) {
  OpBuilder builder(loop);
  AffineForOp all = combineBlocks(builder, loop.getLoc(), loop.getInits(), reductions, blocks(),
                                  ofBlocks, [&](Value block) { return place(block, variables()); });
  int64_t rest = loop.getConstantLowerBound() + blocks() * iterationsOfBlock();
  if (rest == loop.getConstantUpperBound()) {
    loop->replaceAllUsesWith(all.getResults());
    loop.erase();
    return;
  }
  loop.getInitsMutable().assign(all.getResults());
  loop.setConstantLowerBound(rest);
}

void NestedReductions::rewrite() { combine(emitBlocks()); }

} // namespace

void reduceManyInBlocks(Operation *root, int64_t bytesOfCore, const Notes &notes) {
  std::vector<NestedReductions> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<cpe::CoresOp>(op))
      return WalkResult::skip(); // shared out already
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop)
      return WalkResult::advance();
    NestedReductions nested(loop, bytesOfCore);
    if (!nested.analyse())
      return WalkResult::advance();
    found.push_back(std::move(nested));
    return WalkResult::skip();
  });
  for (NestedReductions &nested : found) {
    AffineForOp loop = nested.reduction();
    notes.decided(loop, "{0}: in blocks, which cores share", spokenLoop(loop.getInductionVar()))
        .because("{0} blocks of {1} iterations each, of {2} results", nested.blocks(),
                 nested.iterationsOfBlock(), nested.results())
        .number("blocks", nested.blocks());
    nested.rewrite();
  }
}

} // namespace weft
