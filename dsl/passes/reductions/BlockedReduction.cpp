//===- BlockedReduction.cpp - long reductions in blocks ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/reductions/BlockedReduction.h"

#include "dialect/Cpe.h"
#include "passes/vectors/LaneBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// A function such as exp counts as so many operations.
static constexpr int64_t functionOperations = 16;

std::optional<int64_t> reducedOperations(AffineForOp loop) {
  if (!loop.hasConstantBounds() || loop.getStepAsInt() != 1)
    return std::nullopt;
  int64_t operations = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto inner = dyn_cast<AffineForOp>(op)) {
      std::optional<int64_t> all = reducedOperations(inner);
      if (!all)
        return std::nullopt;
      operations += *all;
      continue;
    }
    if (op.getNumRegions() != 0 ||
        !(isMemoryEffectFree(&op) || isa<affine::AffineLoadOp, memref::LoadOp>(op)))
      return std::nullopt;
    bool isFunction = isa<math::MathDialect>(op.getDialect()) && !isa<math::FmaOp>(op);
    operations += isFunction ? functionOperations : 1;
  }
  return operations * (loop.getConstantUpperBound() - loop.getConstantLowerBound());
}

Operation *freeCombiner(AffineForOp loop, unsigned number, bool isMarked) {
  Value carried = loop.getRegionIterArgs()[number];
  Value next = loop.getBody()->getTerminator()->getOperand(number);
  Operation *made = next.getDefiningOp();
  if (!made || made->getBlock() != loop.getBody() || !next.hasOneUse() || !carried.hasOneUse() ||
      *carried.user_begin() != made)
    return nullptr;
  if (auto inner = dyn_cast<AffineForOp>(made)) {
    unsigned result = cast<OpResult>(next).getResultNumber();
    return inner.getInits()[result] == carried ? freeCombiner(inner, result, isMarked) : nullptr;
  }
  bool isFree = !isMarked || loop->hasAttr("weft.reassociate");
  return isFree && Reduction::mayCombine(made) ? made : nullptr;
}

AffineForOp
combineBlocks(OpBuilder &builder, Location where, ValueRange inits, ArrayRef<Reduction> reductions,
              int64_t blocks, ArrayRef<Value> arrays,
              llvm::function_ref<std::pair<AffineMap, SmallVector<Value>>(Value)> place) {
  return AffineForOp::create(
      builder, where, 0, blocks, 1, inits,
      [&](OpBuilder &inside, Location, Value block, ValueRange carried) {
        auto [map, operands] = place(block);
        SmallVector<Value> next;
        for (auto [reduction, array, before] : llvm::zip(reductions, arrays, carried)) {
          Value one = affine::AffineLoadOp::create(inside, where, array, map, operands);
          next.push_back(reduction.combined(inside, before, one));
        }
        affine::AffineYieldOp::create(inside, where, next);
      });
}

namespace {

constexpr int64_t blocks = reductionBlocks;
/// When a sharing pays.
struct Bounds {
  int64_t granule;      ///< iterations of a block are so many times some: whole vectors
  int64_t fewest;       ///< operations of all iterations
  int64_t fewestInLoop; ///< the same in a loop, over time say, which cores may run as a whole
};

constexpr Bounds boundsOf(Sharing sharing) {
  return sharing == Sharing::Cores ? Bounds{8, 1 << 13, 1 << 15} : Bounds{128, 1 << 19, 1 << 19};
}

class BlockedReduction {
public:
  BlockedReduction(AffineForOp loop, Sharing sharing)
      : loop(loop), sharing(sharing), builder(loop) {}

  bool analyse();
  void rewrite();
  Location where() { return loop.getLoc(); }
  std::string name() { return spokenLoop(loop.getInductionVar()); }
  int64_t iterationsOfBlock() {
    int64_t granule = isNest ? 1 : boundsOf(sharing).granule;
    return trips() / blocks / granule * granule;
  }

private:
  int64_t fewestOperations() {
    Bounds bounds = boundsOf(sharing);
    return loop->getParentOfType<AffineForOp>() ? bounds.fewestInLoop : bounds.fewest;
  }
  int64_t trips() { return loop.getConstantUpperBound() - loop.getConstantLowerBound(); }
  SmallVector<Value> emitBlocks();
  ValueRange emitLoop(int64_t lower, int64_t upper, ValueRange inits, AffineMap place,
                      ValueRange outer);

  AffineForOp loop;
  Sharing sharing;
  bool isNest = false; ///< there are loops in it
  OpBuilder builder;
  SmallVector<Reduction> reductions;
};

bool BlockedReduction::analyse() {
  if (loop.getNumIterOperands() == 0)
    return false;
  for (Operation *around = loop->getParentOp(); around; around = around->getParentOp())
    if (around->hasAttr("weft.independent"))
      return false;
  isNest = !loop.getBody()->getOps<AffineForOp>().empty();
  std::optional<int64_t> operations = reducedOperations(loop);
  if (!operations || *operations < fewestOperations())
    return false;
  for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    Operation *combine = freeCombiner(loop, number, true);
    if (!combine)
      return false;
    reductions.push_back({carried, combine});
  }
  return iterationsOfBlock() > 0;
}

/// The loop once more over some of its iterations: `place` of `outer` and of the loop's own
/// variable is the variable that it had.
ValueRange BlockedReduction::emitLoop(int64_t lower, int64_t upper, ValueRange inits,
                                      AffineMap place, ValueRange outer) {
  auto part = AffineForOp::create(builder, loop.getLoc(), lower, upper, 1, inits,
                                  [](OpBuilder &, Location, Value, ValueRange) {});
  part->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  part.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  OpBuilder inside = OpBuilder::atBlockBegin(part.getBody());
  SmallVector<Value> operands(outer);
  operands.push_back(part.getInductionVar());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(),
              affine::AffineApplyOp::create(inside, loop.getLoc(), place, operands).getResult());
  mapping.map(loop.getRegionIterArgs(), part.getRegionIterArgs());
  for (Operation &op : *loop.getBody())
    inside.clone(op, mapping);
  return part.getResults();
}

/// What each block comes to, an array for each number that the loop carries.
SmallVector<Value> BlockedReduction::emitBlocks() {
  Location where = loop.getLoc();
  SmallVector<Value> arrays, neutral;
  for (const Reduction &reduction : reductions) {
    auto type = MemRefType::get({blocks}, reduction.carried.getType());
    // What cores pass on lies in main memory.
    arrays.push_back(sharing == Sharing::Cores
                         ? memref::AllocOp::create(builder, where, type).getResult()
                         : memref::AllocaOp::create(builder, where, type).getResult());
    neutral.push_back(arith::ConstantOp::create(builder, where, reduction.neutral(builder)));
  }
  auto shared = AffineForOp::create(builder, where, 0, blocks);
  shared->setAttr("weft.independent", builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(shared.getBody());
  int64_t each = iterationsOfBlock();
  AffineMap place = AffineMap::get(2, 0,
                                   builder.getAffineDimExpr(0) * each +
                                       builder.getAffineDimExpr(1) + loop.getConstantLowerBound());
  ValueRange results = emitLoop(0, each, neutral, place, shared.getInductionVar());
  for (auto [result, array] : llvm::zip(results, arrays))
    affine::AffineStoreOp::create(builder, where, result, array, shared.getInductionVar());
  return arrays;
}

void BlockedReduction::rewrite() {
  SmallVector<Value> arrays = emitBlocks();
  AffineForOp all = combineBlocks(
      builder, loop.getLoc(), loop.getInits(), reductions, blocks, arrays, [&](Value block) {
        return std::make_pair(builder.getDimIdentityMap(), SmallVector<Value>{block});
      });
  SmallVector<Value> totals = llvm::to_vector_of<Value>(all.getResults());
  int64_t rest = loop.getConstantLowerBound() + blocks * iterationsOfBlock();
  if (rest < loop.getConstantUpperBound())
    totals = llvm::to_vector_of<Value>(
        emitLoop(rest, loop.getConstantUpperBound(), totals, builder.getDimIdentityMap(), {}));
  loop->replaceAllUsesWith(totals);
  loop.erase();
}

} // namespace

void reduceInBlocks(Operation *root, Sharing sharing, const Notes &notes) {
  std::vector<BlockedReduction> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<cpe::CoresOp>(op))
      return WalkResult::skip(); // shared out already
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop)
      return WalkResult::advance();
    BlockedReduction reduction(loop, sharing);
    if (!reduction.analyse())
      return WalkResult::advance();
    found.push_back(std::move(reduction));
    return WalkResult::skip(); // the loops in it are the blocks' own
  });
  for (BlockedReduction &reduction : found) {
    notes
        .decided(reduction.where(), "{0}: in blocks, which {1} share", reduction.name(),
                 sharing == Sharing::Cores ? "cores" : "threads")
        .because("{0} blocks of {1} iterations each", blocks, reduction.iterationsOfBlock())
        .number("blocks", blocks);
    reduction.rewrite();
  }
}

} // namespace weft
